package tokenizer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lists"
)

// vocabulary finds the numbers of tokens, whose strings are cut from the file. The zero
// value is empty.
type vocabulary struct {
	ids     map[string]int32
	longest int // bytes of the longest token
	last    int // the highest number
}

// newVocabulary makes room for n tokens.
func newVocabulary(n int) vocabulary { return vocabulary{ids: make(map[string]int32, n)} }

// put gives token a number; the last one counts.
func (v *vocabulary) put(token string, id int) {
	v.ids[token] = int32(id)
	v.longest = max(v.longest, len(token))
	v.last = max(v.last, id)
}

// find is the number of token; -1 when it has none.
func (v *vocabulary) find(token string) int {
	if id, ok := v.ids[token]; ok {
		return int(id)
	}
	return -1
}

// size is one more than the highest number.
func (v *vocabulary) size() int {
	if len(v.ids) == 0 {
		return 0
	}
	return v.last + 1
}

// medianLength is the median length of a token in characters, rounded down, at
// least 1.
func (v *vocabulary) medianLength() int {
	n := len(v.ids)
	if n == 0 {
		return 1
	}
	lengths := make([]int, 0, n)
	for token := range v.ids {
		lengths = append(lengths, utf8.RuneCountInString(token))
	}
	slices.Sort(lengths)
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
	a := addedTokens{map[byte][]addedToken{}, map[byte][]addedToken{}}
	for _, t := range list {
		if t.Content == "" {
			continue
		}
		same := append(a.those(t.Normalized)[t.Content[0]], t)
		lists.Sort(same, func(x, y addedToken) int { return len(y.Content) - len(x.Content) })
		a.those(t.Normalized)[t.Content[0]] = same
	}
	return a
}

// those are the tokens that are found in the text as it is, or in the normalised text.
func (a addedTokens) those(normalised bool) map[byte][]addedToken {
	if normalised {
		return a[1]
	}
	return a[0]
}

// cut calls visit with the parts of text between added tokens (token −1) and
// with the added tokens, in order. Empty parts are left out.
func (a addedTokens) cut(text string, normalised bool, visit func(part string, token int)) {
	tokens, from := a.those(normalised), 0
	for at := 0; at < len(text) && len(tokens) > 0; {
		t := longestToken(tokens[text[at]], text, at)
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
		if strings.HasPrefix(text[at:], t.Content) && !(t.SingleWord && isInWord(text, at, at+len(t.Content))) {
			return t
		}
	}
	return nil
}

// isInWord reports whether a word goes on before or after a part of a text.
func isInWord(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return isWordRune(before) || isWordRune(after)
}

// isWordRune is \w of UTS #18: letters, marks, digits, connectors, joiners.
func isWordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc,
		unicode.Other_Alphabetic, unicode.Join_Control)
}
