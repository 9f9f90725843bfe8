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
		e, err := c.settle(e)
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

// settle returns a span with the line that has its words, the one that it names or the
// first other one.
func (c *claim) settle(e Evidence) (Evidence, error) {
	err := c.citesExactly(e)
	if err == nil || len(e.Span) < minSpan {
		return e, err
	}
	for _, p := range c.sheet.Passages {
		there := Evidence{Line: p.Line, Span: e.Span}
		if c.citesExactly(there) == nil {
			return there, nil
		}
	}
	return e, err
}

// citesExactly returns an error unless the words of a span stand, in this order and without
// a gap, in the line that it names. White space, typography, marks of emphasis and the case
// of letters do not count.
func (c *claim) citesExactly(e Evidence) error {
	span := strings.ToLower(grounding.Fold(e.Span))
	texts := c.textsOf(e.Line)
	isAll := span != "" && slices.Contains(texts, span) // as "use tabs" is
	isShort := len(span) < minSpan && !isAll
	switch {
	case len(texts) == 0:
		return fmt.Errorf("line %d is not on the sheet", e.Line)
	case isShort, len(e.Span) > maxSpan:
		return fmt.Errorf("the span of line %d is not of %d to %d bytes", e.Line, minSpan, maxSpan)
	case strings.Contains(span, grounding.Fold(gap)):
		return fmt.Errorf("the span of line %d reaches over what the sheet leaves out", e.Line)
	}
	if !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, span) }) {
		return fmt.Errorf("the span %q does not stand in line %d", grounding.Line(e.Span, 60), e.Line)
	}
	return nil
}

// textsOf are the texts that the sheet, and the candidates that the memory stands for, have
// of a line, in small letters.
func (c *claim) textsOf(line int) []string {
	var out []string
	for _, p := range c.sheet.Passages {
		if p.Line == line {
			out = append(out, strings.ToLower(grounding.Fold(p.Text)))
		}
	}
	for _, x := range c.from {
		if x.Line == line {
			out = append(out, strings.ToLower(grounding.Fold(x.Title+"\n"+x.Text)))
		}
	}
	return out
}
