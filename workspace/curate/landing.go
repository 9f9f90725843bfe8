package curate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// MaxLanding is how many memories of one answer land by themselves. The rest of
// what a reader would land waits for a person.
const MaxLanding = 4

// leastWhy is how many bytes say why a memory lands, in any language.
const leastWhy = 12

// passing are the types that do not land by themselves, whatever a reader says:
// they hold for a while, or ask nothing of anybody.
func passing() []memory.Type {
	return []memory.Type{memory.Plan, memory.Progress, memory.Context, memory.Learned}
}

// settle decides which claims land by themselves: the first ones of those that the
// reader would land, gives a reason for, and that are of a lasting type. The
// others are kept all the same, and the reader is told why they wait.
func (d *desk) settle() {
	d.waits = map[*claim]string{}
	room := MaxLanding
	for _, c := range d.claims {
		switch {
		case !c.worded.Land:
			continue
		case slices.Contains(passing(), memory.Type(c.worded.Type)):
			d.waits[c] = fmt.Sprintf("a memory of type %s does not land by itself", c.worded.Type)
		case len(strings.TrimSpace(c.worded.Why)) < leastWhy:
			d.waits[c] = `"why" does not say what somebody does wrong without it`
		case room == 0:
			d.waits[c] = fmt.Sprintf("%d of the worksheet land already", MaxLanding)
		default:
			room--
			c.lands = true
		}
	}
}
