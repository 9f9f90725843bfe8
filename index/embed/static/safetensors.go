package static

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// Limits of a safetensors file. The reference implementation allows a header
// of 100 MB; that of an embedding table has a few hundred bytes.
const (
	maxTensorHeader = 4 << 20
	maxTensors      = 4096
)

// tensor is one array of a safetensors file. Its bytes are those of the file,
// which may be mapped: they are checked against the shape, not copied.
type tensor struct {
	kind  string // as the file names it: F32, F16, BF16, I8…
	shape []int
	data  []byte
}

// parseTensors reads a safetensors file: 8 bytes length of the header in
// little-endian order, a header in JSON that says of each tensor its kind,
// shape and place, and the tensors, one after the other without gaps. What is
// outside of the file, overlaps, or has another size than its shape is an error.
func parseTensors(data []byte) (map[string]tensor, error) {
	if len(data) < 8 {
		return nil, errors.New("safetensors file is cut short")
	}
	size := binary.LittleEndian.Uint64(data)
	if size > maxTensorHeader {
		return nil, fmt.Errorf("safetensors header of %d bytes, at most %d", size, maxTensorHeader)
	}
	if size > uint64(len(data)-8) {
		return nil, errors.New("safetensors file is cut short")
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(data[8:8+size], &header); err != nil {
		return nil, fmt.Errorf("reading safetensors header: %w", err)
	}
	delete(header, "__metadata__")
	if len(header) > maxTensors {
		return nil, fmt.Errorf("safetensors file with %d tensors, at most %d", len(header), maxTensors)
	}
	body := data[8+size:]
	tensors, places := make(map[string]tensor, len(header)), make([][2]uint64, 0, len(header))
	for name, raw := range header {
		t, place, err := placeTensor(raw, body)
		if err != nil {
			return nil, fmt.Errorf("reading tensor %.60q: %w", name, err)
		}
		tensors[name] = t
		places = append(places, place)
	}
	return tensors, checkPlaces(places, uint64(len(body)))
}

func placeTensor(raw json.RawMessage, body []byte) (t tensor, place [2]uint64, err error) {
	var entry struct {
		Kind  string   `json:"dtype"`
		Shape []uint64 `json:"shape"`
		Place []uint64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return t, place, err
	}
	width := numberKinds()[entry.Kind].width
	if width == 0 {
		return t, place, fmt.Errorf("numbers of kind %.20q are not supported", entry.Kind)
	}
	if len(entry.Place) != 2 || entry.Place[0] > entry.Place[1] || entry.Place[1] > uint64(len(body)) {
		return t, place, errors.New("it lies outside of the file")
	}
	size, shape := uint64(width), make([]int, len(entry.Shape))
	for i, n := range entry.Shape {
		if n > math.MaxInt32 || n > 0 && size > math.MaxInt64/n {
			return t, place, errors.New("its shape is too large")
		}
		size *= n
		shape[i] = int(n)
	}
	from, to := entry.Place[0], entry.Place[1]
	if to-from != size {
		return t, place, fmt.Errorf("%d bytes for a shape of %d", to-from, size)
	}
	return tensor{kind: entry.Kind, shape: shape, data: body[from:to:to]}, [2]uint64{from, to}, nil
}

// checkPlaces makes sure that tensors follow each other from the first byte to
// the last, as the format demands.
func checkPlaces(places [][2]uint64, size uint64) error {
	lists.Sort(places, func(a, b [2]uint64) int { return slices.Compare(a[:], b[:]) })
	at := uint64(0)
	for _, p := range places {
		if p[0] != at {
			return errors.New("safetensors file has tensors that overlap or leave gaps")
		}
		at = p[1]
	}
	if at != size {
		return errors.New("safetensors file has bytes that belong to no tensor")
	}
	return nil
}

// numberKind says how the numbers of a tensor are read.
type numberKind struct {
	width int // bytes of one number
	// add adds a row of numbers, each times weight, to sum; nil for what can be no
	// embedding.
	add func(sum []float32, row []byte, weight float32)
	// integer reads one integer; nil for what is none.
	integer func(b []byte) int64
}

// numberKinds are the kinds of numbers, as files name them. Quantised tables are of kind
// I8, with one scale for the whole table, which normalising takes out.
var numberKinds = lazy.Value(func() map[string]numberKind {
	le := binary.LittleEndian
	return map[string]numberKind{
		"F64":  {8, addF64, nil},
		"F32":  {4, addF32, nil},
		"F16":  {2, addF16, nil},
		"BF16": {2, addBF16, nil},
		"I64":  {8, nil, func(b []byte) int64 { return int64(le.Uint64(b)) }},
		"U64":  {8, nil, func(b []byte) int64 { return int64(le.Uint64(b)) }},
		"I32":  {4, nil, func(b []byte) int64 { return int64(int32(le.Uint32(b))) }},
		"U32":  {4, nil, func(b []byte) int64 { return int64(le.Uint32(b)) }},
		"I16":  {2, nil, func(b []byte) int64 { return int64(int16(le.Uint16(b))) }},
		"U16":  {2, nil, func(b []byte) int64 { return int64(le.Uint16(b)) }},
		"I8":   {1, addI8, func(b []byte) int64 { return int64(int8(b[0])) }},
		"U8":   {1, nil, func(b []byte) int64 { return int64(b[0]) }},
		"BOOL": {1, nil, nil},
	}
})

func addF64(sum []float32, row []byte, weight float32) {
	for i := range sum {
		sum[i] += float32(weight * float32(math.Float64frombits(binary.LittleEndian.Uint64(row[8*i:]))))
	}
}

func addF32(sum []float32, row []byte, weight float32) {
	for i := range sum {
		sum[i] += float32(weight * math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:])))
	}
}

