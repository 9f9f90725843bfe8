package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
)

// TestSyncAtOnce: clones of one bare remote capture and sync all at the same
// time, over a path and a file URL; they end with the same list, which has
// every memory that was reported as kept and not forgotten.
func TestSyncAtOnce(t *testing.T) {
	fullOnly(t, "many clones at once")
	t.Parallel()
	clones, rounds := 3, 2
	if testrun.Nightly() {
		clones, rounds = 5, 12
	}
	hub := filepath.Join(t.TempDir(), "hub.git")
	first := newCheckoutAt(t, filepath.Join(t.TempDir(), "repo"))
	first.run("", "git", "clone", "-q", "--bare", ".", hub)
	all := []*checkout{first}
	for len(all) < clones {
		all = append(all, newCheckoutAt(t, filepath.Join(t.TempDir(), "repo")))
	}
	for i, c := range all {
		c.run("", "git", "remote", "add", "origin", []string{hub, "file://" + filepath.ToSlash(hub)}[i%2])
	}
	var mu sync.Mutex
	kept := map[string]bool{}
	var failed []error
	note := func(title string, err error) {
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = append(failed, err)
		} else if title != "" {
			kept[title] = true
		}
	}
	var group sync.WaitGroup
	for n, c := range all {
		transcripts := t.TempDir()
		group.Go(func() {
			for round := range rounds {
				note(c.writeOne(transcripts, n, 2*round))
				var both sync.WaitGroup
				both.Go(func() { note("", c.syncNow()) })
				both.Go(func() { note(c.writeOne(transcripts, n, 2*round+1)) })
				both.Wait()
			}
		})
	}
	group.Wait()
	for _, err := range failed {
		t.Error(err)
	}
	for range 2 {
		for _, c := range all {
			if err := c.syncNow(); err != nil {
				t.Error(err)
			}
		}
	}
	want := first.run("", "cortex", "list", "--json", "--all-branches")
	var list struct {
		Memories []struct{ Title string }
	}
	if err := json.Unmarshal([]byte(want), &list); err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, m := range list.Memories {
		got[m.Title] = true
	}
	if diff := cmp.Diff(kept, got); diff != "" || len(list.Memories) != clones*rounds*2 {
		t.Errorf("%d memories (-kept +listed):\n%s", len(list.Memories), diff)
	}
	for _, c := range all {
		if diff := cmp.Diff(memoriesOf(t, want), memoriesOf(t, c.run("", "cortex", "list", "--json", "--all-branches"))); diff != "" {
			t.Errorf("clones differ:\n%s", diff)
		}
		c.run("", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
	}
	first.run("", "git", "-C", hub, "fsck", "--strict", "--no-dangling", "--no-progress")
}

// memoriesOf leaves out the view of a list: each clone has commits of its own.
func memoriesOf(t *testing.T, list string) any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		t.Fatal(err)
	}
	return all["memories"]
}

// syncNow syncs until no other clone was faster six times in a row.
func (c *checkout) syncNow() error {
	for try := range 10 {
		out, err := c.start("", "cortex", "sync", "--json", "--yes")
		if err == nil || !strings.Contains(err.Error(), "other clones kept pushing first") {
			if err != nil {
				return fmt.Errorf("%w%s", err, out)
			}
			return nil
		}
		if try > 3 && !testrun.Nightly() {
			return err
		}
	}
	return errors.New("others were faster sixty times")
}
