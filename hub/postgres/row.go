package postgres

import (
	"encoding/binary"
	"slices"
)

// A row is what a repository holds of a word: the memories with its stem, and in which forms they write it. What is no
// word, such as a path, has a row of its own, of which it is the one form.
type row struct {
	text  string // the stem
	forms []string
	list  []posting // in order of documents
}

// posting says how often a document holds the stem, how often in its title, and how often each form.
type posting struct {
	doc, stem, title uint32
	exact            []written
}

type written struct{ form, freq uint32 }

// form is the number of a form.
func (r *row) form(text string) uint32 {
	at := slices.Index(r.forms, text)
	if at < 0 {
		at = len(r.forms)
		r.forms = append(r.forms, text)
	}
	return uint32(at)
}

// of is the posting of a document, which is the last one or follows it.
func (r *row) of(doc uint32) *posting {
	if n := len(r.list); n == 0 || r.list[n-1].doc != doc {
		r.list = append(r.list, posting{doc: doc})
	}
	return &r.list[len(r.list)-1]
}

// write counts a form once more.
func (p *posting) write(form uint32) {
	at := slices.IndexFunc(p.exact, func(w written) bool { return w.form == form })
	if at < 0 {
		at = len(p.exact)
		p.exact = append(p.exact, written{form: form})
	}
	p.exact[at].freq++
}

// take appends a posting whose forms are numbered by others.
func (r *row) take(p *posting, forms []string) {
	own := posting{p.doc, p.stem, p.title, slices.Clone(p.exact)}
	for i := range own.exact {
		own.exact[i].form = r.form(forms[own.exact[i].form])
	}
	r.list = append(r.list, own)
}

// A row begins with how many forms follow: none where the one form is the text itself.
//
// A posting is the distance to the document before and three bits; then, where a single form is written, and as often
// as the stem or without it, a number for which form and how often, else how often the stem stands there, how many
// forms, and for each which and how often; and how often in the title, where that is not never.
const (
	isSingle = 1 << iota
	isStem   // a single form is written as often as the stem
	isTitle
	postingBits = iota
)

// pack is a row as one value.
func (r *row) pack() []byte {
	listed := r.forms
	if slices.Equal(listed, []string{r.text}) {
		listed = nil
	}
	b := binary.AppendUvarint(nil, uint64(len(listed)))
	for _, form := range listed {
		b = appendString(b, form)
	}
	before := uint32(0)
	for i := range r.list {
		p := &r.list[i]
		b = r.appendPosting(b, p.doc-before, p)
		before = p.doc
	}
	return b
}

// appendPosting appends a posting at a distance from the one before.
func (r *row) appendPosting(b []byte, distance uint32, p *posting) []byte {
	var freq uint32
	single := len(p.exact) == 1
	if single {
		freq = p.exact[0].freq
		single = p.stem == freq || p.stem == 0
	}
	flags := flag(single, isSingle) | flag(p.stem > 0, isStem) | flag(p.title > 0, isTitle)
	b = binary.AppendUvarint(b, uint64(distance)<<postingBits|flags)
	if single {
		b = binary.AppendUvarint(b, uint64(freq-1)*uint64(len(r.forms))+uint64(p.exact[0].form))
	} else {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(p.stem)), uint64(len(p.exact)))
		for _, w := range p.exact {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(w.form)), uint64(w.freq))
		}
	}
	if p.title > 0 {
		b = binary.AppendUvarint(b, uint64(p.title))
	}
	return b
}

// reading is a row being read, of which a posting at a time is taken apart.
type reading struct {
	packed
	posting
	forms uint64 // how many there are
}

// read begins to read a row: it calls visit for each form.
func (r *reading) read(text string, data []byte, visit func(form []byte)) {
	*r = reading{packed: packed{data: data}, posting: posting{exact: append(r.exact[:0], written{})}}
	listed := r.number()
	if listed == 0 {
		visit([]byte(text))
	}
	for range min(listed, uint64(len(data))) {
		visit(r.bytes(r.number()))
	}
	r.forms = max(1, listed)
}

// next goes to the next posting; false where there is none.
func (r *reading) next() bool {
	if rest := r.data[r.at:]; len(rest) > 1 && r.usual(rest[0], rest[1]) {
		return true
	}
	if r.left() == 0 {
		return false
	}
	first := r.number()
	r.doc += uint32(first >> postingBits)
	r.exact, r.stem, r.title = r.exact[:0], 0, 0
	if first&isSingle != 0 {
		both := r.number()
		freq := uint32(both/r.forms) + 1
		r.stem = freq * uint32(first&isStem/isStem)
		r.exact = append(r.exact, written{uint32(both % r.forms), freq})
	} else {
		r.mixed()
	}
	if first&isTitle != 0 {
		r.title = uint32(r.number())
	}
	return !r.bad
}

// usual goes to the next posting where it is as most are: of two bytes, with one form that is written once.
func (r *reading) usual(first, form byte) bool {
	if first&(0x80|isSingle|isTitle) != isSingle || form|first >= 0x80 || uint64(form) >= r.forms {
		return false
	}
	r.at += 2
	r.doc += uint32(first >> postingBits)
	r.exact = r.exact[:1]
	r.exact[0] = written{uint32(form), 1}
	r.stem, r.title = uint32(first&isStem/isStem), 0
	return true
}

// mixed reads how often a posting holds the stem and each form.
func (r *reading) mixed() {
	r.stem = uint32(r.number())
	for range min(r.number(), r.forms) {
		form, freq := r.number(), r.number()
		r.exact = append(r.exact, written{uint32(min(form, r.forms-1)), uint32(freq)})
	}
}

// err says whether a row was damaged, when there is no next posting.
func (r *reading) err() error {
	if r.bad {
		return errPacked
	}
	return nil
}

// unpack is a row that pack packed, without some documents. A form that only those held is not there.
func unpack(text string, data []byte, without map[uint32]bool) (*row, error) {
	var forms []string
	var from reading
	from.read(text, data, func(form []byte) { forms = append(forms, string(form)) })
	out := &row{text: text}
	for from.next() {
		if !without[from.doc] {
			out.take(&from.posting, forms)
		}
	}
	return out, from.err()
}
