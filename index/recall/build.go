package recall

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Build makes a table of memories. Those that an earlier table knows by their blob
// are taken from there, and of the others at most so many are loaded; one that
// cannot be is left out. A table that lacks some of the others has no stamp.
// earlier may be nil.
func Build(stamp string, docs []Doc, earlier *Table, most int, load func(i int) *memory.Memory) []byte {
	known := earlier.known()
	var a words.Analyser
	var b builder
	if earlier != nil {
		b.rest = make([]byte, 0, len(earlier.rest)+len(earlier.rest)/mostChanges) // most of it
	}
	for i := range docs {
		raw, ok := known[docs[i].Blob]
		if !ok {
			if most--; most < 0 {
				stamp = ""
				continue
			}
			if raw, ok = derive(&a, load(i)); !ok {
				continue
			}
		}
		b.add(&docs[i], raw)
	}
	listed := b.n
	if b.n >= 2*commonFrom {
		listed = b.n / 2 // what more hold is common whatever changes, see mostChanges
	}
	head := cachefile.AppendString(nil, stamp)
	head, places, buckets, rest := b.finish(head, listed)
	return append(format().Encode(head, places, buckets), rest...)
}

// derive makes the record of a memory as it stands in a file; false for none.
func derive(a *words.Analyser, m *memory.Memory) (string, bool) {
	if m == nil {
		return "", false
	}
	r := newRecord(a, m)
	return r.format(), true
}

// known are the records of all memories of the table, as they stand in the file, by
// their blobs.
func (t *Table) known() map[string]string {
	if t == nil {
		return nil
	}
	out := t.records()
	maps.Copy(out, t.update.records())
	return out
}

// records are the records of a volume by their blobs, as they stand in the file.
func (p *volume) records() map[string]string {
	out := make(map[string]string, p.n)
	for i, name := range p.names() {
		if raw := p.raw(i); raw != "" {
			out[name] = raw
		}
	}
	return out
}

// builder gathers the memories of a volume.
type builder struct {
	n      int
	docs   []byte
	names  []byte
	rest   []byte
	hashes []string
}

func (b *builder) add(d *Doc, raw string) {
	at := uint32(len(b.rest))
	if d.Archived {
		at |= archivedBit
	}
	b.docs = binary.LittleEndian.AppendUint32(b.docs, at)
	b.names = cachefile.AppendString(b.names, d.Blob)
	b.rest = append(b.rest, raw...)
	b.hashes = append(b.hashes, hashesOf(raw))
	b.n++
}

// finish returns what [volume.read] reads, with a head that was begun. Of a term that more
// than so many memories hold, only their number is kept.
func (b *builder) finish(begun []byte, listed int) (head, docs, buckets, rest []byte) {
	head = binary.AppendUvarint(binary.AppendUvarint(begun, uint64(b.n)), uint64(listed))
	docs = binary.LittleEndian.AppendUint32(b.docs, uint32(len(b.rest)))
	rest = append(b.rest, cachefile.AppendSum(b.names)...)
	pairs, ends := b.pairs()
	for from := 0; len(ends) > 0; from, ends = ends[0], ends[1:] {
		buckets = binary.LittleEndian.AppendUint32(buckets, uint32(len(rest)))
		rest = appendBucket(rest, pairs[from:ends[0]], listed)
	}
	return head, docs, binary.LittleEndian.AppendUint32(buckets, uint32(len(rest))), rest
}

// pairs are all pairs of a term, in the upper half, and a memory that holds it, and where
// the pairs of each bucket end. A bucket has the terms whose hash has the same remainder.
func (b *builder) pairs() (pairs []uint64, ends []int) {
	all := 0
	for _, s := range b.hashes {
		all += len(s) / 4
	}
	next := make([]int, max(1, min(all/perBucket, math.MaxInt32)))
	buckets := uint32(len(next))
	for _, s := range b.hashes {
		for ; len(s) >= 4; s = s[4:] {
			next[cachefile.Uint32(s, 0)%buckets]++
		}
	}
	from := 0
	for i, n := range next {
		next[i] = from
		from += n
	}
	pairs = make([]uint64, all)
	for d, s := range b.hashes {
		for ; len(s) >= 4; s = s[4:] {
			h := cachefile.Uint32(s, 0)
			at := &next[h%buckets]
			pairs[*at] = uint64(h)<<32 | uint64(d)
			*at++
		}
	}
	return pairs, next
}

// appendBucket appends, for each term of a bucket, the memories that hold it, and the
// checksum of the bucket.
func appendBucket(b []byte, pairs []uint64, listed int) []byte {
	start := len(b)
	slices.Sort(pairs)
	for len(pairs) > 0 {
		h, n := uint32(pairs[0]>>32), 1
		for n < len(pairs) && uint32(pairs[n]>>32) == h {
			n++
		}
		b = binary.LittleEndian.AppendUint32(b, h)
		b = binary.AppendUvarint(b, uint64(n))
		before := uint32(0)
		for _, p := range pairs[:n] {
			if n > listed {
				break
			}
			b = binary.AppendUvarint(b, uint64(uint32(p)-before))
			before = uint32(p)
		}
		pairs = pairs[n:]
	}
	return binary.LittleEndian.AppendUint32(b, cachefile.Sum(b[start:]))
}
