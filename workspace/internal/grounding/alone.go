package grounding

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/sameness"
)

// standsAlone: the title can be understood by somebody who has only the title.
// It does not begin with a word that points at something before it, and does
// not end in the middle of a sentence.
func standsAlone(c *Claim) error {
	if len(sameness.Signature(c.Title)) < 2 {
		return errors.New("the title says nothing by itself")
	}
	if start := pointsAway(c.Title); start != "" {
		return fmt.Errorf("the title begins with %q, which points at something else", start)
	}
	if isCutOff(c.Title) {
		return errors.New("the title is cut off")
	}
	return nil
}

// pointsAway returns the beginning of a title that points at something else; "" for none.
func pointsAway(title string) string {
	first, rest, _ := strings.Cut(strings.ToLower(title), " ")
	first = strings.TrimFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
	next, _, _ := strings.Cut(rest, " ")
	pair := first + "_" + next
	switch {
	case isOf("standing", pair), first == "both" && strings.Contains(rest, " and "):
		return ""
	case isOf("pointing", pair):
		return first + " " + next
	case isOf("pointing", first):
		return first
	}
	return ""
}

// openEnd matches the end of a title that goes on.
var openEnd = lazy.Pattern(`(?:…|\.{3}|[:,;–—(-]) *$`)

// isCutOff reports whether a title ends in the middle of a sentence or of a quotation.
func isCutOff(title string) bool {
	open := strings.Count(title, "`")%2 + strings.Count(title, `"`)%2
	return open > 0 || openEnd().MatchString(title)
}
