package redact

import (
	"strings"
)

// Sensitive says what in a text may not be for everybody who reads the repository,
// although it is no secret: "vulnerability", "network address", "mail address",
// "phone number", "card number", "account number", "postal address" or "personal
// data"; "" for nothing. Addresses of examples and of machines that answer nobody
// do not count, nor does people's data where r keeps it. r may be nil.
func (r *Redactor) Sensitive(s string) string {
	lower := strings.ToLower(s)
	if vulnerable(s, lower) {
		return "vulnerability"
	}
	if r == nil || !r.keeping {
		if found := Personal(s); len(found) > 0 {
			return spokenKinds()[found[0].Kind]
		}
		if containsAny(lower, "date of birth|born on|passport n|social security|ssn|salary|illness|medical|diagnosis|home address|phone number|birthday") && pattern("about-person").MatchString(s) {
			return "personal data"
		}
	}
	if !containsAny(s, "10.|192.168.|172.") {
		return ""
	}
	for _, m := range pattern("own-network").FindAllString(s, maxSensitive) {
		if !strings.HasSuffix(m, ".0") {
			return "network address"
		}
	}
	return ""
}

// Keeping returns a redactor by whose policy people's data is text like any other.
// r stays as it is.
func (r *Redactor) Keeping() *Redactor {
	out := &Redactor{}
	if r != nil {
		*out = *r
	}
	out.keeping = true
	return out
}

// maxSensitive bounds how many matches of one kind are looked at.
const maxSensitive = 64

// spokenKinds are the kinds of [Personal] in words.
func spokenKinds() map[string]string {
	return map[string]string{"email": "mail address", "phone": "phone number", "card": "card number", "iban": "account number", "address": "postal address"}
}

// vulnerable reports whether a text speaks of a weakness that somebody could use:
// by its number, by the words for one, or by the name of an attack in a sentence
// that does not say that it is fended off.
func vulnerable(s, lower string) bool {
	if !containsAny(lower, "vulnerab|exploit|cve-|ghsa-|injection|traversal|xss|-site scripting|csrf|ssrf|xxe|code execution|bypass|escalat|"+
		"security hole|security flaw|security bug|security issue|security weak|0-day|zero-day|backdoor|open redirect|smuggling|buffer overflow|"+
		"after free|after-free|arbitrary|leaked|exposed|compromised|sicherheitsl|sécurité|漏洞") && !holdsWord(lower, "rce") {
		return false
	}
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

// holdsWord reports whether a word stands alone in a text, as "rce" does not in
// "source".
func holdsWord(s, word string) bool {
	for at := 0; ; {
		i := strings.Index(s[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || !inWord(s[from-1])) && (to == len(s) || !inWord(s[to])) {
			return true
		}
		at = to
	}
}

// inWord reports whether a regular expression takes c for part of a word.
func inWord(c byte) bool { return letterOrDigit(c) || c == '_' }

func containsAny(s, words string) bool {
	for w := range strings.SplitSeq(words, "|") {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
