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
	tree, err := r.treeOfFiles(ctx, dir)
	if err != nil {
		return k, fmt.Errorf("%s: %w", making, err)
	}
	if k.Ref, err = r.freeKeepsake(ctx, k.Ref); err != nil {
		return k, err
	}
	stamp := when.UTC().Format(time.RFC3339)
	name, mail, _ := strings.Cut(r.ident, " <")
	author := []string{
		"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + strings.TrimSuffix(mail, ">"),
		"GIT_AUTHOR_DATE=" + stamp, "GIT_COMMITTER_DATE=" + stamp,
	}
	args := []string{"-c", "commit.gpgSign=false", "commit-tree", "-m", "snapshot: before cortex " + before, tree}
	if journal != "" {
		args = append(args, "-p", string(journal))
	}
	out, err := r.git.Text(ctx,
		gitcmd.Command{Doing: making, Args: args, Env: append(author, gitcmd.Committer(r.ident)...)})
	if err != nil {
		return k, err
	}
	k.Commit = ObjectID(strings.TrimSpace(out))
	none := strings.Repeat("0", len(k.Commit)) // it must not be there yet
	_, err = r.git.Ask(ctx, making, "-c", "core.hooksPath="+os.DevNull, "update-ref", k.Ref, string(k.Commit), none)
	return k, err
}

// freeKeepsake is name, or where there is a snapshot of that second, name with a number.
func (r *Repo) freeKeepsake(ctx context.Context, name string) (string, error) {
	refs, err := r.git.Refs(ctx, "listing snapshots", keepsakePrefix)
	taken := map[string]bool{}
	for _, ref := range refs {
		taken[ref.Name] = true
	}
	free := name
	for n := 2; taken[free]; n++ {
		free = fmt.Sprintf("%s-%02d", name, n)
	}
	return free, err
}

// treeOfFiles writes what is below dir in the working tree as a git tree, through an
// index of its own.
func (r *Repo) treeOfFiles(ctx context.Context, dir string) (string, error) {
	if err := os.MkdirAll(r.CacheDir(), 0o777); err != nil {
		return "", err
	}
	folder, err := os.MkdirTemp(r.CacheDir(), "snapshot-*.tmp")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	env := []string{"GIT_INDEX_FILE=" + filepath.Join(folder, "index")}
	_, err = os.Lstat(filepath.Join(r.Root, filepath.FromSlash(dir)))
	switch {
	case dir == "" || r.Root == "" || errors.Is(err, os.ErrNotExist):
		return string(r.EmptyTree()), r.writeEmptyTree(ctx)
	case err != nil:
		return "", err
	}
	files, err := savedFiles(r.Root, dir)
	if err != nil {
		return "", err
	}
	// With git add, settings and attributes of the user may change the bytes.
	out, err := r.git.Run(ctx, gitcmd.Command{
		Args: []string{"hash-object", "-w", "--no-filters", "--stdin-paths"}, Dir: r.Root,
		Stdin: strings.NewReader(gitcmd.QuotedLines(files)),
	})
	if err != nil {
		return "", err
	}
	blobs := strings.Fields(string(out))
	if len(blobs) != len(files) {
		return "", fmt.Errorf("git stored %d of %d files", len(blobs), len(files))
	}
	var lines strings.Builder
	for i, name := range files {
		fmt.Fprintf(&lines, "100644 %s\t%s\x00", blobs[i], name)
	}
	for _, c := range []gitcmd.Command{
		{
			Args: []string{"update-index", "-z", "--index-info"}, Dir: r.Root, Env: env,
			Stdin: strings.NewReader(lines.String()),
		},
		{Args: []string{"write-tree"}, Dir: r.Root, Env: env},
	} {
		if out, err = r.git.Run(ctx, c); err != nil {
			return "", err
		}
	}
	return strings.TrimSpace(string(out)), nil
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

func (r *Repo) writeEmptyTree(ctx context.Context) error {
	_, err := r.git.Run(ctx, gitcmd.Command{Args: []string{"mktree"}})
	return err
}

// Keepsakes lists the snapshots that are kept, oldest first.
func (r *Repo) Keepsakes(ctx context.Context) ([]Keepsake, error) {
	refs, err := r.git.Refs(ctx, "listing snapshots", keepsakePrefix)
	if err != nil {
		return nil, err
	}
	var list []Keepsake
	for _, ref := range refs {
		k := Keepsake{Ref: ref.Name, Before: BeforeReset, Commit: ref.ID}
		if strings.Contains(ref.Name, "-"+BeforeConsolidation) {
			k.Before = BeforeConsolidation
		}
		out, err := r.git.Text(ctx, gitcmd.Command{
			Doing: "reading the snapshot " + ref.Name, None: []int{1}, // 1: it has no parent
			Args: []string{"rev-parse", "-q", "--verify", string(ref.ID) + "^"},
		})
		if err != nil {
			return nil, err
		}
		k.Journal = ObjectID(strings.TrimSpace(out))
		list = append(list, k)
	}
	return list, nil
}
