package redact

import (
	"regexp"
	"strings"
	"sync"
)

// assignRe finds "name op value" where the name speaks of a secret. Group 1
// is the name; groups 2 to 5 are the value in its quotes, bare, or as the
// text of an element.
var assignRe = sync.OnceValue(func() *regexp.Regexp {
	const name = `([A-Za-z0-9_.\-]*(?i:token|secret|passw|pwd|pass|api|access|auth|cred|private|encryption|signing|sourcegraph|contribsys|key)[A-Za-z0-9_.\-]*)`
	const op = `(?:\\?["'` + "`" + `\]]{0,2}(?:[ \t]+[sS]tring)?[ \t]*(?:=>|:{1,3}=|[?.|+]{1,2}=|={1,3}|:)[ \t]*|["'], *|["']? value=|>\s*|" *: *)`
	const value = `(?:\\?"([^"\n\\]{6,})|'([^'\n]{6,})|` + "`([^`\n]{6,})" + `|([^\s"'` + "`" + `,;<>()\\]{6,}))`
	return regexp.MustCompile(name + op + value)
})

// assignments adds values given to names such as "githubToken" in s, which
// starts at base of the whole text.
func assignments(out []Secret, s, lower string, base int) []Secret {
	any := false
	for _, k := range []string{"token", "secret", "passw", "pwd", "api", "access", "auth", "cred", "private", "key", "sourcegraph", "contribsys"} {
		if any = strings.Contains(lower, k); any {
			break
		}
	}
	if !any || !assigning(lower) {
		return out
	}
	for at := 0; at < len(s); {
		m := assignRe().FindStringSubmatchIndex(s[at:])
		if m == nil {
			break
		}
		next := at + m[3] // go on after the name: values may hold assignments
		for g := 4; g+1 < len(m); g += 2 {
			if m[g] < 0 {
				continue
			}
			from, to := at+m[g], at+m[g+1]
			password, secret := secretName(s[at+m[2] : at+m[3]])
			value := s[from:to]
			if !placeholder(value) {
				value = strings.TrimRight(value, `\.:)`)
			}
			if i := strings.Index(value, `\n`); i >= 0 {
				value = value[:i]
			}
			if secret && isSecretValue(value, password, g < 10) && (password || !worded(value) && shaped(s[at+m[2]:at+m[3]], value)) {
				out = append(out, Secret{"secret", base + from, base + from + len(value)})
				next = from + len(value)
			}
		}
		at = max(next, at+1)
	}
	return out
}

// assigning reports whether assignRe may match in a text of which lower is the
// lower case, for far less than it takes to find out: prose that speaks of
// tokens assigns nothing to them.
func assigning(lower string) bool {
	for _, word := range []string{"token", "secret", "pass", "pwd", "api", "access", "auth", "cred", "private", "encryption", "signing", "sourcegraph", "contribsys", "key"} {
		for rest := lower; ; {
			_, after, ok := strings.Cut(rest, word)
			if !ok {
				break
			}
			rest = after
			after = strings.TrimLeft(after, "abcdefghijklmnopqrstuvwxyz0123456789_.-")
			after = strings.TrimLeft(after, "\\\"'`] \t")
			after = strings.TrimLeft(strings.TrimPrefix(after, "string"), " \t")
			if after != "" && strings.IndexByte("=:>?|+.,", after[0]) >= 0 || strings.HasPrefix(after, "value=") {
				return true
			}
		}
	}
	return false
}

// secretName splits a name into words and says whether it names a secret, and
// whether that is a password.
func secretName(name string) (password, secret bool) {
	words := nameWords(name)
	if len(words) == 0 {
		return false, false
	}
	for _, w := range words {
		switch w {
		case "public", "csrf", "xsrf", "authenticity", "foreign", "primary",
			"non", "fake", "dummy", "mock", "sample", "example", "invalid", "placeholder", "expired":
			return false, false
		}
	}
	switch words[len(words)-1] {
	case "id", "ids", "name", "names", "url", "uri", "version", "file", "files", "path", "length", "len", "size", "type", "count", "expiry", "ttl", "limit",
		"format", "header", "field", "label", "pattern", "manager", "provider", "mode", "policy", "chars", "location", "selector", "variable",
		"source", "results", "endpoint", "host", "port", "env", "var", "ref", "prefix", "suffix", "timeout", "age", "usage", "budget", "per", "limits", "used":
		return false, false
	}
	for i, w := range words {
		switch w {
		case "password", "passwd", "pwd", "passphrase", "pass", "cleartextpassword":
			password, secret = true, true
		case "token", "secret", "apikey", "authorization", "credential", "credentials", "creds", "apitoken", "accesstoken", "secretkey", "accesskey",
			"authtoken", "sourcegraph", "contribsys", "clientsecret", "privatekey":
			secret = true
		case "auth":
			secret = secret || i == len(words)-1
		case "key":
			if i > 0 {
				switch words[i-1] {
				case "api", "access", "secret", "private", "auth", "encryption", "signing", "client", "license", "service", "account", "master":
					secret = true
				}
			}
		}
	}
	return password, secret
}

func nameWords(name string) []string {
	var out []string
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		c := name[i]
		switch {
		case c == '_' || c == '.' || c == '-':
			flush(i)
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start &&
			(name[i-1] < 'A' || name[i-1] > 'Z' || i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'):
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return out
}

// serviceTokens are services whose tokens have one documented shape, so that
// a value of another shape given to their name is something else.
var serviceTokens = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"telegram": regexp.MustCompile(`^\d{5,16}:A[\w-]{34}$`),
		"meraki":   regexp.MustCompile(`^[0-9a-f]{40}$`),
	}
})

// shaped reports whether a value may be a token of the service that the name
// speaks of; any value may be one of a service that is not known.
func shaped(name, value string) bool {
	for _, w := range nameWords(name) {
		if re := serviceTokens()[w]; re != nil {
			return re.MatchString(value)
		}
	}
	return true
}

// worded holds for values made of words: at least three of four letters and
// more, written together or apart, and next to nothing else.
func worded(v string) bool {
	words, letters := 0, 0
	for _, w := range nameWords(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, v)) {
		if len(w) >= 4 && strings.ContainsAny(w, "aeiouy") {
			words++
			letters += len(w)
		}
	}
	return words >= 3 && 5*letters >= 4*len(v) || words >= 4 && 4*letters >= 3*len(v)
}

// isSecretValue says whether a value given to such a name is a secret.
func isSecretValue(v string, password, quoted bool) bool {
	if placeholder(v) || strings.HasPrefix(v, "ENC[") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "http") || strings.Contains(v, "://") {
		return false
	}
	lower, upper, digit, other := classes(v)
	if lower == 0 && digit < 3 && strings.Contains(v, "_") { // the name of a variable
		return false
	}
	if strings.Contains(v, " ") {
		return false
	}
	if strings.Contains(v, ".") && (strings.Contains(v, "()") || digit < 3 && other >= 1 && !password) { // a call or a field
		return false
	}
	if random(v) && (len(v) >= 10 || password) {
		return true
	}
	return password && quoted && len(v) >= 8 && (digit > 0 || other > 0 && upper > 0) && distinct(v) > 5
}
