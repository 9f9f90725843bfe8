// Package words takes texts apart into the terms that searches compare: words
// with their stems, and compounds such as paths, flags and identifiers.
//
// Make an [Analyser] and call Analyse. Memories and queries go through the same
// analyser, so a term of one is found by the same term of the other. What a text
// becomes decides what the files of the index hold: whoever changes it raises
// the schema in index/internal/postings. The section "Search" of docs/behaviour.md says
// what users may rely on.
package words

import (
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	porterstemmer "github.com/blevesearch/go-porterstemmer"
	"golang.org/x/text/unicode/norm"
)

// maxTerm is the length in bytes over which a term is cut (words) or left out
// (compounds): nobody types more, and base64 would fill the dictionary.
const maxTerm = 64

// Token is one word of a text, or a compound of several: an identifier, path,
// flag or hyphenated word as it was written.
type Token struct {
	Term       string // folded: lower case, no accents
	Stem       string // of a word: its Porter stem; "" for a compound
	Pos        int    // ordinal of the word; a compound has that of its first word
	Start, End int    // bytes of the text
}

// Analyser takes texts apart. One analyser is used by one goroutine at a time;
// it remembers stems, which are most of its cost. The zero value is ready.
//
// Words are runs of letters and digits, split further where identifiers are
// (parseHTTPRequest2 → parse http request 2). What was joined by . _ - / : @
// is kept beside its words as a compound ("src/a_b.go", "a_b.go", "a_b",
// "--no-verify", "c++"). Scripts without spaces become overlapping pairs of
// characters. Emoji are words.
type Analyser struct {
	stems map[string]string
	out   []Token
	text  string
	pos   int
	bare  bool // leave compounds out

	// Near, if set, says which stems the caller looks for. Words that can have
	// none of them are left unstemmed, which is most of the work of a text.
	Near *Prefixes
}

// Analyse returns the tokens of text in order of position. The slice is reused by
// the next call.
func (a *Analyser) Analyse(text string) []Token {
	a.bare = false
	return a.read(text)
}

// Plain is Analyse without compounds.
func (a *Analyser) Plain(text string) []Token {
	a.bare = true
	return a.read(text)
}

func (a *Analyser) read(text string) []Token {
	a.out, a.text, a.pos = a.out[:0], text, 0
	for i := 0; i < len(text); {
		// Plain words are read here: a call for each would be felt in searches.
		if end := plainEnd(text, i); end > i {
			a.word(text[i:end], i, end)
			i = end
			continue
		}
		switch c := text[i]; {
		case c >= utf8.RuneSelf:
			i = a.foreign(i)
		case isASCIIWord(c) || isLead(text, i):
			i = a.chunk(i)
		default:
			i++
		}
	}
	return a.out
}

// foreign reads what begins with the character outside ASCII at i, and returns where
// it ends.
func (a *Analyser) foreign(i int) int {
	r, n := utf8.DecodeRuneInString(a.text[i:])
	switch {
	case IsUnspaced(r):
		return a.pairs(i)
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return a.chunk(i)
	case unicode.Is(emojis(), r):
		return a.emoji(i, n)
	}
	return i + n
}

// chunk reads words joined by single connectors from i and returns where they
// end.
func (a *Analyser) chunk(i int) int {
	start, first := i, a.pos
	bare := len(a.text) - len(strings.TrimLeft(a.text[start:], "-.#@"))
	end, next := joinedEnd(a.text, bare)
	if end == bare {
		return max(next, start+1)
	}
	tail := end + suffixLength(a.text[bare:end], a.text[end:])
	a.words(bare, end)
	if start < bare || tail > end {
		a.compound(start, tail, first)
	}
	a.compounds(bare, end, first)
	return max(tail, next)
}

// joinedEnd is where the last of the words that begin at i and are joined by single
// connectors ends, and where to read on.
func joinedEnd(text string, i int) (end, next int) {
	end = i
	for i < len(text) {
		if after := wordEnd(text, i); after > i {
			i, end = after, after
			continue
		}
		if !joins(text, i) {
			break
		}
		i++
	}
	return end, i
}

// joins reports whether the character at i connects what is before it with a word.
func joins(text string, i int) bool {
	return isConnector(text[i]) && i+1 < len(text) && wordEnd(text, i+1) > i+1
}

