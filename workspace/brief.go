package workspace

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
	"github.com/git-cortex/cortex/workspace/internal/dependencies"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/trust"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/worktree"
)

// BriefOptions bound a briefing. The zero value has the budget of the team's
// policy.
type BriefOptions struct {
	View   ViewOptions
	Tokens int
	Bytes  int      // 0 means no limit
	Door   bool     // the short one that a session begins with
	Told   Told     // at which moments its agent is told more
	Task   bool     // that of a subagent, whatever else is asked for
	Read   string   // a text that its agent has read: what it names by id is not told again
	Said   []string // sentences that the briefing begins with, such as about what is not set up
}

// Told says at which moments of a session its agent is told of memories.
type Told struct{ Prompts, Calls bool }

// BriefingFile is the copy of the briefing in the working tree, which init
// keeps out of git.
const BriefingFile = ".claude/rules/cortex-briefing.md"

// briefSessions is how many of the newest session records a briefing reads.
const briefSessions = 8

// Brief packs the view into a briefing for an agent. Only landed memories and
// what was captured in this clone are in it.
func (w *Workspace) Brief(ctx context.Context, opt BriefOptions) (projection.Briefing, *View, error) {
	if opt.Task {
		return w.briefer.ofTask(ctx)
	}
	return w.briefer.brief(ctx, opt)
}

// ofTask packs the briefing of a subagent: the standing rules of the user, as far as they have room, and
// how to ask. It is empty where there is no rule.
func (b *briefer) ofTask(ctx context.Context) (projection.Briefing, *View, error) {
	v, err := b.views.View(ctx, ViewOptions{Soon: true})
	if err != nil {
		return projection.Briefing{}, nil, err
	}
	all := ownEntries(b.journal.Marks(ctx), v.Read(ctx, v.Items, false))
	rules := unmuted(Muted(ctx, b.repo), lists.Where(all, func(e Entry) bool { return e.Memory.Rule() }))
	in := projection.BriefInput{
		Door: true, Task: true, Fence: v.Fence(), Tuning: &b.tuning,
		Bytes: projection.HookBytes,
	}
	for i := range rules {
		in.Items = append(in.Items, v.BriefItem(&rules[i], nil, false))
	}
	return projection.Brief(in), v, nil
}

// briefer packs views into briefings.
type briefer struct {
	repo    *gitops.Repo
	tree    *worktree.Tree
	journal *journal.Journal
	views   *view.Reader
	policy  Config
	tuning  projection.Tuning
	trust   *trust.Rule // of the template; nil where there is no working tree
	notices *notices.List
	diary   *diary.Diary

	lookedAt func() time.Time // when somebody last looked at the groups of memories that say the same
}

func (b *briefer) brief(ctx context.Context, opt BriefOptions) (projection.Briefing, *View, error) {
	v, err := b.views.View(ctx, opt.View)
	if err != nil {
		return projection.Briefing{}, nil, err
	}
	marks := b.journal.Marks(ctx)
	muted := Muted(ctx, b.repo)
	entries := unmuted(muted, ownEntries(marks, v.Read(ctx, v.Items, false)))
	all := len(entries)
	if opt.Door {
		entries = view.InTurn(b.diary.Rests(opt.Told.Calls), entries)
	}
	said := saidHere(entries)
	numbers := projection.SessionNumbers(view.Memories(entries))
	then, past := v.Then()
	sessions := b.journal.Own(ctx, then.Time)
	records := lists.Map(sessions.AtHand(ctx, briefSessions), journal.Record.Whole)
	unused := sessions.Horizon(b.tuning.Unused)
	checked := view.Checked{Outdated: map[memory.ID]bool{}}
	var conflicts, others []string
	if opt.View == (ViewOptions{Soon: opt.View.Soon}) { // the working tree says nothing of another state
		checked = v.CheckCode(ctx, said)
		unmet := b.unmet(v, said, checked.Outdated)
		conflicts = slices.Concat(checked.Conflicts, b.drift(ctx, v, said, checked, records), unmet)
		others = b.diary.Told(muted)
	}
	layout, refused := "", ""
	if v.OfWorktree() {
		layout, refused = b.layout(ctx)
	}
	first := slices.Clone(opt.Said)
	if text := v.QuarantineText(); text != "" {
		first = append(first, text+".")
	}
	if refused != "" {
		first = append(first, refused)
	}
	in := projection.BriefInput{
		Branch: v.Branch, Door: opt.Door, Resting: all - len(entries), AtPrompts: opt.Told.Prompts,
		Tokens: cmp.Or(opt.Tokens, b.policy.BriefTokens), Bytes: opt.Bytes,
		Fence:     v.Fence(),
		Conflicts: slices.Concat(first, contradiction.Told(v.ContradictionsIn(said)), conflicts),
		Others:    others, Sessions: described(records, numbers), Tuning: &b.tuning, Layout: layout,
		Reverify: every(b.tuning.Reverify, len(numbers)),
	}
	if past {
		in.AsOf = then.Time.Format(time.DateOnly) + ", commit " + string(then.ID)[:7]
	} else if !opt.Door {
		in.Hint = b.hint(v, len(numbers))
	}
	in.Noted = b.noted(ctx, v, muted)
	in.Items = make([]projection.Item, len(entries))
	read := bracketed(opt.Read)
	for i := range entries {
		e := &entries[i]
		e.Unused = e.UnusedSince(unused)
		in.Items[i] = v.BriefItem(e, numbers, checked.Outdated[e.Memory.ID])
		in.Items[i].Number, in.Items[i].Read = i, read[e.Memory.ID.Short()]
	}
	in.Text = func(number int) string {
		m, ok := v.Catalog().MemoryOf(ctx, &entries[number].Item)
		if !ok {
			return "" // the title stands alone
		}
		return m.Text
	}
	out := projection.Brief(in)
	if out.Err != nil {
		b.notices.Add("%s/%v; the briefing has the layout of cortex until that is mended", TemplatesDir, out.Err)
	}
	return out, v, nil
}

