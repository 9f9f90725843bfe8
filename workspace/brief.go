package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
	"github.com/git-cortex/cortex/workspace/internal/dependencies"
	"github.com/git-cortex/cortex/workspace/internal/manifest"
	"github.com/git-cortex/cortex/workspace/internal/trust"
)

// BriefOptions bound a briefing. The zero value has the budget of the team's
// policy.
type BriefOptions struct {
	View   ViewOptions
	Tokens int
	Bytes  int      // 0 means no limit
	Fence  string   // "" derives one from the view
	Said   []string // sentences that the briefing begins with, such as about what is not set up
}

// BriefingFile is the copy of the briefing in the working tree, which init
// keeps out of git.
const BriefingFile = ".claude/rules/cortex-briefing.md"

// briefSessions is how many of the newest session records a briefing reads.
const briefSessions = 8

// Brief packs the view into a briefing for an agent. Only landed memories and
// what was captured in this clone are in it.
func (w *Workspace) Brief(ctx context.Context, opt BriefOptions) (projection.Briefing, *View, error) {
	return w.briefer.brief(ctx, opt)
}

// briefer packs views into briefings.
type briefer struct {
	tree    *worktree
	journal *journal
	views   *viewer
	tokens  int // of a briefing whose caller names no budget
	tuning  projection.Tuning
	trust   *trust.Rule // of the template; nil where there is no working tree
	notices *notices

	dependencies map[string][]string // of the policy
	triggers     ConsolidateTriggers
	lookedAt     func() time.Time
}

func (b *briefer) brief(ctx context.Context, opt BriefOptions) (projection.Briefing, *View, error) {
	v, err := b.views.view(ctx, opt.View)
	if err != nil {
		return projection.Briefing{}, nil, err
	}
	marks := b.journal.marks(ctx)
	entries := ownEntries(marks, v.entries(ctx, v.Items, false))
	said := saidHere(entries)
	numbers := projection.SessionNumbers(memoriesOf(entries))
	then, past := v.Then()
	records := b.journal.recentSessions(ctx, marks, then.Time)
	conflicts, outdated := []string(nil), map[memory.ID]bool{}
	if opt.View == (ViewOptions{Soon: opt.View.Soon}) { // the working tree says nothing of another state
		var stale []int
		conflicts, outdated, stale = v.code.realityChecks(ctx, said)
		conflicts = append(b.unmet(v.code.files, said, outdated), conflicts...)
		conflicts = append(conflicts, b.drift(ctx, v, said, stale, records)...)
	}
	conflicts = append(contradiction.Told(contradictions(said, v.vouches())), conflicts...)
	var layout string
	if v.rev == "" {
		var refused string
		if layout, refused = b.layout(ctx); refused != "" {
			conflicts = append([]string{refused}, conflicts...)
		}
	}
	if said := v.QuarantineText(); said != "" {
		conflicts = append([]string{said + "."}, conflicts...)
	}
	conflicts = slices.Concat(opt.Said, conflicts)
	in := projection.BriefInput{
		Branch: v.Branch, Conflicts: conflicts, Tokens: opt.Tokens, Bytes: opt.Bytes, Fence: memory.NewFence(opt.Fence),
	}
	in.Sessions = described(records, numbers)
	if past {
		in.AsOf = then.Time.Format(time.DateOnly) + ", commit " + string(then.ID)[:7]
	}
	if in.Tokens == 0 {
		in.Tokens = b.tokens
	}
	if opt.Fence == "" {
		in.Fence = v.Fence()
	}
	in.Tuning = &b.tuning
	in.Reverify = b.tuning.Reverify > 0 && len(numbers) > 0 && len(numbers)%b.tuning.Reverify == 0
	if !past && len(numbers)%suggestEach == 1 {
		if u := v.unconsolidated(b.lookedAt(), b.triggers); u.Due == 2 {
			in.Hint = fmt.Sprintf("%d memories are new since anybody looked which of the %d say the same: when there is time, `cortex consolidate --json` has the groups and what to do.", u.New, u.All)
		}
	}
	in.Items = make([]projection.Item, len(entries))
	for i := range entries {
		in.Items[i] = v.BriefItem(&entries[i], numbers, outdated[entries[i].Memory.ID])
		in.Items[i].Number = i
	}
	in.Text = func(number int) string {
		m, ok := v.catalog.MemoryOf(ctx, &entries[number].Item)
		if !ok {
			return "" // the title stands alone
		}
		return m.Text
	}
	in.Layout = layout
	out := projection.Brief(in)
	if out.Err != nil {
		b.notices.add("%s/%v; the briefing has the layout of cortex until that is mended", TemplatesDir, out.Err)
	}
	return out, v, nil
}

// saidHere puts those of entries ahead that somebody here said, and returns them: what was
// read elsewhere is in no conflict with anything.
func saidHere(entries []Entry) []Entry {
	ahead := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Memory.Outside() })
	read := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return !e.Memory.Outside() })
	copy(entries[copy(entries, ahead):], read)
	return entries[:len(ahead)]
}

// suggestEach is after how many sessions a briefing suggests to bring memories together.
const suggestEach = 5

