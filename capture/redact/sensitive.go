package redact

import (
	"regexp"
	"strings"
	"sync"
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
		if containsAny(lower, "date of birth|born on|passport n|social security|ssn|salary|illness|medical|diagnosis|home address|phone number|birthday") && aboutPerson().MatchString(s) {
			return "personal data"
		}
	}
	if !containsAny(s, "10.|192.168.|172.") {
		return ""
	}
	for _, m := range ownNetwork().FindAllString(s, maxSensitive) {
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

var ownNetwork = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}\b`)
})

var aboutPerson = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bdate of birth\b|\bborn on\b|\bpassport (?:no|number)\b|\bsocial security number\b|\bSSN\b|` +
		`(?:\b(?:her|his|their)|'s) (?:salary|illness|medical|diagnosis|home address|phone number|birthday)\b`)
})

// vulnerable reports whether a text speaks of a weakness that somebody could use:
// by its number, by the words for one, or by the name of an attack in a sentence
// that does not say that it is fended off.
func vulnerable(s, lower string) bool {
	if !containsAny(lower, "vulnerab|exploit|cve-|ghsa-|injection|traversal|xss|-site scripting|csrf|ssrf|xxe|code execution|bypass|escalat|"+
		"security hole|security flaw|security bug|security issue|security weak|0-day|zero-day|backdoor|open redirect|smuggling|buffer overflow|"+
		"after free|after-free|arbitrary|leaked|exposed|compromised|sicherheitsl|sécurité|漏洞") && !holdsWord(lower, "rce") {
		return false
	}
	if weakness().MatchString(s) {
		return true
	}
	for _, m := range attack().FindAllStringIndex(s, maxSensitive) {
		from := strings.LastIndexAny(s[:m[0]], ".\n") + 1
		to := m[1] + len(upTo(s[m[1]:], ".\n"))
		if !fended().MatchString(s[from:to]) {
			return true
		}
	}
	return false
}

var weakness = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:CVE-\d{4}-\d{3,}|GHSA-[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}|vulnerabilit(?:y|ies)|vulnerable|exploit(?:s|ed|able|ation)|(?:zero|0)-day|backdoor|` +
		`security (?:hole|flaw|bug|issue|weakness)e?s?|privilege escalation|(?:auth\w*|login|permission|access) (?:check )?bypass|` +
		`bypass(?:es|ed|ing)? (?:the )?(?:auth\w*|login|permission\w*|access control)|` +
		`(?:leaked|exposed|compromised) (?:\w+ )?(?:key|token|credential|secret|password)s?|Sicherheitslücken?)\b|failles? de sécurité|安全漏洞`)
})

var attack = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:(?:sql|command|code|shell|header|template|ldap|prompt) injection|XSS|cross-site scripting|CSRF|SSRF|XXE|RCE|remote code execution|` +
		`(?:path|directory) traversal|open redirect|arbitrary (?:code|command|file)s?|request smuggling|buffer overflow|use[- ]after[- ]free)\b`)
})

var fended = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:prevent|protect|guard|avoid|mitigat|defen[cds]|refus|reject|against|block|sanitis|sanitiz|escap|stop|fixed|hardened|no longer)\w*`)
})

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
