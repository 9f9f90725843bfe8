package setup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/workspace"
)

// installed records what the files held before Init. It is kept in the cache
// folder, for the user alone, because git's configuration may hold passwords.
// Without it Uninstall takes out our parts instead of restoring files.
type installed struct {
	Files map[string]found `json:"files"` // git's configuration under [configName]
	// that were not there: "git/info", or a path of the tree; nil when that is not known
	Folders []string `json:"folders"`
	Partial bool     `json:"partial,omitempty"` // an earlier Init has changed what is not named here
	Curate  bool     `json:"curate,omitempty"`  // Init has set the command that curates
	known   bool     // there is such a record
}

type found struct {
	Existed bool   `json:"existed"`
	Before  []byte `json:"before,omitempty"` // base64 in the file
	After   string `json:"after"`            // SHA-256 of what we left
}

const (
	installedFile = "installed.json"
	configName    = "git config"
	inGitDir      = "git/"
)

func loadInstalled(dir string) installed {
	in := installed{Files: map[string]found{}}
	data, err := os.ReadFile(filepath.Join(dir, installedFile))
	if err != nil || json.Unmarshal(data, &in) != nil || in.Files == nil {
		return installed{Files: map[string]found{}}
	}
	in.known = true
	return in
}

func (in installed) store(dir string) error {
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("writing %s: %w", installedFile, err)
	}
	// Not a cache: only this knows what the files held before.
	return atomicfile.WritePath(filepath.Join(dir, installedFile), data, atomicfile.Options{Mode: 0o600})
}

// left reports whether a file is as Init left it.
func (in installed) left(name string, now []byte) bool {
	was, ours := in.Files[name]
	return ours && was.After == digest(now)
}

// note records that a file is about to be changed from old to now. Without
// returns old without our part; earlier says that our part may be in it although
// nothing is recorded. What was recorded earlier stays, unless old is wholly the
// user's again.
func (in installed) note(name string, old []byte, exists bool, now []byte, earlier bool,
	without func([]byte) ([]byte, error),
) {
	was, ours := in.Files[name]
	if in.left(name, old) {
		was.After = digest(now)
		in.Files[name] = was
		return
	}
	rest := old
	if exists && (ours || earlier) {
		var err error
		if rest, err = without(old); err != nil {
			return // our part is taken out of the file as it is found
		}
		exists = rest != nil
	}
	if !ours || bytes.Equal(rest, old) {
		in.Files[name] = found{Existed: exists, Before: rest, After: digest(now)}
	}
}

// noteFolders records which folders are not there yet.
func (in *installed) noteFolders(repo *gitops.Repo) {
	if in.Partial || in.known && in.Folders == nil {
		return // there may be some that an earlier Init made
	}
	dirs := map[string]string{ // by the names in the record
		inGitDir + "info":  filepath.Join(repo.CommonDir, "info"),
		inGitDir + "hooks": filepath.Join(repo.CommonDir, "hooks"),
	}
	for _, dir := range append(foldersOfAgents(), workspace.Dir) {
		dirs[dir] = filepath.Join(repo.Root, filepath.FromSlash(dir))
	}
	missing := []string{}
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		if _, err := os.Lstat(dirs[name]); os.IsNotExist(err) {
			missing = append(missing, name)
		}
	}
	in.Folders = append(missing, in.Folders...)
	slices.Sort(in.Folders)
	in.Folders = slices.Compact(in.Folders)
}

// foldersOfAgents are the folders that agents' files are in, each before the one
// above it.
func foldersOfAgents() []string {
	var all []string
	for _, a := range agents() {
		for _, m := range append(slices.Clone(a.files), serverFiles([]string{a.name})...) {
			for dir := path.Dir(m.path); dir != "."; dir = path.Dir(dir) {
				if !slices.Contains(all, dir) {
					all = append(all, dir)
				}
			}
		}
	}
	return all
}

// keep is the folder above a file of the tree up to which empty ones are removed
// with it: the first that was there before.
func (in installed) keep(file string) string {
	dir := path.Dir(file)
	for dir != "." && slices.Contains(in.Folders, dir) {
		dir = path.Dir(dir)
	}
	if in.Folders == nil {
		return ""
	}
	return dir
}

// removeFolders removes those of the git directory that Init made, if they are
// empty.
func (in installed) removeFolders(repo *gitops.Repo) {
	for _, name := range in.Folders {
		if rest, ok := strings.CutPrefix(name, inGitDir); ok {
			_ = os.Remove(filepath.Join(repo.CommonDir, rest)) // not empty: it is the user's by now
		}
	}
}

// files are the managed files of one run.
type files struct {
	tree    workspace.Folder
	record  installed
	dry     bool
	enabled bool // the clone is set up
}

func openFiles(ctx context.Context, w *workspace.Workspace, opt Options) (*files, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	enabled, err := w.Enabled(ctx)
	if err != nil {
		return nil, err
	}
	f := &files{tree: t, record: loadInstalled(w.Repo.CacheDir()), dry: opt.DryRun, enabled: enabled}
	f.record.Partial = f.record.Partial || !f.record.known && enabled
	return f, nil
}

