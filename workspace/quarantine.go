package workspace

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/trust"
)

// A memory file that came with a branch of somebody else is in quarantine until it is on
// a branch that this clone trusts or a person accepts it (docs/behaviour.md, "Trust"). That
// is decided by its content, so what changes it later in a commit waits again. What was accepted
// is marked in our own journal: accepted/<blob>. These marks stay in the clone.

// AcceptedFolder is the folder of the journal that holds the marks.
const AcceptedFolder = trust.AcceptedFolder

// Quarantine lists the files of the view that are in quarantine, by path.
func (v *View) Quarantine() []index.Item { return v.apart }

// QuarantineText says in a line what is in quarantine, and what can be done; "" if
// nothing is.
func (v *View) QuarantineText() string { return trust.Withheld(len(v.apart)) }

// quarantine finds what of the landed files is not trusted, and leaves it out unless it
// is asked for. Whatever state is named, as by a revision, is shown as it is.
func (r *viewer) quarantine(ctx context.Context, v *View, opt ViewOptions, snap *gitops.Snapshot, landed []index.Item) []index.Item {
	if v.rev != "" || len(landed) == 0 || r.trust == nil || r.global.here() {
		return landed
	}
	waits, err := r.trust.Unreviewed(ctx)
	var committed trust.Committed
	if err == nil && len(waits) > 0 {
		committed, err = r.trust.Committed(ctx)
	}
	if err != nil {
		r.notices.add("%v: nothing that has landed is told to an agent", err)
		waits = make(map[string]bool, len(landed))
		for _, it := range landed {
			waits[it.Blob] = true
		}
	}
	if len(waits) == 0 {
		return landed
	}
	accepted := trust.Accepted(ctx, snap)
	waiting := func(blob string) bool { return waits[blob] && !accepted[blob] }
	landed = slices.Clone(landed)
	for i := range landed {
		it := &landed[i]
		if it.Apart = it.Stage == index.Landed && (waiting(it.Blob) || !accepted[it.Blob] && slices.ContainsFunc(committed.At(it.Path), waiting)); it.Apart {
			v.apart = append(v.apart, *it)
			it.Apart = !opt.Judged
		}
	}
	slices.SortStableFunc(v.apart, func(a, b index.Item) int { return strings.Compare(a.Path, b.Path) })
	if opt.Unreviewed || opt.Judged {
		return landed
	}
	v.withheld = len(v.apart)
	return slices.DeleteFunc(landed, func(it index.Item) bool { return it.Apart })
}

// Trust takes memories of a view out of quarantine, by a person's word. With take false
// they are put back.
func Trust(ctx context.Context, w *Workspace, take bool, entries ...Entry) error {
	return w.Update(ctx, func(*gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: "trust: " + CountMemories(len(entries)), Trailers: w.Trailers("", w.JournalBranch(ctx, w.Repo.Topic)), When: w.Now(), Put: map[string][]byte{}}
		for _, e := range entries {
			if take {
				c.Put[AcceptedFolder+e.Blob] = nil
			} else {
				c.Remove = append(c.Remove, AcceptedFolder+e.Blob)
			}
		}
		return c, nil
	})
}

// trustRule is the rule of this clone for what is in a folder.
func trustRule(w *Workspace, folder string, kind facts.Kind) *trust.Rule {
	if w.Repo.Root == "" {
		return nil
	}
	return &trust.Rule{Repo: w.Repo, Folder: folder, Note: kind, Patience: w.env.Patience, Settings: func(ctx context.Context) (s trust.Settings) {
		settings, err := w.Repo.Settings(ctx)
		if err != nil {
			return s
		}
		s.Alone = len(settings.Remotes()) == 0
		s.Folds = settings.Bool("core.ignorecase") || settings.Bool("core.precomposeunicode") || gitops.Folds(w.Repo.Root, folder)
		s.Standard = settings.Value("cortex.defaultbranch")
		for _, line := range settings.Settings("cortex.trust") {
			if line.Key == "cortex.trust" {
				s.Patterns = append(s.Patterns, line.Value)
			}
		}
		return s
	}}
}
