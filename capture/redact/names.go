package redact

import (
	"slices"
	"strings"
)

// secretName splits a name into words and says whether it names a secret, and
// whether that is a password.
func secretName(name string) (password, secret bool) {
	words := nameWords(name)
	if harmlessName(words) {
		return false, false
	}
	before := ""
	secret = is("lastwords", words[len(words)-1])
	for _, w := range words {
		if passwordWord(before, w) {
			return true, true
		}
		secret = secret || secretWord(before, w)
		before = w
	}
	return false, secret
}

// harmlessName reports whether the words of a name make it none of a secret.
func harmlessName(words []string) bool {
	return len(words) == 0 || is("about", words[len(words)-1]) ||
		slices.ContainsFunc(words, func(w string) bool { return is("harmless", w) })
}

// secretWord reports whether a word of a name speaks of a secret behind another one.
func secretWord(before, w string) bool {
	switch {
	case w == "key":
		return is("keys", before)
	case w == "token" && is("cursors", before):
		return false
	}
	return is("secretwords", w) || pattern("secret-ending").MatchString(w)
}

// passwordWord reports whether a word of a name names a password behind another one, as "dbpassword"
// does, and "pass", if it is not counted.
func passwordWord(before, w string) bool {
	if w == "pass" && is("passcounts", before) {
		return false
	}
	m := pattern("password-word").FindStringSubmatch(w)
	return m != nil && (m[1] == "" || is("passowners", m[1]))
}

// nameWords splits a name where its marks, or its capitals, say.
func nameWords(name string) []string {
	var out []string
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("_.-", r) }) {
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
	if kind(name[i]) != capitalByte {
		return false
	}
	return kind(name[i-1]) != capitalByte || i+1 < len(name) && kind(name[i+1]) == smallByte
}

// lastWord is the last word of a name.
func lastWord(name string) string {
	words := append([]string{""}, nameWords(name)...)
	return words[len(words)-1]
}

// ambiguous reports whether a name in itself says too little: tests pass, and a
// shell knows its working directory as PWD.
func ambiguous(name string) bool {
	words := nameWords(name)
	return is("ambiguous", lastWord(name)) && (len(words) == 1 || strings.Contains(name, "-"))
}

// namesSecret reports whether a word of a manual only names what stands there: "NewPassword",
// "secret-key-for-storage".
func namesSecret(v string) bool {
	_, secret := secretName(v)
	return secret && fits("naming", v)
}

// shaped reports whether a value may be a token of the service that the name speaks of. The tokens
// of some have one documented shape; any value may be one of another service.
func shaped(name, value string) bool {
	for _, w := range nameWords(name) {
		if ask := values().asks["token-of-"+w]; ask != nil {
			return ask(value)
		}
	}
	return true
}

// inFileName takes the password in the name of a file, or of one in a folder, that is called by it:
// "db-password-X.sql", "passwords/X.txt". The name, or the folder, is at from to to.
// In a folder, where names of other things are usual, only what has a mark in it is one.
func (x *search) inFileName(from, to int) {
	end := reach(x.s, to, to+windowWord, "()[]{}<>|;,=:\"'` \t\r\n")
	path := strings.TrimRight(x.s[from:end], ".,;:!?")
	for _, shape := range []string{"file-password", "folder-password"} {
		if m := pattern(shape).FindStringSubmatchIndex(path); m != nil {
			x.take("secret", shape, from+m[2], from+m[3])
			return
		}
	}
}
