package curate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Bounds of a span, in bytes.
const (
	minSpan = 8
	maxSpan = 600
)

// settleEvidence keeps the spans that stand in a line of the sheet: in the one that
// they name, or else in another, which they get. A span that stands nowhere is left
// out; without any, the memory rests on nothing.
func (c *claim) settleEvidence() error {
	var kept []Evidence
	var first error
	for _, e := range c.worded.Evidence {
		err := c.citesExactly(e)
		if err != nil && len(e.Span) >= minSpan {
			for _, p := range c.sheet.Passages {
				if there := (Evidence{Line: p.Line, Span: e.Span}); c.citesExactly(there) == nil {
					e, err = there, nil
					break
				}
			}
		}
		if err == nil {
			kept = append(kept, e)
		} else if first == nil {
			first = err
		}
	}
	if len(kept) == 0 {
		return first
	}
	c.worded.Evidence = kept
	return nil
}

// citesExactly: the words of a span stand, in this order and without a gap,
// in the line that it names. White space, typography, marks of emphasis and the
// case of letters do not count.
func (c *claim) citesExactly(e Evidence) error {
	span := strings.ToLower(grounding.Fold(e.Span))
	switch {
	case !c.hasLine(e.Line):
		return fmt.Errorf("line %d is not on the sheet", e.Line)
	case len(span) < minSpan && !c.isWhole(e.Line, span) || len(e.Span) > maxSpan:
		return fmt.Errorf("the span of line %d is not of %d to %d bytes", e.Line, minSpan, maxSpan)
	case strings.Contains(span, grounding.Fold(gap)):
		return fmt.Errorf("the span of line %d reaches over what the sheet leaves out", e.Line)
	case !c.stands(e.Line, span):
		return fmt.Errorf("the span %q does not stand in line %d", grounding.Line(e.Span, 60), e.Line)
	}
	return nil
}

// hasLine reports whether the sheet has a line, or one of the candidates that the
// memory stands for has it.
func (c *claim) hasLine(at int) bool {
	return slices.ContainsFunc(c.sheet.Passages, func(p Passage) bool { return p.Line == at }) ||
		slices.ContainsFunc(c.from, func(x Candidate) bool { return x.Line == at })
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
