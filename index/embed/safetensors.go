package embed

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
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
	width := tensorWidth(entry.Kind)
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
	slices.SortStableFunc(places, func(a, b [2]uint64) int { return slices.Compare(a[:], b[:]) })
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

// tensorWidth is the size of one number in bytes; 0 for what we cannot read.
func tensorWidth(kind string) int {
	switch kind {
	case "F64", "I64", "U64":
		return 8
	case "F32", "I32", "U32":
		return 4
	case "F16", "BF16", "I16", "U16":
		return 2
	case "I8", "U8", "BOOL":
		return 1
	}
	return 0
}

// real reports whether the tensor can be an embedding table. Quantised tables are of
// kind I8, with one scale for the whole table, which normalising takes out.
func (t *tensor) real() bool {
	switch t.kind {
	case "F64", "F32", "F16", "BF16", "I8":
		return true
	}
	return false
}

// whole reports whether the tensor holds integers.
func (t *tensor) whole() bool { return !t.real() && t.kind != "BOOL" || t.kind == "I8" }

// add adds n numbers from number at on, each times weight, to sum.
func (t *tensor) add(sum []float32, at int, weight float32) {
	n := len(sum)
	switch t.kind {
	case "F32":
		row := t.data[4*at : 4*(at+n)]
		for i := range sum {
			sum[i] += float32(weight * math.Float32frombits(binary.LittleEndian.Uint32(row[4*i:])))
		}
	case "F16":
		row := t.data[2*at : 2*(at+n)]
		for i := range sum {
			sum[i] += float32(weight * float16(binary.LittleEndian.Uint16(row[2*i:])))
		}
	case "BF16":
		row := t.data[2*at : 2*(at+n)]
		for i := range sum {
			sum[i] += float32(weight * math.Float32frombits(uint32(binary.LittleEndian.Uint16(row[2*i:]))<<16))
		}
	case "I8":
		row := t.data[at : at+n]
		for i, v := range row {
			sum[i] += float32(weight * float32(int8(v)))
		}
	case "F64":
		row := t.data[8*at : 8*(at+n)]
		for i := range sum {
			sum[i] += float32(weight * float32(math.Float64frombits(binary.LittleEndian.Uint64(row[8*i:]))))
		}
	}
}

// number is number i of a tensor of real numbers.
func (t *tensor) number(i int) float32 {
	var v [1]float32
	t.add(v[:], i, 1)
	return v[0]
}

// count is how many numbers the tensor has.
func (t *tensor) count() int {
	n := 1
	for _, d := range t.shape {
		n *= d
	}
	return n
}

// integer is number i of a tensor of integers; -1 when it is negative or does
// not fit.
func (t *tensor) integer(i int) int {
	var v int64
	switch t.kind {
	case "I64", "U64":
		v = int64(binary.LittleEndian.Uint64(t.data[8*i:]))
	case "I32":
		v = int64(int32(binary.LittleEndian.Uint32(t.data[4*i:])))
	case "U32":
		v = int64(binary.LittleEndian.Uint32(t.data[4*i:]))
	case "I16":
		v = int64(int16(binary.LittleEndian.Uint16(t.data[2*i:])))
	case "U16":
		v = int64(binary.LittleEndian.Uint16(t.data[2*i:]))
	case "I8":
		v = int64(int8(t.data[i]))
	case "U8":
		v = int64(t.data[i])
	default:
		return -1
	}
	if v < 0 || v > math.MaxInt32 {
		return -1
	}
	return int(v)
}

// float16 is the number whose IEEE 754 binary16 representation is b.
func float16(b uint16) float32 {
	sign, exponent, fraction := uint32(b&0x8000)<<16, uint32(b>>10)&31, uint32(b&0x3ff)
	switch exponent {
	case 31: // infinite, or not a number
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	case 0: // zero, or subnormal: fraction × 2^-24
		v := float32(fraction) / (1 << 24)
		if sign != 0 {
			return -v
		}
		return v
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
