package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Nearby is the small part of a project that a hook needs before every command: the
// table by which memories are recalled. It is found without git, which costs more than
// all the rest, and is there if nothing changed since the table was made.
type Nearby struct {
	Root  string // top of the working tree
	Diary *diary.Diary
	Table *recall.Table

	moments []string // at which memories come back
}

// Recalls reports whether memories come back by themselves at a moment.
func (n *Nearby) Recalls(moment string) bool {
	for _, m := range n.moments {
		if m == moment {
			return true
		}
	}
	return false
}

// OpenNearby finds the table of the working tree that dir is in. It is nil where
// there is none that is fresh: then [Open] and [Workspace.RecallTable] make one. A
// table is only there in a clone that was set up.
func OpenNearby(dir string, now func() time.Time) *Nearby {
	p, ok := placesOf(dir)
	if !ok {
		return nil
	}
	data, err := os.ReadFile(p.table() + freshEnding)
	if err != nil {
		return nil
	}
	state, rest, _ := strings.Cut(string(data), "\x00")
	stamp, moments, _ := strings.Cut(rest, "\x00")
	if state == "" || stamp == "" || state != p.state() {
		return nil
	}
	table, err := recall.Open(p.table())
	if err != nil {
		return nil
	}
	if table.Stamp() != stamp {
		_ = table.Close()
		return nil
	}
	// Nothing that could hold a secret is written.
	quiet := func(context.Context, string) string { return "" }
	return &Nearby{Root: p.root, Diary: diary.New(p.cache(), now, quiet), Table: table, moments: strings.Fields(moments)}
}

// RecallState returns a fingerprint of the files that the table of a working tree
// depends on. It is read before the view that the table is made of, see [Workspace.KeepFresh].
func (w *Workspace) RecallState() string { return w.places().state() }

// KeepFresh says that a table is of the state of before.
func (w *Workspace) KeepFresh(state string, t *recall.Table) error {
	if t.Stamp() == "" || w.Repo.Root == "" {
		return nil
	}
	name := w.recallPath() + freshEnding
	text := state + "\x00" + t.Stamp() + "\x00" + strings.Join(w.Config.Recall, " ")
	if have, err := os.ReadFile(name); err == nil && string(have) == text {
		return nil
	}
	if err := atomicfile.WritePath(name, []byte(text), atomicfile.Options{NoSync: true}); err != nil {
		return fmt.Errorf("keeping the table of triggers: %w", err)
	}
	return nil
}

// freshEnding is the ending of the file that says what a table was made of.
const freshEnding = ".fresh"

// places are where a working tree and its repository have their files.
type places struct{ root, git, common string }

func (w *Workspace) places() places { return places{w.Repo.Root, w.Repo.GitDir, w.Repo.CommonDir} }

func (p places) cache() string { return filepath.Join(p.common, "cortex") }

func (p places) table() string {
	name := "main"
	if p.git != p.common {
		name = "worktree-" + filepath.Base(p.git)
	}
	return filepath.Join(p.cache(), "recall", name)
}

// placesOf finds the working tree that dir is in by its folder or file .git, if
// that belongs to us. Links on the way to the cache are refused, as elsewhere.
func placesOf(dir string) (p places, ok bool) {
	dir, err := filepath.EvalSymlinks(dir)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	for err == nil {
		git := filepath.Join(dir, ".git")
		if info, e := os.Lstat(git); e == nil {
			p = places{root: dir, git: git, common: git}
			if !ours(info) || !info.IsDir() && !p.follow() {
				return p, false
			}
			for _, folder := range []string{p.cache(), filepath.Dir(p.table())} {
				if info, e := os.Lstat(folder); e != nil || !info.IsDir() {
					return p, false
				}
			}
			return p, true
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	return p, false
}

// follow reads a file .git, as a linked working tree has it.
func (p *places) follow() bool {
	line, ok := strings.CutPrefix(firstLine(p.git), "gitdir: ")
	if !ok {
		return false
	}
	if p.git = filepath.FromSlash(line); !filepath.IsAbs(p.git) {
		p.git = filepath.Join(p.root, p.git)
	}
	common := filepath.FromSlash(firstLine(filepath.Join(p.git, "commondir")))
	if common == "" {
		p.common = p.git // a submodule
		return true
	}
	if p.common = common; !filepath.IsAbs(common) {
		p.common = filepath.Join(p.git, common)
	}
	return true
}

// firstLine is the first line of a small file, "" if it has none.
func firstLine(name string) string {
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 8<<10 {
		return ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r")
}

// maxMonths bounds how many folders of memories are looked at.
const maxMonths = 512

// state returns a fingerprint of the files that the memories of the working tree
// depend on: the branch, the journal, the settings, and the folders of memory files.
// A commit that changes none of them changes no table; the text of a file that was
// edited by hand is taken in when the next prompt is read.
func (p places) state() string {
	var b strings.Builder
	b.WriteString(firstLine(filepath.Join(p.git, "HEAD")) + "\n")
	b.WriteString(firstLine(filepath.Join(p.common, "refs", "cortex", "journal")) + "\n")
	b.WriteString(firstLine(filepath.Join(p.common, "reftable", "tables.list")) + "\n")
	for _, name := range []string{"packed-refs", "config", "config.worktree", "cortex/spool", "cortex/spool.jsonl"} {
		mark(&b, filepath.Join(p.common, filepath.FromSlash(name)))
	}
	mark(&b, filepath.Join(p.root, filepath.FromSlash(ConfigPath)))
	memories := filepath.Join(p.root, filepath.FromSlash(MemoriesDir))
	left := maxMonths
	for _, kind := range folders(memories) {
		mark(&b, filepath.Join(memories, kind))
		for _, month := range folders(filepath.Join(memories, kind)) {
			if left--; left >= 0 {
				mark(&b, filepath.Join(memories, kind, month))
			}
		}
	}
	return b.String()
}

func folders(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return out
}

// mark writes what tells one state of a file or folder from another.
func mark(b *strings.Builder, name string) {
	info, err := os.Lstat(name)
	if err != nil {
		b.WriteString("-\n")
		return
	}
	fmt.Fprintf(b, "%d %d\n", info.Size(), info.ModTime().UnixNano())
}
