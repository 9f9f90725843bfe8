package diary

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

const (
	one memory.ID = "0123456789abcdef"
	two memory.ID = "zzzzzzzzzzzzzzzz"
)

// open makes a diary in a folder that is not there yet, at a clock that the test
// moves. It takes the word "secret" out of what is written.
func open(t *testing.T) (d *Diary, clock *time.Time) {
	t.Helper()
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	without := func(ctx context.Context, s string) string {
		if ctx.Err() != nil {
			return s // the patterns could not be read
		}
		return strings.ReplaceAll(s, "secret", "***")
	}
	return New(filepath.Join(t.TempDir(), "cortex"), func() time.Time { return at }, without), &at
}

func read(t *testing.T, d *Diary, name string) string {
	t.Helper()
	data, err := os.ReadFile(d.path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestNote(t *testing.T) {
	d, _ := open(t)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	d.Note(ended, "a %s of\ntwo lines\x1b[31m", "secret")
	if got, want := read(t, d, "log"), "2026-11-20T12:00:00Z a *** of two lines␛[31m\n"; got != want {
		t.Errorf("log %q, want %q", got, want)
	}
	for range 5 {
		d.Note(t.Context(), "%s", strings.Repeat("x", 100<<10))
	}
	info, err := os.Stat(d.path("log"))
	if err != nil || info.Size() > maxLog {
		t.Errorf("the log holds %d bytes, %v", info.Size(), err)
	}
	if _, err := os.Stat(d.path("log.1")); err != nil {
		t.Errorf("the first half of the log: %v", err)
	}
}

func TestBeat(t *testing.T) {
	d, clock := open(t)
	if got := d.Heartbeat(); len(got) != 0 {
		t.Errorf("before any hook: %v", got)
	}
	d.Beat(t.Context(), "stop", 1500*time.Microsecond, outcome.Outcome{Kind: outcome.Read, To: 70, Added: 2})
	*clock = clock.Add(time.Minute)
	d.Beat(t.Context(), "session-start", time.Second, outcome.Because(outcome.Unknown, errors.New("no secret\nhere")))
	d.Beat(t.Context(), "stop", 0, outcome.Outcome{Kind: outcome.NotSetUp})
	want := map[string]Beat{
		"stop":          {Version: 2, N: 1, Time: "2026-11-20T12:00:00Z", MS: 1.5, Outcome: "read", To: 70, Added: 2},
		"session-start": {Version: 2, N: 1, Time: "2026-11-20T12:01:00Z", MS: 1000, Outcome: "unknown", Error: "no *** here"},
	}
	if diff := cmp.Diff(want, d.Heartbeat()); diff != "" {
		t.Errorf("heartbeat (-want +got):\n%s", diff)
	}
	if got := read(t, d, "log"); !strings.Contains(got, "hook session-start: could not tell whether cortex is set up: no *** here") {
		t.Errorf("log %q", got)
	}
	if err := os.WriteFile(d.path(heartbeatFile), []byte(`{"stop":`), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Beat(t.Context(), "stop", 0, outcome.Outcome{Kind: outcome.Nothing})
	if got := d.Heartbeat(); len(got) != 1 {
		t.Errorf("after a torn file: %v", got)
	}
}

// TestBeatCounts: of two runs that look alike one is the later, whatever the version
// was that noted the first, and however many note theirs at once.
func TestBeatCounts(t *testing.T) {
	d, _ := open(t)
	d.Note(t.Context(), "makes the folder")
	if err := os.WriteFile(d.path(heartbeatFile), []byte(`{"stop":{"time":"2026-11-20T12:00:00Z","ms":1.5,"error":"no"},"pre-compact":{"time":"2026-11-20T12:00:00Z","ms":2}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"the last stop hook failed: no"}, d.Troubles([]string{"stop", "pre-compact"}, false)); diff != "" {
		t.Errorf("of the first version (-want +got):\n%s", diff)
	}
	var group sync.WaitGroup
	const each = 20
	for range 4 { // as many processes as diaries
		other := New(d.dir, d.now, d.without)
		group.Go(func() {
			for range each {
				other.Beat(t.Context(), "stop", 0, outcome.Outcome{Kind: outcome.Nothing})
			}
		})
	}
	group.Wait()
	if got := d.Heartbeat(); got["stop"].N != 4*each || len(got) != 2 {
		t.Errorf("%d runs are counted as %v", 4*each, got)
	}
}

// TestBeatWaitsForNobody: a pipe in place of a file that a hook notes something in is
// not waited for.
func TestBeatWaitsForNobody(t *testing.T) {
	d, _ := open(t)
	d.Note(t.Context(), "makes the folder")
	for _, name := range []string{heartbeatFile, heartbeatLock} {
		if err := os.Mkdir(d.path(name), 0o700); err != nil { // as little a file as a pipe is
			t.Fatal(err)
		}
	}
	d.Beat(t.Context(), "stop", 0, outcome.Outcome{Kind: outcome.Nothing})
	if got := d.Heartbeat(); len(got) != 0 {
		t.Errorf("a folder holds %v", got)
	}
}

// TestTroubles says in words what a person should know.
func TestTroubles(t *testing.T) {
	d, _ := open(t)
	for kind, want := range map[outcome.Kind][]string{
		outcome.Read: nil, outcome.Told: nil, outcome.Done: nil, outcome.Nothing: nil, outcome.Elsewhere: nil,
		outcome.Spooled: {"the last stop hook, at 2026-11-20T12:00:00Z, could not write the journal, and kept what it read in the spool"},
		outcome.Unknown: {"the last stop hook, at 2026-11-20T12:00:00Z, could not tell whether cortex is set up: why"},
		outcome.Refused: {"the last stop hook, at 2026-11-20T12:00:00Z, could not use what it was handed: why"},
		outcome.Late:    {"the last stop hook, at 2026-11-20T12:00:00Z, was ended before it was done: why"},
		outcome.Failed:  {"the last stop hook, at 2026-11-20T12:00:00Z, failed: why"},
	} {
		o := outcome.Outcome{Kind: kind}
		if strings.HasSuffix(strings.Join(want, ""), "why") {
			o.Err = errors.New("why")
		}
		d.Beat(t.Context(), "stop", 0, o)
		if diff := cmp.Diff(want, d.Troubles([]string{"stop"}, true)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
	}
}

func TestShownFileStaysInItsFolder(t *testing.T) {
	for _, session := range []string{"../../etc/passwd", "a/b", `a\b`, "..", strings.Repeat("x", 300), "é\x00"} {
		name := shownFile(session)
		if strings.ContainsAny(strings.TrimPrefix(strings.TrimPrefix(name, "shown/"), `shown\`), `/\.`) || len(name) > 100 {
			t.Errorf("%q is kept in %q", session, name)
		}
	}
}

func TestRecalls(t *testing.T) {
	d, _ := open(t)
	if counts, done := d.TakeRecalls(); len(counts) != 0 {
		t.Errorf("before any: %v", counts)
	} else {
		done(true)
	}
	d.Note(t.Context(), "makes the folder")
	d.NoteRecalls([]memory.ID{one, two})
	d.NoteRecalls([]memory.ID{one, "no id"})
	want := map[memory.ID]int{one: 2, two: 1}
	counts, done := d.TakeRecalls()
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("taken (-want +got):\n%s", diff)
	}
	done(false)
	counts, done = d.TakeRecalls()
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("noted again (-want +got):\n%s", diff)
	}
	done(true)
	if counts, _ := d.TakeRecalls(); len(counts) != 0 {
		t.Errorf("counted twice: %v", counts)
	}
	if left, err := filepath.Glob(d.path("recalls*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestNoteRead(t *testing.T) {
	d, _ := open(t)
	dir := t.TempDir()
	here, gone, secret := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl"), filepath.Join(dir, "secret.jsonl")
	for _, name := range []string{here, gone, secret} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{gone, here, secret} {
		d.NoteRead(t.Context(), name, 7)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	d.NoteRead(t.Context(), here, 9)
	if diff := cmp.Diff(map[string]int64{here: 9}, d.Read()); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
}

func TestBeginRun(t *testing.T) {
	d, clock := open(t)
	start := *clock
	for i, step := range []struct {
		after   time.Duration
		session string
		want    bool
	}{
		{0, "a", true},
		{time.Minute, "b", false},      // a's run may be under way
		{3 * time.Minute, "b", true},   // it is over
		{10 * time.Minute, "a", false}, // within the interval
		{16 * time.Minute, "a", true},
		{20 * time.Minute, "c", true},
		{25 * time.Minute, "d", false},        // the fifth within a day
		{24*time.Hour + time.Hour, "d", true}, // the next day
		{-30 * 24 * time.Hour, "a", true},     // the clock was wrong
	} {
		*clock = start.Add(step.after)
		if got := d.BeginRun(step.session, 15*time.Minute, 2*time.Minute, 4); got != step.want {
			t.Errorf("step %d: %v, want %v", i+1, got, step.want)
		}
	}
}

// TestManyAtOnce: what one goroutine notes is not lost to another.
func TestManyAtOnce(t *testing.T) {
	d, _ := open(t)
	d.Note(t.Context(), "makes the folder")
	const n = 20
	counted := make(chan map[memory.ID]int, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			d.Beat(t.Context(), fmt.Sprint("event ", i), 0, outcome.Outcome{Kind: outcome.Nothing})
			d.NoteRecalls([]memory.ID{one})
			if err := d.NoteShown("s", Showing{Moment: "prompt", Items: []Item{{ID: memory.NewID(memory.Fix, fmt.Sprint(i), "")}}}); err != nil {
				t.Error(err)
			}
			counts, done := d.TakeRecalls()
			done(true)
			counted <- counts
		})
	}
	group.Wait()
	close(counted)
	total := 0
	for counts := range counted {
		total += counts[one]
	}
	if now := d.Shown("s").Now; total != n || len(d.Heartbeat()) != n || len(now) != n {
		t.Errorf("%d recalls, %d events, %d shown, want %d of each", total, len(d.Heartbeat()), len(now), n)
	}
}