// bracketed returns the parts of a text in round brackets, such as ids, and those between them.
func bracketed(text string) map[string]bool {
	return lists.Set(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("()", r) }))
}

// every reports whether a count is a multiple of a step; nothing is one of no step.
func every(step, count int) bool { return step > 0 && count > 0 && count%step == 0 }

// hint suggests to bring memories together, every few sessions while that is due.
func (b *briefer) hint(v *View, sessions int) string {
	if sessions%suggestEach != 1 {
		return ""
	}
	u := v.Unconsolidated(b.lookedAt(), b.policy.Consolidate)
	if u.Due < 2 {
		return ""
	}
	return fmt.Sprintf("%d memories are new since anybody looked which of the %d say the same: "+
		"when there is time, `cortex consolidate --json` has the groups and what to do.", u.New, u.All)
}

// ownEntries leaves out what came from a remote and has not landed.
func ownEntries(marks Marks, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.Received(marks) })
}

// noted is the plan of the branch that is a note, unless it is muted.
func (b *briefer) noted(ctx context.Context, v *View, muted []memory.ID) []*memory.Memory {
	plan := NotedPlan(ctx, b.journal, v)
	if slices.ContainsFunc(plan, func(m *memory.Memory) bool { return slices.Contains(muted, m.ID) }) {
		return nil
	}
	return plan
}

// unmuted leaves out what no session is told.
func unmuted(ids []memory.ID, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool { return slices.Contains(ids, e.Memory.ID) })
}

// saidHere puts those of entries ahead that somebody here said, and returns them: what was
// read elsewhere is in no conflict with anything.
func saidHere(entries []Entry) []Entry {
	read := lists.Where(entries, func(e Entry) bool { return e.Memory.Outside() })
	ahead := slices.DeleteFunc(entries, func(e Entry) bool { return e.Memory.Outside() })
	copy(entries[len(ahead):], read)
	return ahead
}

// suggestEach is after how many sessions a briefing suggests to bring memories together.
const suggestEach = 5

// described are sessions as a briefing shows them.
func described(records []*session.Session, numbers map[string]int) []projection.Session {
	return lists.Map(records, func(s *session.Session) projection.Session {
		return projection.Session{
			Number: numbers[s.ID], Agent: s.Agent, Branch: s.Branch, Ended: s.End, Title: s.Title,
		}
	})
}

// manifestsNamed is how many manifests are named that hold no dependency for what a memory is about.
const manifestsNamed = 3

// unmet says which memories in force are about a technology that no manifest of the working
// tree depends on, and marks them as outdated.
func (b *briefer) unmet(v *View, entries []Entry, outdated map[memory.ID]bool) (out []string) {
	table := dependencies.Builtin().With(b.policy.Dependencies)
	about := v.Sifted(entries, fmt.Sprint(table), func(m *memory.Memory) bool { return table.Mentioned(m.Title) })
	var manifests []string
	found := dependencies.Unmet(about, table, func() (names []string) {
		names, manifests = b.tree.Files().AllDependencies()
		return names
	})
	for _, c := range found {
		outdated[c.Memory.ID] = true
		out = append(out, fmt.Sprintf("%q (%s) is about %s, but nothing in %s depends on it.", c.Memory.Title,
			c.Memory.ID.Short(), c.Name, strings.Join(manifests[:min(manifestsNamed, len(manifests))], ", ")))
	}
	return out
}
