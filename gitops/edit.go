package gitops

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// stageChange stages the blobs of change and the trees above them, and returns
// the new root. Only folders on the way to a changed file are written.
func (s *store) stageChange(ctx context.Context, root ObjectID, c Change) (ObjectID, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	blobs := make(map[string]ObjectID) // by path; "" removes
	for _, path := range c.Remove {
		blobs[path] = ""
	}
	maps.Copy(blobs, c.Take)
	for path, data := range c.Put {
		blobs[path] = s.stage("blob", data)
	}
	if len(blobs) == 0 && root != "" {
		return root, nil
	}
	return s.stageTree(ctx, root, blobs)
}

// stageTree is [store.editTree] for a root, which may be empty.
func (s *store) stageTree(ctx context.Context, root ObjectID, blobs map[string]ObjectID) (ObjectID, error) {
	id, err := s.editTree(ctx, root, blobs)
	if err == nil && id == "" {
		id = s.stage("tree", nil)
	}
	return id, err
}

// editTree sets the files at the paths of blobs below the tree id ("" is an empty one); an
// empty blob removes its file. The result is "" when nothing is left in the tree.
func (s *store) editTree(ctx context.Context, id ObjectID, blobs map[string]ObjectID) (ObjectID, error) {
	entries, err := s.tree(ctx, id)
	if err != nil {
		return "", err
	}
	byName := make(map[string]gitobject.Entry, len(entries)+len(blobs))
	for _, e := range entries {
		byName[e.Name] = e
	}
	below := make(map[string]map[string]ObjectID)
	for path, blob := range blobs {
		name, rest, nested := strings.Cut(path, "/")
		switch {
		case nested && below[name] == nil:
			below[name] = map[string]ObjectID{rest: blob}
		case nested:
			below[name][rest] = blob
		case blob != "":
			byName[name] = gitobject.Entry{Mode: gitobject.Regular, Name: name, ID: blob}
		case !byName[name].IsDir():
			delete(byName, name)
		}
	}
	if err := s.editFolders(ctx, byName, below); err != nil {
		return "", err
	}
	if len(byName) == 0 {
		return "", nil
	}
	data, err := s.objects.format.FormatTree(slices.Collect(maps.Values(byName)))
	if err != nil {
		return "", err
	}
	if s.objects.format.ID("tree", data) == id {
		return id, nil
	}
	return s.stage("tree", data), nil
}

func (s *store) editFolders(ctx context.Context, byName map[string]gitobject.Entry,
	below map[string]map[string]ObjectID,
) error {
	for name, blobs := range below {
		old := byName[name]
		if !old.IsDir() {
			old = gitobject.Entry{} // what else is there was not written by cortex; history keeps it
		}
		id, err := s.editTree(ctx, old.ID, blobs)
		if err != nil {
			return err
		}
		if id != "" {
			byName[name] = gitobject.Entry{Mode: gitobject.Dir, Name: name, ID: id}
		} else if old.IsDir() {
			delete(byName, name)
		}
	}
	return nil
}

// tree reads one folder; "" is an empty one.
func (s *store) tree(ctx context.Context, id ObjectID) ([]gitobject.Entry, error) {
	if id == "" || id == s.objects.format.ID("tree", nil) {
		return nil, nil
	}
	if entries, ok := s.trees[id]; ok {
		return entries, nil
	}
	data, err := s.read(ctx, id, "tree")
	if err != nil {
		return nil, err
	}
	entries, err := s.objects.format.ParseTree(data)
	if err != nil {
		return nil, fmt.Errorf("reading tree %s: %w: %w", id, errDamaged, err)
	}
	s.trees[id] = entries
	return entries, nil
}

func (s *store) commit(ctx context.Context, id ObjectID) (gitobject.Commit, error) {
	data, err := s.read(ctx, id, "commit")
	if err != nil {
		return gitobject.Commit{}, err
	}
	c, err := gitobject.ParseCommit(data)
	if err != nil {
		return c, fmt.Errorf("reading commit %s: %w: %w", id, errDamaged, err)
	}
	return c, nil
}
