package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
)

const tenYears = 10 * 365 * 24 * time.Hour

// wrong is the environment of a checkout whose clock is off.
func wrong(env []string, by time.Duration) []string {
	date := time.Date(2026, 11, 3, 10, 0, 0, 0, time.UTC).Add(by).Format(time.RFC3339)
	return append(slices.Clone(env), clockVariable+"="+by.String(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
}

// lived is a repository in which an agent and a person worked under a clock,
// and what it says when the clock is right again.
type lived struct {
	*checkout
	list, brief, pages string
}

func newLived(t *testing.T, by time.Duration) *lived {
	t.Helper()
	l := &lived{checkout: newCheckout(t)}
	right := l.env
	l.env = wrong(right, by)
	transcripts := t.TempDir()
	payload := func(event, id, prompt string) string {
		data, _ := json.Marshal(map[string]string{
			"hook_event_name": event, "session_id": id, "cwd": l.dir, "source": "startup", "prompt": prompt,
			"transcript_path": filepath.Join(transcripts, id+".jsonl"),
		})
		return string(data)
	}
	session := func(id, kind, text string) {
		s := newTranscript(id, l.dir)
		s.User("What did we learn?")
		s.Agent("This.\n\n[MEMORY: " + kind + "] " + text)
		path := filepath.Join(transcripts, id+".jsonl")
		if err := os.WriteFile(path, s.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(by)
		if err := os.Chtimes(path, then, then); err != nil {
			t.Fatal(err)
		}
	}
	commit := func() {
		if _, err := l.start("", "git", "commit", "-q", "--allow-empty", "-m", "work"); failure(err) != nil {
			t.Fatal(err)
		}
	}
	l.run("", "git", "add", ".")
	commit()
	session("first", "decision", "Gauge readings are kept in segments of one day, because they are deleted by day.")
	l.run(payload("Stop", "first", ""), "cortex", "hook", "stop")
	session("killed", "gotcha", "The tide tables of the harbour office are of the day before until noon.")
	commit()
	session("second", "progress", "The export streams JSON lines.")
	l.run(payload("SessionStart", "second", ""), "cortex", "hook", "session-start")
	out := l.run(payload("UserPromptSubmit", "third", "why are gauge readings kept in segments of one day"), "cortex", "hook", "user-prompt-submit")
	if !strings.Contains(out, "kept in segments of one day") {
		t.Errorf("by a clock %s off a prompt is not told of a decision:\n%s", by, out)
	}
	l.run(payload("Stop", "second", ""), "cortex", "hook", "stop")
	if found := l.run("", "cortex", "search", "-q", "segments", "since:2026-11-01", "until:2026-11-30"); !strings.Contains(found, "segments of one day") {
		t.Errorf("by a clock %s off a search says %s", by, found)
	}
	commit()
	for _, args := range [][]string{{"status"}, {"brief"}, {"list"}, {"doctor"}, {"project", "--check"}} {
		out, err := l.start("", "cortex", args...)
		// A clock that is slow is seen, by memories of the future, and said.
		if told := strings.Count("\n"+out, "\nwrong "); err != nil && (args[0] != "doctor" || told != 1 || !strings.Contains("\n"+out, "\nwrong clock: ")) {
			t.Errorf("by a clock %s off: %v\n%s", by, err, out)
		}
	}
	l.env = right
	l.look()
	return l
}

// look notes what the repository says under the right clock.
func (l *lived) look() {
	l.t.Helper()
	var list struct{ Memories []map[string]any }
	if err := json.Unmarshal([]byte(l.run("", "cortex", "list", "--json")), &list); err != nil {
		l.t.Fatal(err)
	}
	text := ""
	for _, m := range list.Memories {
		delete(m["source"].(map[string]any), "commit")
		m["effective"] = fmt.Sprintf("%.4f", m["effective"])
		line, _ := json.Marshal(m)
		text += string(line) + "\n"
	}
	// Commits made at another time have other ids, and the fence is made of them.
	ids := regexp.MustCompile(`\b[0-9a-f]{12}\b|\b[0-9a-f]{8}\b`)
	l.list, l.brief = text, ids.ReplaceAllString(l.run("", "cortex", "brief"), "ID")
	// By a wrong clock it is not known at which commit a past session was.
	l.brief = regexp.MustCompile(`\[(s\d+) ID\]`).ReplaceAllString(l.brief, "[$1]")
	for _, name := range []string{"decisions.md", "active-plan.md"} {
		page, err := os.ReadFile(filepath.Join(l.dir, ".cortex", name))
		if err != nil {
			l.t.Fatal(err)
		}
		// Memories name the commit that they were learned at, and pages the files of memories.
		page = regexp.MustCompile(`(?m)^[A-Za-z0-9+/]{8}$|[0-9a-f]{16} -->$`).ReplaceAll(page, []byte("FILE"))
		l.pages += ids.ReplaceAllString(string(page), "ID")
	}
	l.run("", "cortex", "project", "--check", "-q")
	l.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
}

// TestClock works for a while by a clock that is ten years slow or fast: it must
// leave the same memories, pages and briefing behind as a right one.
func TestClock(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	right := newLived(t, 0)
	if n := strings.Count(right.list, "\n"); n != 3 {
		t.Fatalf("%d memories:\n%s", n, right.list)
	}
	for _, by := range testrun.Sample(1, []time.Duration{-tenYears, tenYears}) {
		l := newLived(t, by)
		for what, pair := range map[string][2]string{
			"memories": {right.list, l.list}, "pages": {right.pages, l.pages}, "briefing": {right.brief, l.brief},
		} {
			if diff := cmp.Diff(pair[0], pair[1]); diff != "" {
				t.Errorf("after a clock was %s off, %s (-right +wrong):\n%s", by, what, diff)
			}
		}
	}
}

// TestClocksApart has two hosts, twenty years apart by their clocks, that merge
// what the other one learned: both see the same, and render the same pages.
func TestClocksApart(t *testing.T) {
	fullOnly(t, "many clones")
	t.Parallel()
	slow := newCheckout(t)
	slow.run("", "git", "add", ".")
	slow.run("", "git", "commit", "-q", "-m", "set up")
	fast := *slow
	fast.dir = filepath.Join(t.TempDir(), "fast")
	slow.run("", "git", "clone", "-q", slow.dir, fast.dir)
	fast.run("", "cortex", "init", "-q")
	slow.env, fast.env = wrong(slow.env, -tenYears), wrong(slow.env, tenYears)
	hosts := []*checkout{slow, &fast}
	slow.run("", "git", "remote", "add", "origin", fast.dir)
	for round := range 2 {
		for i, h := range hosts {
			for _, kind := range []string{"decision", "progress", "plan"} {
				h.run("", "cortex", "remember", "-q", "--type", kind, fmt.Sprintf("Host %d of round %d has a %s of its own", i, round, kind))
			}
			h.run("", "git", "add", ".")
			if _, err := h.start("", "git", "commit", "-q", "-m", "work"); failure(err) != nil {
				t.Fatal(err)
			}
		}
		for _, h := range []*checkout{slow, &fast, slow} {
			if _, err := h.start("", "git", "pull", "-q", "--no-rebase", "--no-edit", "origin", "main"); failure(err) != nil {
				t.Fatal(err)
			}
		}
		if a, b := slow.run("", "git", "rev-parse", "HEAD^{tree}"), fast.run("", "git", "rev-parse", "HEAD^{tree}"); a != b {
			t.Fatalf("round %d: the hosts differ: %s", round, slow.run("", "git", "diff", "--stat", strings.TrimSpace(b)))
		}
		for _, h := range hosts {
			h.run("", "cortex", "project", "--check", "-q")
			if out := h.run("", "cortex", "list", "--json"); strings.Count(out, `"id":`) != 6*(round+1) {
				t.Errorf("round %d: %s", round, out)
			}
			h.run("", "cortex", "check")
			h.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
		}
	}
}
