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
	seed    maphash.Seed
	repeats map[uint64]int  // what is taken out: words in their order, and how many they are
	pairs   map[uint64]bool // two words side by side, by which a repeat goes on
	most    int             // words of the longest in repeats
}

// Hiding returns a redactor that also takes out what repeats hidden text word for
// word, whatever the case and the blanks: a line or sentence of eight characters
// and more, five words in a row of any of it, and each word of eight characters
// and more that is no plain word, such as a name, a number or an address; and the
// words beside it, as far as they stood so in the private text. What is added to h
// later counts too. r stays as it is.
func (r *Redactor) Hiding(h *Hidden) *Redactor {
	out := r.clone()
	out.hidden = h
	return out
}

// Add hides texts from now on.
func (h *Hidden) Add(texts ...string) {
	if h.repeats == nil && len(texts) > 0 {
		*h = Hidden{seed: maphash.MakeSeed(), repeats: map[uint64]int{}, pairs: map[uint64]bool{}}
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
		if len(words) == 1 && words[0].runes >= 4 && pattern("hidden-secret").MatchString(s) {
			h.remember(words)
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

// learn hides what a text holds: words that say something, names of two words, runs of words,
// and sentences that are too short for a run.
func (h *Hidden) learn(text string) {
	words := h.split(text)
	sentence := 0 // where the sentence at hand begins
	for i := range words {
		pair := words[i:min(i+2, len(words))]
		if tells(text, words[i], i == sentence) {
			h.remember(words[i : i+1])
		}
		if len(pair) == 2 {
			h.pairs[combine(pair)] = true
			h.rememberName(text, pair)
		}
		h.remember(words[i : i+runLength(words[i:])])
		if words[i].sentence || i+1 == len(words) {
			h.rememberShort(words[sentence : i+1])
			sentence = i + 1
		}
	}
	h.rememberShort(words) // several short sentences
}

// tells reports whether one word says something by itself: a long one that is no plain word, or has a
// capital within a sentence.
func tells(text string, w spanWord, first bool) bool {
	name := !first && capital(text[w.from:])
	return w.runes >= repeatRunes && (name || pattern("telling-word").MatchString(text[w.from:w.to]))
}

// rememberName hides two words that are a name.
func (h *Hidden) rememberName(text string, pair []spanWord) {
	named := capital(text[pair[0].from:]) && capital(text[pair[1].from:])
	if named && runesOf(pair)+1 >= repeatRunes {
		h.remember(pair)
	}
}

// remember hides words in their order. No words are none.
func (h *Hidden) remember(words []spanWord) {
	if len(words) > 0 {
		h.repeats[combine(words)] = len(words)
		h.most = max(h.most, len(words))
	}
}

// rememberShort hides words that are too few for a run, if they are not too short.
func (h *Hidden) rememberShort(words []spanWord) {
	if runLength(words) == 0 && runesOf(words) >= repeatRunes {
		h.remember(words)
	}
}

// find adds what repeats private text.
func (h *Hidden) find(s string) []Secret {
	if h == nil || h.repeats == nil {
		return nil
	}
	var found []Secret
	words := h.split(s)
	for i := 0; i < len(words); i++ {
		n := h.repeated(words[i:])
		if n == 0 {
			continue
		}
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
	return joined(s, found)
}

// repeated returns how many words from the first on repeat private text.
func (h *Hidden) repeated(words []spanWord) int {
	n, sum := 0, uint64(0)
	for k := range words[:min(h.most, len(words))] {
		sum = mixed(sum, words[k].hash)
		if h.repeats[sum] == k+1 {
			n = k + 1
		}
	}
	return n
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
	places := pattern("hidden-word").FindAllStringIndex(s, -1)
	out := make([]spanWord, len(places))
	for i, place := range places {
		next := len(s)
		if i+1 < len(places) {
			next = places[i+1][0] + 1
		}
		word := s[place[0]:place[1]]
		out[i] = spanWord{
			from: place[0], to: place[1],
			runes: utf8.RuneCountInString(word), hash: maphash.String(h.seed, strings.ToLower(word)),
			sentence: pattern("sentence-end").MatchString(s[place[1]:next]),
		}
	}
	return out
}

// capital reports whether a text begins with a capital letter.
func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// runLength returns how many words from the first on make a repeat by themselves, 0
// where there are too few.
func runLength(words []spanWord) int {
	runes := 0
	for i := range words {
		runes += words[i].runes
		if i+1 >= repeatRunes || i+1 >= repeatWords && runes >= 2*repeatRunes {
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
	sum := uint64(0)
	for i := range words {
		sum = mixed(sum, words[i].hash)
	}
	return sum
}

// mixed adds the hash of a word to that of the words before it.
func mixed(sum, hash uint64) uint64 {
	sum = sum*0x9e3779b97f4a7c15 + hash
	return sum ^ sum>>29
}
