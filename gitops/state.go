package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// Entry is one regular file of a tree.
type Entry struct {
	Path string // slash-separated, from the top of the tree
	Blob ObjectID
}

// Tree lists the regular files of rev below prefix ("" for all), sorted by
// path as git sorts. Symbolic links and submodules are left out. A missing
// revision is [ErrNoRevision]; an absent prefix is an empty list.
func (r *Repo) Tree(ctx context.Context, rev, prefix string) ([]Entry, error) {
	if rev == "" || strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("reading the tree of %q: %w", rev, ErrNoRevision)
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", rev, "--"}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		args = append(args, prefix)
	}
	out, err := r.git.run(ctx, command{args: args})
	if exitCode(err) == 128 {
		var ge *GitError
		if errors.As(err, &ge) && (strings.Contains(ge.Stderr, "Not a valid object name") || strings.Contains(ge.Stderr, "not a tree object")) {
			err = fmt.Errorf("%w: %w", ErrNoRevision, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the tree of %s: %w", rev, err)
	}
	return parseListing(string(out), func(mode string) bool { return strings.HasPrefix(mode, "100") }), nil
}

// parseListing reads the "-z" lines of ls-tree and ls-files -s whose mode is wanted.
func parseListing(out string, want func(mode string) bool) []Entry {
	var entries []Entry
	for line := range strings.SplitSeq(out, "\x00") {
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 || !want(fields[0]) {
			continue
		}
		id := fields[2] // mode type id
		if isHexID(fields[1]) {
			id = fields[1] // mode id stage
		}
		entries = append(entries, Entry{path, ObjectID(id)})
	}
	return entries
}

// Blobs reads the blobs ids in order and hands each to yield, streaming from
// one git process. Data is nil for a blob that is missing, is not a blob or is
// larger than limit bytes (0: 64 MB); the slice is yield's to keep. An error
// from yield stops the reading and is returned.
func (r *Repo) Blobs(ctx context.Context, ids []ObjectID, limit int64, yield func(id ObjectID, data []byte) error) error {
	if len(ids) == 0 {
		return nil
	}
	if limit <= 0 {
		limit = maxObject
	}
	for _, id := range ids {
		if !isHexID(string(id)) {
			return fmt.Errorf("reading blobs: %q is not an object id", id)
		}
	}
	b, err := r.git.openBatch(ctx, "--buffer")
	if err != nil {
		return err
	}
	defer b.close()
	b.once = true
	return b.each(ctx, ids, limit, func(id ObjectID, a answer) error {
		if a.kind != "blob" {
			a.data = nil
		}
		return yield(id, a.data)
	})
}

// PathsAt says which of paths are blobs at rev, and which blob. A path that
// holds a line break is never found. A missing revision answers an empty map.
func (r *Repo) PathsAt(ctx context.Context, rev string, paths []string) (map[string]ObjectID, error) {
	found := make(map[string]ObjectID)
	if rev == "" || strings.ContainsAny(rev, "\n:") {
		return found, nil
	}
	var asked []string
	var in strings.Builder
	for _, path := range paths {
		if !strings.ContainsAny(path, "\r\n") {
			asked = append(asked, path)
			in.WriteString(rev + ":" + path + "\n")
		}
	}
	if len(asked) == 0 {
		return found, nil
	}
	out, err := r.git.run(ctx, command{
		args:  []string{"cat-file", "--batch-check=%(objecttype) %(objectname)"},
		stdin: strings.NewReader(in.String()),
	})
	if err != nil {
		return nil, fmt.Errorf("looking for files at %s: %w", rev, err)
	}
	lines := strings.Split(string(out), "\n")
	for i, path := range asked {
		if i < len(lines) {
			if id, ok := strings.CutPrefix(lines[i], "blob "); ok && isHexID(id) {
				found[path] = ObjectID(id)
			}
		}
	}
	return found, nil
}

// Branch is a local branch.
type Branch struct {
	Name   string
	Commit ObjectID
}

// Branches lists the local branches by name. An unborn one is not among them.
func (r *Repo) Branches(ctx context.Context) ([]Branch, error) {
	out, err := r.git.run(ctx, command{args: []string{"for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/"}})
	if err != nil {
		return nil, fmt.Errorf("listing branches: %w", err)
	}
	var branches []Branch
	for line := range strings.Lines(string(out)) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		branches = append(branches, Branch{strings.TrimPrefix(name, "refs/heads/"), ObjectID(id)})
	}
	return branches, nil
}
