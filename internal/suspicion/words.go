package suspicion

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// word is one word of a text as it is compared, with what stands around it. Each Chinese
// character is one.
type word struct {
	text  string
	first bool // the first of a line, a sentence or a clause
	ends  bool // the last of a sentence
	after byte // ':' or ']' right behind it; 0 for neither
}

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
	text = spellings().Replace(norm.NFKD.String(unmixed(text)))
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// spellings makes one of the characters that a reader takes for the same.
var spellings = lazy.Value(func() *strings.Replacer {
	return strings.NewReplacer("’", "'", "ʼ", "'", "ß", "ss", "‐", "-", "‑", "-", "–", "-")
})

// wordsOf are the words of a plain text.
func wordsOf(text string) []word {
	s := splitter{first: true, words: make([]word, 1, 1+len(text)/4)} // one that stands before all others
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" || listItem(trimmed) {
			s.end()
		}
		s.first = true
		for chunk := range strings.FieldsSeq(trimmed) {
			s.chunk(chunk)
			s.first = s.first || endsClause(chunk)
		}
	}
	return s.words[1:]
}

// endsClause reports whether what follows a text begins a clause.
func endsClause(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(":.;!?)]-—,", last)
}

// listItem reports whether a line begins an item of a list, or a heading.
func listItem(line string) bool {
	marks := []string{"- ", "* ", "#", "|"}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.HasPrefix(line, mark) })
}

// splitter collects the words of a text.
type splitter struct {
	words []word
	first bool // the next word is the first of its line, sentence or clause
}

// end ends a sentence.
func (s *splitter) end() {
	s.last().ends = true
	s.first = true
}

func (s *splitter) last() *word { return &s.words[len(s.words)-1] }

func (s *splitter) add(text string) {
	s.words = append(s.words, word{text: text, first: s.first})
	s.first = false
}

// partEnd is where the first part of a text ends: a word, with marks inside of it, one Chinese character, or any mark.
func partEnd(text string) int {
	start := len(text) - len(strings.TrimPrefix(text, "--"))
	end := lettersEnd(text, start)
	if end == start {
		_, end = utf8.DecodeRuneInString(text)
		return end
	}
	for end < len(text) && strings.IndexByte("'_.-", text[end]) >= 0 && lettersEnd(text, end+1) > end+1 {
		end = lettersEnd(text, end+1)
	}
	return end
}

// lettersEnd is where the letters and digits end that stand in a text from a place on. Chinese characters are none.
func lettersEnd(text string, from int) int {
	return len(text) - len(strings.TrimLeftFunc(text[from:], isInWord))
}

func isInWord(r rune) bool {
	return isPlain(r) || words.IsAlphanumeric(r) && !unicode.Is(unicode.Han, r)
}

// chunk splits the text between two spaces. An address is one word.
func (s *splitter) chunk(chunk string) {
	if i := strings.Index(chunk, "://"); i > 0 || mail(chunk) {
		s.add(addressWord)
		if strings.HasSuffix(chunk, ".") {
			s.end()
		}
		return
	}
	for chunk != "" {
		end := partEnd(chunk)
		part := chunk[:end]
		chunk = chunk[end:]
		if strings.ContainsFunc(part, words.IsAlphanumeric) {
			s.letters(part)
		} else {
			s.mark(part, chunk == "")
		}
	}
}

// isPlain reports whether a character is a letter from a to z, in either case, or a digit.
func isPlain(r rune) bool { return uint32(r|0x20-'a') < 26 || uint32(r-'0') < 10 }

func mail(chunk string) bool {
	_, host, _ := strings.Cut(chunk, "@")
	return strings.Contains(strings.TrimRight(host, ".,;)>"), ".")
}

// letters adds a word, the articles of French apart that are written with it.
func (s *splitter) letters(text string) {
	article, rest, ok := strings.Cut(text, "'")
	if ok && strings.Contains(" l d n j s qu ", " "+article+" ") {
		s.add(article)
		text = rest
	}
	s.add(text)
}

// mark takes in a mark of punctuation; last is whether nothing follows it in its chunk.
func (s *splitter) mark(text string, last bool) {
	word := s.last()
	switch text {
	case ":":
		word.after = ':'
	case "：":
		word.after = ':'
		s.first = true
	case "]":
		word.after = ']'
	case "。", "！", "？", "；":
		s.end()
	case ".", "!", "?":
		if last {
			s.end()
		}
	}
}
