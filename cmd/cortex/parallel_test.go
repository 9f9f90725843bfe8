package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
)

// checkout is a scratch repository in which tests run real processes; git and
// cortex (the test binary, see TestMain) come from PATH.
type checkout struct {
	t   *testing.T
	dir string
	env []string
}

// newCheckout is a repository with cortex set up. All have one id of their clone:
// for clones that exchange what they have see [newCheckoutAt].
func newCheckout(t *testing.T) *checkout {
	t.Helper()
	c := checkoutAt(t, filepath.Join(t.TempDir(), "repo"))
	started, err := startedImage()
	if err == nil {
		err = started.write(c.dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// newCheckoutAt is a repository in dir in which cortex has just been set up.
func newCheckoutAt(t *testing.T, dir string) *checkout {
	t.Helper()
	c := checkoutAt(t, dir)
	c.run("", "git", "init", "-q", "-b", "main", ".")
	c.run("", "git", "commit", "-q", "--allow-empty", "-m", "start")
	c.run("", "cortex", "init", "-q")
	return c
}

func checkoutAt(t *testing.T, dir string) *checkout {
	t.Helper()
	home := t.TempDir()
	c := &checkout{t: t, dir: dir, env: []string{"PATH=" + os.Getenv("PATH")}}
	for key, value := range hermeticGit(home) {
		c.env = append(c.env, key+"="+value)
	}
	c.env = append(c.env, "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "TMPDIR="+home, "TEMP="+home)
	if err := os.MkdirAll(c.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *checkout) start(stdin, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.dir, c.env, strings.NewReader(stdin)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err == nil && errs.Len() > 0 {
		err = errors.New("said on standard error")
	}
	if err != nil {
		// git fsck says on standard output what is missing.
		err = fmt.Errorf("%s %s: %w\n%s%.2000s", name, strings.Join(args, " "), err, errs.String(), out)
	}
	return string(out), err
}

// run is start of what must succeed. Nothing else happens in the meantime, so that in an
// ordinary run a command of cortex needs no process of its own.
func (c *checkout) run(stdin, name string, args ...string) string {
	c.t.Helper()
	if name == "cortex" && stdin == "" && slices.Contains(withinCommands(), args[0]) && !testrun.Full() {
		var out, errs strings.Builder
		if code := runWithin(c.dir, c.env, args, &out, &errs); code != exitOK || errs.Len() > 0 {
			c.t.Fatalf("cortex %s: exit code %d\n%s%.2000s", strings.Join(args, " "), code, errs.String(), out.String())
		}
		return out.String()
	}
	out, err := c.start(stdin, name, args...)
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// titles are those of the pending memories, sorted.
func (c *checkout) titles() []string {
	c.t.Helper()
	var list struct {
		Memories []struct{ Title string }
	}
	if err := json.Unmarshal([]byte(c.run("", "cortex", "list", "--stage", "pending", "--json")), &list); err != nil {
		c.t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range list.Memories {
		found[m.Title] = true
	}
	return slices.Sorted(maps.Keys(found))
}

// TestParallelCapture: two agents at once, each with many Stop hooks after
// another, every one for a transcript of its own: all memories are there, the
// journal is sound, and reading one again adds nothing.
func TestParallelCapture(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	writers, captures := 2, 3
	if testrun.Full() {
		captures = 50
	}
	c := newCheckout(t)
	transcripts := t.TempDir()
	var want []string
	for w := range writers {
		for n := range captures {
			id := fmt.Sprintf("session-%d-%02d", w, n)
			title := fmt.Sprintf("Gauge w%dn%02d is read from register %d", w, n, 4000+100*w+n)
			s := newTranscript(id, c.dir)
			s.User("Which register is it?")
			s.Agent("Done.\n\n[MEMORY: decision] " + title)
			if err := os.WriteFile(filepath.Join(transcripts, id+".jsonl"), s.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			want = append(want, title)
		}
	}
	slices.Sort(want)
	all := make(chan error, writers)
	for w := range writers {
		go func() {
			var failed error
			for n := range captures {
				id := fmt.Sprintf("session-%d-%02d", w, n)
				payload, _ := json.Marshal(map[string]string{
					"hook_event_name": "Stop", "session_id": id, "cwd": c.dir,
					"transcript_path": filepath.Join(transcripts, id+".jsonl"),
				})
				out, err := c.start(string(payload), "cortex", "hook", "stop")
				if err == nil && out != "" {
					err = fmt.Errorf("hook stop printed %q", out)
				}
				failed = errors.Join(failed, err)
			}
			all <- failed
		}()
	}
	for range writers {
		if err := <-all; err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(want, c.titles()); diff != "" {
		t.Errorf("pending memories (-want +got):\n%s", diff)
	}
	c.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
	tip := c.run("", "git", "rev-parse", "refs/cortex/journal")
	if n := strings.TrimSpace(c.run("", "git", "rev-list", "--count", "refs/cortex/journal")); n != fmt.Sprint(writers*captures) {
		t.Errorf("%s commits on the journal, want one for each capture, %d", n, writers*captures)
	}
	var status struct {
		Problems []string
		Sessions int
	}
	if err := json.Unmarshal([]byte(c.run("", "cortex", "status", "--json")), &status); err != nil {
		t.Fatal(err)
	}
	if len(status.Problems) > 0 || status.Sessions != writers*captures {
		t.Errorf("status: %+v", status)
	}
	c.run("", "cortex", "capture", filepath.Join(transcripts, "session-0-00.jsonl"))
	if again := c.run("", "git", "rev-parse", "refs/cortex/journal"); again != tip {
		t.Error("reading a transcript again moved the journal")
	}
}

// TestParallelMix: a capture, a note and a commit that lands at the same time
// lose nothing of each other.
func TestParallelMix(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	rounds := 2
	if testrun.Full() {
		rounds = 10
	}
	c := newCheckout(t)
	c.run("", "git", "add", ".")
	c.run("", "git", "commit", "-q", "-m", "set up")
	var want []string
	for n := range rounds {
		s := newTranscript(fmt.Sprintf("s-%d", n), c.dir)
		s.User("What did we learn?")
		s.Agent(fmt.Sprintf("This.\n\n[MEMORY: gotcha] Pump p%d stalls below %d degrees", n, n))
		path := filepath.Join(c.dir, ".git", fmt.Sprintf("s-%d.jsonl", n))
		if err := os.WriteFile(path, s.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprintf("Pump p%d stalls below %d degrees", n, n), fmt.Sprintf("Valve v%d opens at %d bar", n, 3*n))
		done := make(chan error, 3)
		go func() {
			_, err := c.start("", "cortex", "capture", "-q", path)
			done <- err
		}()
		go func() {
			_, err := c.start("", "cortex", "remember", "-q", "--pending", fmt.Sprintf("Valve v%d opens at %d bar.", n, 3*n))
			done <- err
		}()
		go func() {
			_, err := c.start("", "git", "commit", "-q", "--allow-empty", "-m", "work")
			if err != nil && strings.Contains(err.Error(), "landed with this commit") {
				err = nil // what the hook says
			}
			done <- err
		}()
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
	var list struct {
		Memories []struct{ Title string }
	}
	if err := json.Unmarshal([]byte(c.run("", "cortex", "list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list.Memories {
		got = append(got, m.Title)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("memories (-want +got):\n%s", diff)
	}
	c.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
}
