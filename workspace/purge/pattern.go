package purge

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// form is one way in which a text may stand somewhere. One with words stands wherever they
// follow each other with at most gap other bytes between two of them, in capitals or not:
// so a name is also found in the name of a file, in an address, or over two lines.
type form struct {
	exact []byte
	words [][]byte // in lower case; without any the form is exact
	gap   int
}

// pattern is all that is looked for.
type pattern struct {
	forms []form
	slugs []string  // of the texts, whole
	ids   []string  // texts that are ids of memories
	first [256]bool // bytes that a form may begin with
}

// The least of a text that is looked for in other writings too: as many letters and digits
// of ASCII, and as many of them a word, as letters apart could be of anything.
const (
	leastWord = 3
	usualGap  = 16
)

// patternOf returns a pattern that finds any of some texts.
func patternOf(texts []string) *pattern {
	p := &pattern{}
	for _, text := range texts {
		f := formOf(text)
		p.forms = append(p.forms, f)
		if _, err := memory.ParseID(text); err == nil {
			p.ids = append(p.ids, text)
			continue
		}
		slug := memory.WholeSlug(text)
		if len(slug) < least {
			continue
		}
		p.slugs = append(p.slugs, slug)
		if f.words == nil && slug != text {
			p.forms = append(p.forms, form{exact: []byte(slug)})
		}
	}
	for _, f := range p.forms {
		begin := f.exact[:1]
		if f.words != nil {
			begin = slices.Concat(f.words[0][:1], bytes.ToUpper(f.words[0][:1]))
		}
		for _, b := range begin {
			p.first[b] = true
		}
	}
	return p
}

func formOf(text string) form {
	f := form{exact: []byte(text), gap: usualGap}
	length := 0
	for _, word := range strings.FieldsFunc(text, isGap) {
		f.words = append(f.words, []byte(strings.ToLower(word)))
		length += len(word)
	}
	for _, gap := range strings.FieldsFunc(text, isLetter) {
		f.gap = max(f.gap, len(gap))
	}
	if length < least || length < leastWord*len(f.words) {
		f.words = nil
	}
	return f
}

// letters lists the letters and digits of ASCII.
const letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func isLetter(r rune) bool { return strings.ContainsRune(letters, r) }

func isGap(r rune) bool { return !isLetter(r) }

// at is where the form ends that begins with data; 0 if it does not.
func (f *form) at(data []byte) int {
	if f.words == nil {
		if bytes.HasPrefix(data, f.exact) {
			return len(f.exact)
		}
		return 0
	}
	end := 0
	for n, word := range f.words {
		if n > 0 {
			end += gapIn(data[end:], f.gap)
		}
		if !beginsWith(data[end:], word) {
			return 0
		}
		end += len(word)
	}
	return end
}

// gapIn is how many of the first bytes, at most some, are no letters and digits.
func gapIn(data []byte, most int) int {
	data = data[:min(most, len(data))]
	if i := bytes.IndexAny(data, letters); i >= 0 {
		return i
	}
	return len(data)
}

// beginsWith reports whether data begins with a word of ASCII, in capitals or not.
func beginsWith(data, word []byte) bool {
	return len(data) >= len(word) && bytes.EqualFold(data[:len(word)], word)
}

// longest is how many bytes a match has at most.
func (p *pattern) longest() int {
	most := 0
	for _, f := range p.forms {
		most = max(most, len(f.exact), len(bytes.Join(f.words, nil))+f.gap*len(f.words))
	}
	return most
}

// find is the first match; from is -1 without any.
func (p *pattern) find(data []byte) (from, to int) {
	for i, b := range data {
		if !p.first[b] {
			continue
		}
		for k := range p.forms {
			if n := p.forms[k].at(data[i:]); n > 0 {
				return i, i + n
			}
		}
	}
	return -1, -1
}

func (p *pattern) holds(data []byte) bool {
	from, _ := p.find(data)
	return from >= 0
}

