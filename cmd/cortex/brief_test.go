package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestBriefMarks holds that the marks by which a briefing is known go to programs alone:
// on a terminal a person gets its words.
func TestBriefMarks(t *testing.T) {
	c := newCheckout(t)
	for _, terminal := range []bool{false, true} {
		var out, stderr bytes.Buffer
		s := &streams{
			in: strings.NewReader(""), out: &out, err: &stderr, environ: c.env, dir: c.dir, exe: "cortex", terminal: terminal, width: 80,
			getenv: func(key string) string { return lookup(c.env, key) },
			now:    func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) },
		}
		if code := run(t.Context(), s, []string{"brief"}); code != exitOK {
			t.Fatalf("brief: exit code %d: %s", code, stderr.String())
		}
		text := out.String()
		if !strings.Contains(text, "# Project memory") {
			t.Fatalf("terminal %v: no briefing:\n%s", terminal, text)
		}
		marked := strings.HasPrefix(text, memory.BriefingOpen) && strings.Contains(text, memory.BriefingClose)
		if marked == terminal || terminal && strings.Contains(text, "cortex:briefing") {
			t.Errorf("terminal %v: the marks are there: %v\n%s", terminal, marked, text)
		}
	}
}
