package workspace

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/pages"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// Status is how a clone stands. As JSON it has the shape of
// docs/json.md.
type Status struct {
	Root      string `json:"root"`
	Branch    string `json:"branch"`
	Enabled   bool   `json:"enabled"`
	Tier      Tier   `json:"tier"`
	Land      string `json:"-"` // the policy: commit, branch or manual
	Landed    int    `json:"landed"`
	Pending   int    `json:"pending"`
	Global    int    `json:"global"`
	Elsewhere int    `json:"pending_elsewhere"` // on other branches
	Backlog   int    `json:"pending_backlog"`   // of those of the view, learned on other branches
	Lands     int    `json:"pending_lands"`     // of those of the view, with the next commit
	Full      bool   `json:"full"`              // no more of them land by themselves now: cortex review
	Gone      int    `json:"pending_gone"`      // of those of the view, for branches that are gone
	Stray     int    `json:"pending_stray"`     // for branches that are gone, and settled nowhere
	Received  int    `json:"received"`          // pending ones that came from a remote
	// of the pending ones of the view, those that wait by whose words they hold
	Unsaid hearsay.Unsaid `json:"unsaid"`
	// of the landed ones, those that came with a branch that is not trusted
	Untrusted int                   `json:"quarantined"`
	Unsent    map[string]int        `json:"unsent"` // changed files of the journal, by remote, as last seen
	Sessions  int                   `json:"sessions"`
	Skipped   []journal.Skipped     `json:"skipped"` // what could not be read of the latest sessions, by agent
	Index     IndexStatus           `json:"index"`
	Hooks     map[string]bool       `json:"hooks"`
	HooksBy   string                `json:"hooks_by"` // "config" or "script": how git calls cortex, or would
	Drivers   map[string]bool       `json:"drivers"`
	Heartbeat map[string]diary.Beat `json:"heartbeat"`
	// nil where no command reads worksheets and nothing waits for one; the caller fills it in
	Curation *CurationStatus `json:"curation,omitempty"`
	Similar  Unconsolidated  `json:"similar"`
	Unused   int             `json:"unused"`            // that the latest sessions did not use; the caller fills it in
	Overdue  []Overdue       `json:"overdue,omitempty"` // the caller fills it in
	Problems []string        `json:"problems"`          // what a person should look at
}

// addLanding counts what lands with the next commit, as far as that can be told.
func (s *Status) addLanding(ctx context.Context, w *Workspace) {
	v, err := w.View(ctx, ViewOptions{})
	if err != nil {
		return
	}
	next, _ := w.LandsNext(ctx, v)
	s.Lands = len(lists.Where(slices.Collect(maps.Values(next.Lands)), func(now bool) bool { return now }))
}

// Overdue says how much of something a clone keeps for longer than the team's settings want.
type Overdue struct {
	What  string  `json:"what"` // pending memories, notes, session records or snapshots
	Count int     `json:"count"`
	Days  float64 `json:"days"` // of the setting
}

// Tier says how much of the program a clone uses. Level, Name, Beyond and the part mcp
// are for the caller to fill in.
type Tier struct {
	Level  int             `json:"level"`            // 0 to 3
	Name   string          `json:"name"`             // of the level
	Parts  map[string]bool `json:"parts"`            // index, vectors, anticipation, mcp, pages: which of them work
	Beyond []string        `json:"beyond,omitempty"` // parts of higher levels that work
}

// CurationStatus says what waits for wording, how many worksheets the command that reads them
// was given, and how many it may be given in a day.
type CurationStatus struct {
	Command string `json:"command"` // "" where none reads worksheets by itself
	Waiting int    `json:"waiting"` // of the latest hundred sessions, those with something that no reader has seen
	Tokens  int    `json:"tokens"`  // of the worksheets of this day
	Today   int    `json:"today"`   // worksheets within the last day
	Daily   int    `json:"daily"`   // and how many there may be
	Last    string `json:"last"`    // when the last one was; "" for never
}

// IndexStatus is how the search index stands.
type IndexStatus struct {
	State string `json:"state"`
	Docs  int    `json:"docs"`
}

