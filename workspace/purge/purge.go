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
	"github.com/git-cortex/cortex/internal/lists"
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
	Snapshot Kind = "snapshot" // of a reset; or what a proposal offered
	Remote   Kind = "remote"   // the journal of a remote, as it was last seen
	Cache    Kind = "cache"    // a file of the cache folder
	Spool    Kind = "spool"    // changes that wait for the journal
	Briefing Kind = "briefing" // the copy for an agent
	Outside  Kind = "outside"  // files outside of .cortex, in the history of a ref
	Message  Kind = "message"  // of a commit in the history of a ref, or of a tag; who made it, too
	Name     Kind = "name"     // of a file or folder, in the history of a ref
	Ref      Kind = "ref"      // the name of a branch, a tag or another ref
	Object   Kind = "object"   // of git, that nothing leads to or its logs alone
	Git      Kind = "git"      // a file of git's own folder, or of what nothing else knows in ours
	Rules    Kind = "rules"    // the files that Clear wrote for the steps of a person
	Mirror   Kind = "mirror"   // a ref of a remote, as the remote has it now
)

// Place is where the text stands.
type Place struct {
	Kind Kind `json:"kind"`
	// Ref is that of a history, snapshot or remote, with * in place of the text; "" where
	// only git's logs have the commit.
	Ref string `json:"ref,omitempty"`
	// Path is one in the working tree, the journal, the commit or a folder of git or ours,
	// without the text too.
	Path string `json:"path,omitempty"`
	real string // the path with the text
	name bool   // of a memory that does not say it: its folder, or what it was made on, is named so
}

// Places is the answer of [Find].
type Places struct {
	Places []Place  `json:"places"`
	Refs   []string `json:"refs"`   // branches, tags and other refs whose history holds it
	Done   []Place  `json:"done"`   // that [Clear] dealt with
	Unseen []string `json:"unseen"` // where nobody looked
	Proved []string `json:"proved"` // remotes that were looked through, see [Places.Remotes]

	pattern *pattern
	hosts   []string         // the names of remotes
	specs   []gitops.Refspec // what they have of what is here
	hits    *hits
	renamed []string // refs whose names have the text
	trees   bool     // there are more working trees
	kept    bool     // other tools keep packs from git gc
	partial bool     // it leaves objects to its remote
}

// ErrShort is a text that stands in too many places to be meant.
var ErrShort = errors.New("at least 6 characters are needed")

// least is how long a text is.
const least = 6

// telling is how long a line is that tells of a text of several lines.
const telling = 16

// Meant returns the texts that a word stands for: of the id of a memory the whole id, which
// stands wherever the memory is; of several lines those that are long enough to be of
// nothing else, since lines may be kept apart, else all of them as they are; else the word
// itself.
func Meant(ctx context.Context, w *workspace.Workspace, word string) ([]string, error) {
	if texts := tellingLines(word); len(texts) > 0 {
		return texts, nil
	}
	if len(word) < least {
		return nil, ErrShort
	}
	if memory.IsIDPrefix(word) {
		v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true, Local: true, Unreviewed: true})
		if err != nil {
			return nil, err
		}
		if e, err := v.Find(ctx, word); err == nil {
			return []string{string(e.Memory.ID)}, nil
		}
	}
	return []string{word}, nil
}

// tellingLines are the lines of a text of several that tell of it, each once.
func tellingLines(text string) []string {
	if !strings.Contains(text, "\n") {
		return nil
	}
	var found []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if isTelling(line) && !slices.Contains(found, line) {
			found = append(found, line)
		}
	}
	return found
}

// isTelling reports whether a line is long enough to be of nothing else, and is not the first or
// the last one of a key.
func isTelling(line string) bool { return len(line) >= telling && !strings.HasPrefix(line, "-----") }

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
	p := &Places{
		Places: []Place{}, Refs: []string{}, Done: []Place{}, Proved: []string{}, Unseen: unseen(),
		pattern: patternOf(texts), hosts: settings.Remotes(), specs: specs,
	}
	looks := []func(context.Context, *workspace.Workspace) error{p.present, p.histories, p.gitFolder}
	for _, look := range looks {
		if err := look(ctx, w); err != nil {
			return nil, fmt.Errorf("looking for it: %w", err)
		}
	}
	return p, nil
}

// add notes a place whose name or content has the text.
func (p *Places) add(k Kind, ref, path string) {
	at := Place{Kind: k, Ref: p.masked(ref), Path: p.pattern.shown(path), real: path}
	if !slices.Contains(p.Places, at) {
		p.Places = append(p.Places, at)
	}
}

// addRefs notes that the name of each ref, or what it leads to, has the text.
func (p *Places) addRefs(k Kind, refs []string) {
	for _, ref := range refs {
		p.add(k, ref, "")
	}
}

// addMemory notes a file of ours, and whether it is a memory that says nothing of the text.
func (p *Places) addMemory(k Kind, at string, data []byte) {
	before := len(p.Places)
	p.add(k, "", at)
	if len(p.Places) > before {
		v := p.pattern.verdict(data)
		p.Places[before].name = inMemories(at) && (v.aside || !v.hit && !p.pattern.named(path.Base(at)))
	}
}

