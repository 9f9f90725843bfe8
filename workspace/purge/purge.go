// Package purge finds every place of a clone that holds a text which must go: a leaked
// secret, or what is known of a person.
//
// Call [Find] for the places and [Places.Commands] for what is left to a person; [Clear]
// does what this clone can do by itself. It promises that the text is never repeated, that
// Clear takes only what it names, and that no history is rewritten.
package purge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Kind says what a place is.
type Kind string

// The kinds of places.
const (
	File     Kind = "file"     // of the working tree
	Pending  Kind = "pending"  // in the journal, as are the next two
	Removed  Kind = "removed"  // the copy of what was forgotten
	Record   Kind = "record"   // of a session
	History  Kind = "history"  // an earlier state of a ref
	Snapshot Kind = "snapshot" // of a reset
	Remote   Kind = "remote"   // the journal of a remote, as it was last seen
	Cache    Kind = "cache"    // a file of the cache folder
	Spool    Kind = "spool"    // changes that wait for the journal
	Briefing Kind = "briefing" // the copy for an agent
	Outside  Kind = "outside"  // files outside of .cortex, in the history of a ref
	Message  Kind = "message"  // of a commit in the history of a ref, or of a tag
)

// Place is where the text stands.
type Place struct {
	Kind Kind   `json:"kind"`
	Ref  string `json:"ref,omitempty"`  // of a history, snapshot or remote; of what is outside or a message "" where only git's logs have the commit
	Path string `json:"path,omitempty"` // in the working tree, the journal, the commit or the cache folder; * stands for the text
	real string // the same with the text
}

// Places is the answer of [Find].
type Places struct {
	Places []Place  `json:"places"`
	Refs   []string `json:"refs"` // branches, tags and other refs whose history holds it
	Done   []Place  `json:"done"` // that [Clear] dealt with
	texts  []string
	hosts  []string         // the names of remotes
	specs  []gitops.Refspec // what they have of what is here
	former bool             // histories have the text in files of .cortex that do not hold it now
}

// ErrShort is a text that stands in too many places to be meant.
var ErrShort = errors.New("at least 6 characters are needed")

// least is how long a text is.
const least = 6

// maxCommits bounds how many commits of one history are looked through.
const maxCommits = 100_000

// telling is how long a line is that tells of a text of several lines.
const telling = 16

// Meant returns the texts that a word stands for: of the id of a memory the whole id, which
// stands wherever the memory is; of several lines those that are long enough to be of
// nothing else, since lines may be kept apart, else all of them as they are; else the word
// itself.
func Meant(ctx context.Context, w *workspace.Workspace, word string) ([]string, error) {
	if strings.Contains(word, "\n") {
		var texts []string
		for line := range strings.Lines(word) {
			if line = strings.TrimSpace(line); len(line) >= telling && !strings.HasPrefix(line, "-----") && !slices.Contains(texts, line) {
				texts = append(texts, line)
			}
		}
		if len(texts) > 0 {
			return texts, nil
		}
	}
	if memory.IsIDPrefix(word) && len(word) >= least {
		v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Local: true, Unreviewed: true})
		if err != nil {
			return nil, err
		}
		if e, err := v.Find(ctx, word); err == nil {
			return []string{string(e.Memory.ID)}, nil
		}
	}
	if len(word) < least {
		return nil, ErrShort
	}
	return []string{word}, nil
}

// Find looks for any of some texts wherever this clone keeps what memories say, and in the
// histories of its branches and tags, their messages too.
func Find(ctx context.Context, w *workspace.Workspace, texts ...string) (*Places, error) {
	settings, err := w.Repo.Settings(ctx)
	if err != nil {
		return nil, err
	}
	specs, err := w.Repo.Remotes().Refspecs(ctx)
	if err != nil {
		return nil, err
	}
	p := &Places{Places: []Place{}, Refs: []string{}, Done: []Place{}, texts: texts, hosts: settings.Remotes(), specs: specs}
	for _, look := range []func(context.Context, *workspace.Workspace) error{p.tree, p.journal, p.histories, p.cache} {
		if err := look(ctx, w); err != nil {
			return nil, fmt.Errorf("looking for it: %w", err)
		}
	}
	return p, nil
}

func (p *Places) add(k Kind, ref, path string) {
	if at := (Place{k, ref, string(p.replaced([]byte(path), "*")), path}); !slices.Contains(p.Places, at) {
		p.Places = append(p.Places, at)
	}
}

func (p *Places) holds(data []byte) bool {
	return slices.ContainsFunc(p.texts, func(text string) bool { return bytes.Contains(data, []byte(text)) })
}

// replaced is data with something else in place of the texts.
func (p *Places) replaced(data []byte, by string) []byte {
	for _, text := range p.texts {
		data = bytes.ReplaceAll(data, []byte(text), []byte(by))
	}
	return data
}

