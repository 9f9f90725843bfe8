package suspicion

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

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
var spellings = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("’", "'", "ʼ", "'", "ß", "ss", "‐", "-", "‑", "-", "–", "-")
})

// wordsOf are the words of a plain text.
func wordsOf(text string) []word {
	s := splitter{first: true}
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
	return s.words
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
	if len(s.words) > 0 {
		s.words[len(s.words)-1].ends = true
	}
	s.first = true
}

func (s *splitter) add(text string) {
	s.words = append(s.words, word{text: text, first: s.first})
	s.first = false
}

// wordPart matches a word, with marks inside of it, or one Chinese character, or any mark.
var wordPart = sync.OnceValue(func() *regexp.Regexp {
	const plain = `[^\PL\p{Han}]|\p{Nd}`
	return regexp.MustCompile(`\p{Han}|(?:--)?(?:` + plain + `)+(?:['_.-](?:` + plain + `)+)*|.`)
})

// chunk splits the text between two spaces. An address is one word.
func (s *splitter) chunk(chunk string) {
	if i := strings.Index(chunk, "://"); i > 0 || mail(chunk) {
		s.add(addressWord)
		if strings.HasSuffix(chunk, ".") {
			s.end()
		}
		return
	}
	chunk = strings.TrimLeft(chunk, opening)
	if rest := strings.TrimLeftFunc(chunk, isPlain); len(rest) < len(chunk) && strings.Trim(rest, marks) == "" { // most
		s.add(chunk[:len(chunk)-len(rest)])
		for i := range rest {
			s.mark(rest[i:i+1], i+1 == len(rest))
		}
		return
	}
	for _, at := range wordPart().FindAllStringIndex(chunk, -1) {
		part := chunk[at[0]:at[1]]
		if strings.ContainsFunc(part, words.IsAlphanumeric) {
			s.letters(part)
		} else {
			s.mark(part, at[1] == len(chunk))
		}
	}
}

// plainLetters are those of most words, which need no pattern; opening marks before a word say nothing.
const (
	opening      = "`\"'(*[{<_"
	marks        = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	plainLetters = "etaoinshrdlucmfwypvbgkqjxzETAOINSHRDLUCMFWYPVBGKQJXZ0123456789"
)

func isPlain(r rune) bool { return strings.ContainsRune(plainLetters, r) }

func mail(chunk string) bool {
	_, host, _ := strings.Cut(chunk, "@")
	return strings.Contains(strings.TrimRight(host, ".,;)>"), ".")
}

// elided matches a word of French behind an article that is written with it.
var elided = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([ldnjs]|qu)'(.+)$`) })

// letters adds a word, the articles of French apart.
func (s *splitter) letters(text string) {
	if m := elided().FindStringSubmatch(text); m != nil {
		s.add(m[1])
		text = m[2]
	}
	s.add(text)
}

// mark takes in a mark of punctuation; last is whether nothing follows it in its chunk.
func (s *splitter) mark(text string, last bool) {
	if len(s.words) == 0 {
		return
	}
	word := &s.words[len(s.words)-1]
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
