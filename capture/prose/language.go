package prose

import (
	"strings"
	"sync"
	"unicode"
)

// functionWords are words that a text of a language cannot do without and that
// other languages do not have. Those that several share, such as "die", "no" or
// "on", are left out.
var functionWords = sync.OnceValue(func() map[string]bool {
	english := "the and is are was were be been it its this that these those with for from of to in we you they i not but which would should have has can will there what when than then into our your their how why add let make use"
	others := "der das und ist nicht ein eine einen mit für auf ich wir sie zu den dem des im vom zum zur auch wird werden wurde sind hat haben kann dass wenn aber noch nur schon wie was bei aus nach über als mehr oder unter durch sollte müssen " +
		"le la les et est une des du pas pour dans que nous vous il elle ce cette ces qui avec sur plus sont être fait mais ou où aux par sans comme ont aussi donc très peut faut cela ça " +
		"el los las y es una por para con se lo como más pero su al ya está están son ser hay cuando porque también muy sin sobre este esta esto eso hace debe puede nos " +
		"il gli che di non per una sono con del della è e anche ma più come questo questa nel " +
		"o os as um uma e não para com do da dos das em que por mais foi são também isso este esta " +
		"het een en van niet met voor zijn dat op te ook maar wordt deze naar worden hebben"
	out := map[string]bool{}
	for w := range strings.FieldsSeq(others) {
		out[w] = false
	}
	for w := range strings.FieldsSeq(english) {
		if _, shared := out[w]; shared {
			delete(out, w)
			continue
		}
		out[w] = true
	}
	return out
})

// English reports whether a text may be English, as far as that can be told: one
// of few words, or of names and code, may. A text in another script is not.
func English(s string) bool {
	if len(s) > 8<<10 {
		s = s[:8<<10]
	}
	letters, other := 0, 0
	for _, r := range s {
		switch {
		case r < 0x250 && unicode.IsLetter(r):
			letters++
		case unicode.IsLetter(r):
			other++
		}
	}
	if other*4 > letters && other > 4 {
		return false
	}
	yes, no := 0, 0
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }) {
		if english, known := functionWords()[w]; known && english {
			yes++
		} else if known {
			no++
		}
	}
	return no < 3 || yes >= no
}
