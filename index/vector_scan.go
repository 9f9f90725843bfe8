package index

import (
	"context"
	"encoding/binary"
	"math"
	"sync"

	"github.com/git-cortex/cortex/index/embed"
	"github.com/git-cortex/cortex/index/internal/mapped"
)

// queryScale is the range that the numbers of a query are rounded to: finer
// than those of memories, and so that sums over maxDims products fit.
const queryScale = 2047

// queryVector is a query ready to be compared: scale × numbers has length 1.
type queryVector struct {
	numbers []int16
	scale   float32

	// packed are the numbers for dot: of each eight, number i in the upper half
	// and number i+4 in the lower half of a word. sum is that of those numbers.
	packed []uint64
	sum    int32
}

func newQueryVector(v []float32) queryVector {
	embed.Normalise(v)
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(float64(x)))
	}
	q := queryVector{numbers: make([]int16, len(v)), scale: float32(largest / queryScale)}
	if largest > 0 {
		for i, x := range v {
			q.numbers[i] = int16(math.RoundToEven(float64(x) / largest * queryScale))
		}
	}
	for i := 0; i+8 <= len(v); i += 8 {
		for k := i; k < i+4; k++ {
			q.packed = append(q.packed, uint64(int64(q.numbers[k])<<32+int64(q.numbers[k+4])))
			q.sum += int32(q.numbers[k]) + int32(q.numbers[k+4])
		}
	}
	return q
}

// dot is the sum of products of int8 numbers and those of the query, of the
// same length. There are no vector instructions in Go, so it does two products
// in one multiplication: with a, b ≥ 0, the upper half of
// (a + b·2³²) · (y + x·2³²) is a·x + b·y, and the lower half, a·y, is
// cut off in the end. 128 is added to make the bytes positive, and taken off.
func (q *queryVector) dot(row []byte) int32 {
	const lanes, signs = 0x000000ff000000ff, 0x8080808080808080
	var s, t uint64
	packed := q.packed
	for len(row) >= 8 && len(packed) >= 4 {
		v := binary.LittleEndian.Uint64(row) ^ signs
		s += (v & lanes) * packed[0]
		t += (v >> 8 & lanes) * packed[1]
		s += (v >> 16 & lanes) * packed[2]
		t += (v >> 24 & lanes) * packed[3]
		row, packed = row[8:], packed[4:]
	}
	const half = 1 << 31 // the lower half is a signed number
	sum := int64(int32((s+half)>>32)) + int64(int32((t+half)>>32)) - 128*int64(q.sum)
	for i, x := range q.numbers[len(q.packed)*2:] {
		sum += int64(int8(row[i])) * int64(x)
	}
	return int32(sum)
}

// similarity is the cosine of a record and a query.
func (q *queryVector) similarity(r vectorRecord, idSize int) float32 {
	return float32(float32(q.dot(r.numbers(idSize))) * float32(r.scale(idSize)*q.scale))
}

// vectorRows says where the vectors of a view are.
type vectorRows struct {
	of    *vectorFile
	file  []int32 // by place in the view: number of the record, −1 for none
	fresh map[int32]vectorRecord
}

// locate finds the vectors of a view of n items; place is the place of a blob
// in it, −1 when it is not there, and may be called from several goroutines.
// Damaged records are not found. mu is held.
func (v *Vectors) locate(n int, place func(blob string) int32) (*vectorRows, error) {
	v.open()
	rows := &vectorRows{of: v.file, file: make([]int32, n), fresh: map[int32]vectorRecord{}}
	for i := range rows.file {
		rows.file[i] = -1
	}
	count, size := v.file.count(), v.idSize()
	places := make([]int32, count)
	err := inHalves(count, func(from, to int) error {
		for i := from; i < to; i++ {
			places[i] = -1
			if r := v.file.record(i); r != nil {
				places[i] = place(r.blob(size))
			}
		}
		return nil
	})
	if err != nil {
		return rows, err
	}
	for i, at := range places {
		if at >= 0 {
			rows.file[at] = int32(i)
		}
	}
	for blob, r := range v.fresh {
		if at := place(blob); at >= 0 {
			rows.fresh[at] = r
		}
	}
	return rows, nil
}

// lacking are the places of a view that have no vector.
func (r *vectorRows) lacking() []int32 {
	var out []int32
	for at, i := range r.file {
		if _, ok := r.fresh[int32(at)]; !ok && i < 0 {
			out = append(out, int32(at))
		}
	}
	return out
}

// similarities are the cosines of all items with a query; 0 for those without
// a vector. mu is held.
func (v *Vectors) similarities(rows *vectorRows, q queryVector) ([]float32, error) {
	out, size := make([]float32, len(rows.file)), v.idSize()
	record := 0
	if v.file != nil {
		record = v.file.recordSize()
	}
	err := inHalves(len(rows.file), func(from, to int) error {
		for at := from; at < to; at++ {
			if i := int(rows.file[at]); i >= 0 {
				out[at] = q.similarity(vectorRecord(v.file.rows[i*record:(i+1)*record]), size)
			}
		}
		return nil
	})
	for at, r := range rows.fresh {
		out[at] = q.similarity(r, size)
	}
	return out, err
}

// compare are the similarities of a view once the query is embedded, or how
// many of its items have no vector after all: the file may have been replaced
// since it was looked at, or be of another number of dimensions than a remote
// model turned out to have. mu is held.
func (v *Vectors) compare(q queryVector, rows *vectorRows, n int, place func(blob string) int32) ([]float32, int, error) {
	if v.file != nil && v.file.dims != len(q.numbers) {
		v.file.close()
		v.file = nil
	}
	if v.file != rows.of {
		var err error
		if rows, err = v.locate(n, place); err != nil {
			return nil, 0, err
		}
	}
	for blob, r := range v.fresh {
		if at := place(blob); at >= 0 {
			rows.fresh[at] = r
		}
	}
	if lacking := len(rows.lacking()); lacking > 0 {
		return nil, lacking, nil
	}
	out, err := v.similarities(rows, q)
	return out, 0, err
}

// inHalves runs work over parts of n on two goroutines, or on one if n is
// small. Work reads a mapped file.
func inHalves(n int, work func(from, to int) error) error {
	const small = 4000
	if n < small || workers() == 1 {
		return mapped.Guard(func() error { return work(0, n) })
	}
	var group sync.WaitGroup
	var first error
	group.Go(func() { first = mapped.Guard(func() error { return work(0, n/2) }) })
	second := mapped.Guard(func() error { return work(n/2, n) })
	group.Wait()
	if first != nil {
		return first
	}
	return second
}

// embedQuery is the vector of a query, with the vectors of the few memories
// that had none made in the same go.
func (v *Vectors) embedQuery(ctx context.Context, query string, blobs []string) (queryVector, error) {
	vector, err := v.embedWith(ctx, query, blobs)
	if err != nil {
		return queryVector{}, err
	}
	return newQueryVector(vector), nil
}
