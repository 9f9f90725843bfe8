package recall

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// version of the file. History: 1 is the first; 2 has no mark of recipes; 3 has
// what recipes quote, 4 the rules of persons; 5 takes paths that are run for commands;
// 6 has when a memory says that it matters, and which a reader worded; 7 the names of
// the memories by themselves, so that changes are found; 8 tells a file that a reader
// names from one of a person's rule; 9 knows the title that a reader worded; 10 what a
// quotation is taken from, and no rules of agents; 11 what a decision says is gone;
// 12 names no branch.
const version = 12

func format() cachefile.Format { return cachefile.Format{Magic: "CTXT", Version: version} }

// maxTable is the size in bytes from which a table is not read.
const maxTable = 1 << 30

// Sections of the file. Behind them stand the records, each with its checksum: one
// for each memory; then the names of their blobs; then one for each bucket of terms.
const (
	headSection   = iota // stamp, number of memories, the longest list that is kept of a term
	docSection           // where the record of each memory begins, and where the last ends
	bucketSection        // where each bucket begins, and where the last ends
	sectionCount
)

// archivedBit marks, in the place of its record, a memory that is archived: that comes
// with time, and the record stays as it is.
const archivedBit = 1 << 31

// perBucket is about how many pairs of a term and a memory share a bucket, the unit that
// is read and checked to look a term up.
const perBucket = 32

// common is the share of the memories above which a term tells none of them
// apart, from commonFrom memories on.
const (
	common     = 4
	commonFrom = 200
)

// Table says which memories hold a term. It is read from the bytes that [Build]
// made, and from those of what changed since (see [Renew]).
type Table struct {
	volume
	stamp  string
	first  string // stamp of the first file
	update *update
	beside *beside // the notes, of a table in a file
}

// volume is a file of memories and of the terms that they hold.
type volume struct {
	n       int
	listed  int // of a term that more memories hold, only their number is kept
	docs    string
	buckets string
	rest    string
	closer  io.Closer
}

// record is a memory in a table. What it holds follows from the memory alone.
type record struct {
	id       memory.ID
	session  string
	kind     memory.Type
	curated  bool // in a reader's words
	length   int  // terms of its texts
	said     []string
	files    []string
	triggers []string
	hashes   string // of its terms, four bytes each, sorted
	quoted   string // those of a recipe that stand only in what it quotes and tell the call from no other
	works    string // those of a recipe that only what works has
	rules    string // of a person, and when the memory matters, as packRules has them
	title    string // terms of a title in a reader's words, as hashes
	lead     string // of a quotation, as [memory.Memory.QuoteMark] has it; "" for what is none
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
		id: m.ID, session: m.Source.Session, kind: m.Type,
		curated: m.Source.Layer == layerCurated, length: length,
		said: sentences(m), files: filesOf(m), triggers: m.Triggers,
		hashes: packed(hashes), quoted: packed(quoted), works: packed(works), rules: packRules(rules),
		title: titleTerms(a, m), lead: m.QuoteMark(),
	}
}

// titleTerms are the terms of a title that a reader worded, packed; "" for another's, which
// may be any of its sentences.
func titleTerms(a *words.Analyser, m *memory.Memory) string {
	if m.Source.Layer != layerCurated {
		return ""
	}
	var hashes []uint32
	termsOf(a, m.Title, maxText, func(x term, _ uint32) { hashes = append(hashes, x.hash) })
	slices.Sort(hashes)
	return packed(slices.Compact(hashes))
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
	named := lists.Without(m.Files, func(f string) bool { return slices.Contains(out, f) })
	return append(out, named...)
}

// format returns the record as it stands in a file, with its checksum. Its hashes stand
// first, see hashesOf.
func (r *record) format() string {
	b := cachefile.AppendString(nil, r.hashes)
	for _, s := range []string{
		string(r.id), r.session, string(r.kind),
		strings.Join(r.said, "\n"), strings.Join(r.files, "\n"), strings.Join(r.triggers, "\n"),
		r.quoted, r.works, r.rules, r.title, r.lead,
	} {
		b = cachefile.AppendString(b, s)
	}
	curated := byte(0)
	if r.curated {
		curated = 1
	}
	return string(cachefile.AppendSum(append(binary.AppendUvarint(b, uint64(r.length)), curated)))
}

// hashesOf are the hashes of a record as it stands in a file.
func hashesOf(raw string) string {
	r := cachefile.Reader{Rest: raw}
	return r.Text()
}

// Open opens the table in a file, with what changed since it was made.
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
	t.closer, t.beside = closer, &beside{path: path + notesEnding}
	data, closer, err = mapped.Open(path+sinceEnding, maxTable)
	if err != nil {
		return t, nil //nolint:nilerr // nothing has changed since
	}
	if t.add(mapped.String(data)) != nil {
		_ = closer.Close() // it belongs to another table, or is damaged
		return t, nil
	}
	t.update.closer = closer
	return t, nil
}

