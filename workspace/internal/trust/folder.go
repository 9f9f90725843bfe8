package trust

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Where the file system takes names that differ in case, or in how an accent is composed,
// for one, a commit can bring a file of a folder without naming the folder as it is
// spelled here. The file systems that do so have more such names, see [folder.Folded] and
// [folder.ShortOf].

// spec is the pathspec of what may be in the folder. The first two letters of a name are
// in all of its spellings. Of the letters of ASCII, only k and s are also lower forms of
// others.
func spec(dir string, folds bool) string {
	if !folds {
		return dir
	}
	var all strings.Builder
	for name := range strings.SplitSeq(dir, "/") {
		all.WriteByte('*')
		for _, letter := range strings.TrimLeft(name, ".")[:2] {
			if letter != 'k' && letter != 's' {
				all.WriteRune(letter)
			}
			all.WriteByte('*')
		}
		all.WriteByte('/')
	}
	return ":(top,icase,glob)" + all.String() + "**"
}

// within reports whether a path is below a folder.
func within(dir, path string, folds bool) bool {
	if !folds {
		return strings.HasPrefix(path, dir+"/")
	}
	parts := strings.Split(dir, "/")
	have := strings.SplitN(path, "/", len(parts)+1)
	return len(have) > len(parts) && same(parts, have[:len(parts)])
}

// same reports whether a path can lead to a file, both as lists of names.
func same(file, path []string) bool {
	if len(file) != len(path) {
		return false
	}
	for i, name := range file {
		if folder.Folded(name) != folder.Folded(path[i]) && !folder.ShortOf(path[i], name) {
			return false
		}
	}
	return true
}

// key is the same for all spellings of a path that are one file.
func key(path string, folds bool) string {
	if !folds {
		return path
	}
	return folder.Folded(path)
}

// inFolder are those files of a list that are in the folder.
func (q *question) inFolder(list []gitops.Brought) []gitops.Brought {
	in := lists.Where(list, func(b gitops.Brought) bool { return within(q.Folder, b.Path, q.settings.Folds) })
	return in
}

// Committed are the files of the folder in a commit.
type Committed struct {
	folds bool
	blobs map[string][]string // by the key of their path
	short []shortPath
}

// mostShort is how many paths with short names are compared with others. Nobody has as many,
// but to have a hook compare each of them with each memory.
const mostShort = 64

// shortPath is the path of a blob that may have a short name in it.
type shortPath struct {
	names []string
	blob  string
}

// Committed returns the files of the commit that is checked out. The bytes of a file may
// be others there, without anybody having edited it: attributes that came with the same
// branch say what a checkout makes of them.
func (r *Rule) Committed(ctx context.Context) (Committed, error) {
	return r.committed(ctx, r.Repo.Head, r.Settings(ctx).Folds)
}

func (r *Rule) committed(ctx context.Context, rev string, folds bool) (Committed, error) {
	c := Committed{folds: folds, blobs: map[string][]string{}}
	add := func(path string, blob gitops.ObjectID) {
		k := key(path, folds)
		c.blobs[k] = append(c.blobs[k], string(blob))
	}
	if !folds {
		entries, err := r.Repo.Tree(ctx, rev, r.Folder)
		for _, e := range entries {
			add(e.Path, e.Blob)
		}
		return c, err
	}
	files, err := r.Repo.History().Differing(ctx, r.Repo.EmptyTree(), gitops.ObjectID(rev), spec(r.Folder, folds))
	for _, f := range files {
		if within(r.Folder, f.Path, folds) {
			add(f.Path, f.New)
			if strings.Contains(f.Path, "~") {
				c.short = append(c.short, shortPath{strings.Split(f.Path, "/"), string(f.New)})
			}
		}
	}
	return c, err
}

// At returns the contents that a path has. There may be several where the file system
// takes for one what a commit has apart.
func (c Committed) At(path string) []string {
	blobs := c.blobs[key(path, c.folds)]
	if len(c.short) == 0 {
		return blobs
	}
	names := strings.Split(path, "/")
	blobs = slices.Clone(blobs)
	for _, s := range c.short {
		if len(c.short) > mostShort || same(names, s.names) {
			blobs = append(blobs, s.blob)
		}
	}
	return blobs
}

// all are the contents of all files.
func (c Committed) all() map[string]bool {
	set := map[string]bool{}
	for _, blobs := range c.blobs {
		for _, b := range blobs {
			set[b] = true
		}
	}
	return set
}

// AcceptedFolder is the folder of the journal with a mark for each content that a person
// of this clone accepted.
const AcceptedFolder = "accepted/"

// Accepted are the contents that a person of this clone accepted.
func Accepted(ctx context.Context, snap *gitops.Snapshot) map[string]bool {
	if snap == nil {
		return nil
	}
	entries, err := snap.List(ctx, strings.TrimSuffix(AcceptedFolder, "/"))
	if err != nil {
		return nil
	}
	blobs := lists.SetOf(entries, func(e gitops.Entry) string { return strings.TrimPrefix(e.Path, AcceptedFolder) })
	return blobs
}
