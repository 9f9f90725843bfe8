package curate

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/memory"
)

// standsAlone: the title can be understood by somebody who has only the title.
// It does not begin with a word that points at something before it, and does
// not end in the middle of a sentence.
func standsAlone(c *claim) error {
	title := c.worded.Title
	if len(memory.Signature(title)) < 2 {
		return errors.New("the title says nothing by itself")
	}
	first, rest, _ := strings.Cut(strings.ToLower(title), " ")
	switch first = strings.TrimFunc(first, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' }); first {
	case "this", "that", "these", "those", "it", "it's", "its", "so", "both", "they", "he", "she", "such":
		return fmt.Errorf("the title begins with %q, which points at something else", first)
	case "the":
		switch next, _, _ := strings.Cut(rest, " "); next {
		case "fix", "above", "latter", "former", "same", "following":
			return fmt.Errorf("the title begins with %q, which points at something else", "the "+next)
		}
	}
	end := strings.TrimRight(title, " ")
	if strings.HasSuffix(end, "…") || strings.HasSuffix(end, "...") || strings.ContainsRune(":,;-–—(", lastRune(end)) ||
		strings.Count(title, "`")%2 == 1 || strings.Count(title, `"`)%2 == 1 {
		return errors.New("the title is cut off")
	}
	return nil
}

func lastRune(s string) rune {
	r := rune(0)
	for _, x := range s {
		r = x
	}
	return r
}
