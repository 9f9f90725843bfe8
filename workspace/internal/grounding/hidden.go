package grounding

import (
	"cmp"
	"errors"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// withoutHidden: nothing of it is invisible to a person, poses as the harness of
// an agent, or is one of cortex's own marks.
func withoutHidden(c *Claim) error {
	said := c.Said() + "\n" + strings.Join(c.Files, "\n")
	if memory.Defang(said) != said {
		return errors.New("it holds hidden characters, or a tag that an agent would obey")
	}
	const tag = "[MEMORY"
	if strings.Contains(said, tag) || strings.Contains(said, cmp.Or(c.Mark, tag)) {
		return errors.New("it holds marks of cortex")
	}
	return nil
}
