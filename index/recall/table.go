package recall

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/index/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// version of the file. History: 1 is the first; 2 has no mark of recipes; 3 has
// what recipes quote, 4 the rules of persons; 5 takes paths that are run for commands;
// 6 has when a memory says that it matters, and which a reader worded.
const version = 6

func format() cachefile.Format { return cachefile.Format{Magic: "CTXT", Version: version} }

// maxTable is the size in bytes from which a table is not read.
const maxTable = 1 << 30

// Sections of the file. Behind them stand the records, each with its checksum:
// one for each memory, then one for each bucket of terms.
const (
	headSection   = iota // stamp, number of memories, sum of their lengths
	docSection           // where the record of each memory begins, and where the last ends
	bucketSection        // where each bucket begins, and where the last ends
	sectionCount
)

// perBucket is about how many terms share a bucket, the unit that is read and checked
// to look one of them up.
const perBucket = 4

// common is the share of the memories above which a term tells none of them
// apart, from commonFrom memories on.
const (
	common     = 4
	commonFrom = 200
)

// Table says which memories hold a term. It is read from the bytes that [Build]
// made.
type Table struct {
	data    string
	stamp   string
	n       int
	lengths int
	docs    string
	buckets string
	rest    string
	closer  io.Closer
}

// record is a memory in a table.
type record struct {
	id       memory.ID
	blob     string
	session  string
	branch   string
	kind     memory.Type
	archived bool
	landed   bool
	pinned   bool
	curated  bool // in a reader's words
	seen     int
	day      int // it was created on, since 1970
	length   int // terms of its texts
	weight   int // confidence in hundredths
	said     []string
	files    []string
	triggers []string
	hashes   string // of its terms, four bytes each, sorted
	quoted   string // those of a recipe that stand only in what it quotes and tell the call from no other
	works    string // those of a recipe that only what works has
	rules    string // of a person, and when the memory matters, as packRules has them
}

// Build makes a table of memories. Those that an earlier table knows by their blob
// are taken from there, and of the others at most so many are loaded; one that
// cannot be is left out. A table that lacks some of the others has no stamp.
// earlier may be nil.
func Build(stamp string, docs []Doc, earlier *Table, most int, load func(i int) *memory.Memory) []byte {
	known := earlier.records()
	var a words.Analyser
	var offsets, places, rest []byte
	lists := map[uint32][]uint32{}
	lengths, n := 0, 0
	for i := range docs {
		r, ok := known[docs[i].Blob]
		if !ok {
			if most--; most < 0 {
				stamp = ""
				continue
			}
			m := load(i)
			if m == nil {
				continue
			}
			r = newRecord(&a, m)
		}
		r.blob, r.archived, r.landed = docs[i].Blob, docs[i].Archived, docs[i].Landed
		lengths += r.length
		offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(rest)))
		rest = r.append(rest)
		for at := 0; at < len(r.hashes); at += 4 {
			h := cachefile.Uint32(r.hashes, at)
			lists[h] = append(lists[h], uint32(n))
		}
		n++
	}
	offsets = binary.LittleEndian.AppendUint32(offsets, uint32(len(rest)))
	buckets := make([][]uint32, max(1, len(lists)/perBucket))
	for h := range lists {
		b := h % uint32(len(buckets))
		buckets[b] = append(buckets[b], h)
	}
	for _, hashes := range buckets {
		places = binary.LittleEndian.AppendUint32(places, uint32(len(rest)))
		slices.Sort(hashes)
		from := len(rest)
		for _, h := range hashes {
			rest = appendList(rest, h, lists[h], n)
		}
		rest = binary.LittleEndian.AppendUint32(rest, cachefile.Sum(rest[from:]))
	}
	places = binary.LittleEndian.AppendUint32(places, uint32(len(rest)))
	head := cachefile.AppendString(nil, stamp)
	head = binary.AppendUvarint(head, uint64(n))
	head = binary.AppendUvarint(head, uint64(lengths))
	return append(format().Encode(head, offsets, places), rest...)
}

// appendList appends the memories that hold a term. Of a term that is common only
// their number is kept.
func appendList(b []byte, h uint32, list []uint32, all int) []byte {
	b = binary.LittleEndian.AppendUint32(b, h)
	b = binary.AppendUvarint(b, uint64(len(list)))
	if isCommon(len(list), all) {
		return b
	}
	before := uint32(0)
	for _, d := range list {
		b = binary.AppendUvarint(b, uint64(d-before))
		before = d
	}
	return b
}

func isCommon(holding, all int) bool { return all >= commonFrom && holding > all/common }

func newRecord(a *words.Analyser, m *memory.Memory) record {
	hashes, length := memoryTerms(a, m)
	quoted, works := quotes(a, m)
	rules := rulesOf(a, m)
	for _, r := range rules {
		hashes = append(hashes, ruleTerm(r.key()).hash)
	}
	slices.Sort(hashes)
	hashes = slices.Compact(hashes)
	return record{
		id: m.ID, session: m.Source.Session, branch: m.Source.Branch, kind: m.Type, pinned: m.Pinned, curated: m.Source.Layer == layerCurated,
		seen: len(m.Seen), day: int(m.Created.Unix() / 86400), length: length, weight: int(m.Confidence * 100),
		said: sentences(m), files: filesOf(m), triggers: m.Triggers,
		hashes: packed(hashes), quoted: packed(quoted), works: packed(works), rules: packRules(rules),
	}
}

// packed are hashes in four bytes each.
func packed(hashes []uint32) string {
	b := make([]byte, 0, 4*len(hashes))
	for _, h := range hashes {
		b = binary.LittleEndian.AppendUint32(b, h)
	}
	return string(b)
}

