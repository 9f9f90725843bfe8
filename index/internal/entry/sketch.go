package entry

import (
	"encoding/binary"
	"math"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/internal/lazy"
)

// Sketch is a MinHash sketch of the words of a memory (sameness.Signature):
// for each of [Lanes] random orders of all words, the low 16 bits of the
// hash of its first word. Two sets agree in a lane with a probability that is
// their Jaccard index (Broder, On the resemblance and containment of documents,
// 1997), and by chance in one of 65,536 lanes (b-bit minwise hashing, Li and
// König 2010). The share of lanes that agree estimates the index with a
// standard deviation of at most 0.09. The sketch of no words is zero and agrees
// with nothing.
type Sketch [Lanes]uint16

const (
	// Lanes is how many hashes a sketch has.
	Lanes      = 32
	sketchSize = 2 * Lanes
)

// order is one of the random orders of words.
type order struct{ flip, factor uint64 }

// orders are fixed for good: sketches are on disk.
var orders = lazy.Value(func() (out [Lanes]order) {
	for i := range out {
		out[i] = order{mix(uint64(2 * i)), mix(uint64(2*i+1)) | 1}
	}
	return out
})

// SketchOf is the sketch of a signature, or of its words in any order and however often
// each is there (sameness.AppendWords), which need not be sorted for it.
func SketchOf(signature []uint32) (s Sketch) {
	if len(signature) == 0 {
		return s
	}
	var least [Lanes]uint32
	for i := range least {
		least[i] = math.MaxUint32
	}
	var lately [256]uint32 // words that come again change nothing
	var part [64]uint64
	n := 0
	for _, word := range signature {
		if at := &lately[word%256]; *at != word || word == 0 {
			*at = word
			part[n] = mix(uint64(word))
			n++
		}
		if n == len(part) {
			lower(&least, part[:n])
			n = 0
		}
	}
	lower(&least, part[:n])
	for i, v := range least {
		s[i] = max(1, uint16(v)) // 0 says that there is none
	}
	return s
}

// lower takes mixed words into the least hashes. What it goes over inside are the words,
// so that nothing but them is read there.
func lower(least *[Lanes]uint32, mixed []uint64) {
	lanes := orders()
	for i := 0; i < Lanes; i += 2 {
		a, b := lanes[i], lanes[i+1]
		x, y := uint64(least[i]), uint64(least[i+1])
		for _, word := range mixed {
			x, y = min(x, (word^a.flip)*a.factor>>32), min(y, (word^b.flip)*b.factor>>32)
		}
		least[i], least[i+1] = uint32(x), uint32(y)
	}
}

// mix is the finaliser of SplitMix64, which spreads every bit over all.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func (s *Sketch) put(b []byte) {
	for i, v := range s {
		binary.LittleEndian.PutUint16(b[2*i:], v)
	}
}

// Bytes is the sketch as heads hold it.
func (s *Sketch) Bytes() string {
	b := make([]byte, sketchSize)
	s.put(b)
	return string(b)
}

// Same counts the lanes in which two sketches agree, four at a time.
func Same(a, b string) int {
	agree := uint64(0) // four counts
	for i := 0; i < sketchSize; i += 8 {
		x := cachefile.Uint64(a, i) ^ cachefile.Uint64(b, i)
		// A lane of x is zero where they agree: then adding 0x7fff to its low bits
		// does not reach its top bit.
		agree += ^((x & 0x7fff7fff7fff7fff) + 0x7fff7fff7fff7fff | x) >> 15 & 0x0001000100010001
	}
	return int(agree * 0x0001000100010001 >> 48)
}

// Lane is one of a sketch; 0 when there are no words.
func Lane(s string, n int) uint16 {
	if s == "" {
		return 0
	}
	return uint16(s[2*n]) | uint16(s[2*n+1])<<8
}

// Near is an item, by its number, and in how many lanes its sketch agrees with another.
type Near struct{ Item, Lanes int32 }

// Nearest returns those that agree in the most lanes, at most so many, in their order
// where they agree in as many. Most of a view may agree in some lane, so they are counted
// and not sorted.
func Nearest(all []Near, most int) []Near {
	var next [Lanes + 1]int // by lanes: where the next goes
	for _, n := range all {
		next[n.Lanes]++
	}
	before := 0
	for lanes := Lanes; lanes >= 0; lanes-- {
		next[lanes], before = before, before+next[lanes]
	}
	out := make([]Near, min(len(all), most))
	for _, n := range all {
		if at := next[n.Lanes]; at < len(out) {
			out[at] = n
			next[n.Lanes]++
		}
	}
	return out
}
