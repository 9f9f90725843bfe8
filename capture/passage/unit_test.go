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

// TestReadingType: a type follows from what is said, where, and what its turn had done, see
// FORMAT.md.
func TestReadingType(t *testing.T) {
	for _, x := range []struct {
		at      Place
		cued    memory.Type
		signs   string
		title   string
		changed bool
		want    memory.Type
	}{
		{Commit, memory.Gotcha, "commit fix,trap", "", true, memory.Fix},
		{Commit, memory.Gotcha, "commit feat,limit", "The exporter does not keep its own limits", true, memory.Decision},
		{Commit, memory.Architecture, "commit feat", "", true, memory.Decision},
		{Report, memory.Gotcha, "limit", "", false, memory.Architecture},
		{Report, memory.Gotcha, "limit,trap", "", false, memory.Gotcha},
		{Report, memory.Fix, "repair", "The writer resolves each name once", false, memory.Architecture},
		{Document, memory.Gotcha, "limit,norm", "", false, memory.Decision},
		{Document, memory.Learned, "structure", "", false, memory.Architecture},
		{Document, memory.Preference, "convention", "The file stays the preferred place of limits", false, memory.Decision},
		{Plan, memory.Fix, "repair", "The worker also no longer loses its limits", false, memory.Decision},
		{Plan, memory.Gotcha, "limit,structure", "", true, memory.Architecture},
		{Plan, memory.Gotcha, "limit,trap", "", true, memory.Gotcha},
		{Handover, memory.Gotcha, "limit,choice", "The limits are not shared", false, memory.Gotcha},
		{Handover, memory.Gotcha, "limit,choice", "The limits are kept for a day", false, memory.Decision},
		{Handover, memory.Fix, "repair", "", true, memory.Fix},
		{Handover, memory.Fix, "repair", "The clean fix is a flag of the upstream tool", false, memory.Gotcha},
		{Middle, memory.Fix, "repair", "One check in the reader fixes both", false, memory.Gotcha},
		{Handover, memory.Gotcha, "repair", "TestUploadResumes -- fixed by waiting for the socket", false, memory.Fix},
		{Handover, memory.Plan, "choice,todo", "", false, memory.Decision},
		{Handover, memory.Gotcha, "limit", "The cache is not shared by the workers", false, memory.Gotcha},
		{Handover, memory.Gotcha, "limit,trap", "A worker that cannot read its limits is stopped", true, memory.Decision},
		{Handover, memory.Gotcha, "limit,trap", "A worker that cannot read its limits fails", true, memory.Gotcha},
		{List, memory.Gotcha, "trap", "The `current` and the `stale` content", true, memory.Decision},
		{List, memory.Decision, "choice", "The limits are ignored when the worker is replaced", false, memory.Gotcha},
		{Lead, memory.Architecture, "structure", "The worker reads its limits from the file", true, memory.Decision},
		{Lead, memory.Architecture, "structure", "The worker reads its limits from the file", false, memory.Architecture},
		{List, memory.Gotcha, "limit,trap,choice", "Replaced the lock by a lease", true, memory.Decision},
		{List, memory.Learned, "number", "The worker reads its limits from the file", true, memory.Decision},
		{List, memory.Learned, "number", "The worker reads its limits from the file", false, memory.Architecture},
		{Middle, memory.Gotcha, "trap", "The lock is lost when the worker is replaced", true, memory.Gotcha},
		{Middle, memory.Learned, "number", "The worker reads its limits from the file", false, memory.Learned},
		{Middle, memory.Learned, "norm", "The repository's conventions explicitly ban such names", true, memory.Preference},
		{Lead, memory.Gotcha, "norm,limit", "CLAUDE.md explicitly wants every test to run alone", false, memory.Preference},
		{Lead, memory.Rejected, "norm,declined", "Declined: the conventions explicitly ban such names", false, memory.Rejected},
		{Document, memory.Plan, "choice,todo", "", false, memory.Plan},
		{User, memory.Decision, "said scope", "", false, memory.Preference},
		{User, memory.Preference, "said wish,said instead", "", false, memory.Decision},
		{User, memory.Preference, "said wish,said choice", "We drop support of the old exporter", false, memory.Decision},
	} {
		r := Reading{At: x.at, Cued: x.cued, Signs: strings.Split(x.signs, ","), Title: x.title, Changed: x.changed}
		if got := r.Type(); got != x.want {
			t.Errorf("%s at %s with %s (%s) is a %s, want %s", x.cued, x.at, x.signs, x.title, got, x.want)
		}
	}
	many := Reading{At: Commit, Cued: memory.Learned, Signs: []string{"commit fix"}, Title: "Address the findings of the review", Several: true}
	if got := many.Type(); got != memory.Decision {
		t.Errorf("a commit of many repairs is a %s, want a decision", got)
	}
}

// TestReadingAnswer: what the agent says of how things are is no trap where that was asked,
// with a mark or without; a request is no question.
func TestReadingAnswer(t *testing.T) {
	for prompt, want := range map[string]memory.Type{
		"is the cache shared by the workers":                    memory.Architecture,
		"Look into the cache. Why do the workers read it twice": memory.Architecture,
		"so the cache is shared?":                               memory.Architecture,
		"look into the cache":                                   memory.Gotcha,
		"":                                                      memory.Gotcha,
	} {
		r := Reading{At: Handover, Cued: memory.Gotcha, Signs: []string{"limit"}, Title: "The cache is not shared by the workers", Prompt: prompt}
		if got := r.Type(); got != want {
			t.Errorf("after %q a %s, want %s", prompt, got, want)
		}
	}
}
