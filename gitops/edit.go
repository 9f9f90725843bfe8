package gitops

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// treeEdit sets the file at path; an empty blob removes it.
type treeEdit struct {
	path string
	blob ObjectID
}

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
	edits := make([]treeEdit, 0, len(blobs))
	for _, path := range slices.Sorted(maps.Keys(blobs)) {
		edits = append(edits, treeEdit{path, blobs[path]})
	}
	id, err := s.editTree(ctx, root, edits)
	if err == nil && id == "" {
		id = s.stage("tree", nil)
	}
	return id, err
}

// editTree applies edits below the tree id ("" is an empty one). The result is
// "" when nothing is left in it.
func (s *store) editTree(ctx context.Context, id ObjectID, edits []treeEdit) (ObjectID, error) {
	entries, err := s.tree(ctx, id)
	if err != nil {
		return "", err
	}
	byName := make(map[string]gitobject.Entry, len(entries)+len(edits))
	for _, e := range entries {
		byName[e.Name] = e
	}
	below := make(map[string][]treeEdit)
	for _, e := range edits {
		name, rest, nested := strings.Cut(e.path, "/")
		old := byName[name]
		switch {
		case nested:
			below[name] = append(below[name], treeEdit{rest, e.blob})
		case e.blob == "" && !old.IsDir():
			delete(byName, name)
		case e.blob != "":
			byName[name] = gitobject.Entry{Mode: gitobject.Regular, Name: name, ID: e.blob}
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

func (s *store) editFolders(ctx context.Context, byName map[string]gitobject.Entry, below map[string][]treeEdit) error {
	for name, edits := range below {
		old := byName[name]
		if !old.IsDir() {
			old = gitobject.Entry{} // what else is there was not written by cortex; history keeps it
		}
		puts := slices.ContainsFunc(edits, func(e treeEdit) bool { return e.blob != "" })
		if !puts && old.ID == "" {
			continue
		}
		id, err := s.editTree(ctx, old.ID, edits)
		if err != nil {
			return err
		}
		if id == "" {
			delete(byName, name)
		} else {
			byName[name] = gitobject.Entry{Mode: gitobject.Dir, Name: name, ID: id}
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
	c, err := s.objects.format.ParseCommit(data)
	if err != nil {
		return c, fmt.Errorf("reading commit %s: %w: %w", id, errDamaged, err)
	}
	return c, nil
}
