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
		case passwordWord(w), w == "pw" && i > 0:
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
	case "password", "passwd", "pwd", "pswd", "passphrase", "pass", "passcode", "passwort":
		return true
	}
	for _, end := range []string{"password", "passwd", "passphrase", "pass", "pwd", "pw"} {
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

// inFileName finds the password in the name of a file, or of one in a folder, that is called
// by it: "db-password-X.sql", "passwords/X.txt". The name, or the folder, is at from to to.
// In a folder, where names of other things are usual, only what has a mark in it is one.
func inFileName(s string, from, to int) (at, end int, ok bool) {
	end = to + len(upTo(s[to:min(len(s), to+windowWord)], "()[]{}<>|;,=:\"'` \t\r\n"))
	name := strings.TrimRight(s[from:end], ".,;:!?")
	ext := pattern("file-end").FindString(name[max(0, len(name)-len(".abcde.txt")):])
	if ext == "" {
		return 0, 0, false
	}
	end = from + len(name) - len(ext)
	folder := to < end && (s[to] == '/' || s[to] == '\\')
	at = end - len(strings.TrimLeft(s[min(to, end):end], `/\`))
	if folder {
		if password, _ := secretName(strings.TrimSuffix(s[from:to], "s")); !password {
			return 0, 0, false
		}
	} else {
		for at = from; at < to; at++ {
			if i := strings.IndexAny(s[at:to], "-_."); i < 0 {
				return 0, 0, false
			} else if at += i; passwordWord(strings.ToLower(s[from+strings.LastIndexAny(s[from:at], "-_.")+1 : at])) {
				break
			}
		}
		at++
	}
	if at >= end || strings.ContainsAny(s[at:end], `/\`) {
		return 0, 0, false
	}
	v := s[at:end]
	stem := strings.ToLower(strings.TrimRight(v, "0123456789"))
	if !marked(v) && (folder || !seasoned(v) || is("about", stem) || is("harmless", stem)) || folder && !strings.ContainsAny(v, "!@#$%^&*?~+") {
		return 0, 0, false
	}
	return at, end, true
}
