package tokenizer

import (
	"hash/maphash"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// vocabulary finds the numbers of tokens. It is a hash table of its own because
// it is filled anew by every process: several times cheaper than a map, and
// its strings are cut from the file. The zero value is empty.
type vocabulary struct {
	slots   []vocabularySlot // a power of two of them
	used    int
	seed    maphash.Seed
	longest int // bytes of the longest token
	last    int // the highest number
}

type vocabularySlot struct {
	token string
	id    int32 // 1 + number, 0 when free
}

// reserve makes room for n tokens.
func (v *vocabulary) reserve(n int) {
	size := 64
	for size < 2*n {
		size *= 2
	}
	if size > len(v.slots) {
		v.grow(size)
	}
}

func (v *vocabulary) grow(size int) {
	if v.slots == nil {
		v.seed = maphash.MakeSeed()
	}
	old := v.slots
	v.slots, v.used = make([]vocabularySlot, size), 0
	for _, s := range old {
		if s.id != 0 {
			v.put(s.token, int(s.id-1))
		}
	}
}

func (v *vocabulary) slot(token string) *vocabularySlot {
	for i := maphash.String(v.seed, token); ; i++ {
		s := &v.slots[i&uint64(len(v.slots)-1)]
		if s.id == 0 || s.token == token {
			return s
		}
	}
}

// put gives token a number; the last one counts.
func (v *vocabulary) put(token string, id int) {
	if 2*(v.used+1) > len(v.slots) {
		v.grow(max(64, 2*len(v.slots)))
	}
	s := v.slot(token)
	if s.id == 0 {
		v.used++
	}
	*s = vocabularySlot{token, int32(id) + 1}
	v.longest = max(v.longest, len(token))
	v.last = max(v.last, id)
}

// find is the number of token; -1 when it has none.
func (v *vocabulary) find(token string) int {
	if v.used == 0 || len(token) > v.longest {
		return -1
	}
	return int(v.slot(token).id) - 1
}

// size is one more than the highest number.
func (v *vocabulary) size() int {
	if v.used == 0 {
		return 0
	}
	return v.last + 1
}

// medianLength is the median length of a token in characters, rounded down, at
// least 1.
func (v *vocabulary) medianLength() int {
	lengths := make([]int, 0, v.used)
	for _, s := range v.slots {
		if s.id != 0 {
			lengths = append(lengths, utf8.RuneCountInString(s.token))
		}
	}
	if len(lengths) == 0 {
		return 1
	}
	slices.Sort(lengths)
	n := len(lengths)
	return max(1, (lengths[(n-1)/2]+lengths[n/2])/2)
}

// addedToken is a token that is found in the text before anything else is done.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	StripLeft  bool   `json:"lstrip"`
	StripRight bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

// addedTokens are the added tokens by their first byte: those found in the text
// as it is, and those found in the normalised text. Longer ones come first.
type addedTokens [2]map[byte][]addedToken

func newAddedTokens(list []addedToken) addedTokens {
	var a addedTokens
	for _, t := range list {
		if t.Content == "" {
			continue
		}
		which := 0
		if t.Normalized {
			which = 1
		}
		if a[which] == nil {
			a[which] = map[byte][]addedToken{}
		}
		b := t.Content[0]
		a[which][b] = append(a[which][b], t)
	}
	for _, m := range a {
		for _, same := range m {
			slices.SortStableFunc(same, func(x, y addedToken) int { return len(y.Content) - len(x.Content) })
		}
	}
	return a
}

// cut calls visit with the parts of text between added tokens (token −1) and
// with the added tokens, in order. Empty parts are left out.
func (a addedTokens) cut(text string, normalised bool, visit func(part string, token int)) {
	which := 0
	if normalised {
		which = 1
	}
	from := 0
	for at := 0; at < len(text) && a[which] != nil; {
		t := longestToken(a[which][text[at]], text, at)
		if t == nil {
			at++
			continue
		}
		part := text[from:at]
		if t.StripLeft {
			part = strings.TrimRightFunc(part, unicode.IsSpace)
		}
		if part != "" {
			visit(part, -1)
		}
		visit("", t.ID)
		at += len(t.Content)
		if t.StripRight {
			at = len(text) - len(strings.TrimLeftFunc(text[at:], unicode.IsSpace))
		}
		from = at
	}
	if from < len(text) {
		visit(text[from:], -1)
	}
}

// longestToken is the longest of tokens that text has at that place.
func longestToken(tokens []addedToken, text string, at int) *addedToken {
	for i := range tokens {
		t := &tokens[i]
		if !strings.HasPrefix(text[at:], t.Content) {
			continue
		}
		if t.SingleWord {
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			after, _ := utf8.DecodeRuneInString(text[at+len(t.Content):])
			if isWordRune(before) || isWordRune(after) {
				continue
			}
		}
		return t
	}
	return nil
}

// isWordRune is \w of UTS #18: letters, marks, digits, connectors, joiners.
func isWordRune(r rune) bool {
	if r < 0x80 {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_'
	}
	if r == utf8.RuneError {
		return false
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control)
}
