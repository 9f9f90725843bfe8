package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
)

// TestWriters has many writers at once, in two linked worktrees, by hooks,
// captures and notes in turn, while gc, repack and pack-refs loop: what was reported
// as kept is there, and nothing else.
func TestWriters(t *testing.T) {
	fullOnly(t, "many writers at once")
	t.Parallel()
	writers, captures := 20, 3
	if testrun.Nightly() {
		writers, captures = 100, 10
	}
	c := newCheckout(t)
	c.run("", "git", "add", ".")
	c.run("", "git", "commit", "-q", "-m", "set up")
	linked := *c
	linked.dir = filepath.Join(t.TempDir(), "linked")
	c.run("", "git", "worktree", "add", "-q", "-b", "side", linked.dir)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			switch i % 4 {
			case 1:
				_, _ = c.start("", "git", "repack", "-a", "-d", "-q")
			case 3:
				_, _ = c.start("", "git", "gc", "-q", "--prune=now")
			default:
				_, _ = c.start("", "git", "pack-refs", "--all")
			}
		}
	}()
	type report struct {
		kept []string
		errs []error
	}
	reports := make(chan report, writers)
	transcripts := t.TempDir()
	for n := range writers {
		at := []*checkout{c, &linked}[n%2]
		go func() {
			var r report
			for i := range captures {
				title, err := at.writeOne(transcripts, n, i)
				if err != nil {
					r.errs = append(r.errs, err)
				} else {
					r.kept = append(r.kept, title)
				}
			}
			reports <- r
		}()
	}
	var want []string
	for range writers {
		r := <-reports
		want = append(want, r.kept...)
		for _, err := range r.errs {
			t.Error(err)
		}
	}
	close(stop)
	<-stopped
	c.again(&linked, transcripts, writers, captures)
	// The last gc may have taken objects of the journal's tip: the next ordinary
	// run has them all again.
	const last = "Gauge after all the others is read from register 9000"
	if _, err := c.start("", "cortex", "remember", "-q", "--pending", last); failure(err) != nil {
		t.Error(err)
	}
	want = append(want, last)
	got := append(c.titles(), linked.titles()...)
	slices.Sort(want)
	slices.Sort(got)
	got = slices.Compact(got) // what waits on one branch may be in the view of the other
	if len(want) != writers*captures+1 {
		t.Errorf("%d of %d were reported as kept", len(want)-1, writers*captures)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("memories (-reported +there):\n%s", diff)
	}
	c.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
}

// again runs the hooks once more if one of them ran out of time: it gives up
// then, exits with 0, says so in the log, and leaves the rest to the next run.
func (c *checkout) again(linked *checkout, transcripts string, writers, captures int) {
	c.t.Helper()
	log, _ := os.ReadFile(filepath.Join(c.dir, ".git", "cortex", "log"))
	late := strings.Count(string(log), "deadline exceeded")
	if late == 0 {
		return
	}
	c.t.Logf("%d hooks ran out of time", late)
	for n := range writers {
		for i := range captures {
			if (n+i)%3 != 2 {
				continue
			}
			if _, err := []*checkout{c, linked}[n%2].writeOne(transcripts, n, i); failure(err) != nil {
				c.t.Error(err)
			}
		}
	}
}

// writeOne writes one memory in one of three ways and returns its title if it
// was reported as kept.
func (c *checkout) writeOne(transcripts string, writer, n int) (title string, err error) {
	id := fmt.Sprintf("writer-%d-%d", writer, n)
	title = fmt.Sprintf("Gauge w%dn%d is read from register %d", writer, n, 4000+100*writer+n)
	if (writer+n)%3 == 0 {
		_, err := c.start("", "cortex", "remember", "-q", "--pending", title)
		return title, failure(err)
	}
	s := newTranscript(id, c.dir)
	s.User("Which register is it?")
	s.Agent("Done.\n\n[MEMORY: learned] " + title)
	path := filepath.Join(transcripts, id+".jsonl")
	if err := os.WriteFile(path, s.Bytes(), 0o666); err != nil {
		return "", err
	}
	if (writer+n)%3 == 1 {
		out, err := c.start("", "cortex", "capture", "--json", path)
		if err = failure(err); err == nil && !strings.Contains(out, title) {
			err = fmt.Errorf("capture reported %s", out)
		}
		return title, err
	}
	payload, err := json.Marshal(map[string]string{
		"hook_event_name": "Stop", "session_id": id, "cwd": c.dir, "transcript_path": path,
	})
	if err == nil {
		_, err = c.start(string(payload), "cortex", "hook", "stop")
	}
	return title, err
}

// failure is err, unless a program only said something on standard error: that
// it healed the journal, or left something to the spool.
func failure(err error) error {
	if err != nil && strings.Contains(err.Error(), "said on standard error") {
		return nil
	}
	return err
}
