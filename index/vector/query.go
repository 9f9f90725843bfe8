package vector

import (
	"encoding/binary"
	"math"

	"github.com/git-cortex/cortex/index/embed"
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
func (q *queryVector) similarity(r record, idSize int) float32 {
	return float32(float32(q.dot(r.numbers(idSize))) * float32(r.scale(idSize)*q.scale))
}
