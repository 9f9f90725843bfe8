package curate

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
)

// Bounds of the words of a curated memory: characters of its title, bytes of
// its text.
const (
	MaxTitle = 100
	MaxText  = 1500
)

// withinLimits: a type that there is, a title of one line, a text that is not a
// page, and a confidence.
func withinLimits(c *claim) error {
	w := c.worded
	typ := memory.Type(w.Type)
	switch {
	case !typ.Valid() || typ == memory.Code:
		return fmt.Errorf("%q is none of the types", line(w.Type, 40))
	case utf8.RuneCountInString(w.Title) > MaxTitle:
		return fmt.Errorf("the title is over %d characters", MaxTitle)
	case strings.ContainsAny(w.Title, "\r\n"):
		return errors.New("the title is not one line")
	case len(w.Text) > MaxText:
		return fmt.Errorf("the text is over %d bytes", MaxText)
	case len(w.Files) > 8:
		return errors.New("it names more than 8 files")
	case w.Confidence == nil:
		return errors.New("its confidence is missing")
	case !(*w.Confidence >= 0 && *w.Confidence <= 1):
		return errors.New("its confidence is not between 0 and 1")
	case *w.Confidence < 0.5:
		return errors.New("the reader is not sure of it")
	}
	return nil
}
