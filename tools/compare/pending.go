package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/transcripttest"
	"github.com/git-cortex/cortex/tools/scratch"
)

// aSession is how many memories one session leaves pending.
const aSession = 50

// besidePending measures commits and hooks beside memories that wait.
func (b *bench) besidePending(ctx context.Context, n int) error {
	works := []work{
		{name: "commit without hooks", do: commit("-c", "core.hooksPath="+os.DevNull)},
		{name: "commit, nothing lands", do: commit()},
		{name: "stop, nothing learned", do: func(ctx context.Context, r *scratch.Repository, serial int) (scratch.Cost, error) {
			s := newSession(r, fmt.Sprintf("idle-%d", serial))
			s.User("What is there?")
			return hook(ctx, r, "stop", s)
		}},
		{name: "stop, something done", do: func(ctx context.Context, r *scratch.Repository, serial int) (scratch.Cost, error) {
			s := newSession(r, fmt.Sprintf("done-%d", serial))
			s.User("What is there?")
			s.Agent("I added the retry to the reader, and fixed its tests. All is done.")
			return hook(ctx, r, "stop", s)
		}},
		{name: "session start", do: func(ctx context.Context, r *scratch.Repository, serial int) (scratch.Cost, error) {
			return hook(ctx, r, "session-start", newSession(r, fmt.Sprintf("start-%d", serial)))
		}},
		{name: "prompt", do: func(ctx context.Context, r *scratch.Repository, serial int) (scratch.Cost, error) {
			return hook(ctx, r, "user-prompt-submit", newSession(r, fmt.Sprintf("start-%d", serial)))
		}},
		{name: "search", do: searching("segment checksum rollback")},
	}
	group := fmt.Sprintf("%d pending", n)
	if !b.wanted(group, works) {
		return nil
	}
	places, done, err := b.places(ctx, func(r *scratch.Repository) error { return pend(ctx, r, n) })
	defer done()
	if err != nil {
		return err
	}
	return b.measure(ctx, group, n, places, works)
}

// pend makes a repository in which about n memories wait, and none lands any more: the branch has
// brought as many as it may.
func pend(ctx context.Context, r *scratch.Repository, n int) error {
	if err := setUp(ctx, r); err != nil {
		return err
	}
	words := makeCorpus(n)
	for serial := range n / aSession {
		s := newSession(r, fmt.Sprintf("round-%d", serial))
		s.User("What did we learn?")
		for i := range aSession {
			s.Agent(fmt.Sprintf("[MEMORY: decision] Use item %d of round %d for %s.", i, serial, words.sentence(40)))
		}
		if _, err := hook(ctx, r, "stop", s); err != nil {
			return err
		}
	}
	for range 5 {
		if _, err := commit()(ctx, r, 0); err != nil {
			return err
		}
	}
	err := r.Cortex(ctx, nil, nil, "reindex", "-q")
	time.Sleep(3 * time.Second) // until the times of files tell the hooks whether they change
	return err
}

// setUp gives a repository its first commit, and cortex.
func setUp(ctx context.Context, r *scratch.Repository) error {
	for _, args := range [][]string{
		{"git", "commit", "-q", "--allow-empty", "-m", "start"}, {r.Bin, "init", "-q"}, {"git", "add", "."}, {"git", "commit", "-q", "-m", "set up"},
	} {
		if err := r.Run(ctx, nil, nil, args[0], args[1:]...); err != nil {
			return err
		}
	}
	return nil
}

func commit(options ...string) func(context.Context, *scratch.Repository, int) (scratch.Cost, error) {
	args := append(options, "commit", "-q", "--allow-empty", "-m", "nothing lands")
	return func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
		return r.Measure(ctx, nil, nil, "git", args...)
	}
}

func newSession(r *scratch.Repository, id string) *transcripttest.Transcript {
	return &transcripttest.Transcript{Session: id, Root: r.Dir, At: time.Now().Add(-time.Hour), Step: time.Second}
}

// hook calls a hook as an agent does, with what its session said so far.
func hook(ctx context.Context, r *scratch.Repository, event string, s *transcripttest.Transcript) (scratch.Cost, error) {
	path := filepath.Join(filepath.Dir(r.Dir), s.Session+".jsonl")
	if err := os.WriteFile(path, s.Bytes(), 0o666); err != nil {
		return scratch.Cost{}, fmt.Errorf("writing a session: %w", err)
	}
	payload, err := json.Marshal(map[string]string{
		"session_id": s.Session, "transcript_path": path, "cwd": r.Dir, "source": "startup", "prompt": "Why does the reader lock?",
		"hook_event_name": strings.ReplaceAll(event, "-", ""),
	})
	if err != nil {
		return scratch.Cost{}, fmt.Errorf("writing what an agent says: %w", err)
	}
	return r.Measure(ctx, bytes.NewReader(payload), nil, r.Bin, "hook", event)
}

func searching(words string) func(context.Context, *scratch.Repository, int) (scratch.Cost, error) {
	return func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
		return r.Measure(ctx, nil, nil, r.Bin, append([]string{"search"}, strings.Fields(words)...)...)
	}
}
