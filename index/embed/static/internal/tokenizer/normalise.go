package tokenizer

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/git-cortex/cortex/internal/lazy"
)

// normaliser changes a text before it is split.
type normaliser func(string) string

// newNormalisers makes the normalisers of a tokenizer.json, in order.
func newNormalisers(p *tokenizerPart) ([]normaliser, error) {
	return inSequence(p, 0, func(p *tokenizerPart) []*tokenizerPart { return p.Normalizers }, newNormaliser)
}

// inSequence makes what a part of a tokenizer.json stands for: one of it, or for a sequence those
// of its parts, in order.
func inSequence[T any](p *tokenizerPart, depth int, parts func(*tokenizerPart) []*tokenizerPart,
	one func(*tokenizerPart) (T, error),
) ([]T, error) {
	switch {
	case p == nil:
		return nil, nil
	case p.Type != "Sequence":
		made, err := one(p)
		return []T{made}, err
	case depth > 8:
		return nil, fmt.Errorf("a sequence of the tokenizer is nested too deeply")
	}
	var out []T
	for _, q := range parts(p) {
		made, err := inSequence(q, depth+1, parts, one)
		if err != nil {
			return nil, err
		}
		out = append(out, made...)
	}
	return out, nil
}

func newNormaliser(p *tokenizerPart) (normaliser, error) {
	switch p.Type {
	case "BertNormalizer":
		return bertNormaliser(p), nil
	case "Strip":
		return stripper(orTrue(p.StripLeft), orTrue(p.StripRight)), nil
	case "Replace":
		return newReplacer(p)
	case "Precompiled":
		return newCharsmap(p.Charsmap)
	}
	return nil, fmt.Errorf("normaliser %.40q is not supported", p.Type)
}

func stripper(left, right bool) normaliser {
	return func(s string) string {
		if left {
			s = strings.TrimLeftFunc(s, unicode.IsSpace)
		}
		if right {
			s = strings.TrimRightFunc(s, unicode.IsSpace)
		}
		return s
	}
}

func newReplacer(p *tokenizerPart) (normaliser, error) {
	if old := p.Pattern.String; old != "" {
		return func(s string) string { return strings.ReplaceAll(s, old, p.Content) }, nil
	}
	if p.Pattern.Regex == "" {
		return nil, fmt.Errorf("normaliser replaces nothing")
	}
	pattern, err := regexp.Compile(unicodeClasses(p.Pattern.Regex))
	if err != nil {
		return nil, fmt.Errorf("reading pattern of normaliser: %w", err)
	}
	return func(s string) string { return pattern.ReplaceAllLiteralString(s, p.Content) }, nil
}

// unicodeClasses rewrites \s, \w and \d of a pattern, which mean all of Unicode there
// and ASCII in Go. In a class between brackets they stay as they are, and make the
// pattern one that Go refuses.
func unicodeClasses(pattern string) string {
	const space, word = `\s\v\x{85}\p{Z}`, `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{200c}\x{200d}`
	return strings.NewReplacer(
		`\\`, `\\`, // a backslash, not the beginning of a class
		`\s`, "["+space+"]", `\S`, "[^"+space+"]",
		`\w`, "["+word+"]", `\W`, "[^"+word+"]",
		`\d`, `\p{Nd}`, `\D`, `\P{Nd}`,
	).Replace(pattern)
}

// bertNormaliser is the "basic tokenizer" of BERT: control characters dropped
// and white space made blanks, ideographs set apart, accents and case dropped.
// Accents go when case does, unless it says otherwise.
func bertNormaliser(p *tokenizerPart) normaliser {
	lower := orTrue(p.Lowercase)
	accents := lower
	if p.StripAccents != nil {
		accents = *p.StripAccents
	}
	var steps []normaliser
	for _, step := range []struct {
		wanted bool
		normaliser
	}{
		{orTrue(p.CleanText), cleanText},
		{orTrue(p.Chinese), spaceIdeographs},
		{accents, dropMarks},
		{lower, strings.ToLower},
	} {
		if step.wanted {
			steps = append(steps, step.normaliser)
		}
	}
	return func(s string) string {
		for _, step := range steps {
			s = step(s)
		}
		return s
	}
}

// cleanText makes white space blanks, and drops what is no character of a text.
func cleanText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case isOther(r):
			return -1
		}
		return r
	}, s)
}

// isOther reports a control, format, private or unassigned character, and the one that
// stands for what is no character.
func isOther(r rune) bool {
	if r == unicode.ReplacementChar || unicode.Is(unicode.C, r) {
		return true
	}
	return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z)
}

// ideographs lists what BERT calls Chinese characters.
var ideographs = lazy.Value(func() *unicode.RangeTable {
	return &unicode.RangeTable{
		R16: []unicode.Range16{
			{Lo: 0x3400, Hi: 0x4dbf, Stride: 1},
			{Lo: 0x4e00, Hi: 0x9fff, Stride: 1},
			{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		},
		R32: []unicode.Range32{
			{Lo: 0x20000, Hi: 0x2a6df, Stride: 1},
			{Lo: 0x2a700, Hi: 0x2b73f, Stride: 1},
			{Lo: 0x2b740, Hi: 0x2b81f, Stride: 1},
			{Lo: 0x2b920, Hi: 0x2ceaf, Stride: 1},
			{Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1},
		},
	}
})

// spaceIdeographs sets blanks around each ideograph.
func spaceIdeographs(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.Is(ideographs(), r) {
			b.WriteString(" " + string(r) + " ")
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// dropMarks drops combining marks that take no room (category Mn).
func dropMarks(s string) string {
	if isASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(s))
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