// replaced is data with something else in place of each match.
func (p *pattern) replaced(data []byte, by string) []byte {
	var out []byte
	for {
		from, to := p.find(data)
		if from < 0 {
			return append(out, data...)
		}
		out = append(append(out, data[:from]...), by...)
		data = data[to:]
	}
}

// chunk is how much of a stream is looked at together.
const chunk = 1 << 20

// verdict says how a content stands to a text.
type verdict struct {
	hit   bool
	own   bool // it is the id of the memory that this is the file of
	aside bool // a memory says nothing of it, only its source does, as the name of a branch
}

// in looks through a stream, in bounded memory: a buffer of chunk bytes and those of the longest match.
func (p *pattern) in(r io.Reader, buffer []byte) (verdict, error) {
	kept := 0
	for {
		n, ended, err := fill(r, buffer[kept:])
		if err != nil {
			return verdict{}, fmt.Errorf("reading an object: %w", err)
		}
		if v := p.verdict(buffer[:kept+n]); v.hit || ended {
			return v, nil
		}
		kept = copy(buffer, buffer[chunk:])
	}
}

// fill reads until a buffer is full or the stream has ended.
func fill(r io.Reader, buffer []byte) (n int, ended bool, err error) {
	n, err = io.ReadFull(r, buffer)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return n, true, nil
	}
	return n, false, err
}

func (p *pattern) verdict(data []byte) verdict {
	from, _ := p.find(data)
	if from < 0 {
		return verdict{}
	}
	v := verdict{hit: true, own: bytes.HasSuffix(data[:from], []byte("\nid: "))}
	if head, rest, ok := bytes.Cut(data, []byte("\nsource: ")); ok && bytes.HasPrefix(head, []byte("---\n")) {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
		v.aside = !p.holds(head) && !p.holds(rest)
	}
	return v
}

// named reports whether a name of a file tells of a text: it holds it, or it is that of a
// memory and was cut in the middle of it.
func (p *pattern) named(name string) bool {
	if p.holds([]byte(name)) {
		return true
	}
	slug, short, ok := ofSlug(path.Base(name))
	if !ok {
		return false
	}
	return slices.ContainsFunc(p.ids, func(id string) bool { return memory.ID(id).Short() == short }) ||
		slices.ContainsFunc(p.slugs, func(whole string) bool { return cutWithin(slug, whole) })
}

// cutWithin reports whether a slug was cut in the middle of a longer one that it ends with.
func cutWithin(slug, whole string) bool {
	for i := leastWord; i < len(whole); i++ {
		if cutAt(slug, whole, i) {
			return true
		}
	}
	return false
}

// cutAt reports whether a slug ends with the first i bytes of a longer one because it would
// have become too long.
func cutAt(slug, whole string, i int) bool {
	begin, rest := whole[:i], whole[i:]
	if slug != begin && !strings.HasSuffix(slug, "-"+begin) {
		return false
	}
	word, _, _ := strings.Cut(strings.TrimPrefix(rest, "-"), "-")
	if rest[0] == '-' {
		return len(slug)+1+len(word) > memory.SlugLength
	}
	return len(slug) == memory.SlugLength
}

// ofSlug takes the name of a memory's file apart: the slug and the beginning of the id.
func ofSlug(name string) (slug, short string, ok bool) {
	name, ok = strings.CutSuffix(name, ".md")
	i := strings.LastIndexByte(name, '-')
	if !ok || i < 1 {
		return "", "", false
	}
	id := name[i+1:]
	if len(id) < inName || !memory.IsIDPrefix(id) {
		return "", "", false
	}
	return name[:i], id[:inName], true
}

// shown is a path without what it tells of a text: of the file of a memory the whole slug
// is left out.
func (p *pattern) shown(name string) string {
	if slug, _, ok := ofSlug(path.Base(name)); ok {
		name = path.Join(path.Dir(name), "memory"+path.Base(name)[len(slug):])
	}
	return string(p.replaced([]byte(name), "*"))
}
