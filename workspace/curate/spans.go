package curate

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Bounds of a span, in bytes.
const (
	minSpan = 8
	maxSpan = 600
)

// citesExactly: the words of each span stand, in this order and without a gap,
// in the line that it names. White space, typography, marks of emphasis and the
// case of letters do not count.
func citesExactly(c *claim) error {
	for _, e := range c.worded.Evidence {
		span := strings.ToLower(grounding.Fold(e.Span))
		switch {
		case len(span) < minSpan && !c.isWhole(e.Line, span) || len(e.Span) > maxSpan:
			return fmt.Errorf("the span of line %d is not of %d to %d bytes", e.Line, minSpan, maxSpan)
		case strings.Contains(span, grounding.Fold(gap)):
			return fmt.Errorf("the span of line %d reaches over what the sheet leaves out", e.Line)
		case !c.stands(e.Line, span):
			return fmt.Errorf("the span %q does not stand in line %d", grounding.Line(e.Span, 60), e.Line)
		}
	}
	return nil
}

// stands reports whether words, in small letters, stand in what the sheet has of a line.
func (c *claim) stands(at int, words string) bool {
	for _, p := range c.sheet.Passages {
		if p.Line == at && strings.Contains(strings.ToLower(grounding.Fold(p.Text)), words) {
			return true
		}
	}
	for _, x := range c.from {
		if x.Line == at && strings.Contains(strings.ToLower(grounding.Fold(x.Title+"\n"+x.Text)), words) {
			return true
		}
	}
	return false
}

// isWhole reports whether words are all that a line says, as "use tabs" is.
func (c *claim) isWhole(at int, words string) bool {
	for _, p := range c.sheet.Passages {
		if p.Line == at && words != "" && strings.ToLower(grounding.Fold(p.Text)) == words {
			return true
		}
	}
	return false
}
