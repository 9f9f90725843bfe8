package curate

import (
	"errors"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// withoutHidden: nothing of it is invisible to a person, poses as the harness of
// an agent, or is one of cortex's own marks.
func withoutHidden(c *claim) error {
	said := c.said() + "\n" + strings.Join(c.worded.Files, "\n")
	if memory.Defang(said) != said {
		return errors.New("it holds hidden characters, or a tag that an agent would obey")
	}
	if strings.Contains(said, "[MEMORY") || strings.Contains(said, c.sheet.mark()) {
		return errors.New("it holds marks of cortex")
	}
	return nil
}
