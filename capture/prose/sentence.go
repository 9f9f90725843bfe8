package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences splits one paragraph of prose at the ends of sentences. Dots in
// numbers, paths, code spans and common abbreviations do not end one.
func Sentences(s string) []string {
	var out []string
	start, code := 0, false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '`':
			code = !code
			continue
		case '.', '!', '?':
		default:
			continue
		}
		if code && strings.IndexByte(s[i:], '`') >= 0 {
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte(".!?\"')*", s[end]) >= 0 {
			end++
		}
		if end < len(s) && s[end] != ' ' || s[i] == '.' && abbreviated(s[start:i]) {
			continue
		}
		if next := strings.TrimLeft(s[end:], " "); next != "" && s[i] == '.' {
			r, _ := utf8.DecodeRuneInString(next)
			if unicode.IsLower(r) && !strings.HasPrefix(next, "i ") {
				continue
			}
		}
		if t := strings.TrimSpace(s[start:end]); t != "" {
			out = append(out, t)
		}
		start, i = end, end-1
	}
	if t := strings.TrimSpace(s[start:]); t != "" {
		out = append(out, t)
	}
	return out
}

func abbreviated(s string) bool {
	i := strings.LastIndexByte(s, ' ')
	switch strings.ToLower(strings.TrimLeft(s[i+1:], "(")) {
	case "e.g", "i.e", "eg", "ie", "vs", "cf", "approx", "resp", "incl", "no", "dr", "mr":
		return true
	}
	return false
}

// wordBytes is how many bytes a word takes with what parts it from the next.
const wordBytes = 6

// Words gives the words of s in lower case, apostrophes kept, every other
// mark a gap. Identifiers are split at dots and slashes, not at underscores.
func Words(s string) []string {
	out := make([]string, 0, len(s)/wordBytes+1)
	start := -1
	lower := true
	for i := 0; i < len(s); {
		c := s[i]
		size := 1
		in := c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		switch {
		case in:
		case c >= 'A' && c <= 'Z':
			in, lower = true, false
		case c == '\'':
			in = start >= 0 && i+1 < len(s) && s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z'
		case c >= utf8.RuneSelf:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if r == '’' {
				in = start >= 0 && i+size < len(s) && s[i+size]|0x20 >= 'a' && s[i+size]|0x20 <= 'z'
			} else {
				in = unicode.IsLetter(r) || unicode.IsDigit(r)
			}
			lower = lower && !in
		}
		if in && start < 0 {
			start = i
		}
		if !in && start >= 0 {
			out = append(out, fold(s[start:i], lower))
			start, lower = -1, true
		}
		i += size
	}
	if start >= 0 {
		out = append(out, fold(s[start:], lower))
	}
	return out
}

func fold(w string, lower bool) string {
	if lower {
		return w
	}
	return strings.ToLower(strings.ReplaceAll(w, "’", "'"))
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
	if len(w) < 3 {
		return false
	}
	if strings.HasPrefix(w, "--") || strings.Contains(w, "_") || strings.Contains(w, "()") {
		return true
	}
	if i := strings.IndexByte(w[1:], '.'); i >= 0 && i+2 < len(w) && !strings.HasSuffix(w, ".") && w[i+2] != ' ' {
		return w[0] > '9' || w[0] < '0'
	}
	if strings.Contains(w, "/") && !strings.Contains(w, "//") && len(w) > 5 && strings.Count(w, "/") > 1 {
		return true
	}
	upper := false
	for i := 1; i < len(w); i++ {
		if w[i] >= 'A' && w[i] <= 'Z' && w[i-1] >= 'a' && w[i-1] <= 'z' {
			upper = true
		}
	}
	return upper
}

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
	s = strings.TrimRight(s[:cut], " ,;:—–-(")
	if strings.Count(s, "`")%2 == 1 {
		s += "`"
	}
	return s + "…"
}

// ClipWords shortens s to at most n words.
func ClipWords(s string, n int) string {
	end := 0
	for i := range s {
		if s[i] == ' ' || s[i] == '\n' {
			if n--; n == 0 {
				end = i
				break
			}
		}
	}
	if end == 0 {
		return s
	}
	s = strings.TrimRight(s[:end], " ,;:—–-(\n")
	if strings.Count(s, "`")%2 == 1 {
		s += "`"
	}
	return s + " …"
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