// BriefItem returns a memory of the view as texts for agents show it. numbers are
// those of [projection.SessionNumbers].
func (v *View) BriefItem(e *Entry, numbers map[string]int, outdated bool) projection.Item {
	stage := string(e.Stage)
	if e.Gone() {
		stage = "branch-gone"
	}
	return projection.Item{
		Memory: e.Memory, Effective: e.Effective, Status: e.Status, Stage: stage, Recalls: e.Recalls, Recalled: e.Recalled,
		Centrality: e.Centrality, Session: numbers[e.Memory.Source.Session],
		SameBranch: e.Memory.Source.Branch != "" && e.Memory.Source.Branch == v.Branch,
		Stale:      e.Stale, Outdated: outdated,
	}
}

// Fence is around the memories of v: its word is a hash over all of them.
func (v *View) Fence() memory.Fence {
	return memory.FenceOver(func(yield func(string) bool) {
		for _, it := range v.Items {
			if !yield(string(it.Blob)) {
				return
			}
		}
	})
}

// recentSessions reads the newest session records of this clone's own that ended before
// a time; the zero time is now.
func (j *journal) recentSessions(ctx context.Context, marks Marks, before time.Time) []*session.Session {
	most := briefSessions + len(marks)
	if !before.IsZero() {
		most = maxSessions
	}
	out := slices.DeleteFunc(j.sessionsAtHand(ctx, most), func(s *session.Session) bool {
		return marks.Record(s.Path()) || !before.IsZero() && s.End.After(before)
	})
	return out[:min(len(out), briefSessions)]
}

// described are sessions as a briefing shows them.
func described(records []*session.Session, numbers map[string]int) []projection.Session {
	var out []projection.Session
	for _, s := range records {
		out = append(out, projection.Session{Number: numbers[s.ID], Agent: s.Agent, Branch: s.Branch, Ended: s.End, Title: s.Title})
	}
	return out
}

// maxUnmet bounds how many choices a briefing names that no dependency is for.
const maxUnmet = 3

// unmet says which decisions in force chose a technology that no manifest of the working
// tree depends on, and marks them as outdated.
func (b *briefer) unmet(files Folder, entries []Entry, outdated map[memory.ID]bool) []string {
	var live []*memory.Memory
	for i := range entries {
		if e := &entries[i]; e.Status == memory.StatusActive && e.Stage != index.Global && decides(e.Memory.Type) {
			live = append(live, e.Memory)
		}
	}
	found := dependencies.Unmet(live, dependencies.Builtin().With(b.dependencies), files.AllDependencies)
	if len(found) == 0 {
		return nil
	}
	there := slices.DeleteFunc(manifest.Files(), func(name string) bool { return !files.Exists(name) })
	var out []string
	for i, c := range found {
		outdated[c.Memory.ID] = true
		if i < maxUnmet {
			out = append(out, fmt.Sprintf("%q (%s) chose %s, but nothing in %s depends on it.", c.Memory.Title, c.Memory.ID.Short(), c.Name, strings.Join(there, ", ")))
		}
	}
	if more := len(found) - maxUnmet; more > 0 {
		out = append(out, fmt.Sprintf("%d more decisions chose what nothing depends on.", more))
	}
	return out
}

// maxChecked bounds how many memories the reality checks look at.
const maxChecked = 400

// realityChecks compares the weightiest memories with the working tree:
// files that are gone, anchored code that changed. It marks entries as stale
// and returns what to say first, which memories are contradicted, and which are stale, the
// weightiest first.
func (c *code) realityChecks(ctx context.Context, entries []Entry) (conflicts []string, outdated map[memory.ID]bool, stale []int) {
	outdated = map[memory.ID]bool{}
	if c.files.Root == "" {
		return nil, outdated, nil
	}
	order := make([]int, 0, len(entries))
	for i, e := range entries {
		if len(e.Memory.Anchors)+len(e.Memory.Triggers) > 0 && e.Status == memory.StatusActive {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return int((entries[b].Prior - entries[a].Prior) * 1e6)
	})
	order = order[:min(len(order), maxChecked)]
	about := make([]*memory.Memory, len(order))
	for i, at := range order {
		about[i] = entries[at].Memory
	}
	c.moves.Learn(ctx, about...)
	for _, i := range order {
		e := &entries[i]
		for _, a := range e.Memory.Anchors {
			if _, ok := c.moves.Place(a.Path); !ok {
				outdated[e.Memory.ID] = true
				conflicts = append(conflicts, fmt.Sprintf("%s is gone, but %q (%s) is about it.", a.Path, e.Memory.Title, e.Memory.ID.Short()))
				break
			}
		}
		if e.Stale = !outdated[e.Memory.ID] && slices.ContainsFunc(e.Memory.Anchors, c.differs); e.Stale {
			stale = append(stale, i)
		}
	}
	c.known.Keep()
	if len(conflicts) > 5 {
		conflicts = append(conflicts[:5], fmt.Sprintf("%d more memories name files that are gone.", len(conflicts)-5))
	}
	return conflicts, outdated, stale
}
