package gitops

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// treeEdit sets the file at path; an empty blob removes it.
type treeEdit struct {
	path string
	blob ObjectID
}

// stageChange stages the blobs of change and the trees above them, and returns
// the new root. Only folders on the way to a changed file are written.
func (s *store) stageChange(ctx context.Context, root ObjectID, c Change) (ObjectID, error) {
	put, remove := c.Put, c.Remove
	edits := make([]treeEdit, 0, len(put)+len(remove)+len(c.Take))
	for _, path := range slices.Sorted(maps.Keys(c.Take)) {
		if _, both := put[path]; !both {
			edits = append(edits, treeEdit{path, c.Take[path]})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(put)) {
		if !validPath(path) {
			return "", fmt.Errorf("writing the journal: %q is not a journal path", path)
		}
		if len(put[path]) > MaxFile {
			return "", fmt.Errorf("writing the journal: %s is larger than %d bytes", path, MaxFile)
		}
		edits = append(edits, treeEdit{path, s.stage("blob", put[path])})
	}
	for _, path := range remove {
		_, both := put[path]
		if _, taken := c.Take[path]; !both && !taken {
			edits = append(edits, treeEdit{path: path})
		}
	}
	if len(edits) == 0 && root != "" {
		return root, nil
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
	byName := make(map[string]treeEntry, len(entries)+len(edits))
	for _, e := range entries {
		byName[e.name] = e
	}
	below := make(map[string][]treeEdit)
	for _, e := range edits {
		name, rest, nested := strings.Cut(e.path, "/")
		old := byName[name]
		switch {
		case nested:
			below[name] = append(below[name], treeEdit{rest, e.blob})
		case e.blob == "" && !old.isDir():
			delete(byName, name)
		case e.blob != "":
			byName[name] = treeEntry{filemode.Regular, name, e.blob}
		}
	}
	if err := s.editFolders(ctx, byName, below); err != nil {
		return "", err
	}
	if len(byName) == 0 {
		return "", nil
	}
	data, err := s.objects.formatTree(slices.Collect(maps.Values(byName)))
	if err != nil {
		return "", err
	}
	if s.objects.id("tree", data) == id {
		return id, nil
	}
	return s.stage("tree", data), nil
}

func (s *store) editFolders(ctx context.Context, byName map[string]treeEntry, below map[string][]treeEdit) error {
	for name, edits := range below {
		old, exists := byName[name]
		puts := slices.ContainsFunc(edits, func(e treeEdit) bool { return e.blob != "" })
		if !puts && (!exists || !old.isDir()) {
			continue
		}
		if exists && !old.isDir() {
			old = treeEntry{} // not written by cortex; history keeps it
		}
		id, err := s.editTree(ctx, old.id, edits)
		if err != nil {
			return err
		}
		if id == "" {
			delete(byName, name)
		} else {
			byName[name] = treeEntry{filemode.Dir, name, id}
		}
	}
	return nil
}

// tree reads one folder; "" is an empty one.
func (s *store) tree(ctx context.Context, id ObjectID) ([]treeEntry, error) {
	if id == "" || id == s.objects.id("tree", nil) {
		return nil, nil
	}
	data, err := s.read(ctx, id, "tree")
	if err != nil {
		return nil, err
	}
	entries, err := s.objects.parseTree(data)
	if err != nil {
		return nil, fmt.Errorf("reading tree %s: %w: %w", id, errDamaged, err)
	}
	return entries, nil
}

func (s *store) commit(ctx context.Context, id ObjectID) (commit, error) {
	data, err := s.read(ctx, id, "commit")
	if err != nil {
		return commit{}, err
	}
	c, err := s.objects.parseCommit(data)
	if err != nil {
		return c, fmt.Errorf("reading commit %s: %w: %w", id, errDamaged, err)
	}
	return c, nil
}
