package projection

import (
	"strings"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// What follows is only for [IsRendering]: in layout 1 the steps of a plan were
// checkboxes, one in progress said so in words, and steps were told apart in another way.

func oldMark(done bool) string {
	if done {
		return "[x] "
	}
	return "[ ] "
}

// sayProgress makes the words of layout 1 part of the steps that are in progress.
func (f *folded) sayProgress() {
	for i := range f.steps {
		if s := &f.steps[i]; f.layout == 1 && s.now {
			s.text += " (in progress)"
		}
	}
}

// same is how likely two wordings are of one step, 0–1.
func (f *folded) same(a, b string) float64 {
	if f.layout > 1 {
		return sameness.SameStep(a, b)
	}
	fold := func(s string) string { return strings.ToLower(strings.Trim(memory.OneLine(s), " .!`*")) }
	x, y := fold(a), fold(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	switch {
	case x == y:
		return 1
	case len(x) >= 12 && strings.Contains(y, x):
		return 0.9
	}
	return sameness.Jaccard(sameness.Signature(x), sameness.Signature(y))
}
