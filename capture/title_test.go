package capture

import (
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
)

// TestTitles: a title is a whole sentence or clause with a subject of its own,
// never cut within one.
func TestTitles(t *testing.T) {
	for _, x := range []struct{ md, want string }{
		{"The gauge reader drops readings older than an hour.", "The gauge reader drops readings older than an hour"},
		{
			"The gauge reader drops readings that are older than an hour because the harbour office only looks at the current level of the water.",
			"The gauge reader drops readings that are older than an hour",
		},
		{
			"`Store.Get` (see the two callers in cache/store.go and in cache/loader.go, both of them old) never returns an expired entry.",
			"`Store.Get` never returns an expired entry",
		},
		{"So the exporter must be restarted after every change of its limits.", "The exporter must be restarted after every change of its limits"},
		{"No broker is needed for the outbox table.", "No broker is needed for the outbox table"},
		{"## Frost alerts\n\nThis is sent once per night and orchard.", "Frost alerts: This is sent once per night and orchard"},
		{"It fails.\n\nThe frost job fails without a sensor because `probe` returns nil.", "The frost job fails without a sensor because `probe` returns nil"},
		{"If the tide table of a harbour is missing, the planner falls back to the nearest one that is known.", "If the tide table of a harbour is missing, the planner falls back to the nearest one that is known"},
		{"It does not work like that at all.", ""},
		{"Fixed.", ""},
	} {
		got := ""
		for _, p := range passagesOf(x.md, placeHandover, 0, time.Time{}, nil) {
			if got = p.titleOf(); got != "" {
				break
			}
		}
		if got != x.want {
			t.Errorf("%q is titled %q, want %q", x.md, got, x.want)
		}
	}
}

// TestTitlesAreWhole: whatever the message, a title ends where a clause does.
func TestTitlesAreWhole(t *testing.T) {
	long := "The nightly export of the tide tables writes one file for each harbour and each day of the year and never removes any of them again at all."
	if got := shortened(long, titleLimit); got != "" {
		t.Errorf("a sentence without an inner end was cut: %q", got)
	}
	for _, s := range []string{
		"When the sensor of an orchard is silent for six hours, the planner raises an alarm, which is then sent to everybody on the list.",
		"The planner (which nobody maintains any more since the spring of last year and which is not documented) reads `frost.yaml`, so a change of it needs a restart.",
		"Use `probe --all`, not `probe`, because the latter only looks at the first sensor that it finds in the list of known sensors.",
	} {
		got := shortened(s, titleLimit)
		if got == "" || len(got) > titleLimit || !whole(got) && got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	if got := bare("No, the limits stay in one file."); got != "the limits stay in one file." {
		t.Errorf("bare: %q", got)
	}
	if got := bare("No limits are kept."); got != "No limits are kept." {
		t.Errorf("a negation was lost: %q", got)
	}
	if !dangles(prose.Words("These are wrong")) || dangles(prose.Words("Limits are wrong")) {
		t.Error("a subject in another sentence is not recognised")
	}
}
