package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSessions: the sessions are read whole, and each label points at the record that
// says it.
func TestSessions(t *testing.T) {
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := write(all, dir); err != nil {
		t.Fatal(err)
	}
	sessions, marks, needs := 0, 0, 0
	for _, p := range all {
		for _, s := range p.sessions {
			sessions, marks, needs = sessions+1, marks+len(s.marks), needs+len(s.needs)
			data, at := s.transcript("/work/"+p.name, time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC))
			records := strings.Split(string(data), "\n")
			for _, m := range s.marks {
				first, _, _ := strings.Cut(s.lines[m.line].text, " ")
				if l := s.lines[m.line]; l.kind == "ask" {
					first = strings.Split(l.text, " | ")[3]
				}
				if !strings.Contains(records[at[m.line]], first) {
					t.Errorf("%s/%s: record %d does not say %q", p.name, s.name, at[m.line], first)
				}
			}
			for _, n := range s.needs {
				if len(n.words) > 0 && !n.met("x\n"+strings.ToUpper(strings.Join(n.words, " and ")+"\n")) || n.met("") && len(n.words) > 0 {
					t.Errorf("%s/%s: %v is met by other words", p.name, s.name, n.words)
				}
			}
		}
	}
	if sessions < 12 || marks < 30 || needs < 15 {
		t.Errorf("%d sessions, %d marks, %d needs", sessions, marks, needs)
	}
	if files, err := filepath.Glob(dir + "/labels/*.labels.jsonl"); err != nil || len(files) != sessions {
		t.Errorf("%d files of labels: %v", len(files), err)
	}
	if _, err := os.Stat(dir + "/transcripts/tidegate__levels.jsonl"); err != nil {
		t.Error(err)
	}
}

// TestParseRefuses: what is no line of a session is an error.
func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"user x\n", "session a\nnot\n", "session a\nuser x\nmark 4 decision | y\n", "session a\nuser x\nmark 2 | y\n", "session a\nuser x\nmark\n", "session a\nask a | b\n", "session a\nsay x\n",
		"session a\nuser x\nneed start | a | b\n", "session a\nagent x\nneed prompt | a | b\n", "session a\nuser x\nneed prompt | a\n", "session a\nuser\n",
	} {
		if _, err := parse("x", text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
