package agents

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// Ending is the end of an answer or of a session, in the state that a hook found its
// files in. Agents report ends at which nothing new was said: one that two hooks of
// the same program are told of, the end of a session after its last answer. Such a one is
// answered without git and without a project being opened. The zero Ending is never
// answered already.
type Ending struct {
	place hookstate.Place
	state string
	read  func() string // the state by now
	now   func() time.Time
}

// EndingOf returns the ending that an event in a folder reports: the zero one for
// other events, and where the files do not tell all that it depends on.
func EndingOf(dir, event string, p HookPayload, environ []string, now func() time.Time) Ending {
	if !reportsEnd(event, p) {
		return Ending{}
	}
	place, ok := hookstate.Find(dir)
	if !ok {
		return Ending{}
	}
	e := Ending{place: place, now: now}
	e.read = func() string { return stateAt(place, p, environ, now()) }
	e.state = e.read()
	return e
}

// reportsEnd reports whether an event is the end of an answer or of a session, of which the
// transcript is complete.
func reportsEnd(event string, p HookPayload) bool {
	if !slices.Contains([]string{"stop", "session-end"}, event) {
		return false
	}
	return p.SessionID != "" && filepath.IsAbs(p.TranscriptPath) && !EndsLate(event, p)
}

// stateAt is the state of the files that an ending depends on; "" where memories of other
// branches are due to be brought together, so that it is not answered already.
func stateAt(place hookstate.Place, p HookPayload, environ []string, now time.Time) string {
	mark := filepath.Join(place.Common, "cortex", foldMark)
	if _, err := os.Stat(mark); err != nil || foldDue(mark, now) {
		return ""
	}
	files := append([]string{p.TranscriptPath}, transcript.Subagents(p.TranscriptPath)...)
	return place.Reading(environ, files, p.Agent, p.SessionID, p.TranscriptPath, p.Cwd, p.LastMessage)
}

// Answered reports whether this ending was answered before, in the same state, and
// changed nothing.
func (e Ending) Answered() bool { return e.place.Unchanged(e.state) }

// Beat notes in the diary that the hook ran, and that nothing was new: so it ended.
func (e Ending) Beat(ctx context.Context, event string, took time.Duration) Outcome {
	o := Outcome{Kind: outcome.Nothing}
	e.place.Diary(e.now).Beat(ctx, event, took, o)
	return o
}

// KeepAnswered notes that an ending was answered, with nothing for a person to know, if the
// transcript was read and that changed nothing. W is the project that was opened for it.
func (e Ending) KeepAnswered(w *workspace.Workspace, o Outcome) {
	isOurs := e.state != "" && e.place == placeOf(w)
	if isOurs && o.Settles() && e.read() == e.state {
		e.place.KeepUnchanged(e.state)
	}
}

func placeOf(w *workspace.Workspace) hookstate.Place {
	return hookstate.Place{Worktree: w.Repo.Worktree()}
}

// Beat notes in the diary of an opened project how a hook ended, but where nobody set
// cortex up. Where git did not say whether somebody did, files that need no git do.
func Beat(ctx context.Context, w *workspace.Workspace, event string, took time.Duration, o Outcome) {
	if o.Kind != outcome.Unknown || placeOf(w).SetUp() {
		w.Diary.Beat(ctx, event, took, o)
	}
}

// BeatClosed notes in the diary of the clone that dir is in how a hook ended which began
// at a time and could not open the project. It writes only where `cortex init` was run, and
// needs no git.
func BeatClosed(ctx context.Context, dir, event string, start time.Time, now func() time.Time, o Outcome) {
	place, ok := hookstate.Find(dir)
	if !ok || !place.SetUp() {
		return
	}
	place.Diary(now).Beat(ctx, event, now().Sub(start), o)
}