// packedHas reports whether a hash is among packed ones that are sorted.
func packedHas(s string, h uint32) bool {
	i := sort.Search(len(s)/4, func(i int) bool { return cachefile.Uint32(s, 4*i) >= h })
	return 4*i < len(s) && cachefile.Uint32(s, 4*i) == h
}

// filesOf are the files that a memory is about, anchored or named.
func filesOf(m *memory.Memory) []string {
	var out []string
	for _, a := range m.Anchors {
		out = append(out, a.Path)
	}
	for _, f := range m.Files {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

const (
	flagArchived = 1 << iota
	flagLanded
	flagPinned
	flagCurated
)

func (r *record) append(b []byte) []byte {
	from := len(b)
	flags := byte(0)
	for flag, set := range map[byte]bool{flagArchived: r.archived, flagLanded: r.landed, flagPinned: r.pinned, flagCurated: r.curated} {
		if set {
			flags |= flag
		}
	}
	b = append(b, flags)
	for _, s := range []string{string(r.id), r.blob, r.session, r.branch, string(r.kind), strings.Join(r.said, "\n"), strings.Join(r.files, "\n"), strings.Join(r.triggers, "\n"), r.hashes, r.quoted, r.works, r.rules} {
		b = cachefile.AppendString(b, s)
	}
	for _, n := range []int{r.seen, max(0, r.day), r.length, r.weight} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return binary.LittleEndian.AppendUint32(b, cachefile.Sum(b[from:]))
}

// Open opens the table in a file.
func Open(path string) (*Table, error) {
	data, closer, err := mapped.Open(path, maxTable)
	if err != nil {
		return nil, fmt.Errorf("opening the table of triggers: %w", err)
	}
	t, err := Read(mapped.String(data))
	if err != nil {
		_ = closer.Close()
		return nil, err
	}
	t.closer = closer
	return t, nil
}

// Read reads a table from the bytes that [Build] returned.
func Read(data string) (*Table, error) {
	sections, rest, err := format().Decode(data)
	if err == nil && len(sections) != sectionCount {
		err = cachefile.ErrDamaged
	}
	if err != nil {
		return nil, fmt.Errorf("reading the table of triggers: %w", err)
	}
	r := cachefile.Reader{Rest: sections[headSection]}
	t := &Table{data: data, stamp: r.Text(), n: r.Uvarint(), lengths: r.Uvarint(), docs: sections[docSection], buckets: sections[bucketSection], rest: rest}
	if r.Err != nil || len(t.docs) != 4*(t.n+1) || len(t.buckets) < 8 || len(t.buckets)%4 != 0 {
		return nil, fmt.Errorf("reading the table of triggers: %w", cachefile.ErrDamaged)
	}
	return t, nil
}

// Close releases the file. The table must not be used afterwards.
func (t *Table) Close() error {
	if t == nil || t.closer == nil {
		return nil
	}
	return t.closer.Close()
}

// Stamp returns the stamp that was given to [Build], which names the memories that the
// table was made of; "" when the table lacks some of them.
func (t *Table) Stamp() string { return t.stamp }

// between is the record from place i to the next of the given places, without its
// checksum; "" if it is damaged.
func (t *Table) between(places string, i int) string {
	from, to := int(cachefile.Uint32(places, 4*i)), int(cachefile.Uint32(places, 4*i+4))
	if from > to || to > len(t.rest) || !cachefile.Sound(t.rest[from:to]) {
		return ""
	}
	return t.rest[from : to-4]
}

func (t *Table) record(i int) (record, bool) {
	s := t.between(t.docs, i)
	if s == "" {
		return record{}, false
	}
	r := cachefile.Reader{Rest: s}
	flags := r.Byte()
	out := record{
		archived: flags&flagArchived != 0, landed: flags&flagLanded != 0, pinned: flags&flagPinned != 0, curated: flags&flagCurated != 0,
		id: memory.ID(r.Text()), blob: r.Text(), session: r.Text(), branch: r.Text(), kind: memory.Type(r.Text()),
	}
	out.said, out.files, out.triggers = lines(r.Text()), lines(r.Text()), lines(r.Text())
	out.hashes, out.quoted, out.works, out.rules = r.Text(), r.Text(), r.Text(), r.Text()
	out.seen, out.day, out.length, out.weight = r.Uvarint(), r.Uvarint(), r.Uvarint(), r.Uvarint()
	return out, r.Err == nil && len(out.hashes)%4 == 0
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// records are all memories of the table by their blobs.
func (t *Table) records() map[string]record {
	if t == nil {
		return nil
	}
	out := make(map[string]record, t.n)
	for i := range t.n {
		if r, ok := t.record(i); ok {
			out[r.blob] = r
		}
	}
	return out
}

// holding returns the memories that hold a term, and how many they are. Of a term
// that is common there is only their number.
func (t *Table) holding(h uint32) (docs []uint32, n int) {
	s := t.between(t.buckets, int(h%uint32(len(t.buckets)/4-1)))
	r := cachefile.Reader{Rest: s}
	for r.Rest != "" && r.Err == nil {
		at, n := uint32(r.Fixed(4)), r.Uvarint()
		if n > t.n {
			break
		}
		if isCommon(n, t.n) {
			if at == h {
				return nil, n
			}
			continue
		}
		if at != h {
			for range n {
				r.Uvarint()
			}
			continue
		}
		docs, d := make([]uint32, 0, n), uint32(0)
		for range n {
			if d += uint32(r.Uvarint()); r.Err != nil || int(d) >= t.n {
				return nil, 0
			}
			docs = append(docs, d)
		}
		return docs, n
	}
	return nil, 0
}
