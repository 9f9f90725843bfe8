package redact

import "strings"

// Sensitive says what in a text may not be for everybody who reads the repository,
// although it is no secret: "vulnerability", "network address", "mail address",
// "phone number", "card number", "account number", "postal address" or "personal
// data"; "" for nothing. Addresses of examples and of machines that answer nobody
// do not count, nor does people's data where r keeps it. r may be nil.
func (r *Redactor) Sensitive(s string) string {
	if vulnerable(s) {
		return "vulnerability"
	}
	if people := peopleIn(s); people != "" && !r.keeps() {
		return people
	}
	if pattern("own-network").MatchString(s) {
		return "network address"
	}
	return ""
}

// keeps reports whether people's data is no reason to ask, see [Redactor.Keeping].
func (r *Redactor) keeps() bool { return r != nil && r.keeping }

// Keeping returns a redactor by whose policy people's data is text like any other.
// r stays as it is.
func (r *Redactor) Keeping() *Redactor {
	out := r.clone()
	out.keeping = true
	return out
}

// maxSensitive bounds how many names of attacks are looked at.
const maxSensitive = 64

// peopleIn says what a text holds of people's data, "" for nothing.
func peopleIn(s string) string {
	if found := Personal(s); len(found) > 0 {
		return map[string]string{
			"email": "mail address", "phone": "phone number", "card": "card number", "iban": "account number",
			"address": "postal address",
		}[found[0].Kind]
	}
	if pattern("about-person").MatchString(s) {
		return "personal data"
	}
	return ""
}

// vulnerable reports whether a text speaks of a weakness that somebody could use:
// by its number, by the words for one, or by the name of an attack in a sentence
// that does not say that it is fended off.
func vulnerable(s string) bool {
	if pattern("weakness").MatchString(s) {
		return true
	}
	for _, m := range pattern("attack").FindAllStringIndex(s, maxSensitive) {
		from := strings.LastIndexAny(s[:m[0]], ".\n") + 1
		to := m[1] + len(upTo(s[m[1]:], ".\n"))
		if !pattern("fended").MatchString(s[from:to]) {
			return true
		}
	}
	return false
}
