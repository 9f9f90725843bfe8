package passage

import (
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestUnits: what stands together is one memory, as long as it is not too long.
func TestUnits(t *testing.T) {
	short := "## Gauges\n\nThe gauge sends once an hour because `probe` is slow.\n\n- It never sends at night, because the harbour is closed.\n- It sends twice when the lock opens."
	units := Of(short, Handover, 0, time.Time{}, nil)
	if len(units) != 1 || !strings.Contains(units[0].Whole(), "probe") || !strings.Contains(units[0].Whole(), "the lock opens") {
		t.Errorf("%d units", len(units))
	}
	long := strings.Repeat("The gauge of the outer harbour sends nothing while the lock is open and the tide is low.\n\n", 20)
	for _, u := range Of(long, Handover, 0, time.Time{}, nil) {
		if n := len(strings.Fields(u.Whole())); n > unitWords+paraWords {
			t.Errorf("a unit of %d words", n)
		}
	}
}

// TestTypeAt: a type follows from what is said and where, see FORMAT.md.
func TestTypeAt(t *testing.T) {
	for _, x := range []struct {
		at    Place
		typ   memory.Type
		signs string
		want  memory.Type
	}{
		{Commit, memory.Gotcha, "commit fix,trap", memory.Fix},
		{Commit, memory.Architecture, "commit feat", memory.Decision},
		{Report, memory.Gotcha, "limit", memory.Architecture},
		{Report, memory.Gotcha, "limit,trap", memory.Gotcha},
		{Document, memory.Gotcha, "limit,norm", memory.Decision},
		{Document, memory.Learned, "structure", memory.Architecture},
		{Handover, memory.Gotcha, "limit,choice", memory.Decision},
		{Handover, memory.Fix, "repair", memory.Fix},
		{Handover, memory.Plan, "choice,todo", memory.Decision},
		{Document, memory.Plan, "choice,todo", memory.Plan},
		{User, memory.Decision, "said scope", memory.Preference},
		{User, memory.Preference, "said wish,said instead", memory.Decision},
	} {
		if got := TypeAt(x.at, x.typ, strings.Split(x.signs, ",")); got != x.want {
			t.Errorf("%s at %s with %s is a %s, want %s", x.typ, x.at, x.signs, got, x.want)
		}
	}
}
