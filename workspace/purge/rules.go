package purge

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// rulesDir is the folder, in that of our own files, of what the steps of a plan need and may
// not be printed: the text, and the names that tell of it.
const rulesDir = "purge"

// The files of rules: the module that the callbacks of git filter-repo use, and the names of
// refs that are renamed here.
const (
	rulesFile    = "cortex_purge.py"
	branchesFile = "branches"
	othersFile   = "refs"
)

// writeRules writes the files that the steps of the plan use.
func (p *Places) writeRules(ctx context.Context, w *workspace.Workspace) error {
	if err := p.settle(ctx, w); err != nil {
		return err
	}
	dir := filepath.Join(w.Repo.CacheDir(), rulesDir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("writing what the steps need: %w", err)
	}
	contents := map[string]string{rulesFile: p.module()}
	contents[branchesFile], contents[othersFile] = p.renames()
	for i, host := range p.hosts {
		var refs strings.Builder
		for _, ref := range p.renamed {
			if there, ok := p.there(host, ref); ok {
				refs.WriteString(there + "\n")
			}
		}
		contents[refsOf(i)] = refs.String()
	}
	for name, text := range contents {
		if err := atomicfile.WritePath(filepath.Join(dir, name), []byte(text), atomicfile.Options{Mode: 0o600}); err != nil {
			return fmt.Errorf("writing what the steps need: %w", err)
		}
	}
	if !p.Has(Rules) {
		p.add(Rules, "", rulesDir)
	}
	return nil
}

// refsOf is the file with the names of refs of one remote.
func refsOf(remote int) string { return fmt.Sprintf("refs-%d", remote) }

// settle leaves files of memories in the history that have the text no more, by what is
// there now.
func (p *Places) settle(ctx context.Context, w *workspace.Workspace) error {
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return err
	}
	t, treeErr := w.Tree()
	for at := range p.hits.drop {
		data, there, err := snap.File(ctx, at)
		if err == nil && !there && treeErr == nil {
			data, there, err = t.Read(at)
		}
		if err == nil && there && !p.holds(data) {
			delete(p.hits.drop, at)
		}
	}
	return nil
}

// module is the Python that git filter-repo runs: it decides by paths, and replaces the text
// in all else. As a program it replaces the text in the files that it lists.
func (p *Places) module() string {
	var git []string
	for _, at := range p.Places {
		if at.Kind == Git && scrubbed(at.real) {
			git = append(git, at.real)
		}
	}
	drop := slices.Sorted(maps.Keys(p.hits.drop))
	if p.hits.pages {
		for _, name := range pages() {
			drop = append(drop, workspace.Dir+"/"+name)
		}
	}
	with := "removed"
	if len(p.pattern.ids) > 0 {
		with = strings.Repeat("0", len(p.pattern.ids[0])) // a link to it stays one, to nothing
	}
	return fmt.Sprintf(`# Written by cortex purge. It holds what must go: remove it with the last step.
import os, re

PATTERN = re.compile(%s)
BY = %s
DROP = set(%s)
RENAME = set(%s)
FILES = %s
NAME = re.compile(rb"^(.*/)?[^/]*-(([0-9a-z]{7})[0-9a-z]{0,9}\.md)$", re.S)

def text(data):
    return PATTERN.sub(BY, data)

def blob(blob):
    if PATTERN.search(blob.data):
        blob.data = text(blob.data)

def path(path):
    if path in DROP:
        return None
    memory = NAME.match(path)
    if memory and memory.group(3) in RENAME and (path.startswith(b".cortex/") or path.startswith(b"pending/")):
        path = (memory.group(1) or b"") + b"memory-" + memory.group(2)
    return PATTERN.sub(b"removed", path)

def ref(name):
    return PATTERN.sub(b"removed", name)

if __name__ == "__main__":
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in FILES:
        at = os.path.join(os.fsencode(root), name)
        if os.path.isfile(at) and not os.path.islink(at):
            with open(at, "rb") as file:
                data = file.read()
            if PATTERN.search(data):
                with open(at, "wb") as file:
                    file.write(text(data))
`, literal(p.pattern.python()), literal([]byte(with)), list(drop), list(slices.Sorted(maps.Keys(p.hits.rename))), list(git))
}

// scrubbed reports whether a file of git's folder may be edited: logs are emptied by another
// step, and indexes are made anew.
func scrubbed(at string) bool {
	return !strings.HasPrefix(at, "logs/") && !strings.Contains(at, "/logs/") && filepath.Base(at) != "index" && !within(at, "filter-repo")
}

// literal is a bytes literal of Python.
func literal(data []byte) string {
	var b strings.Builder
	b.WriteString(`b"`)
	for _, c := range data {
		if plain(lower(c)) || strings.IndexByte(" -_./()[]{}?:,^|", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	b.WriteByte('"')
	return b.String()
}

func list(names []string) string {
	var quoted []string
	for _, name := range names {
		quoted = append(quoted, literal([]byte(name)))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// python is the pattern as a regular expression of Python, over bytes.
func (p *pattern) python() []byte {
	var all []string
	for _, f := range p.forms {
		if f.words == nil {
			all = append(all, escaped(f.exact))
			continue
		}
		var words []string
		for _, w := range f.words {
			words = append(words, escaped(w))
		}
		all = append(all, "(?i:"+strings.Join(words, fmt.Sprintf("[^0-9A-Za-z]{0,%d}", f.gap))+")")
	}
	return []byte(strings.Join(all, "|"))
}

// escaped is a regular expression for bytes as they are.
func escaped(data []byte) string {
	var b strings.Builder
	for _, c := range data {
		if plain(lower(c)) {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	return b.String()
}

// pages are the names of the generated pages.
func pages() []string { return []string{"decisions.md", "decisions-archive.md", "active-plan.md"} }

// byID is a pathspec for the file of a memory, without its slug, or the path of what has no id
// in its name.
func byID(at string) string {
	_, short, ok := ofSlug(at[strings.LastIndexByte(at, '/')+1:])
	if !ok {
		return at
	}
	return ":(glob)" + workspace.MemoriesDir + "/**/*-" + memory.ID(short).Short() + "*.md"
}