// fileEdit is a file of the tree and what it is to hold.
type fileEdit struct {
	path string
	now  []byte
}

// plan works out what becomes of each file, and records what it holds.
func (f *files) plan(all []managed) (edits []fileEdit, steps []Step, err error) {
	for _, m := range all {
		step := Step{Path: m.path, What: m.what, Action: "unchanged"}
		old, exists, err := f.tree.Read(m.path)
		if err != nil {
			return nil, steps, untouched(f.tree.Path(m.path), err)
		}
		now, err := f.wanted(m, old, exists)
		if err != nil {
			return nil, steps, err
		}
		if !exists || !bytes.Equal(old, now) {
			step.Action = "changed"
			if !exists {
				step.Action = "created"
			}
			edits = append(edits, fileEdit{m.path, now})
			f.record.note(m.path, old, exists, now, f.record.Partial, m.take)
		}
		steps = append(steps, step)
	}
	return edits, steps, nil
}

// wanted returns the content that a file is to have.
func (f *files) wanted(m managed, old []byte, exists bool) ([]byte, error) {
	now, err := f.content(m, old, exists)
	if err == nil && !bytes.Equal(old, now) {
		err = untouched(f.tree.Path(m.path), nil)
	}
	if err == nil {
		return now, nil
	}
	hint := ""
	if _, unread := errors.AsType[*unreadError](err); unread {
		hint = "; correct the file, or leave its agent out with --agent"
	}
	return nil, fmt.Errorf("%s: %w%s; nothing was changed", m.path, err, hint)
}

// content returns what a file becomes. A program of ours is replaced where it is as Init left it.
func (f *files) content(m managed, old []byte, exists bool) ([]byte, error) {
	if m.own != nil && f.record.left(m.path, old) {
		return m.own, nil
	}
	return m.add(old, exists)
}

// write records what is about to change, and changes it.
func (f *files) write(repo *gitops.Repo, edits []fileEdit) error {
	if f.dry {
		return nil
	}
	f.record.noteFolders(repo)
	if err := f.record.store(repo.CacheDir()); err != nil {
		return err
	}
	for _, e := range edits {
		if _, err := f.tree.Write(e.path, e.now); err != nil {
			return err
		}
	}
	return nil
}

// foreign reports whether a file has nothing of ours in it, and never had.
func (f *files) foreign(m managed) bool {
	_, recorded := f.record.Files[m.path]
	return !recorded && !m.installed(f.tree)
}

// untouched is why a file that somebody else manages is left alone: a symbolic link,
// or one that may not be written; else it is err.
func untouched(file string, err error) error {
	info, e := os.Lstat(file)
	switch {
	case e != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link, and what it leads to is left alone; put a file in its place,"+
			" or leave its agent out with --agent; nothing was changed", file)
	case err == nil && info.Mode().Perm()&0o200 == 0:
		return errors.New("the file is read-only and is left alone; allow writing to it," +
			" or leave its agent out with --agent")
	}
	return err
}

// take restores a file that is as we left it; from another it takes our part out.
func (f *files) take(m managed) Step {
	step := Step{Path: m.path, What: m.what, Action: "unchanged"}
	now, exists, err := f.tree.Read(m.path)
	if err == nil && exists && !f.isTeams(m) {
		step.Action, err = f.takeOut(m, now)
	}
	step.failed(err) // it names what a person is to correct
	return step
}

func (f *files) takeOut(m managed, now []byte) (action string, err error) {
	rest, action, err := f.rest(m, now)
	if err != nil || f.dry {
		return action, err
	}
	switch action {
	case "unchanged":
		return action, nil
	case "removed":
		return action, f.tree.Remove(m.path, f.record.keep(m.path))
	}
	_, err = f.tree.Write(m.path, rest)
	return action, err
}

// isTeams reports whether a file came with the repository: the record names all that Init wrote,
// and not this one.
func (f *files) isTeams(m managed) bool {
	_, ours := f.record.Files[m.path]
	return f.record.known && !f.record.Partial && !ours
}

// rest returns what stays of a file without our part, and what a [Step] calls that.
func (f *files) rest(m managed, now []byte) (rest []byte, action string, err error) {
	if rest, action = f.record.former(m.path, now); action != "" {
		return rest, action, nil
	}
	rest, err = m.take(now)
	switch {
	case err != nil:
		return nil, "", err
	case rest == nil:
		return nil, "removed", nil
	case bytes.Equal(rest, now):
		return now, "unchanged", nil
	}
	return rest, "changed", nil
}

// former returns what a file held before Init, and what a [Step] calls it; "" where somebody changed
// the file since.
func (in installed) former(name string, now []byte) (before []byte, action string) {
	was := in.Files[name]
	switch {
	case was.Existed && bytes.Equal(was.Before, now):
		return now, "unchanged"
	case !in.left(name, now):
		return nil, ""
	case was.Existed:
		return was.Before, "restored"
	}
	return nil, "removed"
}

// digest returns the SHA-256 of data, in hexadecimal digits.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
