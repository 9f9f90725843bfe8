package grounding

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

var numberPattern = lazy.Pattern(`[\pL_]?\d+(?:[.,:]\d+)*`)

// groundedNumbers: every number stands in the evidence, in digits or as a word; or
// around it beside the same word, as that of a phase or an issue does, or with the same
// letters and signs, as in "16px". One of four digits and more says enough by itself,
// also in the path of a file.
// Those of a list ("1. …") do not count, and those inside of identifiers are
// left to [groundedNames].
func groundedNumbers(c *Claim) error {
	have, said := numbersOf(c.Evidence), Fold(unlisted(c.Said()))
	return c.absent("number", lacking(numbersOf(unlisted(c.Said())), func(n string) bool {
		return slices.Contains(have, n) || c.tells(n) || c.beside(said, n)
	}))
}

// tells reports whether a number says enough by itself, and stands around the evidence.
func (c *Claim) tells(number string) bool {
	return len(number) >= 4 && c.besides(number)
}

// numbersOf are the numbers of a text, as digits.
func numbersOf(s string) []string {
	var out []string
	for _, m := range numberPattern().FindAllString(s, -1) {
		if m[0] <= '9' {
			out = append(out, withoutThousands(m))
		}
	}
	for word := range words.Split(strings.ToLower(s), "") {
		if digits, ok := numerals()[word]; ok {
			out = append(out, digits)
		}
	}
	return out
}

var thousands = lazy.Pattern(`^\d{1,3}(,\d{3})+$`)

// withoutThousands is a number without the commas between its thousands.
func withoutThousands(number string) string {
	if thousands().MatchString(number) {
		return strings.ReplaceAll(number, ",", "")
	}
	return number
}

var listNumber = lazy.Pattern(`(?m)^\s*\d{1,2}[.)] `)

func unlisted(s string) string { return listNumber().ReplaceAllString(s, "") }

// beside reports whether a number stands around the evidence next to a word that
// it stands next to in a text, or is part of.
func (c *Claim) beside(text, number string) bool {
	list := fieldsOf(text)
	for i := range list {
		if slices.ContainsFunc(phrasesAt(list, i, number), c.around) {
			return true
		}
	}
	return false
}

// fieldsOf are the words of a text in lower case, without punctuation around them.
func fieldsOf(text string) []string {
	list := strings.Fields(strings.ToLower(text))
	for i := range list {
		list[i] = strings.Trim(list[i], `.,;:!?()[]"'`)
	}
	return list
}

// phrasesAt are those that a number is known by at a word of a text: with the word before it, or
// behind it, or in the address of the issue that it names; or the word that it is part of.
func phrasesAt(list []string, at int, number string) []string {
	if isAround(list[at], number) {
		return list[at : at+1]
	}
	if list[at] != number {
		return nil
	}
	before := strings.Join(list[max(at-1, 0):at], "")
	behind := strings.Join(list[at+1:min(at+2, len(list))], "")
	var out []string
	if len(before) > 2 {
		out = append(out, before+" "+number)
	}
	if len(behind) > 2 {
		out = append(out, number+" "+behind)
	}
	if isOf("request", before) {
		out = append(out, "#"+number, "pull/"+number, "issues/"+number)
	}
	return out
}

const digits = "0123456789.,"

// mostSigns is how many letters and signs a word has beside its number: "16px".
const mostSigns = 3

// isAround reports whether a word has a few letters and signs beside a number, and that number
// is no part of a longer one.
func isAround(word, number string) bool {
	before, behind, _ := strings.Cut(word, number)
	apart := strings.TrimRight(before, digits) + number + strings.TrimLeft(behind, digits)
	return word == apart && word != number && len(word)-len(number) <= mostSigns
}
