package redact

import (
	"regexp"
	"strings"
	"sync"
)

// Sensitive says what in a text may not be for everybody who reads the repository,
// although it is no secret: "vulnerability", "network address", "mail address",
// "phone number", "postal address" or "personal data"; "" for nothing. Addresses of
// examples and of machines that answer nobody do not count.
func Sensitive(s string) string {
	lower := strings.ToLower(s)
	for _, k := range sensitiveKinds() {
		if k.near != "" && !containsAny(lower, k.near) {
			continue
		}
		for _, m := range k.shape.FindAllString(s, maxSensitive) {
			if k.spared == nil || !k.spared(strings.ToLower(m)) {
				return k.name
			}
		}
	}
	return ""
}

// maxSensitive bounds how many matches of one kind are looked at.
const maxSensitive = 64

// sensitiveKind is a row of what [Sensitive] knows.
type sensitiveKind struct {
	name   string
	near   string // what one of must stand in the text, in small letters, separated by "|"
	shape  *regexp.Regexp
	spared func(string) bool
}

var sensitiveKinds = sync.OnceValue(func() []sensitiveKind {
	return []sensitiveKind{
		{
			"vulnerability", "vulnerab|exploit|cve-|injection|xss|csrf|ssrf|rce|bypass|escalat|unauthenticated|security hole|backdoor",
			regexp.MustCompile(`(?i)\bvulnerab(?:le|ility|ilities)\b|\bexploit(?:s|ed|able|ation)?\b|\bCVE-\d{4}-\d{4,}\b|\b(?:SQL|command|code|shell|header|template|prompt) injection\b|\b(?:XSS|CSRF|SSRF|RCE)\b|\b(?:auth\w*|login|permission|access) (?:check )?bypass\b|\bbypass(?:es|ed|ing)? (?:the )?(?:auth\w*|login|permission\w*|access control)\b|\bprivilege escalation\b|\bsecurity hole\b|\bbackdoor\b`),
			nil,
		},
		{"mail address", "@", regexp.MustCompile(`(?i)\b[\w.%+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,6}[a-z]{2,24}\b`), exampleMail},
		{
			"network address", "10.|192.168.|172.",
			regexp.MustCompile(`\b(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}\b`),
			func(m string) bool { return strings.HasSuffix(m, ".0") },
		},
		{"phone number", "", regexp.MustCompile(`(?:^|[\s(:])(?:\+\d{1,3}[ .-]?(?:\(0?\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){1,4}|\(\d{3}\) ?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})\b`), nil},
		{
			"postal address", "street|avenue|road|lane|boulevard|straße|strasse|platz|rue ",
			regexp.MustCompile(`\b\d{1,5}[a-z]? (?:[A-Z][\w'-]+ ){1,3}(?:Street|Avenue|Road|Lane|Boulevard|Drive)\b|\p{Lu}\p{L}+(?:straße|strasse|platz) \d{1,4}\b|\b\d{1,4},? rue \p{L}`),
			nil,
		},
		{
			"personal data", "",
			regexp.MustCompile(`(?i)\bdate of birth\b|\bborn on\b|\bpassport (?:no|number)\b|\bsocial security number\b|\bSSN\b|\b(?:her|his|their|'s) (?:salary|illness|medical|diagnosis|home address|phone number|birthday)\b|\b[A-Z]{2}\d{2} ?(?:\d{4} ?){3,7}\d{0,4}\b`),
			nil,
		},
	}
})

func containsAny(s, words string) bool {
	for w := range strings.SplitSeq(words, "|") {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// exampleMail holds for addresses that are nobody's.
func exampleMail(m string) bool {
	name, host, _ := strings.Cut(m, "@")
	switch name {
	case "git", "noreply", "no-reply", "donotreply", "user", "root", "you", "me", "name":
		return true
	}
	for _, end := range []string{"example.com", "example.org", "example.net", ".example", ".test", ".invalid", ".local", ".localhost", "users.noreply.github.com"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return strings.Contains(name, "noreply")
}