func addF16(sum []float32, row []byte, weight float32) {
	for i := range sum {
		sum[i] += float32(weight * float16(binary.LittleEndian.Uint16(row[2*i:])))
	}
}

func addBF16(sum []float32, row []byte, weight float32) {
	for i := range sum {
		sum[i] += float32(weight * math.Float32frombits(uint32(binary.LittleEndian.Uint16(row[2*i:]))<<16))
	}
}

func addI8(sum []float32, row []byte, weight float32) {
	for i, v := range row {
		sum[i] += float32(weight * float32(int8(v)))
	}
}

func (t tensor) numbers() numberKind { return numberKinds()[t.kind] }

// real reports whether the tensor can be an embedding table.
func (t tensor) real() bool { return t.numbers().add != nil }

// whole reports whether the tensor holds integers.
func (t tensor) whole() bool { return t.numbers().integer != nil }

// add adds the numbers from number at on, each times weight, to sum.
func (t tensor) add(sum []float32, at int, weight float32) {
	k := t.numbers()
	k.add(sum, t.data[k.width*at:k.width*(at+len(sum))], weight)
}

// number is number i of a tensor of real numbers.
func (t tensor) number(i int) float32 {
	var v [1]float32
	t.add(v[:], i, 1)
	return v[0]
}

// count is how many numbers the tensor has.
func (t tensor) count() int {
	n := 1
	for _, d := range t.shape {
		n *= d
	}
	return n
}

// integer is number i of a tensor of integers; -1 when it is negative or does
// not fit.
func (t tensor) integer(i int) int {
	k := t.numbers()
	v := k.integer(t.data[k.width*i:])
	if v < 0 || v > math.MaxInt32 {
		return -1
	}
	return int(v)
}

// float16 is the number whose IEEE 754 binary16 representation is b: that with the same
// bits as a float32, whose exponent counts from another number.
func float16(b uint16) float32 {
	sign, magnitude := uint32(b&0x8000)<<16, uint32(b&0x7fff)
	if magnitude >= 0x7c00 { // infinite, or not a number
		return math.Float32frombits(sign | 0xff<<23 | magnitude<<13)
	}
	scaled := math.Float32frombits(magnitude<<13) * 0x1p112
	return math.Float32frombits(sign | math.Float32bits(scaled))
}