// masked is a text with * in place of what it has of the text that must go.
func (p *Places) masked(text string) string { return string(p.pattern.replaced([]byte(text), "*")) }

func (p *Places) holds(data []byte) bool { return p.pattern.holds(data) }

// Has reports whether there is a place of one of these kinds.
func (p *Places) Has(kinds ...Kind) bool { return len(p.of(kinds...)) > 0 }

// of are the places of some kinds.
func (p *Places) of(kinds ...Kind) []Place {
	return lists.Without(p.Places, func(at Place) bool { return !slices.Contains(kinds, at.Kind) })
}

// present looks through what is there now: .cortex, the briefing, the journal and the cache folder.
func (p *Places) present(ctx context.Context, w *workspace.Workspace) error {
	return p.each(ctx, w, func(kind Kind, at string, data []byte) {
		if kind == Cache && within(at, rulesDir) {
			p.add(Rules, "", rulesDir)
			return
		}
		if !p.holds(data) && !p.pattern.named(at) {
			return
		}
		top, _, _ := strings.Cut(at, "/")
		switch {
		case kind == File:
			p.addMemory(kind, path.Join(workspace.Dir, at), data)
		case kind != Cache:
			p.addMemory(kind, at, data)
		case strings.HasPrefix(at, "spool"):
			p.add(Spool, "", at)
		case slices.Contains(kept(), top):
			p.add(Git, "", "cortex/"+at)
		default:
			p.add(kind, "", at)
		}
	})
}

// each yields the files that hold words of memories: those of .cortex by their paths in it, the briefing,
// those of the newest state of the journal, the spool with it, and those of the cache folder.
func (p *Places) each(ctx context.Context, w *workspace.Workspace,
	yield func(kind Kind, at string, data []byte),
) error {
	if w.Repo.Root != "" {
		if err := p.inTree(w, yield); err != nil {
			return err
		}
	}
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return err
	}
	entries, err := snap.List(ctx, "")
	if err != nil {
		return err
	}
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if kind, ok := kindOf(e.Path); ok {
			yield(kind, e.Path, data)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return p.files(w.Repo.CacheDir(), func(rel string, data []byte) { yield(Cache, rel, data) })
}

// inTree yields the files of the working tree.
func (p *Places) inTree(w *workspace.Workspace, yield func(Kind, string, []byte)) error {
	t, err := w.Tree()
	if err != nil {
		return err
	}
	if briefing, ok, _ := t.Read(workspace.BriefingFile); ok {
		yield(Briefing, workspace.BriefingFile, briefing)
	}
	return p.files(filepath.Join(w.Repo.Root, workspace.Dir), func(rel string, data []byte) { yield(File, rel, data) })
}

// maxRead bounds a file that is looked through.
const maxRead = 256 << 20

// files reads the regular files below a folder.
func (p *Places) files(dir string, yield func(rel string, data []byte)) error {
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
		data, err := readBounded(root, rel)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			p.unread(filepath.Base(dir))
		default:
			yield(rel, data)
		}
		return nil
	})
}

// readBounded reads a file of at most maxRead bytes.
func readBounded(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxRead {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxRead)
	}
	return root.ReadFile(name)
}

// unread notes that a file could not be looked through.
func (p *Places) unread(where string) {
	what := "files in " + p.masked(where) + " that cannot be read or are larger than 256 MB"
	if !slices.Contains(p.Unseen, what) {
		p.Unseen = append(p.Unseen, what)
	}
}

// kindOf is the kind of a file of the journal that can hold words.
func kindOf(at string) (Kind, bool) {
	family, _, _ := strings.Cut(at, "/")
	kind, ok := map[string]Kind{"pending": Pending, "dismissed": Removed, "sessions": Record}[family]
	return kind, ok
}

// histories looks through all objects of git, and finds the refs that lead to what has the
// text.
func (p *Places) histories(ctx context.Context, w *workspace.Workspace) error {
	h := w.Repo.History()
	p.partial = hasPacks(w, "*.promisor") // it leaves objects to its remote
	missing, err := h.Missing(ctx)
	if err != nil {
		return err
	}
	if p.hits, err = inspect(ctx, h, p.pattern); err != nil {
		return err
	}
	switch {
	case missing > 0 && p.partial:
		p.Unseen = append(p.Unseen, "objects that this partial clone has not fetched")
	case missing > 0:
		return fmt.Errorf("%d objects of git are missing: what they hold cannot be told", missing)
	}
	p.renamed = p.hits.namedFor(p.pattern)
	p.addRefs(Ref, p.renamed)
	return p.told(ctx, h)
}

// told adds the places that commits and tags tell of.
func (p *Places) told(ctx context.Context, h gitops.History) error {
	if len(p.hits.inside) > 0 {
		refs, err := h.RefsWith(ctx, p.hits.inside)
		if err != nil {
			return err
		}
		p.add(History, "", workspace.Dir)
		p.Refs = append(p.Refs, lists.Map(notOfCortex(refs), p.masked)...)
	}
	err := errors.Join(
		p.below(ctx, h, Outside, p.hits.beyond),
		p.below(ctx, h, Name, p.hits.called),
		p.below(ctx, h, Message, p.hits.said))
	if err != nil {
		return err
	}
	p.addRefs(Message, p.hits.tagged())
	if p.hits.loose {
		p.add(Object, "", "")
	}
	return p.own(ctx, h)
}

