package recall

import (
	"testing"

	"github.com/git-cortex/cortex/memory"
)

func TestGoneIn(t *testing.T) {
	for _, tt := range []struct {
		typ         memory.Type
		title, want string
	}{
		{memory.Decision, "Removed `legacyAuth` from the gate", "legacyAuth"},
		{memory.Decision, "Replaced dayjs with date-fns, because of its size", "dayjs"},
		{memory.Decision, "The flag --legacy-gate was removed in favour of a setting", "--legacy-gate"},
		{memory.Decision, "Chose Bluge over SQLite, which needs cgo", "SQLite"},
		{memory.Decision, "We dropped the old `gauge_poll.go`", "gauge_poll.go"},
		{memory.Architecture, "Use segments instead of `sqlite3`", "sqlite3"},
		{memory.Rejected, "Redis for the queue", "Redis"},
		{memory.Rejected, "Rejected `left-pad`: it is one line", "left-pad"},
		{memory.Decision, "Das Modul `wal_alt` wurde entfernt", "wal_alt"},
		{memory.Decision, "Nous avons supprimé `oldGauge`", "oldGauge"},
		{memory.Decision, "移除了 `oldGauge`，因为太慢", "oldGauge"},
		{memory.Rejected, "Keeping all readings in memory", ""},
		{memory.Decision, "Removed the last two sluices of the north side", ""},
		{memory.Decision, "Records are appended, never rewritten", ""},
		{memory.Decision, "Replace the Web3Auth PnP modal by a kit of ours", ""},
		{memory.Rejected, "gate.sh is not reworked for other shells", ""},
		{memory.Decision, "Dropped everything below the folder except `SKILL.md`", ""},
		{memory.Decision, "Removed it because nobody used it", ""},
		{memory.Gotcha, "Removed `legacyAuth` from the gate", ""},
	} {
		got := ""
		if rules := goneIn(&memory.Memory{Type: tt.typ, Title: tt.title}); len(rules) > 0 {
			got = rules[0].words[0]
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.title, got, tt.want)
		}
	}
}

// TestRemovalSpeaks: a decision that removed something is said where added lines bring it back,
// and at no other call.
func TestRemovalSpeaks(t *testing.T) {
	gone := made("Removed `legacyAuth` from the gate", "Sessions went through twice with it.")
	gone.Type, gone.Files = memory.Decision, []string{"gate/open.go"}
	plain := made("Replaced dayjs with date-fns", "It is a tenth of the size.")
	plain.Type, plain.Files = memory.Decision, []string{"web/day.ts"}
	table := library(t, gone, plain)
	for name, tt := range map[string]struct {
		m    Moment
		want *memory.Memory
	}{
		"an edit":                {Moment{File: "gate/open.go", Old: "x()", New: "x()\nlegacyAuth(s)"}, gone},
		"a file beside it":       {Moment{File: "gate/shut.go", New: "\tif legacyAuth(s) {"}, gone},
		"elsewhere":              {Moment{File: "web/login.go", New: "a = legacyAuth(s)"}, gone},
		"a page":                 {Moment{File: "docs/auth.md", New: "legacyAuth is gone"}, nil},
		"it stood there":         {Moment{File: "gate/open.go", Old: "legacyAuth(s)", New: "legacyAuth(s, t)"}, nil},
		"part of a name":         {Moment{File: "gate/open.go", New: "noLegacyAuth()"}, nil},
		"taken out":              {Moment{File: "gate/open.go", Old: "legacyAuth(s)", New: ""}, nil},
		"a plain word":           {Moment{File: "web/day.ts", New: "import dayjs from 'dayjs'"}, plain},
		"a plain word elsewhere": {Moment{File: "gate/wait.go", New: "// as dayjs does"}, nil},
		"opened":                 {Moment{File: "web/login.go"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tt.m.Kind, tt.m.Present = File, func() string { return "" }
			hits := table.Find(tt.m, Options{})
			if tt.want == nil && len(hits) > 0 || tt.want != nil && (len(hits) != 1 || hits[0].ID != tt.want.ID) {
				t.Fatalf("said %+v", hits)
			}
			if tt.want == gone && hits[0].Line != "This brings back legacyAuth: Removed `legacyAuth` from the gate. "+
				"Sessions went through twice with it." {
				t.Error(hits[0].Line)
			}
		})
	}
	for present, want := range map[string]int{"func open() {}": 1, "a = legacyAuth(s)": 0} {
		m := Moment{Kind: File, File: "gate/open.go", New: "legacyAuth(s)", Present: func() string { return present }}
		if hits := table.Find(m, Options{}); len(hits) != want {
			t.Errorf("in a file of %q: said %+v", present, hits)
		}
	}
	unread := Moment{Kind: File, File: "gate/open.go", New: "y()", Present: func() string {
		t.Error("a file is read for a change that brings nothing back")
		return ""
	}}
	table.Find(unread, Options{})
	m := Moment{Kind: Command, Command: "grep legacyAuth .", Calls: [][]string{{"grep", "legacyAuth", "."}}, New: "legacyAuth"}
	if hits := table.Find(m, Options{}); len(hits) > 0 {
		t.Errorf("said at a command: %+v", hits)
	}
}