// Has reports whether there is a place of one of these kinds.
func (p *Places) Has(kinds ...Kind) bool {
	return slices.ContainsFunc(p.Places, func(at Place) bool { return slices.Contains(kinds, at.Kind) })
}

// tree looks through .cortex and the briefing of the working tree.
func (p *Places) tree(ctx context.Context, w *workspace.Workspace) error {
	if w.Repo.Root == "" {
		return nil
	}
	t, err := w.Tree()
	if err != nil {
		return err
	}
	if data, ok, err := t.Read(workspace.BriefingFile); err == nil && ok && p.holds(data) {
		p.add(Briefing, "", workspace.BriefingFile)
	}
	return files(filepath.Join(w.Repo.Root, workspace.Dir), func(rel string, data []byte) {
		if p.holds(data) || p.holds([]byte(rel)) {
			p.add(File, "", path.Join(workspace.Dir, rel))
		}
	})
}

// maxRead bounds a file that is looked through.
const maxRead = 256 << 20

// files reads the regular files below a folder.
func files(dir string, yield func(rel string, data []byte)) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(rel string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // a file that is gone, or may not be read, is none of ours
		}
		info, err := d.Info()
		if err != nil || info.Size() > maxRead {
			return nil //nolint:nilerr // as above
		}
		if data, err := root.ReadFile(rel); err == nil {
			yield(rel, data)
		}
		return nil
	})
}

// journal looks through the newest state of the journal, the spool with it.
func (p *Places) journal(ctx context.Context, w *workspace.Workspace) error {
	snap, err := w.Journal(ctx)
	if err != nil {
		return err
	}
	entries, err := snap.List(ctx, "")
	if err != nil {
		return err
	}
	return snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if kind, ok := kindOf(e.Path); ok && (p.holds(data) || p.holds([]byte(e.Path))) {
			p.add(kind, "", e.Path)
		}
		return nil
	})
}

// kindOf is the kind of a file of the journal that can hold words.
func kindOf(at string) (Kind, bool) {
	family, _, _ := strings.Cut(at, "/")
	kind, ok := map[string]Kind{"pending": Pending, "dismissed": Removed, "sessions": Record}[family]
	return kind, ok
}

// histories looks through what refs held at any time.
func (p *Places) histories(ctx context.Context, w *workspace.Workspace) error {
	h := w.Repo.History()
	revs := []string{"--exclude=refs/cortex/*", "--exclude=refs/cortex-remotes/*", "--all", "--reflog"} // with HEAD, which may be detached and in no log
	commits, err := h.Holding(ctx, p.texts, revs, maxCommits, ":(top,literal)"+workspace.Dir)
	if err != nil {
		return err
	}
	if len(commits) > 0 {
		if p.Refs, err = refsWith(ctx, h, commits); err != nil {
			return err
		}
		p.add(History, "", workspace.Dir)
		if err := p.formerly(ctx, h, revs); err != nil {
			return err
		}
	}
	if commits, err = h.Holding(ctx, p.texts, revs, maxCommits, ":(top,exclude)"+workspace.Dir); err != nil {
		return err
	}
	if err := p.below(ctx, h, Outside, commits); err != nil {
		return err
	}
	if commits, err = h.Saying(ctx, p.texts, revs, maxCommits); err != nil {
		return err
	}
	if err := p.below(ctx, h, Message, commits); err != nil {
		return err
	}
	tags, err := h.TagsSaying(ctx, p.texts)
	if err != nil {
		return err
	}
	for _, ref := range tags {
		p.add(Message, ref, "")
	}
	own, err := h.RefsWith(ctx, nil, "refs/cortex/", "refs/cortex-remotes/")
	if err != nil {
		return err
	}
	for _, ref := range own {
		commits, err := h.Holding(ctx, p.texts, []string{ref}, maxCommits, ":/")
		if err != nil {
			return err
		}
		kind := History
		switch {
		case strings.HasPrefix(ref, "refs/cortex/snapshots/"):
			kind = Snapshot
		case strings.HasPrefix(ref, "refs/cortex-remotes/"):
			kind = Remote
		}
		if len(commits) > 0 {
			p.add(kind, ref, "")
		}
	}
	return nil
}

// mostNamed is how many files of memories git is told to pass over at once: the command
// lines of Windows are short.
const mostNamed = 100

// formerly finds out whether files of .cortex held the text that are not there any more, do
// not hold it any more or had another name.
func (p *Places) formerly(ctx context.Context, h gitops.History, revs []string) error {
	paths := []string{":(top,literal)" + workspace.Dir}
	for _, at := range p.Places {
		if at.Kind == File && (ofMemory(at.Path) || page(at.Path)) {
			paths = append(paths, ":(top,exclude,literal)"+at.real)
		}
	}
	if p.former = len(paths) > mostNamed; p.former {
		return nil
	}
	commits, err := h.Holding(ctx, p.texts, revs, 1, paths...)
	p.former = len(commits) > 0
	return err
}

