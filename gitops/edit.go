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
	return s.stageTree(ctx, root, s.stageBlobs(c))
}

// stageBlobs stages the blobs of a change, and returns the ids of all by path; "" removes.
func (s *store) stageBlobs(c Change) map[string]ObjectID {
	blobs := make(map[string]ObjectID)
	for _, path := range c.Remove {
		blobs[path] = ""
	}
	maps.Copy(blobs, c.Take)
	for path, data := range c.Put {
		blobs[path] = s.stage("blob", data)
	}
	return blobs
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
	edits := make(map[string]map[string]ObjectID) // by name; the file of that name itself has the path ""
	for path, blob := range blobs {
		name, rest, _ := strings.Cut(path, "/")
		if edits[name] == nil {
			edits[name] = make(map[string]ObjectID)
		}
		edits[name][rest] = blob
	}
	// A folder of the journal may hold thousands of files, and few of them change.
	after, at := slices.Clone(entries), make(map[string]int, len(edits))
	for i, e := range entries {
		if edits[e.Name] != nil {
			at[e.Name] = i
		}
	}
	for name, edit := range edits {
		i, ok := at[name]
		if !ok {
			i, after = len(after), append(after, gitobject.Entry{Name: name})
		}
		if after[i], err = s.editEntry(ctx, after[i], edit); err != nil {
			return "", err
		}
	}
	after = slices.DeleteFunc(after, func(e gitobject.Entry) bool { return e.ID == "" })
	switch {
	case len(after) == 0:
		return "", nil
	case slices.Equal(entries, after):
		return id, nil
	}
	data, err := s.objects.format.FormatTree(after)
	if err != nil {
		return "", err
	}
	return s.stage("tree", data), nil
}

// editEntry is [store.editTree] for one entry. One without an id is not there.
func (s *store) editEntry(ctx context.Context, e gitobject.Entry, blobs map[string]ObjectID) (gitobject.Entry, error) {
	switch blob, ok := blobs[""]; {
	case blob != "":
		e = gitobject.Entry{Mode: gitobject.Regular, Name: e.Name, ID: blob}
	case ok && !e.IsDir():
		e = gitobject.Entry{Name: e.Name}
	}
	delete(blobs, "")
	// What else is there was not written by cortex; history keeps it.
	id, err := s.editTree(ctx, e.Folder(), blobs)
	if id == "" && !e.IsDir() {
		return e, err
	}
	return gitobject.Entry{Mode: gitobject.Dir, Name: e.Name, ID: id}, err
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
