package agents

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// When a guess folds: below which confidence, and how many sessions must have been
// recorded since. On labelled chains of sessions such a memory hardly ever held what a
// session after the next five needed.
const (
	weakBelow    = 0.60
	weakSessions = 5
)

// foldGuesses folds what capture only guessed, by a pattern or by its place in a document,
// with little confidence, once five sessions that began after it was found are on record
// and nobody recalled, edited, pinned, curated or looked at it, nor said it again. It goes
// where [FoldOld] puts what waited for thirty days. It returns how many were folded.
//
// It looks at the sessions that began last, those that were received from a remote left
// out: their clone folds them. read are records that were read already.
func foldGuesses(ctx context.Context, w *workspace.Workspace, read *records) (int, error) {
	snap, err := w.Journal(ctx)
	if err != nil {
		return 0, err
	}
	sessions, err := read.latest(ctx, w, snap)
	if err != nil {
		return 0, err
	}
	weak, began := guessesIn(sessions)
	if len(weak) == 0 {
		return 0, nil
	}
	entries, err := snap.List(ctx, "pending")
	if err != nil || !slices.ContainsFunc(entries, func(e gitops.Entry) bool { return weak[shortIn(e.Path)] }) {
		return 0, err // most have landed or are folded
	}
	return foldWith(ctx, w, "that were guessed and not used", func(snap *gitops.Snapshot, c *gitops.Change) (int, error) {
		used, err := usedSince(ctx, snap, time.Time{})
		if err != nil {
			return 0, err
		}
		return foldInto(ctx, snap, c, func(e gitops.Entry) bool { return weak[shortIn(e.Path)] },
			func(m *memory.Memory) bool {
				return m.Confidence < weakBelow && guess(session.Layer(m.Source.Layer)) && !used[m.ID] && !reliedOn(m) &&
					begunAfter(began, m.Created) >= weakSessions // a session may have gone on for weeks
			}, (*session.Session).DecidedOn)
	})
}

// guessesIn are the short ids of the weak findings of the sessions after which enough others
// began, and when all of them began; sessions are in order, the latest first.
func guessesIn(sessions []*session.Session) (weak map[string]bool, began []time.Time) {
	for _, s := range sessions {
		if !strings.Contains(s.ID, "/") { // a subagent's is part of its session
			began = append(began, s.Start)
		}
	}
	weak = map[string]bool{}
	for _, s := range sessions {
		if s.Start.IsZero() || begunAfter(began, s.Start) < weakSessions {
			continue
		}
		for _, f := range s.Found {
			if f.ID != "" && f.Confidence < weakBelow && guess(f.Layer) && !s.DecidedOn(f.ID) {
				weak[f.ID.Short()] = true
			}
		}
	}
	return weak, began
}

// begunAfter is how many of these times, the latest first, are later than another.
func begunAfter(began []time.Time, at time.Time) int {
	n, _ := slices.BinarySearchFunc(began, at, func(have, at time.Time) int { return at.Compare(have) })
	return n
}

// guess reports whether what a layer says is a guess of capture.
func guess(l session.Layer) bool { return l == session.LayerPattern || l == session.LayerStructure }

// shortIn is the short id that ends the name of a memory file.
func shortIn(path string) string {
	path = strings.TrimSuffix(path, ".md")
	return path[strings.LastIndexByte(path, '-')+1:]
}

// foldOutlived folds what the sessions before this one guessed and nobody needs, when one is
// on record for the first time. Its errors are for the log.
func (x *capturer) foldOutlived(ctx context.Context, first bool, out *Captured) {
	if !first {
		return
	}
	told, err := x.foldDuplicates(ctx, out)
	if err != nil {
		x.w.Notice("folding what others tell better: %v", err)
	}
	weak, err := foldGuesses(ctx, x.w, &out.records)
	if err != nil {
		x.w.Notice("folding what was guessed and not used: %v", err)
	}
	if n := told + weak; n > 0 {
		x.w.Diary.Note(ctx, "folded %s into session records", workspace.CountMemories(n))
	}
}