// own adds the refs of cortex whose history has the text.
func (p *Places) own(ctx context.Context, h gitops.History) error {
	refs, err := p.hits.holding(ctx, h)
	if err != nil {
		return err
	}
	for _, ref := range refs {
		switch {
		case strings.HasPrefix(ref, "refs/cortex/snapshots/"), strings.HasPrefix(ref, "refs/cortex/proposals/"):
			p.add(Snapshot, ref, "")
		case strings.HasPrefix(ref, "refs/cortex-remotes/"):
			p.add(Remote, ref, "")
		case strings.HasPrefix(ref, "refs/cortex/"):
			p.add(History, ref, "")
		}
	}
	return nil
}

// below adds each ref that has one of some commits, none of them where only git's logs do.
// Those of cortex have their own kinds.
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
	p.addRefs(k, notOfCortex(all))
	return nil
}

func notOfCortex(refs []string) []string {
	return lists.Without(refs, func(ref string) bool {
		return strings.HasPrefix(ref, "refs/cortex/") || strings.HasPrefix(ref, "refs/cortex-remotes/")
	})
}

// kept are the files of the cache folder that hold what nothing else knows.
func kept() []string {
	return []string{"spool", "installed.json", "lock", "staged", "unmerged", "folded", "published", rulesDir}
}

// gitFolder looks through the other files of git's folder: settings, logs, messages that git
// put down, indexes, and those of other working trees. Objects, refs and our own folder are looked
// through by other ways, and submodules not at all.
func (p *Places) gitFolder(_ context.Context, w *workspace.Workspace) error {
	p.trees = hasEntries(filepath.Join(w.Repo.CommonDir, "worktrees"))
	p.kept = hasPacks(w, "*.keep")
	if hasEntries(filepath.Join(w.Repo.CommonDir, "modules")) {
		p.Unseen = append(p.Unseen, "repositories of submodules")
	}
	others := []string{"objects", "refs", "packed-refs", "cortex", "modules"}
	return p.files(w.Repo.CommonDir, func(rel string, data []byte) {
		top, _, _ := strings.Cut(rel, "/")
		if !slices.Contains(others, top) && (p.holds(data) || p.pattern.named(rel)) {
			p.add(Git, "", rel)
		}
	})
}

func within(rel, dir string) bool { return rel == dir || strings.HasPrefix(rel, dir+"/") }

func hasEntries(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) > 0
}

// hasPacks reports whether there are files of packs whose names match.
func hasPacks(w *workspace.Workspace, names string) bool {
	packs, _ := filepath.Glob(filepath.Join(w.Repo.CommonDir, "objects", "pack", names))
	return len(packs) > 0
}

// Clear removes the text from what this clone can do without: pending memories and the
// copies of forgotten ones that hold it, the lines of session records, and the copy of the
// briefing. Files of the working tree and histories stay; for the caches see [ClearCache].
// For the steps of a person it writes what they need to know, readable for the owner alone.
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
		p.Done = append(p.Done, Place{Kind: Briefing, Path: workspace.BriefingFile, real: workspace.BriefingFile})
	}
	p.Done = append(p.Done, p.of(Cache)...)
	if !p.rewrites() {
		return nil
	}
	return p.writeRules(ctx, w)
}

// ClearCache removes the caches of a clone, in which words may stand apart. Nothing of the
// clone may be open. They are made again by the next command.
func ClearCache(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !slices.Contains(kept(), e.Name()) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("clearing the cache: %w", err)
	}
	return nil
}

func (p *Places) clearJournal(ctx context.Context, w *workspace.Workspace) error {
	ours := p.of(Pending, Removed, Record)
	if len(ours) == 0 {
		return nil
	}
	err := w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{
			Message:  "purge: by a person's word",
			Trailers: w.Trailers("", w.Secrets.Branch(ctx, w.Repo.Topic)),
			When:     w.Now(), Put: map[string][]byte{},
		}
		for _, at := range ours {
			data, ok, err := snap.File(ctx, at.real)
			if err != nil {
				return c, err
			}
			if ok {
				p.clear(&c, at, data)
			}
		}
		return c, nil
	})
	if err == nil {
		p.Done = append(p.Done, ours...)
	}
	return err
}

// clear takes the text out of a file of the journal, or the file out of the journal.
func (p *Places) clear(c *gitops.Change, at Place, data []byte) {
	switch {
	case at.name:
		c.Remove = append(c.Remove, at.real)
		c.Put[p.afterwards(at.real)] = p.pattern.replaced(data, "removed")
	case at.Kind == Record && !p.holds([]byte(at.real)):
		c.Put[at.real] = p.without(data)
	default:
		c.Remove = append(c.Remove, at.real)
	}
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
		out = append(out, p.pattern.replaced(line, gone)...)
	}
	return out
}
