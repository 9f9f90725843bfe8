package redact

import (
	"hash/maphash"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what counts as a repeat of private text, see [Redactor.Hiding].
const (
	repeatWords = 5 // words in a row, in languages that part them
	repeatRunes = 8 // letters, digits and marks of a repeat
)

// Hidden is private text that is to be recognised where it is repeated: hashes of
// its words. The zero value hides nothing. It is for one goroutine, and so is a
// Redactor that has one.
type Hidden struct {
	seed  maphash.Seed
	short map[uint64]int  // whole lines and sentences of fewer words: how many words they have
	long  map[uint64]bool // runs of words as long as a repeat must be
	token map[uint64]bool // single words that say something by themselves
	pairs map[uint64]bool // two words side by side, by which a repeat goes on
	most  int             // words of the longest in short
}

// Hiding returns a redactor that also takes out what repeats hidden text word for
// word, whatever the case and the blanks: a line or sentence of eight characters
// and more, five words in a row of any of it, and each word of eight characters
// and more that is no plain word, such as a name, a number or an address; and the
// words beside it, as far as they stood so in the private text. What is added to h
// later counts too. r stays as it is.
func (r *Redactor) Hiding(h *Hidden) *Redactor {
	out := &Redactor{}
	if r != nil {
		*out = *r
	}
	out.hidden = h
	return out
}

// Add hides texts from now on.
func (h *Hidden) Add(texts ...string) {
	if h.token == nil && len(texts) > 0 {
		*h = Hidden{seed: maphash.MakeSeed(), short: map[uint64]int{}, long: map[uint64]bool{}, token: map[uint64]bool{}, pairs: map[uint64]bool{}}
	}
	for _, text := range texts {
		h.learn(text)
	}
}

// AddSecrets hides what answered a question for a secret, from now on: each word of it that
// says something by itself, and several words in their order.
func (h *Hidden) AddSecrets(secrets ...string) {
	h.Add(secrets...)
	for _, s := range secrets {
		words := h.split(s)
		if len(words) == 1 && (words[0].runes >= repeatRunes || words[0].runes >= 4 && strings.ContainsAny(s, "0123456789!@#$%^&*?~+")) {
			h.token[words[0].hash] = true
		}
	}
}

// spanWord is a word of a text: letters, digits and what joins them, or one
// sign of a script that does not part words.
type spanWord struct {
	from, to int
	hash     uint64
	runes    int
	sentence bool // a sentence or a line ends after it
}

func (h *Hidden) learn(text string) {
	words := h.split(text)
	for i := range words {
		w := &words[i]
		first := i == 0 || words[i-1].sentence
		if name := capital(text[w.from:]); telling(text[w.from:w.to]) || name && !first && w.runes >= repeatRunes {
			h.token[w.hash] = true
		} else if name && i+1 < len(words) && capital(text[words[i+1].from:]) && w.runes+words[i+1].runes+1 >= repeatRunes {
			h.remember(words[i : i+2])
		}
		if i > 0 {
			h.pairs[combine(words[i-1:i+1])] = true
		}
		if n := runLength(words[i:]); n > 0 {
			h.long[combine(words[i:i+n])] = true
		}
	}
	for from := 0; from < len(words); {
		to := from + 1
		for to < len(words) && !words[to-1].sentence {
			to++
		}
		if part := words[from:to]; runLength(part) == 0 && runesOf(part) >= repeatRunes {
			h.remember(part)
		}
		from = to
	}
	if runLength(words) == 0 && runesOf(words) >= repeatRunes { // several short sentences
		h.remember(words)
	}
}

// remember hides words that are too few for a run.
func (h *Hidden) remember(words []spanWord) {
	h.short[combine(words)] = len(words)
	h.most = max(h.most, len(words))
}

// find adds what repeats private text.
func (h *Hidden) find(s string) []Secret {
	if h == nil || h.token == nil {
		return nil
	}
	var found []Secret
	words := h.split(s)
	for i := 0; i < len(words); i++ {
		n := 0
		if h.token[words[i].hash] {
			n = 1
		}
		if k := runLength(words[i:]); k > n && h.long[combine(words[i:i+k])] {
			n = k
		}
		for k := min(h.most, len(words)-i); k > n; k-- {
			if h.short[combine(words[i:i+k])] == k {
				n = k
			}
		}
		if n > 0 {
			from, to := i, i+n
			for from > 0 && h.pairs[combine(words[from-1:from+1])] {
				from--
			}
			for to < len(words) && h.pairs[combine(words[to-1:to+1])] {
				to++
			}
			found = append(found, Secret{"private", words[from].from, words[to-1].to})
			i = to - 1
		}
	}
	return joined(s, found)
}

// joined makes one of findings that overlap or stand side by side.
func joined(s string, found []Secret) []Secret {
	out := found[:0]
	for _, x := range found {
		if n := len(out); n > 0 && (x.Start <= out[n-1].End || strings.TrimSpace(s[out[n-1].End:x.Start]) == "") {
			out[n-1].Start, out[n-1].End = min(out[n-1].Start, x.Start), max(out[n-1].End, x.End)
			continue
		}
		out = append(out, x)
	}
	return out
}

// split parts a text into words.
func (h *Hidden) split(s string) []spanWord {
	var out []spanWord
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			if n := len(out); n > 0 && endsPart(s, i, r) {
				out[n-1].sentence = true
			}
			i += size
			continue
		}
		from, runes := i, 0
		for i < len(s) {
			r, size := utf8.DecodeRuneInString(s[i:])
			if !wordRune(r) && !joins(s, i, r, size) || runes > 0 && unparted(r) {
				break
			}
			i += size
			runes++
			if unparted(r) {
				break
			}
		}
		out = append(out, spanWord{from: from, to: i, runes: runes, hash: maphash.String(h.seed, strings.ToLower(s[from:i]))})
	}
	return out
}