// suffixLength is the length of what belongs to the name of a language, as the signs of
// C++ and F# do. A name of more than two letters has none.
func suffixLength(name, rest string) int {
	if len(name) > 2 || !isASCIILetter(name[len(name)-1]) {
		return 0
	}
	for _, suffix := range [...]string{"++", "#"} {
		if strings.HasPrefix(rest, suffix) {
			return len(suffix)
		}
	}
	return 0
}

// words emits the words of text[i:end], splitting identifiers.
func (a *Analyser) words(i, end int) {
	text := a.text
	for i < end {
		if next := wordEnd(text, i); next > i {
			i = a.apostrophe(i, min(next, end), end)
		} else {
			i++
		}
	}
}

// apostrophe emits the word text[i:next], taking "user's" as user and "don't"
// as dont, and returns where to go on.
func (a *Analyser) apostrophe(i, next, end int) int {
	text := a.text
	if next+1 < end && text[next] == '\'' {
		suffix := text[next+1 : wordEnd(text, next+1)]
		switch strings.ToLower(suffix) {
		case "s", "re", "ve", "ll", "d", "m":
			a.parts(i, next)
			return next + 1 + len(suffix)
		case "t":
			a.word(Fold(text[i:next])+"t", i, next+2)
			return next + 2
		}
	}
	a.parts(i, next)
	return next
}

// parts splits one run of letters and digits at the humps of camel case and
// between letters and digits, and keeps the whole beside its parts.
func (a *Analyser) parts(i, end int) {
	text, from, first := a.text, i, a.pos
	for j := i + 1; j < end; j++ {
		if isHump(text[i:end], j-i) {
			a.word(Fold(text[from:j]), from, j)
			from = j
		}
	}
	a.word(Fold(text[from:end]), from, end)
	if from > i {
		a.compound(i, end, first)
	}
}

// compounds emits the pieces of text[i:end] that hold more than one word:
// the whole, what stands between slashes and colons, and between dots.
func (a *Analyser) compounds(i, end, first int) {
	whole := a.text[i:end]
	if a.bare || !strings.ContainsAny(whole, "._-/:@\\+&'") {
		return
	}
	for from, to := range a.pieces(i, end, "/:@\\") {
		a.segment(from, to)
	}
	if path := TrimLine(whole); strings.ContainsAny(path, "/:@\\") {
		a.compound(i, i+len(path), first)
	}
}

// pieces yields where the pieces of text[i:end] between separators begin and end.
func (a *Analyser) pieces(i, end int, separators string) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i < end {
			to := end
			if n := strings.IndexAny(a.text[i:end], separators); n >= 0 {
				to = i + n
			}
			if !yield(i, to) {
				return
			}
			i = to + 1
		}
	}
}

// segment emits what stands between slashes in a compound, and its pieces between dots.
func (a *Analyser) segment(from, to int) {
	if !strings.ContainsAny(a.text[from:to], "._-+&") {
		return
	}
	a.compound(from, to, a.posAt(from))
	if !strings.Contains(a.text[from:to], ".") {
		return
	}
	for from, to := range a.pieces(from, to, ".") {
		if strings.ContainsAny(a.text[from:to], "_-") {
			a.compound(from, to, a.posAt(from))
		}
	}
}

// posAt is the position of the first word that begins at or after byte at.
func (a *Analyser) posAt(at int) int {
	pos := a.pos
	for k := len(a.out) - 1; k >= 0 && a.out[k].End > at; k-- {
		if a.out[k].Stem != "" && a.out[k].Start >= at {
			pos = a.out[k].Pos
		}
	}
	return pos
}

func (a *Analyser) word(term string, start, end int) {
	if term == "" {
		return
	}
	term = Head(term, maxTerm)
	a.out = append(a.out, Token{Term: term, Stem: a.stem(term), Pos: a.pos, Start: start, End: end})
	a.pos++
}

func (a *Analyser) compound(start, end, pos int) {
	if end-start <= maxTerm && !a.bare {
		a.out = append(a.out, Token{Term: Fold(a.text[start:end]), Pos: pos, Start: start, End: end})
	}
}

