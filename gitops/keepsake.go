package gitops

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// keepsakePrefix is where snapshots of everything are kept, by their time.
const keepsakePrefix = "refs/cortex/snapshots/"

// What keepsakes are made before.
const (
	BeforeReset         = "reset"
	BeforeConsolidation = "consolidate"
)

// Keepsake is a commit that holds everything as it was before something took memories
// away or replaced them: its tree has the files, its parent is the tip of the journal.
type Keepsake struct {
	Ref     string
	Before  string // such as [BeforeReset]
	Commit  ObjectID
	Journal ObjectID // "" when there was none
}

// Keep makes a keepsake of what is below dir in the working tree, whatever of it is
// tracked or ignored ("" for nothing of it), and of the journal. HEAD and the user's index stay as they are.
func (r *Repo) Keep(ctx context.Context, dir string, journal ObjectID, before string, when time.Time) (Keepsake,
	error,
) {
	k := Keepsake{Ref: keepsakePrefix + when.UTC().Format("20060102T150405Z"), Before: before, Journal: journal}
	if before != BeforeReset {
		k.Ref += "-" + before
	}
	const making = "making a snapshot"
	st := newStore(r.objects)
	defer st.close()
	tree, err := r.stageFiles(ctx, st, dir)
	if err != nil {
		return k, fmt.Errorf("%s: %w", making, err)
	}
	if k.Ref, err = r.freeKeepsake(ctx, k.Ref); err != nil {
		return k, err
	}
	data := gitobject.FormatCommit(gitobject.Commit{
		Tree: tree, Parent: journal, When: when, Ident: r.ident, Message: "snapshot: before cortex " + before + "\n",
	})
	k.Commit = st.stage("commit", data)
	if err := st.flush(ctx); err != nil {
		return k, fmt.Errorf("%s: %w", making, err)
	}
	defer r.objects.release(st.written)
	none := r.objects.format.None() // it must not be there yet
	_, err = r.git.Ask(ctx, making, "-c", "core.hooksPath="+os.DevNull, "update-ref", k.Ref, string(k.Commit), none)
	return k, err
}

// freeKeepsake is name, or where there is a snapshot of that second, name with a number.
func (r *Repo) freeKeepsake(ctx context.Context, name string) (string, error) {
	refs, err := r.git.Refs(ctx, "listing snapshots", keepsakePrefix)
	taken := lists.SetOf(refs, func(ref gitcmd.Ref) string { return ref.Name })
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s-%02d", name, n)
	}
	return free, err
}

// stageFiles stages what is below dir in the working tree, byte for byte: with git add,
// settings and attributes of the user may change it.
func (r *Repo) stageFiles(ctx context.Context, st *store, dir string) (ObjectID, error) {
	_, err := os.Lstat(filepath.Join(r.Root, filepath.FromSlash(dir)))
	if dir == "" || r.Root == "" || errors.Is(err, fs.ErrNotExist) {
		return st.stage("tree", nil), nil
	}
	files, err := savedFiles(r.Root, dir)
	if err != nil {
		return "", err
	}
	blobs := make(map[string]ObjectID, len(files))
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(r.Root, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		blobs[name] = st.stage("blob", data)
	}
	return st.stageTree(ctx, "", blobs)
}

// savedFiles are the regular files below a folder of root, with slashes. A repository
// that lies there is none of ours, and links are not followed.
func savedFiles(root, dir string) (out []string, err error) {
	err = filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)),
		func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case strings.EqualFold(d.Name(), ".git"):
				if d.IsDir() {
					return filepath.SkipDir
				}
				return nil
			case !d.Type().IsRegular():
				return nil
			}
			rel, err := filepath.Rel(root, name)
			out = append(out, filepath.ToSlash(rel))
			return err
		})
	return out, err
}

// Keepsakes lists the snapshots that are kept, oldest first.
func (r *Repo) Keepsakes(ctx context.Context) ([]Keepsake, error) {
	out, err := r.git.Ask(ctx, "listing snapshots", "for-each-ref",
		"--format=%(refname) %(objectname) %(parent)", keepsakePrefix)
	var list []Keepsake
	for line := range strings.Lines(out) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, journal, _ := strings.Cut(rest, " ") // its parent
		k := Keepsake{Ref: name, Before: BeforeReset, Commit: ObjectID(id), Journal: ObjectID(journal)}
		if strings.Contains(k.Ref, "-"+BeforeConsolidation) {
			k.Before = BeforeConsolidation
		}
		list = append(list, k)
	}
	return list, err
}
