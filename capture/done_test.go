package capture

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// TestWithoutDeeds: a memory is titled by a sentence that states something, and its
// text leaves out what was done beside it.
func TestWithoutDeeds(t *testing.T) {
	md := "## Root cause\n\nAll tests pass.\n\n- `store.go` — added a check\n- The exporter drops a row when two writers share a batch, because `export.go` reads the cursor before the lock is taken\n- Updated the docs\n"
	units := passage.Of(md, passage.Handover, 0, now(), nil)
	if len(units) != 1 {
		t.Fatalf("%d units", len(units))
	}
	d := draftOf(&units[0], classLastWords)
	d.word()
	if want := "The exporter drops a row when two writers share a batch"; d.title != want {
		t.Errorf("title %q, want %q", d.title, want)
	}
	if want := "The exporter drops a row when two writers share a batch, because `export.go` reads the cursor before the lock is taken"; d.text != want && d.text != "- "+want {
		t.Errorf("text %q, want %q", d.text, want)
	}
	nothing := passage.Of("## What changed\n\n- Updated the docs\n- `store.go` — added a check\n- Renamed the flag\n", passage.Handover, 0, now(), nil)
	for i := range nothing {
		if d := draftOf(&nothing[i], classLastWords); true {
			d.conf = 0.8
			if d.word(); d.conf > confUntitled {
				t.Errorf("deeds alone are kept at %v: %q", d.conf, d.text)
			}
		}
	}
}

// TestTitleOfWords: of what a person says the title is what they want from now on, not
// the work they ask for.
func TestTitleOfWords(t *testing.T) {
	for words, want := range map[string]string{
		"You can comment on the issue for me. I prefer a proper explanation without guesses": "I prefer a proper explanation without guesses",
		"It is copied on purpose. We keep the old name in the config":                        "We keep the old name in the config",
		"Move to the next phase":                                                                                            "",
		"I want you to rework the commits before the next item":                                                             "",
		"It doesn't really matter, to be honest. I would only build the gauges for the website":                             "I would only build the gauges for the website",
		"Bullets 3 and 4 are okay. The tide tables should stay in one file":                                                 "The tide tables should stay in one file",
		"Never push to main without asking, please check it now":                                                            "Never push to main without asking, please check it now",
		"good. keep the gauge yellow, red is for alarms":                                                                    "keep the gauge yellow, red is for alarms",
		"Don't copy the tables of the whole harbour office, only take those two. It does that":                              "Don't copy the tables of the whole harbour office, only take those two.",
		"lets keep the tide tables of all the harbours of the north in one file, but make sure that the office gets a copy": "lets keep the tide tables of all the harbours of the north in one file",
		"keep v1. of the tables in tide.db, e.g. for the office":                                                            "keep v1. of the tables in tide.db, e.g. for the office",
	} {
		if got := titleOfWords(words); got != want {
			t.Errorf("%q: title %q, want %q", words, got, want)
		}
	}
}

// TestAnswered: an answer in the user's own words is titled by a whole sentence of
// them, or by what was asked.
func TestAnswered(t *testing.T) {
	for _, x := range [][2]string{
		{"Keep the tables in one file?", "Tides: Keep the tables in one file?"},
		{"Which file do we keep the tables in?", "Tides: Which file do we keep the tables in?"},
	} {
		if got := answered("Tides", x[0], "it would depend on how the tables are read and on how much of all that which they hold is at some point made anew by somebody else"); got != x[1] {
			t.Errorf("%q is titled %q, want %q", x[0], got, x[1])
		}
	}
	for _, x := range [][3]string{
		{"Tides", "hmm, lets keep the tide tables of all the harbours in one file, because that is the one of which we have a backup", "Tides: lets keep the tide tables of all the harbours in one file"},
		{"Tides", "it would depend on how the tables are read and on how much of all that which they hold is at some point made anew by somebody else", "Tides: Where do the tables go?"},
		{"", "We keep the tables", "We keep the tables"},
	} {
		if got := fitted(answered(x[0], "Where do the tables go?", x[1])); !strings.EqualFold(got, x[2]) {
			t.Errorf("%q is titled %q, want %q", x[1], got, x[2])
		}
	}
}

