package prose

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

// Lexicon holds classes of words and phrases: what a rule of capture looks for stands in a
// file beside it, not in the rule. It is never changed once read and safe for concurrent
// use. A phrase or class that it does not have is nowhere found.
type Lexicon struct {
	classes map[string]func() phrases
}

// phrases holds the phrases of one class. A process of a hook asks for few, so each is made when it
// is first asked for.
type phrases struct {
	whole  map[string]bool     // the phrases as they stand
	behind map[string][]phrase // by the first word
}

// phrase holds the words of one that follow the first.
type phrase []string

// ReadLexicon reads rows of a class, a tab, and phrases in lower case, separated by "|". A
// class may have several rows; lines that begin with "#" are comments.
func ReadLexicon(data string) *Lexicon {
	l := &Lexicon{classes: map[string]func() phrases{}}
	rows := map[string][]string{}
	for row := range words.Rows(data, 2) {
		rows[row[0]] = append(rows[row[0]], strings.Split(row[1], "|")...)
	}
	for name, all := range rows {
		l.classes[name] = lazy.Value(func() phrases { return phrasesOf(all) })
	}
	return l
}

func phrasesOf(all []string) phrases {
	c := phrases{lists.Set(all), make(map[string][]phrase, len(all))}
	for _, text := range all {
		if list := Phrase(text); len(list) > 0 {
			c.behind[list[0]] = append(c.behind[list[0]], list[1:])
		}
	}
	return c
}

// of is a class; the zero one if there is none of the name.
func (l *Lexicon) of(class string) phrases {
	if read := l.classes[class]; read != nil {
		return read()
	}
	return phrases{}
}

// Is reports whether a word or phrase in lower case is of a class, as a whole.
func (l *Lexicon) Is(class, text string) bool { return l.of(class).whole[text] }

// count is how many words in lower case are of a class.
func (l *Lexicon) count(class string, words []string) int {
	n := 0
	for _, w := range words {
		if l.Is(class, w) {
			n++
		}
	}
	return n
}

// In reports whether a phrase of a class stands anywhere in a sequence of words.
func (l *Lexicon) In(class string, words []string) bool {
	for i := range words {
		if l.Begins(class, words[i:]) > 0 {
			return true
		}
	}
	return false
}

// Begins is how many of the words that a sequence begins with are a phrase of a class, the
// longest one; 0 for none.
func (l *Lexicon) Begins(class string, words []string) int {
	if len(words) == 0 {
		return 0
	}
	longest := 0
	for _, rest := range l.of(class).behind[words[0]] {
		if begins(words[1:], rest) {
			longest = max(longest, len(rest)+1)
		}
	}
	return longest
}

// begins reports whether a sequence of words begins with another one.
func begins(words, first []string) bool {
	return len(first) <= len(words) && slices.Equal(first, words[:len(first)])
}

// Without drops words of a class at the beginning of a sequence, but never its last word.
func (l *Lexicon) Without(class string, words []string) []string {
	for n := l.Begins(class, words); n > 0 && n < len(words); n = l.Begins(class, words) {
		words = words[n:]
	}
	return words
}
