package vector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// A file of vectors is a header and records of one size, so that a damaged
// record is skipped by itself and a torn one can only be the last:
//
//	header   8 bytes magic, 4 bytes version, 4 bytes dimensions, 4 bytes length of an id,
//	         4 bytes length of the name, name of the model, 4 bytes CRC of all before
//	record   blob id in hexadecimal, 4 bytes scale (float), dimensions × int8, 4 bytes CRC of all before
//
// Numbers are little-endian. The vector is scale × the bytes; it has length 1,
// or is zero for a text without a known word. Records are appended; the file is
// replaced, by rename, when too much of it is waste. Checksums are CRC-32C.
//
// History of the version: 1 first.
const (
	magic   = "cxvector"
	version = 1

	maxModelName = 4096
	maxVectors   = 8 << 30 // bytes of a file
)

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

func formatHeader(model string, dims, idSize int) []byte {
	b := append([]byte(nil), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(dims))
	b = binary.LittleEndian.AppendUint32(b, uint32(idSize))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(model)))
	b = append(b, model...)
	return binary.LittleEndian.AppendUint32(b, cachefile.Sum(b))
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
	const fixed = len(magic) + 16
	if len(data) < fixed {
		return errOther
	}
	f.dims = int(binary.LittleEndian.Uint32(data[12:]))
	f.idSize = int(binary.LittleEndian.Uint32(data[16:]))
	if f.dims <= 0 || f.dims > embed.MaxDims || f.idSize != 40 && f.idSize != 64 || len(model) > maxModelName {
		return errOther
	}
	header := formatHeader(model, f.dims, f.idSize)
	if !bytes.HasPrefix(data, header) {
		return errOther
	}
	body := data[len(header):]
	f.waste = len(body) % f.recordSize()
	f.data = body[: len(body)-f.waste : len(body)-f.waste]
	return nil
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
	if cachefile.Sum(r[:size-4]) != binary.LittleEndian.Uint32(r[size-4:]) {
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
	return binary.LittleEndian.AppendUint32(r, cachefile.Sum(r))
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
