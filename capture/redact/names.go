package redact

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// secretName splits a name into words and says whether it names a secret, and
// whether that is a password.
func secretName(name string) (password, secret bool) {
	words := nameWords(name)
	harmless := func(w string) bool { return is("harmless", w) }
	if len(words) == 0 || is("about", words[len(words)-1]) || slices.ContainsFunc(words, harmless) {
		return false, false
	}
	for i, w := range words {
		password = password || passwordWord(w) && !counted(words, i) || w == "pw" && i > 0
		secret = secret || password || secretWord(words, i)
	}
	return password, secret
}

// secretWord reports whether the i-th word of a name speaks of a secret, by itself or by its place.
func secretWord(words []string, i int) bool {
	w := words[i]
	switch {
	case w == "token" && i > 0 && is("cursors", words[i-1]):
		return false
	case is("secretwords", w), pattern("secret-ending").MatchString(w):
		return true
	case w == "key":
		return i > 0 && is("keys", words[i-1])
	}
	return i == len(words)-1 && is("lastwords", w)
}

// counted reports whether the i-th word of a name is a pass that is counted: "onePass".
func counted(words []string, i int) bool {
	return words[i] == "pass" && i > 0 && is("passcounts", words[i-1])
}

// passwordWord reports whether one word names a password, as "dbpassword" does.
func passwordWord(w string) bool {
	m := pattern("password-word").FindStringSubmatch(w)
	return m != nil && (m[1] == "" || is("passowners", m[1]))
}

// nameWords splits a name where its marks, or its capitals, say.
func nameWords(name string) []string {
	var out []string
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '.' || r == '-' }) {
		start := 0
		for i := range part {
			if i > start && wordStarts(part, i) {
				out = append(out, strings.ToLower(part[start:i]))
				start = i
			}
		}
		out = append(out, strings.ToLower(part[start:]))
	}
	return out
}

// wordStarts reports whether a capital begins a word at the i-th byte of a name, behind its first.
func wordStarts(name string, i int) bool {
	if kind(name[i]) != 2 {
		return false
	}
	return kind(name[i-1]) != 2 || i+1 < len(name) && kind(name[i+1]) == 1
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
	end = reach(s, to, to+windowWord, "()[]{}<>|;,=:\"'` \t\r\n")
	path := strings.TrimRight(s[from:end], ".,;:!?")
	shape := "file-password"
	m := pattern("secret-file").FindStringSubmatchIndex(path)
	if m == nil {
		shape = "folder-password"
		m = pattern("secret-folder").FindStringSubmatchIndex(path)
	}
	if m == nil || !fits(shape, path[m[2]:m[3]]) {
		return 0, 0, false
	}
	return from + m[2], from + m[3], true
}
