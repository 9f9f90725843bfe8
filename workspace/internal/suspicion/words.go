package suspicion

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/git-cortex/cortex/memory"
)

// word is one word of a text as it is compared, with what stands around it. Each Chinese
// character is one.
type word struct {
	text  string
	line  bool // the first of a line
	first bool // the first of a sentence
	ends  bool // the last of a sentence
	after byte // ':' or ']' right behind it; 0 for neither
}

// starts reports whether a sentence begins with the word.
func (w word) starts() bool { return w.first || w.line }

// addressWord stands for every address of the web or of mail.
const addressWord = "{url}"

// plain is a text as it is compared: visible, in lower case and without accents, with
// letters that imitate Latin ones replaced where they stand among such.
func plain(text string) string {
	text = memory.Clean(text)
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return folded(text)
		}
	}
	return strings.ToLower(text)
}

func folded(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(unmixed(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == '’' || r == 'ʼ':
			b.WriteByte('\'')
		case r == 'ß':
			b.WriteString("ss")
		case r == '‐' || r == '‑' || r == '–':
			b.WriteByte('-')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// wordsOf are the words of a plain text.
func wordsOf(text string) []word {
	s := splitter{first: true}
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || listItem(trimmed) {
			s.end()
		}
		s.line = true
		for chunk := range strings.FieldsSeq(trimmed) {
			s.chunk(chunk)
		}
	}
	return s.words
}

// listItem reports whether a line begins an item of a list, or a heading.
func listItem(line string) bool {
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "|")
}

// splitter collects the words of a text.
type splitter struct {
	words []word
	line  bool // the next word is the first of its line
	first bool // and of its sentence
}

// end ends a sentence.
func (s *splitter) end() {
	if len(s.words) > 0 {
		s.words[len(s.words)-1].ends = true
	}
	s.first = true
}

func (s *splitter) add(text string) {
	s.words = append(s.words, word{text: text, line: s.line, first: s.first})
	s.line, s.first = false, false
}

// chunk splits what stands between two spaces. An address is one word.
func (s *splitter) chunk(chunk string) {
	if i := strings.Index(chunk, "://"); i > 0 || mail(chunk) {
		s.add(addressWord)
		if strings.HasSuffix(chunk, ".") {
			s.end()
		}
		return
	}
	start := -1
	flush := func(end int) {
		if start >= 0 {
			s.letters(chunk[start:end])
			start = -1
		}
	}
	for i, r := range chunk {
		switch {
		case unicode.Is(unicode.Han, r):
			flush(i)
			s.add(string(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if start < 0 {
				start = i
				if strings.HasSuffix(chunk[:i], "--") {
					start -= 2
				}
			}
		case start >= 0 && joins(chunk[i:]):
		default:
			flush(i)
			s.mark(r, i == len(chunk)-utf8.RuneLen(r) || strings.ContainsRune("。！？", r))
		}
	}
	flush(len(chunk))
}

// joins reports whether a mark is inside of a word: one of those, and a letter behind it.
func joins(rest string) bool {
	if !strings.ContainsRune("'-_.", rune(rest[0])) || len(rest) < 2 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(rest[1:])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func mail(chunk string) bool {
	_, host, ok := strings.Cut(strings.TrimRight(chunk, ".,;)>"), "@")
	return ok && strings.Contains(host, ".")
}

// letters adds a word, the articles of French apart.
func (s *splitter) letters(text string) {
	if head, rest, ok := strings.Cut(text, "'"); ok && rest != "" && (len(head) == 1 && strings.ContainsAny(head, "ldnjs") || head == "qu") {
		s.add(head)
		text = rest
	}
	s.add(text)
}

// mark takes in a mark of punctuation; last is whether nothing follows it in its chunk.
func (s *splitter) mark(r rune, last bool) {
	switch {
	case len(s.words) == 0:
	case r == ':' || r == '：':
		s.words[len(s.words)-1].after = ':'
		s.first = true
	case r == ']':
		s.words[len(s.words)-1].after = ']'
	case strings.ContainsRune(".!?。！？", r) && last:
		s.end()
	}
}
