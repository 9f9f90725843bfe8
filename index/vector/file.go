package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// A file of vectors has two sections, 4 bytes dimensions with 4 bytes length of an
// id, and the name of the model. Behind them are records of one size, so that a
// damaged record is skipped by itself and a torn one can only be the last:
//
//	blob id in hexadecimal, 4 bytes scale (float), dimensions × int8, 4 bytes checksum of all before
//
// The vector is scale × the bytes; it has length 1, or is zero for a text without a
// known word. Records are appended; the file is replaced when too much of it is
// waste.

// version is raised when the layout of the file changes. History:
//
//	1  first
//	2  the header that all files of the cache have
const version = 2

const maxVectors = 8 << 30 // bytes of a file

func format() cachefile.Format { return cachefile.Format{Magic: "CTXE", Version: version} }

// errOther says that a file is not one of vectors of this model.
var errOther = errors.New("not a file of vectors of this model")

// vectorFile is a file of vectors that is open for reading.
type vectorFile struct {
	dims   int
	idSize int
	data   []byte // whole records; not verified
	waste  int    // bytes of a torn tail
	closer io.Closer
}

// formatHeader is a file of a model without records.
func formatHeader(model string, dims, idSize int) []byte {
	sizes := binary.LittleEndian.AppendUint32(nil, uint32(dims))
	sizes = binary.LittleEndian.AppendUint32(sizes, uint32(idSize))
	return format().Encode(sizes, []byte(model))
}

// openFile opens the file of a model.
func openFile(name, model string) (*vectorFile, error) {
	data, closer, err := mapped.Open(name, maxVectors)
	if err != nil {
		return nil, fmt.Errorf("reading vectors: %w", err)
	}
	f := &vectorFile{closer: closer}
	if err := mapped.Guard(func() error { return f.parse(data, model) }); err != nil {
		_ = closer.Close()
		return nil, fmt.Errorf("reading vectors: %w", err)
	}
	return f, nil
}

func (f *vectorFile) parse(data []byte, model string) error {
	sections, body, err := format().Decode(mapped.String(data))
	if err != nil {
		return err
	}
	if !isOfModel(sections, model) {
		return errOther
	}
	f.dims, f.idSize = int(cachefile.Uint32(sections[0], 0)), int(cachefile.Uint32(sections[0], 4))
	if f.dims < 1 || f.dims > embed.MaxDims || !slices.Contains([]int{40, 64}, f.idSize) {
		return errOther
	}
	start := len(data) - len(body)
	f.waste = len(body) % f.recordSize()
	end := len(data) - f.waste
	f.data = data[start:end:end]
	return nil
}

// isOfModel reports whether sections of a file are those of vectors that a model made.
func isOfModel(sections []string, model string) bool {
	return len(sections) == 2 && len(sections[0]) == 8 && sections[1] == model
}

func (f *vectorFile) recordSize() int { return f.idSize + 4 + f.dims + 4 }

func (f *vectorFile) count() int {
	if f == nil {
		return 0
	}
	return len(f.data) / f.recordSize()
}

// at is record i, nil when it is damaged.
func (f *vectorFile) at(i int) record {
	size := f.recordSize()
	r := f.data[i*size : (i+1)*size]
	if !cachefile.Sound(mapped.String(r)) {
		return nil
	}
	return r
}

func (f *vectorFile) close() {
	if f != nil {
		_ = f.closer.Close()
	}
}

// record is one record, verified.
type record []byte

// newRecord quantises v, which it makes one of length 1.
func newRecord(blob string, v []float32) record {
	embed.Normalise(v)
	largest := float32(0)
	for _, x := range v {
		largest = max(largest, float32(math.Abs(float64(x))))
	}
	scale := largest / 127
	r := make(record, 0, len(blob)+len(v)+8)
	r = append(r, blob...)
	r = binary.LittleEndian.AppendUint32(r, math.Float32bits(scale))
	for _, x := range v {
		q := 0.0
		if scale > 0 {
			q = math.RoundToEven(float64(x) / float64(scale))
		}
		r = append(r, byte(int8(q)))
	}
	return cachefile.AppendSum(r)
}

func (r record) blob(idSize int) string { return mapped.String(r[:idSize]) }

func (r record) scale(idSize int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(r[idSize:]))
}

func (r record) numbers(idSize int) []byte { return r[idSize+4 : len(r)-4] }

// appendTo adds records to a file whose writer lock is held. A torn tail
// is cut off; readers never look at it.
func appendTo(name string, f *vectorFile, records []record) error {
	file, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("writing vectors: %w", err)
	}
	size, err := file.Seek(int64(-f.waste), io.SeekEnd)
	if err == nil && f.waste > 0 {
		err = file.Truncate(size)
	}
	if err == nil {
		_, err = file.Write(bytes.Join(bytesOf(records), nil))
	}
	if e := file.Close(); err == nil {
		err = e
	}
	if err != nil {
		return fmt.Errorf("writing vectors: %w", err)
	}
	return nil
}

func bytesOf(records []record) [][]byte {
	out := make([][]byte, len(records))
	for i, r := range records {
		out[i] = r
	}
	return out
}
