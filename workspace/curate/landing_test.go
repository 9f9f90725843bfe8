package curate

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestLanding: what a reader would land does so within bounds: the first ones, of
// lasting types, with a reason.
func TestLanding(t *testing.T) {
	const why = "a poll once a minute finds them asleep"
	d := &desk{}
	for _, x := range []struct {
		typ  memory.Type
		land bool
		why  string
	}{
		{memory.Learned, true, why},
		{memory.Gotcha, true, "so it is"},
		{memory.Preference, true, why},
		{memory.Decision, true, why},
		{memory.Decision, false, ""},
		{memory.Gotcha, true, why},
		{memory.Architecture, true, "若无此则误"},
		{memory.Gotcha, true, why},
	} {
		d.claims = append(d.claims, &claim{worded: Worded{Type: string(x.typ), Land: x.land, Why: x.why}})
	}
	d.settle()
	var got []string
	for _, c := range d.claims {
		switch {
		case c.lands:
			got = append(got, "lands")
		case d.waits[c] == "":
			got = append(got, "kept")
		default:
			got = append(got, d.waits[c])
		}
	}
	want := `a memory of type learned does not land by itself; "why" does not say what somebody does wrong without it; ` +
		`lands; lands; kept; lands; lands; 4 of the worksheet land already`
	if strings.Join(got, "; ") != want {
		t.Errorf("%s", strings.Join(got, "; "))
	}
}

// TestLandingWaits: a memory that does not land though the reader would have it is
// added all the same, and the outcome says why it waits.
func TestLandingWaits(t *testing.T) {
	s := newStudy(t)
	sheet := s.next(Options{})
	var a Answer
	if err := json.Unmarshal(s.answer(sheet), &a); err != nil {
		t.Fatal(err)
	}
	a.Memories[0].Why = ""
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	out := s.apply(data)
	if len(out.Added) != 1 || out.Added[0].Confidence != RestConfidence || len(out.Waits) != 1 || !strings.Contains(out.Waits[0].Reason, `"why"`) {
		t.Errorf("%+v", out)
	}
}
