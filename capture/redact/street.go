package redact

import (
	"regexp"
	"strings"
	"sync"
)

// A street address is found at its number: what follows it in English and
// French, what stands before it in German, Spanish, Italian and Portuguese, and
// both in Chinese. Names of streets that are words of programs too ("Drive",
// "Platz") count where a town follows, or a word for an address stands before.
var (
	streetAfter = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[a-zA-Z]?,? (?:(?:[NSEW]\.?|North|South|East|West) )?(?:(?:\p{Lu}[\p{L}'’.-]+|\d{1,3}(?:st|nd|rd|th)) ){1,3}` +
			`(?:(?:Street|St\.?|Avenue|Ave\.?|Road|Rd\.?|Boulevard|Blvd\.?)|(Lane|Ln\.?|Drive|Dr\.|Court|Square|Place|Way|Terrace|Crescent|Close|Parkway))($|[^\p{L}\d])`)
	})
	streetFrench = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?: (?:bis|ter))?,? (?:rue|avenue|boulevard|impasse|allée|chemin|quai|place)(?: (?:de|du|des|la|le|les)| (?:de )?l['’]| d['’])*[ ]?\p{Lu}[\p{L}'’-]+(?: (?:(?:de|du|des|la) )*\p{Lu}[\p{L}'’-]+){0,3}`)
	})
	streetGerman = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:\p{Lu}[\p{L}.-]+[ -])?(?:\p{Lu}[\p{L}-]*(?:straße|strasse|str\.)|Straße|Strasse|Str\.|(\p{Lu}[\p{L}-]{2,}(?:weg|gasse|allee|platz|ufer|damm|ring)))[ ]$`)
	})
	streetRoman = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?:(?:Calle|Avenida|Avda\.|Paseo|Carrera|Viale|Corso|Rua)|(Via|Plaza|Piazza|Praça))(?: (?:de|del|della|dei|da|do|la|las|los|el))* \p{Lu}[\p{L}'’-]+(?: (?:(?:de|del|la|y|e) )*\p{Lu}[\p{L}'’-]+){0,3},? (?:n[.º°]+ ?)?$`)
	})
	streetHan = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\p{Han}{2,12}(?:路|街|巷|大道|弄)$`)
	})
	// town follows a street: a postcode and a town, or a town and its state.
	town = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[a-zA-Z]?(?:,|\n| -)? ?(?:(?:[A-Z]{1,2}-)?\d{4,5}(?:-\d{4})? \p{Lu}[\p{L}-]+(?: (?:am|an der|im) \p{Lu}\p{L}+)?|` +
			`\p{Lu}[\p{L}.-]+(?: \p{Lu}[\p{L}.-]+){0,2},? (?:[A-Z]{2},? )?(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})|\p{Lu}[\p{L}.-]+(?: \p{Lu}[\p{L}.-]+){0,2}, [A-Z]{2}\b)`)
	})
	addressWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:address|lives? (?:at|in)|living at|home is|reside[sd]? at|deliver(?:ed)? to|ship(?:ped)? to|adresse|anschrift|wohn(?:t|e|haft)(?: in)?|domicilio|dirección|indirizzo|habite(?: au)?)\W{1,3}(?:is |ist |es |at )?(?:\p{L}+ ){0,3}$`)
	})
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
		if m := streetHan().FindStringIndex(before); m != nil {
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
		m = streetGerman().FindStringSubmatchIndex(before)
	case name != "" && (name[0] >= 'A' && name[0] <= 'Z' || name[0] == 'n' || name[0] >= 0x80) && roman(before):
		m = streetRoman().FindStringSubmatchIndex(before)
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
		if m := streetAfter().FindStringSubmatchIndex(after); m != nil {
			end := m[1]
			if m[4] >= 0 {
				end = m[4]
			}
			return p.settled(from, to+end, m[2] >= 0, before)
		}
	case french(after[i+1:]):
		if m := streetFrench().FindStringIndex(after); m != nil {
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
	if m := town().FindStringIndex(p.s[to:min(len(p.s), to+96)]); m != nil {
		return from, to + m[1]
	}
	if doubtful && !addressWord().MatchString(before) {
		return from, from
	}
	return from, to
}
