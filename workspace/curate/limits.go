package curate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Bounds of the words of a curated memory: characters of its title, bytes of
// its text.
const (
	MaxTitle = 100
	MaxText  = 1500
)

// LongestTitle is how many characters a title may have in an answer. One over
// MaxTitle is fitted: readers cannot count characters.
const LongestTitle = 240

// fitted shortens a title that is too long to a clause with which it begins, and
// puts the whole sentence in front of the text, so that nothing is lost. A title
// without such a clause stays, and is refused.
func fitted(title, text string) (string, string) {
	n := utf8.RuneCountInString(title)
	if n <= MaxTitle || n > LongestTitle || strings.ContainsAny(title, "\r\n") {
		return title, text
	}
	at := lastClause(title)
	if at == 0 {
		return title, text
	}
	whole := title
	if !strings.ContainsRune(".!?", lastRune(whole)) {
		whole += "."
	}
	return strings.TrimSpace(title[:at]), strings.TrimSpace(whole + " " + text)
}

// lastClause is where the last clause of a title ends that has at most MaxTitle characters;
// 0 for none.
func lastClause(title string) int {
	at := 0
	for i := range title {
		if utf8.RuneCountInString(title[:i]) > MaxTitle {
			break
		}
		if beginsClause(title[i:]) && isClause(title[:i]) {
			at = i
		}
	}
	return at
}

// isClause reports whether the beginning of a title can stand alone.
func isClause(head string) bool {
	ended := strings.ContainsRune(",;:-–—", lastRune(head))
	return !ended && len(sameness.Signature(head)) >= leastClause && balanced(head)
}

// leastClause is how many words of content a title has at least that was cut from
// a longer one.
const leastClause = 3

// beginsClause reports whether a sentence can end before this rest of it.
func beginsClause(rest string) bool {
	starts := []string{
		": ", "; ", " - ", " – ", " — ", ". ", ", so ", ", because ", ", which ", ", and ", ", but ", ", as ",
		", since ", ", with ", ", not ", ", never ", ", even ",
		", or ", ", else ", ", no ",
		" because ", " so that ", " instead of ", " (", "：", "；", "，", "。",
	}
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(rest, start) })
}

// balanced reports whether no quotation, code or bracket is open at the end of a text.
func balanced(s string) bool {
	return passage.Balanced(s) && strings.Count(s, "[") == strings.Count(s, "]")
}

// withinLimits returns an error unless a claim has a type that there is, a title of one
// line, a text that is not a page, and a confidence.
func withinLimits(c *claim) error {
	w := c.worded
	typ := memory.Type(w.Type)
	switch {
	case !typ.Valid(), typ == memory.Code:
		return fmt.Errorf("%q is none of the types", grounding.Line(w.Type, 40))
	case utf8.RuneCountInString(w.Title) > MaxTitle:
		return fmt.Errorf("the title has %d characters, over %d", utf8.RuneCountInString(w.Title), MaxTitle)
	case strings.ContainsAny(w.Title, "\r\n"):
		return errors.New("the title is not one line")
	case len(w.Text) > MaxText:
		return fmt.Errorf("the text is over %d bytes", MaxText)
	}
	return sureEnough(w.Confidence)
}

// sureEnough returns an error unless a reader is sure enough of a memory.
func sureEnough(confidence *float64) error {
	switch {
	case confidence == nil:
		return errors.New("its confidence is missing")
	case !(*confidence >= 0.5 && *confidence <= 1):
		return errors.New("its confidence is not between 0.5 and 1: leave out what you are not sure of")
	}
	return nil
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