// TestTitled: an answer stands behind the header of its question, or the question itself.
func TestTitled(t *testing.T) {
	for _, x := range [][4]string{
		{"Gauge", "Sonar", "Which kind of gauge do you want for the harbour?", "Which kind of gauge do you want for the harbour: Sonar"},
		{"Failure", "Yes, the lock retries", "The lock retries by itself?", "The lock retries by itself: Yes, the lock retries"},
		{"The lock of the outer harbour", "Yes, it retries", "Should the lock retry?", "The lock of the outer harbour: Yes, it retries"},
		{"Failure", "Yes, but only at night", "The lock of the harbour retries?", "The lock of the harbour retries: Yes, but only at night"},
		{"Failure", "Yes, except for the outer lock of it", "The lock of the harbour retries?", "The lock of the harbour retries: Yes, except for the outer lock of it"},
		{"Store", "SQLite", "Which store should we drop?", "Which store should we drop: SQLite"},
	} {
		if got := titled(x[0], x[1], x[2], "", nil); got != x[3] {
			t.Errorf("%q is titled %q, want %q", x[1], got, x[3])
		}
	}
}

// TestTitledInstead: a title names the options that were not chosen where they fit.
func TestTitledInstead(t *testing.T) {
	for _, x := range []struct {
		others []string
		want   string
	}{
		{[]string{"Structured JSON", "Hybrid"}, "Which format should the plan have: Free-form markdown, instead of Structured JSON or Hybrid"},
		{[]string{"Structured JSON with a schema of its own", "Both, one beside the other"}, "Which format should the plan have: Free-form markdown"},
	} {
		got := titled("Plan format", "Free-form markdown", "Which format should the plan have?", "", x.others)
		if got != x.want {
			t.Errorf("titled %q, want %q", got, x.want)
		}
	}
}

// TestOtherOptions: an option that the answer itself names beside the one it picked is not said to have lost.
func TestOtherOptions(t *testing.T) {
	options := []transcript.Option{{Label: "CSV"}, {Label: "Plain text"}, {Label: "JSON lines"}}
	for _, x := range []struct {
		answer string
		pick   transcript.Option
		want   []string
	}{
		{"CSV", options[0], []string{"Plain text", "JSON lines"}},
		{"CSV, not plain text", options[0], []string{"JSON lines"}},
		{"YAML, not plain text", transcript.Option{}, []string{"CSV", "JSON lines"}},
	} {
		got := lists.Map(otherOptions(options, x.pick, x.answer), labelOf)
		if !slices.Equal(got, x.want) {
			t.Errorf("%q leaves %q, want %q", x.answer, got, x.want)
		}
	}
}

// TestDocumentTitle: the title of a document is not doubled by a line of it that states
// nothing.
func TestDocumentTitle(t *testing.T) {
	for md, want := range map[string]string{
		"Tests of the tide gauge at night":    "No rollback of the tides",
		"The store loses a tide after a stop": "No rollback of the tides: The store loses a tide after a stop",
	} {
		units := passage.Of("- "+md+"\n- The levels", passage.Document, 0, now(), nil)
		if len(units) != 1 {
			t.Fatalf("%d units", len(units))
		}
		d := draftOf(&units[0], classLastWords)
		d.about = "No rollback of the tides"
		if d.word(); d.title != want {
			t.Errorf("%q is titled %q, want %q", md, d.title, want)
		}
	}
}

// TestPlanIsNote: the plan of a session is one note, whether a commit carries it out or not.
func TestPlanIsNote(t *testing.T) {
	plan := []string{"user", "Implement the following plan:\n\n# Segments of the gauge\n\nWe keep segments because a backup is one copy.\n\n1. Write the segments\n2. Read them back\n"}
	commit := called("Bash", map[string]any{"command": `git commit -m "Keep segments"`}, "[main 1a2b3c4] Keep segments", false, nil)
	for _, said := range [][]string{plan, slices.Concat(plan, commit)} {
		res := capture(t, sessionOf(said...), Options{})
		plans := lists.Where(res.Session.Notes, func(m *memory.Memory) bool { return m.Type == memory.Plan })
		if len(plans) != 1 || len(res.Memories()) > 0 {
			t.Errorf("notes %v, memories %v, want one note of a plan", titlesOf(plans), titlesOf(res.Memories()))
		}
	}
}
