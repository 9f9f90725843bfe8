package static

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func tensorFile(header string, body int) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), make([]byte, body)...)
}

func TestSafetensorsRead(t *testing.T) {
	f32 := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5)), math.Float32bits(-2))
	list := []namedTensor{
		{"f32", tensor{"F32", []int{1, 2}, f32}},
		{"f16", tensor{"F16", []int{2}, []byte{0x00, 0x3c, 0x01, 0x80}}},   // 1; the least subnormal, negative
		{"bf16", tensor{"BF16", []int{2}, []byte{0x80, 0x3f, 0x20, 0xc0}}}, // 1; −2.5
		{"i8", tensor{"I8", []int{2}, []byte{127, 0x80}}},
		{"f64", tensor{"F64", []int{1}, binary.LittleEndian.AppendUint64(nil, math.Float64bits(0.25))}},
		{"i64", tensor{"I64", []int{2}, []byte{7, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}},
		{"none", tensor{"F32", []int{0, 4}, nil}},
	}
	got, err := parseTensors(formatTensors(list))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]float32{
		"f32": {1.5, -2}, "f16": {1, -1.0 / (1 << 24)}, "bf16": {1, -2.5}, "i8": {127, -128}, "f64": {0.25},
	} {
		sum := make([]float32, len(want))
		tn := got[name]
		tn.add(sum, 0, 1)
		if diff := cmp.Diff(want, sum); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	whole := got["i64"]
	if a, b := whole.integer(0), whole.integer(1); a != 7 || b != -1 {
		t.Errorf("integers %d %d", a, b)
	}
}

// Every binary16 number, against its definition.
func TestSafetensorsFloat16(t *testing.T) {
	for b := range 1 << 16 {
		exponent, fraction := b>>10&31, float64(b&0x3ff)/1024
		want := math.Ldexp(1+fraction, exponent-15)
		switch exponent {
		case 0:
			want = math.Ldexp(fraction, -14)
		case 31:
			want = math.Inf(1)
			if fraction != 0 {
				want = math.NaN()
			}
		}
		if b>>15 == 1 {
			want = -want
		}
		got := float64(float16(uint16(b)))
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Fatalf("%#04x is %v, want %v", b, got, want)
		}
	}
}

func TestSafetensorsRefuses(t *testing.T) {
	good := `{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`
	if _, err := parseTensors(tensorFile(good, 8)); err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty":          nil,
		"cut in header":  tensorFile(good, 8)[:20],
		"cut in tensors": tensorFile(good, 7),
		"bytes too many": tensorFile(good, 9),
		"huge header":    append(binary.LittleEndian.AppendUint64(nil, 1<<62), "{}"...),
		"no json":        tensorFile(`[]`, 0),
		"backwards":      tensorFile(strings.Replace(good, "[0,8]", "[8,0]", 1), 8),
		"negative":       tensorFile(strings.Replace(good, "[0,8]", "[-8,0]", 1), 8),
		"outside":        tensorFile(strings.Replace(good, "[0,8]", "[0,1e30]", 1), 8),
		"other shape":    tensorFile(strings.Replace(good, "[2]", "[3]", 1), 8),
		"overflow":       tensorFile(strings.Replace(good, "[2]", "[2147483647,2147483647,2147483647,2]", 1), 8),
		"unknown kind":   tensorFile(strings.Replace(good, "F32", "F4", 1), 8),
		"overlap":        tensorFile(`{"a":{"dtype":"I8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"I8","shape":[4],"data_offsets":[4,8]}}`, 8),
		"gap":            tensorFile(`{"a":{"dtype":"I8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"I8","shape":[4],"data_offsets":[4,8]}}`, 8),
	} {
		if _, err := parseTensors(data); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

// FuzzSafetensors: whatever the bytes are, they are refused, or every number of
// every tensor can be read.
func FuzzSafetensors(f *testing.F) {
	f.Add(tensorFile(`{"__metadata__":{"a":"b"},"a":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},"b":{"dtype":"I64","shape":[1],"data_offsets":[8,16]}}`, 16))
	f.Add(tensorFile(`{"a":{"dtype":"BF16","shape":[],"data_offsets":[0,2]}}`, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		tensors, err := parseTensors(data)
		if err != nil {
			return
		}
		for _, tn := range tensors {
			n := tn.count()
			if n*numberKinds()[tn.kind].width != len(tn.data) {
				t.Fatalf("%d numbers of %s in %d bytes", n, tn.kind, len(tn.data))
			}
			if n == 0 {
				continue
			}
			if tn.real() {
				tn.add(make([]float32, n), 0, 1)
			}
			if tn.whole() {
				tn.integer(n - 1)
			}
		}
	})
}

type namedTensor struct {
	name string
	tensor
}

// formatTensors writes a safetensors file.
func formatTensors(list []namedTensor) []byte {
	var entries []string
	var body []byte
	for _, t := range list {
		shape, _ := json.Marshal(t.shape)
		entries = append(entries, fmt.Sprintf(`%q:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, t.name, t.kind, shape, len(body), len(body)+len(t.data)))
		body = append(body, t.data...)
	}
	header := "{" + strings.Join(entries, ",") + "}"
	header += strings.Repeat(" ", (8-len(header)%8)%8)
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), body...)
}