// below adds each ref that has one of some commits, none of them where only git's logs do.
// Those that were looked through are those of the journal too, whose refs have their own kinds.
func (p *Places) below(ctx context.Context, h gitops.History, k Kind, commits []gitops.ObjectID) error {
	if len(commits) == 0 {
		return nil
	}
	all, err := h.RefsWith(ctx, commits)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		p.add(k, "", "")
	}
	for _, ref := range notOfCortex(all) {
		p.add(k, ref, "")
	}
	return nil
}

// refsWith are the refs that hold one of some commits, but for those of cortex.
func refsWith(ctx context.Context, h gitops.History, commits []gitops.ObjectID) ([]string, error) {
	refs, err := h.RefsWith(ctx, commits)
	return notOfCortex(refs), err
}

func notOfCortex(refs []string) []string {
	return slices.DeleteFunc(refs, func(ref string) bool {
		return strings.HasPrefix(ref, "refs/cortex/") || strings.HasPrefix(ref, "refs/cortex-remotes/")
	})
}

// kept are the files of the cache folder that hold what nothing else knows.
func kept() []string {
	return []string{"spool", "installed.json", "lock", "staged", "unmerged", "folded", "published"}
}

// cache looks through the cache folder.
func (p *Places) cache(_ context.Context, w *workspace.Workspace) error {
	return files(w.Repo.CacheDir(), func(rel string, data []byte) {
		switch {
		case !p.holds(data):
		case strings.HasPrefix(rel, "spool"):
			p.add(Spool, "", rel)
		case !slices.Contains(kept(), rel):
			p.add(Cache, "", rel)
		}
	})
}

// Clear removes the text from what this clone can do without: pending memories and the
// copies of forgotten ones that hold it, the lines of session records, and the copy of the
// briefing. Files of the working tree and histories stay; for the caches see [ClearCache].
func Clear(ctx context.Context, w *workspace.Workspace, p *Places) error {
	if err := p.clearJournal(ctx, w); err != nil {
		return fmt.Errorf("clearing the journal: %w", err)
	}
	if p.Has(Briefing) {
		t, err := w.Tree()
		if err == nil {
			err = t.Disposable().Remove(workspace.BriefingFile, path.Dir(workspace.BriefingFile))
		}
		if err != nil {
			return err
		}
		p.done(Place{Briefing, "", workspace.BriefingFile, workspace.BriefingFile})
	}
	for _, at := range p.Places {
		if at.Kind == Cache {
			p.done(at)
		}
	}
	return nil
}

// ClearCache removes the caches of a clone, in which words may stand apart. Nothing of the
// clone may be open. They are made again by the next command.
func ClearCache(dir string) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("clearing the cache: %w", err)
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		if !slices.Contains(kept(), e.Name()) {
			err = errors.Join(err, root.RemoveAll(e.Name()))
		}
	}
	if err != nil {
		return fmt.Errorf("clearing the cache: %w", err)
	}
	return nil
}

func (p *Places) done(at Place) { p.Done = append(p.Done, at) }

func (p *Places) clearJournal(ctx context.Context, w *workspace.Workspace) error {
	if !p.Has(Pending, Removed, Record) {
		return nil
	}
	var done []Place
	err := w.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		done = nil
		c := gitops.Change{Message: "purge: by a person's word", Trailers: w.Trailers("", w.JournalBranch(ctx, w.Repo.Topic)), When: w.Now(), Put: map[string][]byte{}}
		for _, at := range p.Places {
			if !slices.Contains([]Kind{Pending, Removed, Record}, at.Kind) {
				continue
			}
			data, ok, err := snap.File(ctx, at.real)
			if err != nil {
				return c, err
			}
			switch {
			case !ok:
			case at.Kind == Record && !p.holds([]byte(at.real)):
				c.Put[at.real] = p.without(data)
			default:
				c.Remove = append(c.Remove, at.real)
			}
			done = append(done, at)
		}
		return c, nil
	})
	p.Done = append(p.Done, done...)
	return err
}

// gone stands in a session record for what was taken out.
const gone = "[redacted: custom]"

// without is a session record whose items do not hold the text. In its head the value
// stays without it.
func (p *Places) without(data []byte) []byte {
	var out []byte
	for line := range bytes.Lines(data) {
		if p.holds(line) && bytes.HasPrefix(line, []byte("- ")) {
			continue
		}
		out = append(out, p.replaced(line, gone)...)
	}
	return out
}
