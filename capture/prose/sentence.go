package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences splits one paragraph of prose at the ends of sentences. Dots in
// numbers, paths, code spans and common abbreviations do not end one.
func Sentences(s string) []string {
	var out []string
	add := func(t string) {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	start, code := 0, false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '`':
			code = !code
		case '.', '!', '?':
			if code && strings.IndexByte(s[i:], '`') >= 0 {
				continue
			}
			if end := sentenceEnd(s, start, i); end > 0 {
				add(s[start:end])
				start, i = end, end-1
			}
		}
	}
	add(s[start:])
	return out
}

// sentenceEnd is where the sentence from start on ends that has a mark at a byte; 0 if it
// does not end there.
func sentenceEnd(s string, start, mark int) int {
	rest := strings.TrimLeft(s[mark+1:], ".!?\"')*")
	end := len(s) - len(rest)
	switch {
	case rest != "" && rest[0] != ' ':
		return 0
	case s[mark] != '.':
		return end
	case abbreviated(s[start:mark]), goesOn(rest):
		return 0
	}
	return end
}

// goesOn reports whether what follows a full stop is not the beginning of a sentence.
func goesOn(rest string) bool {
	next := strings.TrimLeft(rest, " ")
	r, _ := utf8.DecodeRuneInString(next)
	return unicode.IsLower(r) && !strings.HasPrefix(next, "i ")
}

func abbreviated(s string) bool {
	i := strings.LastIndexByte(s, ' ')
	return lexicon().Is("abbreviation", strings.ToLower(strings.TrimLeft(s[i+1:], "(")))
}

// Words gives the words of s in lower case, apostrophes kept, every other
// mark a gap. Identifiers are split at dots and slashes, not at underscores.
func Words(s string) []string {
	s = strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	list := strings.FieldsFunc(s, func(r rune) bool {
		return r != '_' && r != '\'' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for i, w := range list {
		list[i] = strings.Trim(w, "'")
	}
	return slices.DeleteFunc(list, func(w string) bool { return w == "" })
}

// Identifiers counts what names a thing in code: spans in backticks, paths,
// flags, names in camel or snake case, constants.
func Identifiers(s string) int {
	n := strings.Count(s, "`") / 2
	if n > 0 {
		return n
	}
	for w := range strings.FieldsSeq(s) {
		if IsIdentifier(strings.Trim(w, ".,;:()[]\"'!?*")) {
			n++
		}
	}
	return n
}

// IsIdentifier reports whether a word looks like the name of something in
// code: a path, a flag, a name in camel or snake case, a call.
func IsIdentifier(w string) bool {
	switch {
	case len(w) < 3:
		return false
	case strings.HasPrefix(w, "--"), strings.Contains(w, "_"), strings.Contains(w, "()"):
		return true
	case hasDot(w):
		return !isDigit(w[0])
	}
	return isPath(w) || isCamel(w)
}

// hasDot reports whether a dot stands within a word, as in a file's name.
func hasDot(w string) bool {
	i := strings.IndexByte(w[1:], '.')
	return i >= 0 && i+2 < len(w) && !strings.HasSuffix(w, ".")
}

func isPath(w string) bool {
	return len(w) > 5 && strings.Count(w, "/") > 1 && !strings.Contains(w, "//")
}

// isCamel reports whether a capital stands behind a small letter.
func isCamel(w string) bool {
	for i := 1; i < len(w); i++ {
		if isUpper(w[i]) && isLower(w[i-1]) {
			return true
		}
	}
	return false
}

func isUpper(c byte) bool { return c-'A' < 26 }
func isLower(c byte) bool { return c-'a' < 26 }
func isDigit(c byte) bool { return c-'0' < 10 }

// Clip shortens s to at most limit bytes, at a word, with an ellipsis.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := limit - len("…")
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if i := strings.LastIndexByte(s[:cut], ' '); i > limit/2 {
		cut = i
	}
	return closed(s[:cut], " ,;:—–-(") + "…"
}

// ClipWords shortens s to its first n words, one at least.
func ClipWords(s string, n int) string {
	end := -1
	for range n {
		word := strings.IndexAny(s[end+1:], " \n")
		if word < 0 {
			return s
		}
		end += 1 + word
	}
	return closed(s[:end], " ,;:—–-(\n") + " …"
}

// closed is a text that was cut, without marks at its end that lead on, and with the code
// closed that it opens.
func closed(s, marks string) string {
	s = strings.TrimRight(s, marks)
	if strings.Count(s, "`")%2 == 1 {
		s += "`"
	}
	return s
}

// Sentence gives s a capital letter, and no full stop at its end.
func Sentence(s string) string {
	s = strings.TrimSpace(s)
	if strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "..") {
		s = s[:len(s)-1]
	}
	r, size := utf8.DecodeRuneInString(s)
	if unicode.IsLower(r) && !IsIdentifier(FirstWord(s)) {
		s = string(unicode.ToUpper(r)) + s[size:]
	}
	return s
}

// FirstWord gives the text before the first space.
func FirstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}
