package curate

import (
	"fmt"
	"strings"
)

// withoutSecrets: nothing of it looks like a secret. It is refused and not
// redacted: a reader that writes secrets has not read its instructions.
func withoutSecrets(c *claim) error {
	w := c.worded
	if _, found := c.redactor.Redact(strings.Join(append([]string{w.Title, w.Text}, w.Files...), "\n")); len(found) > 0 {
		return fmt.Errorf("it holds what looks like a secret (%s)", found[0].Kind)
	}
	return nil
}
