package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/tools/scratch"
)

// starts measures a program that does nothing.
func (b *bench) starts(ctx context.Context) error {
	works := []work{{name: "--version", do: func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
		return r.Measure(ctx, nil, nil, r.Bin, "--version")
	}}}
	if !b.wanted("start", works) {
		return nil
	}
	places, done, err := b.places(ctx, func(*scratch.Repository) error { return nil })
	defer done()
	if err != nil {
		return err
	}
	return b.measure(ctx, "start", 0, places, works)
}

// merges measures a merge of two branches that bring n memories each and changed a tenth of what
// was there, with the drivers and hooks of cortex and without.
func (b *bench) merges(ctx context.Context, n int) error {
	merge := func(plain bool) func(context.Context, *scratch.Repository, int) (scratch.Cost, error) {
		return func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
			args := []string{"merge", "-q", "-m", "both", "theirs"}
			if plain {
				args = append([]string{"-c", "core.hooksPath=" + os.DevNull, "-c", "core.attributesFile=" + os.DevNull, "-C", "../plain"}, args...)
			}
			cost, err := r.Measure(ctx, nil, nil, "git", args...)
			if err != nil {
				return cost, err
			}
			reset := []string{"reset", "-q", "--hard", "HEAD~1"}
			if plain {
				reset = append([]string{"-C", "../plain"}, reset...)
			}
			return cost, r.Run(ctx, nil, nil, "git", append([]string{"-c", "core.hooksPath=" + os.DevNull}, reset...)...)
		}
	}
	works := []work{{name: "merge by git alone", do: merge(true)}, {name: "merge with drivers and hooks", do: merge(false)}}
	group := fmt.Sprintf("%d memories on each branch", n)
	if n == 0 || !b.wanted(group, works) {
		return nil
	}
	places, done, err := b.places(ctx, func(r *scratch.Repository) error { return branches(ctx, r, n) })
	defer done()
	if err != nil {
		return err
	}
	return b.measure(ctx, group, 0, places, works)
}

// branches makes the branches ours and theirs, and a clone in which cortex is not set up.
func branches(ctx context.Context, r *scratch.Repository, n int) error {
	if err := land(ctx, r, makeCorpus(n)); err != nil {
		return err
	}
	for i, branch := range []string{"theirs", "ours"} {
		if err := r.Run(ctx, nil, nil, "git", "checkout", "-q", "-b", branch, "main"); err != nil {
			return err
		}
		if err := change(r, i == 0); err != nil {
			return err
		}
		if err := partOfCorpus((i+1)*n, (i+2)*n).imported(ctx, r); err != nil {
			return err
		}
		if err := commitAll(ctx, r); err != nil {
			return err
		}
	}
	if err := r.Run(ctx, nil, nil, "git", "clone", "-q", r.Dir, "../plain"); err != nil {
		return err
	}
	return r.Run(ctx, nil, nil, "git", "-C", "../plain", "branch", "-q", "theirs", "origin/theirs")
}

// change gives a tenth of the memories a tag, or another sentence.
func change(r *scratch.Repository, tag bool) error {
	serial := 0
	err := filepath.WalkDir(filepath.Join(r.Dir, ".cortex", "memories"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if serial++; serial%10 != 0 {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if tag {
			data = bytes.Replace(data, []byte("\ncreated: "), []byte("\ntags: [merged]\ncreated: "), 1)
		} else {
			data = append(data, "\nA sentence more.\n"...)
		}
		return os.WriteFile(path, data, 0o666)
	})
	if err != nil {
		return fmt.Errorf("changing memories: %w", err)
	}
	return nil
}

// backfills measures the reading of sessions that took place before, and of the same again.
func (b *bench) backfills(ctx context.Context, n int) error {
	fill := func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
		return r.Measure(ctx, nil, nil, r.Bin, "backfill", "-q", "../sessions")
	}
	works := []work{{name: "backfill", do: fill, once: true}, {name: "backfill again", do: fill}}
	group := fmt.Sprintf("%d earlier sessions", n)
	if n == 0 || !b.wanted(group, works) {
		return nil
	}
	places, done, err := b.places(ctx, func(r *scratch.Repository) error {
		if err := setUp(ctx, r); err != nil {
			return err
		}
		return writeSessions(r, n)
	})
	defer done()
	if err != nil {
		return err
	}
	size, err := folderBytes(places[0].Dir, "..", "sessions")
	if err != nil {
		return err
	}
	return b.measure(ctx, fmt.Sprintf("%s, %.1f MB", group, float64(size)/1e6), 0, places, works)
}

// writeSessions writes sessions of some 600 KB: every third teaches something, and most of each is
// what tools printed, as in real ones.
func writeSessions(r *scratch.Repository, n int) error {
	dir := filepath.Join(filepath.Dir(r.Dir), "sessions")
	if err := os.Mkdir(dir, 0o777); err != nil {
		return fmt.Errorf("making a scratch folder: %w", err)
	}
	words := makeCorpus(1)
	words.rand = rand.New(rand.NewPCG(3, uint64(n)))
	for i := range n {
		s := newSession(r, fmt.Sprintf("earlier-%d", i))
		for turn := range 60 {
			s.User("Now the part about " + words.sentence(8) + ".")
			s.Agent("Next I look at " + words.sentence(30) + ". Then " + words.sentence(20) + ".")
			s.Run("go test ./"+words.sentence(1)+"/...", strings.Repeat("ok  tidewatch/"+words.sentence(1)+"  0.021s\n"+words.sentence(12)+"\n", 30))
			s.Create(fmt.Sprintf("part%d/%d.go", i%7, turn), "package part\n// "+words.sentence(120)+"\n")
			if i%3 == 0 && turn%20 == 0 {
				s.Agent("[MEMORY: decision] Use " + words.sentence(4) + " because " + words.sentence(12) + ".")
			}
		}
		if err := os.WriteFile(filepath.Join(dir, s.Session+".jsonl"), s.Bytes(), 0o666); err != nil {
			return fmt.Errorf("writing a session: %w", err)
		}
	}
	return nil
}
