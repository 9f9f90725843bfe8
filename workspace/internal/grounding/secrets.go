package grounding

import (
	"fmt"
	"strings"
)

// withoutSecrets: nothing of it looks like a secret. It is refused and not
// redacted: a reader that writes secrets has not read its instructions.
func withoutSecrets(c *Claim) error {
	said := c.Said() + "\n" + strings.Join(c.Files, "\n")
	if _, found := c.Redactor.Redact(said); len(found) > 0 {
		return fmt.Errorf("it holds what looks like a secret (%s)", found[0].Kind)
	}
	return nil
}