// Status reads how the clone stands. Whatever cannot be read becomes a line in
// Problems.
func (w *Workspace) Status(ctx context.Context, binary gitops.Binary) (*Status, error) {
	enabled, untold := w.Enabled(ctx)
	s := &Status{
		Root: w.Repo.Root, Branch: w.Repo.Topic, Enabled: enabled, Land: w.Config.Land,
		Tier:  Tier{Parts: map[string]bool{"vectors": false, "mcp": false}},
		Hooks: map[string]bool{}, Drivers: map[string]bool{}, Heartbeat: w.Diary.Heartbeat(),
		Problems: []string{}, Unsent: map[string]int{},
	}
	if untold != nil {
		s.Problems = append(s.Problems, fmt.Sprintf("it cannot be told whether cortex is set up: %v", untold))
	}
	v, err := w.View(ctx, ViewOptions{AllBranches: true, Unreviewed: true})
	if err != nil {
		return nil, err
	}
	lore := w.lander.views.Lore(ctx)
	s.addView(ctx, v, lore)
	s.Similar = w.Unconsolidated(v)
	if s.Pending+s.Elsewhere > 0 {
		s.addStrays(ctx, w.Views)
		s.Full = w.lander.full(ctx, lore)
		s.addLanding(ctx, w)
	}
	s.failed(s.addRemotes(ctx, w))
	s.addSessions(ctx, w.Journal)
	s.addTier(ctx, w)
	s.addSetup(ctx, w.Repo, w.Config, binary)
	s.Problems = append(s.Problems, w.HookTroubles(false)...)
	edited, remedy := pages.EditedSurfaces(w.tree.Files())
	s.Problems = append(s.Problems,
		lists.Map(edited, func(f pages.Surface) string { return f.Says() + ": " + remedy })...)
	s.Problems = append(s.Problems, w.TakeNotices()...)
	return s, nil
}

// failed notes what could not be read.
func (s *Status) failed(err error) {
	if err != nil {
		s.Problems = append(s.Problems, err.Error())
	}
}

// addView counts the memories of a view, each once, where it is nearest.
func (s *Status) addView(ctx context.Context, v *View, lore *view.Lore) {
	s.Landed, s.Global, s.Untrusted = v.Count(index.Landed), v.Count(index.Global), len(v.Quarantine())
	if said := v.QuarantineText(); said != "" {
		s.Problems = append(s.Problems, said)
	}
	for _, it := range v.Items {
		if it.Stage != index.Pending {
			continue
		}
		if it.Far == view.FarElsewhere {
			s.Elsewhere++
			continue
		}
		s.Pending++
		if it.Far == view.FarGone {
			s.Gone++
		}
		if m, ok := v.Catalog().HeadOf(ctx, &it); ok {
			s.Unsaid.Add(m)
			if !lore.Taught(m) {
				s.Backlog++
			}
		}
	}
	s.Problems = append(s.Problems, v.ProblemTexts()...)
}

func (s *Status) addSessions(ctx context.Context, j *journal.Journal) {
	s.Sessions, s.Skipped = j.CountSessions(ctx), j.Skipped(ctx)
	for i := range s.Skipped {
		if k := &s.Skipped[i]; k.Serious() {
			s.Problems = append(s.Problems, k.String())
		}
	}
}

// addTier says which parts of the program work.
func (s *Status) addTier(ctx context.Context, w *Workspace) {
	state := w.Index.State()
	s.Index = IndexStatus{State: state.State, Docs: state.Docs}
	vectors, err := w.Meaning(ctx)
	if err != nil {
		s.Problems = append(s.Problems, err.Error())
	}
	s.Tier.Parts["vectors"] = vectors
	s.Tier.Parts["index"] = state.State == "ok" || s.Enabled && state.State == "absent" // the next search makes it
	s.Tier.Parts["anticipation"] = slices.Contains(w.Config.Recall, "prompt")
	s.Tier.Parts["pages"] = w.Config.Projections != "off"
}

// Meaning reports whether searches compare meaning, and what is wrong with the model
// that is set for it; no model is no error. It asks no endpoint.
func (w *Workspace) Meaning(ctx context.Context) (bool, error) {
	v, err := w.vectors.Open(ctx)
	if err != nil || v == nil {
		return false, err
	}
	return true, w.vectors.Trouble()
}

// Quote makes s one word of a POSIX shell, for a command that somebody is told to type.
func Quote(s string) string { return gitops.Quote(s) }

// HookEvents returns the events that an agent can report.
func HookEvents() []string {
	return []string{
		"session-start", "user-prompt-submit", "pre-tool-use", "post-tool-use", "post-tool-use-failure", "stop",
		"pre-compact", "session-end", "subagent-start", "subagent-stop",
	}
}

