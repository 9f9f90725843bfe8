package answer

import (
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/guards"
	"github.com/git-cortex/cortex/workspace/review"
	"github.com/git-cortex/cortex/workspace/settings"
)

// list returns s, or an empty list for none: never null.
func list[T any](s []T) []T {
	return append([]T{}, s...)
}

// Brief is a briefing and the view it is about.
type Brief struct {
	Left   int                 `json:"left"`  // memories for which there was no room
	Shown  []memory.ID         `json:"shown"` // their ids
	Text   string              `json:"text"`
	Tokens int                 `json:"tokens"`
	View   workspace.ViewShape `json:"view"`
}

// NewBrief returns b as it is shown.
func NewBrief(b projection.Briefing, v *workspace.View) Brief {
	return Brief{Left: b.Left, Shown: list(b.Shown), Text: b.Text, Tokens: b.Tokens, View: v.Shape()}
}

// Listing has the members that [WriteList] writes beside the memories: the view, the
// files in it that are no memories, and the id of the last memory if more follow.
type Listing struct {
	Next     memory.ID           `json:"next,omitempty"`
	Problems []index.Problem     `json:"problems"`
	View     workspace.ViewShape `json:"view"`
}

// NewListing returns what is said of a view whose memories are listed as far as next,
// "" for all of them.
func NewListing(v *workspace.View, next memory.ID) Listing {
	return Listing{Next: next, Problems: list(v.Problems), View: v.Shape()}
}

// Conflict is a memory file in which git left conflict markers.
type Conflict struct {
	Conflict sides     `json:"conflict"`
	ID       memory.ID `json:"id"`
	Line     int       `json:"line"`
	Path     string    `json:"path"`
}

type sides struct {
	Ours       workspace.Entry `json:"ours"`
	OursName   string          `json:"ours_name"`
	Theirs     workspace.Entry `json:"theirs"`
	TheirsName string          `json:"theirs_name"`
}

// NewConflict returns c as it is shown.
func NewConflict(c *workspace.Conflicted) Conflict {
	return Conflict{
		Conflict: sides{Ours: c.Ours, OursName: c.OursName, Theirs: c.Theirs, TheirsName: c.TheirsName},
		ID:       c.Ours.Memory.ID, Line: c.Line, Path: c.Path,
	}
}

// Forgotten is a memory that was removed, and where a copy is.
type Forgotten struct {
	Forgotten workspace.Entry `json:"forgotten"`
	Kept      string          `json:"kept"`
}

// NewForgotten returns f as it is shown.
func NewForgotten(f workspace.Forgotten) Forgotten {
	return Forgotten{Forgotten: f.Entry, Kept: f.Kept}
}

// Restored is a memory that was brought back, and where it was found.
type Restored struct {
	From     string          `json:"from"`
	Restored workspace.Entry `json:"restored"`
}

// NewRestored returns r as it is shown.
func NewRestored(r review.Restored) Restored { return Restored{From: r.From, Restored: r.Entry} }

// Muted are memories that were muted, are told again, or are muted in this clone.
type Muted struct {
	Muted []workspace.Entry `json:"muted"`
}

// Guards are guards, and how often they would have spoken in past sessions, where that was tried.
type Guards struct {
	Guards []guards.Kept `json:"guards"`
	Trial  *guards.Trial `json:"trial,omitempty"`
}

// Dismissed are the memories that were rejected or forgotten.
type Dismissed struct {
	Dismissed []dismissed `json:"dismissed"`
}

type dismissed struct {
	ID    memory.ID   `json:"id"`
	Type  memory.Type `json:"type"`
	Title string      `json:"title"`
}

// NewDismissed returns memories as they are shown.
func NewDismissed(memories []*memory.Memory) Dismissed {
	out := Dismissed{Dismissed: []dismissed{}}
	for _, m := range memories {
		out.Dismissed = append(out.Dismissed, dismissed{m.ID, m.Type, m.Title})
	}
	return out
}

// Log is the history of memories, and the one that it was asked of, if any.
type Log struct {
	Commits []explore.LogEntry `json:"commits"`
	Memory  *workspace.Entry   `json:"memory,omitempty"`
}

// NewLog returns commits as they are shown. The memory may be nil.
func NewLog(commits []explore.LogEntry, of *workspace.Entry) Log {
	return Log{Commits: list(commits), Memory: of}
}

// Review lists the memories that wait for review, and the branches that are gone but
// have memories waiting for them.
type Review struct {
	Memories     []review.Item          `json:"memories"`
	GoneBranches []workspace.GoneBranch `json:"strays"`
	View         workspace.ViewShape    `json:"view"`
}

// NewReview returns what waits as it is shown.
func NewReview(items []review.Item, gone []workspace.GoneBranch, v *workspace.View) Review {
	return Review{Memories: list(items), GoneBranches: list(gone), View: v.Shape()}
}

// Settings are all settings of a clone.
type Settings struct {
	Settings []settings.Setting `json:"settings"`
}
