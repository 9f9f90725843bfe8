package workspace

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/trust"
)

// View reads a state. Files that are not memories are listed in Problems and
// stop nothing. The view is for one goroutine.
func (w *Workspace) View(ctx context.Context, opt ViewOptions) (*View, error) {
	return w.Views.View(ctx, opt)
}

// Unconsolidated counts the memories of a view among which there may be some that say the same,
// and compares them with the policy's consolidate.new and consolidate.all.
func (w *Workspace) Unconsolidated(v *View) Unconsolidated {
	return v.Unconsolidated(w.lookedAt(), w.Config.Consolidate)
}

// LookedAtGroups notes that somebody was shown now which memories say the same.
func (w *Workspace) LookedAtGroups() {
	facts.Write(w.Repo, facts.Groups, []string{strconv.FormatInt(w.Now().Unix(), 10)})
}

// lookedAt is when somebody was last shown which memories say the same; the zero time for never.
func (w *Workspace) lookedAt() time.Time {
	words := facts.Read(w.Repo, facts.Groups)
	if len(words) != 1 {
		return time.Time{}
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0)
}

// Trailers returns the trailers of a journal commit that is about a session and
// a branch; empty arguments are left out.
func (w *Workspace) Trailers(session, branch string) []gitops.Trailer {
	return journal.Trailers(session, branch, w.Repo.Head)
}

// CloneID returns the name of this clone in the journal; "" before `cortex init`.
func (w *Workspace) CloneID(ctx context.Context) string { return journal.CloneID(ctx, w.Repo) }

// PutRecalls adds counts of recalls to this clone's file of a journal change.
func (w *Workspace) PutRecalls(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change,
	counts map[memory.ID]int,
) error {
	return journal.PutRecalls(ctx, snap, c, w.CloneID(ctx), counts, w.Now())
}

// NoteRecalled notes that somebody asked for memories by name. It is counted with the next
// capture, but at once where an archived memory is among them: it is active again from then on.
func (w *Workspace) NoteRecalled(ctx context.Context, entries ...Entry) {
	w.Diary.NoteRecalls(idsOf(entries))
	w.revive(ctx, entries)
}

// foundInUse is how many hits of a search, the first, are taken for what it was for.
const foundInUse = 3

// NoteFound notes that somebody looked at an answer: what it found first is in use, see
// [Workspace.NoteRecalled].
func (w *Workspace) NoteFound(ctx context.Context, a *Answer) {
	var found []Entry
	for _, f := range a.Results {
		if !f.Linked && len(found) < foundInUse {
			found = append(found, f.Entry)
		}
	}
	w.Diary.NoteLooked(idsOf(found))
	w.revive(ctx, found)
}

func idsOf(entries []Entry) []memory.ID {
	ids := make([]memory.ID, len(entries))
	for i := range entries {
		ids[i] = entries[i].Memory.ID
	}
	return ids
}

// revive counts what was noted at once where an archived memory is in use again.
func (w *Workspace) revive(ctx context.Context, entries []Entry) {
	archived := false
	for i := range entries {
		archived = archived || entries[i].Status == memory.StatusArchived
	}
	if !archived || w.CloneID(ctx) == "" {
		return
	}
	counts, done := w.Diary.TakeRecalls()
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{
			Message: "access: an archived memory is in use again", Trailers: w.Trailers("", ""), When: w.Now(),
			Put: map[string][]byte{},
		}
		return c, w.PutRecalls(ctx, snap, &c, counts)
	})
	done(err == nil)
}

// CaptureRedactor returns the finder of all that is not kept of what somebody said:
// secrets, and people's data if that is the team's policy.
func (w *Workspace) CaptureRedactor(ctx context.Context) *redact.Redactor {
	return w.Secrets.Kept(ctx, w.Config.PII)
}

// Accept takes memories of a view out of quarantine, by a person's word. With take false
// they are put back.
func (w *Workspace) Accept(ctx context.Context, take bool, entries ...Entry) error {
	branch := w.Secrets.Branch(ctx, w.Repo.Topic)
	return w.Journal.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{
			Message: "trust: " + notices.Memories(len(entries)), Trailers: w.Trailers("", branch), When: w.Now(),
			Put: map[string][]byte{},
		}
		for _, e := range entries {
			if take {
				c.Put[trust.AcceptedFolder+e.Blob] = nil
			} else {
				c.Remove = append(c.Remove, trust.AcceptedFolder+e.Blob)
			}
		}
		return c, nil
	})
}

// trustRule is the rule of this clone for what is in a folder; nil where there is no working
// tree.
func trustRule(w *Workspace, folder string, kind facts.Kind) *trust.Rule {
	if w.Repo.Root == "" {
		return nil
	}
	return &trust.Rule{
		Repo: w.Repo, Folder: folder, Note: kind, Patience: w.env.Patience,
		Settings: func(ctx context.Context) trust.Settings { return trustSettings(ctx, w.Repo, folder) },
	}
}

// GuardTrust is the rule of this clone for the folder of guards.
func GuardTrust(w *Workspace, folder string) *trust.Rule { return trustRule(w, folder, facts.Guards) }

// trustSettings are the user's own words on what to trust.
func trustSettings(ctx context.Context, repo *gitops.Repo, folder string) (s trust.Settings) {
	settings, err := repo.Settings(ctx)
	if err != nil {
		return s
	}
	s.Alone = len(settings.Remotes()) == 0
	s.Folds = settings.Bool("core.ignorecase") || settings.Bool("core.precomposeunicode") ||
		gitops.Folds(repo.Root, folder)
	s.Standard = settings.Value("cortex.defaultbranch")
	for _, line := range settings.Settings("cortex.trust") {
		if line.Key == "cortex.trust" {
			s.Patterns = append(s.Patterns, line.Value)
		}
	}
	return s
}

// ErrReceived is a pending memory that came from a remote, and an agent that asks to
// accept it.
var ErrReceived = errors.New("it came from another clone: only a person can accept that")

// ErrUnsaid is a pending memory that nobody here is known to have said, and an agent that
// asks to accept it.
var ErrUnsaid = errors.New("only a person can accept that")

// ForPerson is an error if an agent started this process and only a person may accept
// the memory, because it came from a remote, or nobody here is known to have said it.
func (w *Workspace) ForPerson(ctx context.Context, e *Entry) error {
	return forPerson(w.env.Agent, w.Journal.Marks(ctx), e)
}

func forPerson(agent string, marks Marks, e *Entry) error {
	if agent == "" {
		return nil
	}
	if why := hearsay.Waits(e.Memory); why != "" && e.Stage == index.Pending {
		return fmt.Errorf("%s: %s: %w", e.Memory.ID.Short(), why, ErrUnsaid)
	}
	if e.Received(marks) {
		return fmt.Errorf("%s: %w", e.Memory.ID.Short(), ErrReceived)
	}
	return nil
}
