package history

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Entry is one regular file of a tree.
type Entry struct {
	Path string // slash-separated, from the top of the tree
	Blob gitobject.ID
}

// Tree lists the regular files of rev below prefix ("" for all), sorted by
// path as git sorts. Symbolic links and submodules are left out. A missing
// revision is [ErrNoRevision]; an absent prefix is an empty list.
func (h Reader) Tree(ctx context.Context, rev, prefix string) ([]Entry, error) {
	if rev == "" || strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("reading the tree of %q: %w", rev, ErrNoRevision)
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", rev, "--"}
	if prefix = strings.Trim(prefix, "/"); prefix != "" {
		args = append(args, prefix)
	}
	out, err := h.git.Ask(ctx, "reading the tree of "+rev, args...)
	if noRevision(gitcmd.Said(err)) {
		err = fmt.Errorf("%w: %w", ErrNoRevision, err)
	}
	var entries []Entry
	for line := range strings.SplitSeq(out, "\x00") {
		// <mode> SP <type> SP <object> TAB <path>
		head, path, _ := strings.Cut(line, "\t")
		if f := strings.Fields(head); len(f) == 3 && strings.HasPrefix(f[0], "100") {
			entries = append(entries, Entry{path, gitobject.ID(f[2])})
		}
	}
	return entries, err
}

// noRevision reports whether git says of a revision that it is none, or not one of a tree.
func noRevision(said string) bool {
	return strings.Contains(said, "Not a valid object name") || strings.Contains(said, "not a tree object")
}

// PathsAt says which of paths are blobs at rev, and which blob. A path that
// holds a line break is never found. A missing revision answers an empty map.
func (h Reader) PathsAt(ctx context.Context, rev string, paths []string) (map[string]gitobject.ID, error) {
	found := make(map[string]gitobject.ID)
	if rev == "" || strings.ContainsAny(rev, "\n:") {
		return found, nil
	}
	paths, names := askable(rev, paths)
	answers, err := h.git.LookUp(ctx, "looking for files at "+rev, "%(objecttype) %(objectname)", names)
	if err != nil {
		return nil, err
	}
	for i, answer := range answers {
		if id := idIn(answer, "blob"); id != "" {
			found[paths[i]] = id
		}
	}
	return found, nil
}

// askable are those of paths that git can be asked for in a line, and what they
// are called at rev.
func askable(rev string, paths []string) (asked, names []string) {
	for _, path := range paths {
		if !strings.ContainsAny(path, "\r\n") {
			asked = append(asked, path)
			names = append(names, rev+":"+path)
		}
	}
	return asked, names
}

// maxLookups bounds what Somewhere asks git for.
const maxLookups = 100_000

// Somewhere says which of paths are files at the tip of some branch, local or
// of a remote.
func (h Reader) Somewhere(ctx context.Context, paths []string) (map[string]bool, error) {
	found := make(map[string]bool)
	if len(paths) == 0 {
		return found, nil
	}
	refs, err := h.git.Refs(ctx, "listing branches", "refs/heads/", "refs/remotes/")
	if err != nil {
		return nil, err
	}
	var asked, names []string
	seen := make(map[gitobject.ID]bool)
	for _, ref := range refs {
		if !seen[ref.ID] && len(asked) <= maxLookups {
			seen[ref.ID] = true
			there, named := askable(string(ref.ID), paths)
			asked, names = append(asked, there...), append(names, named...)
		}
	}
	answers, err := h.git.LookUp(ctx, "looking for files on branches", "%(objecttype)", names)
	for i, answer := range answers {
		if answer == "blob" {
			found[asked[i]] = true
		}
	}
	return found, err
}

// TreeIDs returns the ids of the tree of rev, and of the folder dir in it. Either
// is "" if it is not there.
func (h Reader) TreeIDs(ctx context.Context, rev, dir string) (tree, folder gitobject.ID, err error) {
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\r\n") {
		return "", "", nil
	}
	answers, err := h.git.LookUp(ctx, "naming the tree of "+rev, "%(objecttype) %(objectname)",
		[]string{rev + "^{tree}", rev + ":" + dir})
	if err != nil {
		return "", "", err
	}
	return idIn(answers[0], "tree"), idIn(answers[1], "tree"), nil
}

// idIn is the id in an answer of git about an object of a kind; "" where it is about none.
func idIn(answer, kind string) gitobject.ID {
	id, ok := strings.CutPrefix(answer, kind+" ")
	if !ok || !gitobject.IsID(id) {
		return ""
	}
	return gitobject.ID(id)
}
