package capture

import (
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// TestPersonal: only what is surely about the user is taken for that.
func TestPersonal(t *testing.T) {
	for _, test := range []struct {
		typ   memory.Type
		title string
		want  bool
	}{
		{memory.Preference, "I prefer short answers without lists", true},
		{memory.Preference, "The user prefers answers in German", true},
		{memory.Preference, "Call me Ana, and ask me before you install anything", true},
		{memory.Preference, "My shell is fish", true},
		{memory.Preference, "I'm a backend developer, explain CSS to me", true},
		{memory.Decision, "Use pnpm in all my projects", true},
		{memory.Learned, "The GPU is card 1 wherever I work", true},
		{memory.Preference, "Commits are small, with one reason each", false},
		{memory.Preference, "I prefer tabs in this repository", false},
		{memory.Preference, "We prefer short functions", false},
		{memory.Preference, "Never push to main without asking", false},
		{memory.Preference, "I always regenerate the schema: our clients read it", false},
		{memory.Decision, "I prefer SQLite over PostgreSQL because it needs no server", false},
		{memory.Decision, "Use pnpm in all my projects, but npm in this project", false},
		{memory.Learned, "The project works offline", false},
		{memory.Gotcha, "Never os.Getwd: any repo-relative path needs the root", false},
		{memory.Preference, "Every project has a licence", false},
	} {
		m := memory.New(test.typ, test.title, "", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		m.Confidence = 0.95
		if got := Personal(m); got != test.want {
			t.Errorf("%s, %q: %v", test.typ, test.title, got)
		}
		m.Confidence = surePersonal
		if Personal(m) {
			t.Errorf("%q is personal at a confidence of %v", test.title, m.Confidence)
		}
		m.Confidence, m.Files = 1, []string{"main.go"}
		if Personal(m) {
			t.Errorf("%q is personal beside a file", test.title)
		}
	}
}

// TestPersonalOutright: a preference that is said to hold in all projects is about the user, however
// sure it is; what chooses for them is not.
func TestPersonalOutright(t *testing.T) {
	m := memory.New(memory.Preference, "I always want small commits in all my projects", "", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	m.Confidence = 0.7
	if !Personal(m) {
		t.Error("it is not personal")
	}
	if m.Type = memory.Decision; Personal(m) {
		t.Error("an unsure decision is personal")
	}
}

// TestPersonalTyped: what somebody types of their own day or things is about them, however sure it is, and what they
// lay down for the work is not.
func TestPersonalTyped(t *testing.T) {
	for title, want := range map[string]bool{
		"I must always be at the harbour by noon on Fridays": true,
		"Never run the slow gauges on my laptop":             true,
		"Nie auf meinem Rechner alle Pegel laufen lassen":    true,
		"Never push to the tide branch":                      false,
		"I want every gauge to always report in UTC":         false,
		"Never run the gauges on my laptop, our CI has them": false,
	} {
		m := memory.New(memory.Decision, title, "", time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		m.Confidence, m.Source.Layer = confRule, string(session.LayerUser)
		if Personal(m) != want {
			t.Errorf("%q: personal %v", title, !want)
		}
		if m.Text = title + ". The tide tables are my next job."; Personal(m) != want {
			t.Errorf("%q: personal %v for what stands beside it", title, !want)
		}
		m.Source.Layer = string(session.LayerPattern)
		if Personal(m) {
			t.Errorf("%q is personal where nobody typed it", title)
		}
	}
}
