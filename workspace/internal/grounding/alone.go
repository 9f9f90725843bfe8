package grounding

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/sameness"
)

// standsAlone: the title can be understood by somebody who has only the title.
// It does not begin with a word that points at something before it, and does
// not end in the middle of a sentence.
func standsAlone(c *Claim) error {
	title := c.Title
	if len(sameness.Signature(title)) < 2 {
		return errors.New("the title says nothing by itself")
	}
	first, rest, _ := strings.Cut(strings.ToLower(title), " ")
	switch first = strings.TrimFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }); first {
	case "this":
		switch next, _, _ := strings.Cut(rest, " "); next {
		case "repository", "repository's", "repo", "project", "codebase", "workspace":
			return cutOff(title)
		}
		return pointsAway(first)
	case "both":
		if !strings.Contains(rest, " and ") {
			return pointsAway(first)
		}
	case "that", "these", "those", "it", "it's", "its", "so", "they", "he", "she", "such":
		return pointsAway(first)
	case "the":
		switch next, _, _ := strings.Cut(rest, " "); next {
		case "fix", "above", "latter", "former", "same", "following":
			return pointsAway("the " + next)
		}
	}
	return cutOff(title)
}

func pointsAway(start string) error {
	return fmt.Errorf("the title begins with %q, which points at something else", start)
}

// cutOff: a title does not end in the middle of a sentence.
func cutOff(title string) error {
	end := strings.TrimRight(title, " ")
	if strings.HasSuffix(end, "…") || strings.HasSuffix(end, "...") || strings.ContainsRune(":,;-–—(", lastRune(end)) ||
		strings.Count(title, "`")%2 == 1 || strings.Count(title, `"`)%2 == 1 {
		return errors.New("the title is cut off")
	}
	return nil
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}
