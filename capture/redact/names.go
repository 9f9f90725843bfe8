package redact

import (
	"regexp"
	"strings"
	"sync"
)

// secretName splits a name into words and says whether it names a secret, and
// whether that is a password.
func secretName(name string) (password, secret bool) {
	words := nameWords(name)
	if len(words) == 0 {
		return false, false
	}
	for _, w := range words {
		if is("harmless", w) {
			return false, false
		}
	}
	if is("about", words[len(words)-1]) {
		return false, false
	}
	for i, w := range words {
		switch {
		case passwordWord(w):
			password, secret = true, true
		case is("secretwords", w), strings.HasSuffix(w, "apikey"), strings.HasSuffix(w, "secretkey"), strings.HasSuffix(w, "accesskey"),
			strings.HasSuffix(w, "authtoken"), strings.HasSuffix(w, "accesstoken"), strings.HasSuffix(w, "clientsecret"):
			secret = true
		case w == "auth" || w == "salt" || w == "pat" || w == "jwt" || w == "bearer" || w == "mnemonic" || w == "dsn":
			secret = secret || i == len(words)-1
		case w == "key" && i > 0:
			secret = secret || is("keys", words[i-1])
		}
	}
	return password, secret
}

// passwordWord reports whether one word names a password, as "dbpassword" does.
func passwordWord(w string) bool {
	switch w {
	case "password", "passwd", "pwd", "passphrase", "pass", "passcode", "passwort":
		return true
	}
	for _, end := range []string{"password", "passwd", "passphrase", "pass", "pwd"} {
		if rest, ok := strings.CutSuffix(w, end); ok && (len(end) > 5 || is("passowners", rest)) {
			return true
		}
	}
	return false
}

// nameWords splits a name where its marks, or its capitals, say.
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
