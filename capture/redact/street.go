package redact

import (
	"strings"
)

// street finds the address whose number stands from a place to another, and
// returns its bounds; the two are equal where there is none.
func (p *personal) street(from, to int) (int, int) {
	s := p.s
	before := s[max(0, from-96):from]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	if start, end := p.streetAfter(from, to, before); end > start {
		return start, end
	}
	if strings.HasPrefix(s[to:], "号") || strings.HasPrefix(s[to:], "號") {
		if m := pattern("street-han").FindStringIndex(before); m != nil {
			return from - len(before) + m[0], to + len("号")
		}
	}
	name := strings.TrimSuffix(before, " ")
	if len(name) != len(before)-1 {
		return from, from
	}
	if to < len(s) && letter(s[to]) && (to+1 == len(s) || !wordByte(s[to+1])) {
		to++ // "12a"
	}
	if to < len(s) && wordByte(s[to]) {
		return from, from
	}
	var m []int
	name = name[strings.LastIndexByte(name, ' ')+1:]
	switch {
	case german(name):
		m = pattern("street-german").FindStringSubmatchIndex(before)
	case name != "" && (name[0] >= 'A' && name[0] <= 'Z' || name[0] == 'n' || name[0] >= 0x80) && roman(before):
		m = pattern("street-roman").FindStringSubmatchIndex(before)
	}
	if m == nil {
		return from, from
	}
	return p.settled(from-len(before)+m[0], to, m[2] >= 0, before[:m[0]])
}

// streetAfter finds the address whose street follows its number.
func (p *personal) streetAfter(from, to int, before string) (int, int) {
	after := p.s[to:min(len(p.s), to+96)]
	i := 0
	if i < len(after) && letter(after[i]) {
		i++
	}
	if i < len(after) && after[i] == ',' {
		i++
	}
	if i+2 >= len(after) || after[i] != ' ' {
		return from, from
	}
	switch c := after[i+1]; {
	case c >= 'A' && c <= 'Z' || c >= 0x80 || ordinal(after[i+1:]):
		if m := pattern("street-after").FindStringSubmatchIndex(after); m != nil {
			end := m[1]
			if m[4] >= 0 {
				end = m[4]
			}
			return p.settled(from, to+end, m[2] >= 0, before)
		}
	case french(after[i+1:]):
		if m := pattern("street-french").FindStringIndex(after); m != nil {
			return p.settled(from, to+m[1], false, before)
		}
	}
	return from, from
}

// ordinal reports whether a text begins as "5th" does.
func ordinal(text string) bool {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	return i > 0 && i < len(text) && strings.IndexByte("snrt", text[i]) >= 0
}

// french reports whether a text begins with a word for a street in French.
func french(text string) bool {
	for _, word := range []string{"rue ", "avenue ", "boulevard ", "impasse ", "allée ", "chemin ", "quai ", "place ", "bis", "ter"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}

// german reports whether a word may end the name of a street in German.
func german(word string) bool {
	word = strings.ToLower(word)
	for _, end := range []string{"straße", "strasse", "str.", "weg", "gasse", "allee", "platz", "ufer", "damm", "ring"} {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

// roman reports whether a word for a street in Spanish, Italian or Portuguese
// stands in a text.
func roman(text string) bool {
	for _, word := range []string{"Calle ", "Avenida ", "Avda. ", "Paseo ", "Carrera ", "Viale ", "Corso ", "Rua ", "Via ", "Plaza ", "Piazza ", "Praça "} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// settled completes an address by its town. One whose street may be something
// else needs a town, or a word for an address before it.
func (p *personal) settled(from, to int, doubtful bool, before string) (int, int) {
	if m := pattern("town").FindStringIndex(p.s[to:min(len(p.s), to+96)]); m != nil {
		return from, to + m[1]
	}
	if doubtful && !pattern("address-word").MatchString(before) {
		return from, from
	}
	return from, to
}