// pairs emits a run of a script without spaces as overlapping pairs of
// characters; a run of one character is that character.
func (a *Analyser) pairs(i int) int {
	prev, prevAt, n := rune(-1), i, 0
	for i < len(a.text) {
		r, size := utf8.DecodeRuneInString(a.text[i:])
		if !IsUnspaced(r) && !unicode.Is(unicode.Mn, r) {
			break
		}
		if prev >= 0 {
			a.pair(Fold(a.text[prevAt:i+size]), prevAt, i+size)
		}
		prev, prevAt = r, i
		i += size
		n++
	}
	if n == 1 {
		a.pair(Fold(a.text[prevAt:i]), prevAt, i)
	}
	return i
}

func (a *Analyser) pair(term string, start, end int) {
	a.out = append(a.out, Token{Term: term, Stem: term, Pos: a.pos, Start: start, End: end})
	a.pos++
}

// emoji reads the emoji of so many bytes at start, with the joiners, skin tones and
// variation selectors that belong to it.
func (a *Analyser) emoji(start, size int) int {
	i := start + size
	for {
		r, n := utf8.DecodeRuneInString(a.text[i:])
		if !unicode.Is(emojiMarks(), r) {
			break
		}
		i += n
		if r == zeroWidthJoiner {
			_, n = utf8.DecodeRuneInString(a.text[i:])
			i += n
		}
	}
	term := strings.ReplaceAll(a.text[start:i], string(variationSelector), "")
	if len(term) <= maxTerm {
		a.pair(term, start, i)
	}
	return i
}

const (
	zeroWidthJoiner   rune = 0x200d
	variationSelector rune = 0xfe0f
)

// Prefixes are the first two letters of the stems that a caller looks for.
type Prefixes [26]uint32

// PrefixesOf makes the set for stems. It is nil, which lets every word pass, when
// one of the stems is a single letter.
func PrefixesOf(stems []string) *Prefixes {
	p := &Prefixes{}
	for _, s := range stems {
		if len(s) < 2 {
			return nil
		}
		if !beginsPlainly(s) {
			continue
		}
		p[s[0]-'a'] |= 1 << (s[1] - 'a')
		if s[1] == 'i' {
			p[s[0]-'a'] |= 1 << ('y' - 'a') // eyed: ei
		}
	}
	return p
}

// beginsPlainly reports whether a word begins with two letters from a to z.
func beginsPlainly(word string) bool {
	return len(word) > 1 && isLower(word[0]) && isLower(word[1])
}

// May reports whether a word can have one of the stems. A stem of two letters or
// more begins as its word does, except that a y may become i.
func (p *Prefixes) May(word string) bool {
	return p == nil || !beginsPlainly(word) || p[word[0]-'a']&(1<<(word[1]-'a')) != 0
}

// stem returns the Porter stem of a word of the letters a to z, and any other
// word as it is. A word that cannot have a stem of Near is returned as it is, too.
func (a *Analyser) stem(term string) string {
	if len(term) < 3 || !a.Near.May(term) {
		return term
	}
	if s, ok := a.stems[term]; ok {
		return s
	}
	if strings.ContainsFunc(term, isNoLower) {
		return term
	}
	s := string(porterstemmer.StemWithoutLowerCasing([]rune(term)))
	if a.stems == nil {
		a.stems = map[string]string{}
	}
	if len(a.stems) < 1<<16 {
		a.stems[strings.Clone(term)] = s
	}
	return s
}

func isNoLower(r rune) bool { return r < 'a' || r > 'z' }

// Fold returns a word in the form in which words are compared: compatibility
// decomposition, lower case, no accents.
func Fold(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return foldUnicode(s)
		}
	}
	return strings.ToLower(s)
}

// sharp are the small letters that have no decomposition.
var sharp = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("ß", "ss", "ẞ", "ss", "ı", "i") })

func foldUnicode(s string) string {
	s = sharp().Replace(norm.NFKD.String(s))
	return norm.NFC.String(strings.Map(foldRune, s))
}

// foldRune is a letter in lower case, and nothing for the accent of a Latin letter.
func foldRune(r rune) rune {
	if r >= 0x300 && r <= 0x36f {
		return -1
	}
	return unicode.ToLower(r)
}
