package grounding

import (
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
	if strings.Contains(said, "[MEMORY") || c.Mark != "" && strings.Contains(said, c.Mark) {
		return errors.New("it holds marks of cortex")
	}
	return nil
}
