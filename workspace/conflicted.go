package workspace

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// Conflicted is a memory file in which git's own merge left conflict markers,
// and the two memories that it was made of.
type Conflicted struct {
	Path         string
	Line         int // of the first marker
	Ours, Theirs Entry
	OursName     string // what git wrote behind the markers; may be ""
	TheirsName   string

	Base *memory.Memory // in the diff3 styles; may be nil
	Data []byte
}

// FindConflicted returns the conflicted file of which one side has an id that
// begins with prefix. Like [Workspace.Find], of which it is the answer to
// [ErrNotFound], it knows a file by what the view said of it.
func (w *Workspace) FindConflicted(ctx context.Context, v *View, prefix string) (*Conflicted, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	for _, p := range v.Problems {
		c, err := w.Conflicted(ctx, v, p)
		if err != nil {
			continue // the view tells what is wrong with it
		}
		for _, side := range []Entry{c.Ours, c.Theirs} {
			if strings.HasPrefix(string(side.Memory.ID), prefix) && memory.IsIDPrefix(prefix) {
				return c, nil
			}
		}
	}
	return nil, fmt.Errorf("%s: %w in this view", prefix, ErrNotFound)
}

// conflicted takes a file with markers apart. The error of one that has no
// markers is [memory.ErrNoConflict].
func (w *Workspace) Conflicted(ctx context.Context, v *View, p index.Problem) (*Conflicted, error) {
	data, err := w.fileOf(ctx, v, p.Path)
	if err != nil {
		return nil, err
	}
	apart, err := memory.ParseConflict(data)
	if err != nil {
		return nil, err
	}
	ours, err := memory.Parse(p.Path, apart.Ours)
	if err != nil {
		return nil, fmt.Errorf("the side %s: %w", apart.OursName, err)
	}
	theirs, err := memory.Parse(p.Path, apart.Theirs)
	if err != nil {
		return nil, fmt.Errorf("the side %s: %w", apart.TheirsName, err)
	}
	c := &Conflicted{Path: p.Path, Line: apart.Line, OursName: apart.OursName, TheirsName: apart.TheirsName, Data: data}
	c.Ours, c.Theirs = w.sideEntry(p.Path, ours), w.sideEntry(p.Path, theirs)
	if base, err := memory.Parse(p.Path, apart.Base); err == nil && base.ID == ours.ID {
		c.Base = base
	}
	return c, nil
}

func (w *Workspace) sideEntry(path string, m *memory.Memory) Entry {
	it := index.Item{Path: path, Stage: index.Landed, Status: memory.StatusContested}
	it.Effective = w.Config.decay().Effective(m, w.Now(), memory.Use{}, 0)
	return Entry{Item: it, Memory: m}
}

// fileOf reads a landed file as the view sees it.
func (w *Workspace) fileOf(ctx context.Context, v *View, rel string) (data []byte, err error) {
	if v.rev == "" {
		t, err := w.Tree()
		if err != nil {
			return nil, err
		}
		data, ok, err := t.ReadCapped(rel, 2*memory.MaxFile)
		if err == nil && !ok {
			err = fmt.Errorf("%s: %w", rel, ErrNotFound)
		}
		return data, err
	}
	at, err := w.Repo.PathsAt(ctx, v.rev, []string{rel})
	if err != nil {
		return nil, err
	}
	err = w.Repo.Blobs(ctx, blobsOf(at), 2*memory.MaxFile, func(_ gitops.ObjectID, got []byte) error {
		data = got
		return nil
	})
	if err == nil && data == nil {
		err = fmt.Errorf("%s: %w", rel, ErrNotFound)
	}
	return data, err
}

func blobsOf(files map[string]gitops.ObjectID) []gitops.ObjectID {
	var ids []gitops.ObjectID
	for _, id := range files {
		ids = append(ids, id)
	}
	return ids
}

// errLeave is a reason to leave a conflicted file to its user.
var errLeave = errors.New("left as it is")

// mendConflict writes both sides of a conflicted file back as valid memories:
// one file for one memory, two for two. It does so only where history holds
// the file as it is, so that nothing can be lost. It returns what it did.
func (w *Workspace) mendConflict(ctx context.Context, c *Conflicted, unmerged map[string]bool) (string, error) {
	if unmerged[c.Path] {
		return "", fmt.Errorf("%w: git's merge of it is not finished: edit it, then git add %s", errLeave, c.Path)
	}
	at, err := w.Repo.PathsAt(ctx, "HEAD", []string{c.Path})
	if err != nil {
		return "", err
	}
	if id := at[c.Path]; id == "" || id != w.Repo.Hash(c.Data) && id != w.Repo.Hash(NormalEOL(c.Data)) {
		return "", fmt.Errorf("%w: it is not committed like that, and a copy is in no history: edit it by hand", errLeave)
	}
	t, err := w.Tree()
	if err != nil {
		return "", err
	}
	if c.Ours.Memory.ID == c.Theirs.Memory.ID {
		m, err := memory.Merge(c.Base, c.Ours.Memory, c.Theirs.Memory, TextMerge(ctx, w.Repo))
		if err != nil {
			return "", err
		}
		if _, err := t.Write(c.Path, memory.Format(m)); err != nil {
			return "", err
		}
		if m.Contested {
			return "both texts are in " + c.Path + ", which is contested now: edit it, and take contested out", nil
		}
		return "joined both sides in " + c.Path, nil
	}
	return w.splitConflict(t, c)
}

// splitConflict gives two memories that met in one file a file each. The one
// whose id the name carries keeps it.
func (w *Workspace) splitConflict(t Folder, c *Conflicted) (string, error) {
	stays, moves := c.Ours.Memory, c.Theirs.Memory
	if strings.HasSuffix(c.Path, "-"+moves.ID.Short()+".md") {
		stays, moves = moves, stays
	}
	other := MemoryPath(moves.Path())
	if other == c.Path {
		other = path.Dir(c.Path) + "/" + string(moves.ID) + ".md"
	}
	have, there, err := t.Read(other)
	if err != nil {
		return "", err
	}
	if there {
		m, err := memory.Parse(other, have)
		if err != nil || m.ID != moves.ID {
			return "", fmt.Errorf("%w: %s is in the way", errLeave, other)
		}
		// The merge left the memory there too: what this file says of it may
		// be newer, and nothing of either is lost.
		if moves, err = memory.Merge(nil, m, moves, func(_, a, b string) (string, bool) { return a, a == b }); err != nil {
			return "", err
		}
	}
	if _, err := t.Write(other, memory.Format(moves)); err != nil {
		return "", err
	}
	if _, err := t.Write(c.Path, memory.Format(stays)); err != nil {
		return "", err
	}
	return fmt.Sprintf("%s is in %s, %s in %s", stays.ID.Short(), c.Path, moves.ID.Short(), other), nil
}