// Read reads a table from the bytes that [Build] returned.
func Read(data string) (*Table, error) {
	sections, rest, err := format().Decode(data)
	if err != nil {
		return nil, fmt.Errorf("reading the table of triggers: %w", err)
	}
	t := &Table{}
	if len(sections) != sectionCount || !t.read(sections, rest, &t.stamp) {
		return nil, fmt.Errorf("reading the table of triggers: %w", cachefile.ErrDamaged)
	}
	t.first, t.update = t.stamp, newUpdate(t.n)
	return t, nil
}

// read reads a volume; its head begins with texts. It is false when that cannot be.
func (p *volume) read(sections []string, rest string, texts ...*string) bool {
	r := cachefile.Reader{Rest: sections[headSection]}
	for _, text := range texts {
		*text = r.Text()
	}
	p.n, p.listed = r.Uvarint(), r.Uvarint()
	p.docs, p.buckets, p.rest = sections[docSection], sections[bucketSection], rest
	return r.Err == nil && len(p.docs) == 4*(p.n+1) && len(p.buckets) >= 8 && len(p.buckets)%4 == 0
}

// Close releases the files. The table must not be used afterwards.
func (t *Table) Close() error {
	if t == nil {
		return nil
	}
	return errors.Join(t.close(), t.update.close(), t.beside.close())
}

// close releases the file of a volume, if it has one.
func (p *volume) close() error {
	if p.closer == nil {
		return nil
	}
	return p.closer.Close()
}

// Stamp returns the stamp that was given to [Build] or [Renew], which names the memories
// that the table was made of; "" when the table lacks some of them.
func (t *Table) Stamp() string { return t.stamp }

// place is place i of a list of places in rest.
func place(places string, i int) int { return int(cachefile.Uint32(places, 4*i) &^ archivedBit) }

// between returns what stands from one place to another, with its checksum, "" if it is
// damaged.
func (p *volume) between(from, to int) string {
	if from > to || to > len(p.rest) || !cachefile.Sound(p.rest[from:to]) {
		return ""
	}
	return p.rest[from:to]
}

// raw is a record as it stands in the file; "" if it is damaged.
func (p *volume) raw(i int) string { return p.between(place(p.docs, i), place(p.docs, i+1)) }

func (p *volume) archived(i int) bool { return cachefile.Uint32(p.docs, 4*i)&archivedBit != 0 }

// names are the names of the blobs of all memories, in order; nil if they are damaged.
func (p *volume) names() []string {
	if p.n == 0 {
		return nil
	}
	r := cachefile.Reader{Rest: p.between(place(p.docs, p.n), place(p.buckets, 0))}
	out := make([]string, p.n)
	for i := range out {
		out[i] = r.Text()
	}
	if r.Err != nil {
		return nil
	}
	return out
}

func (p *volume) record(i int) (record, bool) {
	s := p.raw(i)
	if s == "" {
		return record{}, false
	}
	r := cachefile.Reader{Rest: s}
	out := record{
		hashes: r.Text(), id: memory.ID(r.Text()), session: r.Text(), kind: memory.Type(r.Text()),
		said: lines(r.Text()), files: lines(r.Text()), triggers: lines(r.Text()),
		quoted: r.Text(), works: r.Text(), rules: r.Text(), title: r.Text(), lead: r.Text(),
		length: r.Uvarint(), curated: r.Byte() != 0,
	}
	return out, r.Err == nil && len(out.hashes)%4 == 0
}

func lines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// holding returns the memories that hold a term, and how many they are. Where that is
// more than most there is only their number.
func (p *volume) holding(h uint32, most int) (docs []uint32, n int) {
	if p.n == 0 {
		return nil, 0
	}
	b := int(h % uint32(len(p.buckets)/4-1))
	r := cachefile.Reader{Rest: p.between(place(p.buckets, b), place(p.buckets, b+1))}
	for len(r.Rest) > 4 {
		at, n := uint32(r.Fixed(4)), r.Uvarint()
		if n > p.n {
			break
		}
		if at == h {
			return p.list(&r, n, most)
		}
		p.pass(&r, n)
	}
	return nil, 0
}

// pass reads over the memories of a term, of which there is only the number when they are
// too many to be listed.
func (p *volume) pass(r *cachefile.Reader, n int) {
	if n > p.listed {
		return
	}
	for range n {
		r.Uvarint()
	}
}

// list reads n memories that hold a term, but for those of a term that is not listed, or
// that more than most hold.
func (p *volume) list(r *cachefile.Reader, n, most int) ([]uint32, int) {
	if n > min(most, p.listed) {
		return nil, n
	}
	docs, d := make([]uint32, 0, n), uint32(0)
	for range n {
		if d += uint32(r.Uvarint()); r.Err != nil || int(d) >= p.n {
			return nil, 0
		}
		docs = append(docs, d)
	}
	return docs, n
}