// capital reports whether a word begins with a capital letter.
func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// joins reports whether a mark stands within a word, as in "ana@firma.de".
func joins(s string, at int, r rune, size int) bool {
	if r >= utf8.RuneSelf || strings.IndexByte("@._-+/:#$%&!?*=~", byte(r)) < 0 || at == 0 || at+size >= len(s) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[at+size:])
	return wordRune(next)
}

// unparted holds for letters of scripts that write words without blanks.
func unparted(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}

func endsPart(s string, at int, r rune) bool {
	switch r {
	case '\n', '。', '！', '？', '；', '，':
		return true
	case '.', '!', '?', ';', ',', ':':
		return at+1 == len(s) || strings.IndexByte(" \t\r\n", s[at+1]) >= 0
	}
	return false
}

// telling reports whether one word is told apart from all plain words: eight
// characters and more with a digit, a mark or a capital within.
func telling(w string) bool {
	if utf8.RuneCountInString(w) < repeatRunes {
		return false
	}
	capitals := 0
	for i, r := range w {
		switch {
		case unicode.IsDigit(r):
			return true
		case i > 0 && unicode.IsUpper(r):
			capitals++
		case r < utf8.RuneSelf && strings.IndexByte("@_+/:#$%&!?*=~.", byte(r)) >= 0:
			return true
		}
	}
	return capitals > 0
}

// runLength is how many words from the first on make a repeat by themselves, 0
// when there are too few.
func runLength(words []spanWord) int {
	runes := 0
	for i := range words {
		if runes += words[i].runes; i+1 >= repeatWords && runes >= 2*repeatRunes || i+1 >= repeatRunes {
			return i + 1
		}
	}
	return 0
}

func runesOf(words []spanWord) int {
	n := 0
	for i := range words {
		n += words[i].runes
	}
	return n
}

// combine is the hash of words in their order.
func combine(words []spanWord) uint64 {
	sum := uint64(len(words))
	for i := range words {
		sum = sum*0x9e3779b97f4a7c15 + words[i].hash
		sum ^= sum >> 29
	}
	return sum
}