// HookTroubles say of each hook of agents and of git whose last run did not do its work
// what went wrong, and if that is asked for when it was.
func (w *Workspace) HookTroubles(when bool) []string {
	return w.Diary.Troubles(append(HookEvents(), "pre-commit", "post-commit"), when)
}

func (s *Status) addStrays(ctx context.Context, views *view.Reader) {
	gone, err := views.GoneBranches(ctx)
	if err != nil {
		s.Problems = append(s.Problems, err.Error())
	}
	for _, branch := range gone {
		s.Stray += branch.Pending
	}
	if s.Stray > 0 {
		s.Problems = append(s.Problems, view.WaitingText(s.Stray)+": cortex review")
	}
}

func (s *Status) addSetup(ctx context.Context, repo *gitops.Repo, policy Config, binary gitops.Binary) {
	settings, _ := repo.Settings(ctx)
	hooks, err := repo.Hooks().States(ctx, settings, binary)
	s.failed(err)
	for _, h := range hooks {
		s.Hooks[h.Name], s.HooksBy = h.Current, string(h.Way)
		if c := HookCheck(h, policy); s.Enabled && !c.OK {
			s.Problems = append(s.Problems, h.Name+": "+c.Wrong)
		}
	}
	drivers, err := repo.Drivers().State(ctx, settings, binary)
	s.failed(err)
	s.Drivers["config"], s.Drivers["attributes"] = drivers.Config, drivers.Attributes
	if s.Enabled && drivers.Problem != "" {
		s.Problems = append(s.Problems, drivers.Problem)
	}
}

// Reindex throws the search index away and builds it again from the view.
func (w *Workspace) Reindex(ctx context.Context, progress func(done, total int)) (*View, error) {
	v, err := w.View(ctx, ViewOptions{AllBranches: true, Unreviewed: true})
	if err != nil {
		return nil, err
	}
	if err := w.Index.Rebuild(ctx, v.Index, progress); err != nil {
		return nil, fmt.Errorf("building the index: %w", err)
	}
	if _, err := w.vectors.Embed(ctx, v.Index.Blobs(), progress); err != nil {
		w.Notice("%v", err)
	}
	return v, nil
}

// VerifyIndex reads every file of the caches and reports what is damaged.
func (w *Workspace) VerifyIndex(ctx context.Context) []index.Problem { return w.Index.Verify(ctx) }

// addRemotes counts what came from remotes and waits, and what they lack, as
// far as the last exchange told. It does not use the network.
func (s *Status) addRemotes(ctx context.Context, w *Workspace) error {
	seen, err := w.Repo.Remotes().Tracked(ctx)
	if err != nil || len(seen) == 0 {
		return err
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return err
	}
	have, err := snap.List(ctx, "")
	if err != nil {
		return fmt.Errorf("reading the journal: %w", err)
	}
	s.Received = countReceived(have, journal.MarksIn(ctx, snap))
	for remote, commit := range seen {
		n, err := w.unsent(ctx, have, commit)
		if err != nil {
			return err
		}
		if n > 0 {
			s.Unsent[remote] = n
		}
	}
	return nil
}

// countReceived is how many entries of the journal are pending memories that came from remotes.
func countReceived(have []gitops.Entry, marks Marks) int {
	received := map[string]bool{} // the beginnings of ids
	for name := range marks {
		received[memory.ID(name).Short()] = true
	}
	n := 0
	for _, e := range have {
		if short, ok := places.Short(e.Path); ok && received[memory.ID(short).Short()] {
			n++
		}
	}
	return n
}

// unsent counts the files of the journal that differ from those of an earlier
// state of it.
func (w *Workspace) unsent(ctx context.Context, have []gitops.Entry, commit gitops.ObjectID) (n int, err error) {
	snap, err := w.Repo.Journal().At(ctx, commit)
	if err != nil {
		return 0, fmt.Errorf("reading the journal of a remote: %w", err)
	}
	defer snap.Close()
	theirs, err := snap.List(ctx, "")
	if err != nil {
		return 0, fmt.Errorf("reading the journal of a remote: %w", err)
	}
	differ := make(map[string]gitops.ObjectID, len(have))
	for _, e := range have {
		differ[e.Path] = e.Blob
	}
	for _, e := range theirs {
		if differ[e.Path] == e.Blob {
			delete(differ, e.Path)
		} else {
			differ[e.Path] = e.Blob
		}
	}
	for p := range differ {
		if !journal.OwnMark(p) {
			n++
		}
	}
	return n, nil
}
