package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

// Sentences splits one paragraph of prose at the ends of sentences. Dots in
// numbers, paths, code spans and common abbreviations do not end one.
func Sentences(s string) []string {
	var out []string
	start, next := 0, 0
	for i, r := range s {
		if i < next {
			continue
		}
		switch r {
		case '`':
			next = i + codeLength(s[i:])
		case '.', '!', '?', '。', '！', '？':
			if end := sentenceEnd(s, start, i, r); end > 0 {
				out = append(out, strings.TrimSpace(s[start:end]))
				start, next = end, end
			}
		}
	}
	out = append(out, strings.TrimSpace(s[start:]))
	return lists.Without(out, func(t string) bool { return t == "" })
}

// Marks of scripts without spaces, which end a sentence whatever follows, and what may close behind
// them. Others end one before a space.
const (
	wideEndMarks = "。！？"
	wideClosing  = wideEndMarks + "」』”’）】》"
)

// codeLength is the length of the span of code that a backtick opens, 1 if nothing closes it.
func codeLength(s string) int { return strings.IndexByte(s[1:], '`') + len("``") }

// sentenceEnd is where the sentence from start on ends that has a mark at a byte; 0 if it
// does not end there.
func sentenceEnd(s string, start, mark int, r rune) int {
	if strings.ContainsRune(wideEndMarks, r) {
		return len(s) - len(strings.TrimLeft(s[mark:], wideClosing))
	}
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
// mark a gap. Identifiers are split at dots and slashes, not at underscores. In a script
// without spaces, such as Chinese, each character is a word.
func Words(s string) []string {
	s = strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	out := make([]string, 0, len(s)/bytesOfWord+1)
	for w := range strings.FieldsFuncSeq(s, partsWords) {
		out = appendWords(out, strings.Trim(w, "'"))
	}
	return out
}

// bytesOfWord is about how many bytes a word has, with the space behind it.
const bytesOfWord = 6

// partsWords reports whether a character is in no word.
func partsWords(r rune) bool {
	switch r {
	case '_', '\'':
		return false
	}
	return !words.IsAlphanumeric(r)
}

// Phrase gives the words of a phrase, which are parted as [Words] parts them in a script
// without spaces, and at spaces alone in others.
func Phrase(s string) []string {
	var out []string
	for w := range strings.FieldsSeq(s) {
		out = appendWords(out, w)
	}
	return out
}

// appendWords appends a word, and the characters of a script without spaces in it one by one.
func appendWords(out []string, w string) []string {
	from := 0
	for i, r := range w {
		if !words.IsUnspaced(r) {
			continue
		}
		if from < i {
			out = append(out, w[from:i])
		}
		from = i + utf8.RuneLen(r)
		out = append(out, w[i:from])
	}
	if from < len(w) {
		out = append(out, w[from:])
	}
	return out
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
	return i >= 0 && i+2 < len(w)
}

func isPath(w string) bool {
	return strings.Count(w, "/") > 1 && !strings.Contains(w, "//")
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
	cut := len(strings.ToValidUTF8(s[:limit-len("…")], ""))
	return closed(s[:wordEnd(s, cut, limit/2)], " ,;:—–-(，、；：（") + "…"
}

// wordEnd is the last place up to cut, and behind least, where a text may be cut: at a space or
// a mark of a script without spaces, else between such a script and a word in letters of another
// one. Where there is none, it is cut.
func wordEnd(s string, cut, least int) int {
	if i := strings.LastIndexAny(s[:cut], " ，、；：。！？"); i > least {
		return i
	}
	before := strings.TrimRightFunc(s[:cut], isSpaced)
	if r, _ := utf8.DecodeLastRuneInString(before); len(before) > least && words.IsUnspaced(r) {
		return len(before)
	}
	return cut
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

// isSpaced reports whether a character stands in words of a script with spaces between them.
func isSpaced(r rune) bool {
	return !words.IsUnspaced(r) && words.IsAlphanumeric(r)
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
	s = strings.TrimSuffix(strings.TrimSpace(s), "。")
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
