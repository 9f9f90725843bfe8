package grounding

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var numberPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[\pL_]?\d+(?:[.,:]\d+)*`)
})

// groundedNumbers: every number stands in the evidence, in digits or as a word; or
// around it beside the same word, as that of a phase or an issue does, or with the same
// letters and signs, as in "16px". One of four digits and more says enough by itself,
// also in the path of a file.
// Those of a list ("1. …") do not count, and those inside of identifiers are
// left to [groundedNames].
func groundedNumbers(c *Claim) error {
	have := numbersOf(c.Evidence)
	said := Fold(unlisted(c.Said()))
	var missing []string
	for _, n := range numbersOf(unlisted(c.Said())) {
		if !slices.Contains(have, n) && !slices.Contains(missing, n) && !c.tells(n) && !c.beside(said, n) {
			missing = append(missing, n)
		}
	}
	return c.absent("number", missing)
}

// tells reports whether a number says enough by itself, and stands around the evidence.
func (c *Claim) tells(number string) bool {
	return len(number) >= 4 && (c.around(number) || c.touches(number))
}

// numbersOf are the numbers of a text, as digits.
func numbersOf(s string) []string {
	var out []string
	for _, m := range numberPattern().FindAllString(s, -1) {
		if m[0] >= '0' && m[0] <= '9' {
			if thousands().MatchString(m) {
				m = strings.ReplaceAll(m, ",", "")
			}
			out = append(out, m)
		}
	}
	for word := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if digits, ok := numeral(word); ok {
			out = append(out, digits)
		}
	}
	return out
}

var thousands = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d{1,3}(,\d{3})+$`) })

// numeral is a number that is written out. Those below four are left out: they
// are said of what a reader counted.
func numeral(word string) (string, bool) {
	digits, ok := map[string]string{
		"four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
		"fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "ninety": "90",
		"hundred": "100", "thousand": "1000", "million": "1000000",
	}[word]
	return digits, ok
}

var listNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*\d{1,2}[.)] `) })

func unlisted(s string) string { return listNumber().ReplaceAllString(s, "") }

// beside reports whether a number stands around the evidence next to a word that
// it stands next to in a text, or is part of.
func (c *Claim) beside(text, number string) bool {
	list := []string{""}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		list = append(list, strings.Trim(w, `.,;:!?()[]"'`))
	}
	list = append(list, "")
	for i, w := range list[1 : len(list)-1] {
		if w == number && c.besideWords(list[i], number, list[i+2]) || w != number && partOf(w, number) && c.around(w) {
			return true
		}
	}
	return false
}

// besideWords reports whether a number stands around the evidence behind the word before it, before
// the word behind it, or in the address of the issue that it names.
func (c *Claim) besideWords(before, number, behind string) bool {
	if strings.Contains(" pr request issue ", " "+before+" ") && (c.around("#"+number) || c.around("pull/"+number) || c.around("issues/"+number)) {
		return true
	}
	return len(before) > 2 && c.around(before+" "+number) || len(behind) > 2 && c.around(number+" "+behind)
}

// mostSigns is how many letters and signs a word has beside its number: "16px".
const mostSigns = 3

// partOf reports whether a number is part of a word, and no part of a longer number in it.
func partOf(word, number string) bool {
	before, behind, ok := strings.Cut(word, number)
	return ok && len(before)+len(behind) <= mostSigns && strings.TrimRight(before, "0123456789.,") == before &&
		strings.TrimLeft(behind, "0123456789.,") == behind
}
