package purge

import (
	"bytes"
	"context"
	_ "embed" // the module that git filter-repo runs
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
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
		err := atomicfile.WritePath(filepath.Join(dir, name), []byte(text), atomicfile.Options{Mode: 0o600})
		if err != nil {
			return fmt.Errorf("writing what the steps need: %w", err)
		}
	}
	p.add(Rules, "", rulesDir)
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
	maps.DeleteFunc(p.hits.drop, func(at string, _ bool) bool {
		data, ok := newest(ctx, w, snap, at)
		return ok && !p.holds(data)
	})
	return nil
}

// newest reads a file of the journal, else of the working tree.
func newest(ctx context.Context, w *workspace.Workspace, snap *gitops.Snapshot, at string) ([]byte, bool) {
	data, ok, err := snap.File(ctx, at)
	t, treeErr := w.Tree()
	if !ok && err == nil && treeErr == nil {
		data, ok, err = t.Read(at)
	}
	return data, ok && err == nil
}

//go:embed cortex_purge.py
var moduleText string

// module is the Python that git filter-repo runs: it decides by paths, and replaces the text
// in all else. As a program it replaces the text in the files that it lists.
func (p *Places) module() string {
	drop := slices.Sorted(maps.Keys(p.hits.drop))
	if p.hits.pages {
		drop = append(drop, lists.Map(pages(), func(name string) string { return workspace.Dir + "/" + name })...)
	}
	with := "removed"
	if len(p.pattern.ids) > 0 {
		with = strings.Repeat("0", len(p.pattern.ids[0])) // a link to it stays one, to nothing
	}
	return strings.NewReplacer(
		"{pattern}", literal(p.pattern.python()),
		"{by}", literal([]byte(with)),
		"{drop}", list(drop),
		"{rename}", list(slices.Sorted(maps.Keys(p.hits.rename))),
		"{files}", list(p.scrubs()),
	).Replace(moduleText)
}

// scrubbed reports whether a file of git's folder may be edited: logs are emptied by another
// step, and indexes are made anew.
func scrubbed(at string) bool {
	isLog := strings.Contains("/"+at, "/logs/")
	return !isLog && filepath.Base(at) != "index" && !within(at, "filter-repo")
}

// literal is a bytes literal of Python.
func literal(data []byte) string { return `b"` + escaped(data, " -_./()[]{}?:,^|") + `"` }

// escaped has \x in place of each byte that is no letter, no digit and none of some others: it
// is the same bytes as a literal of Python and, without others, as a regular expression.
func escaped(data []byte, others string) string {
	var b strings.Builder
	for _, c := range data {
		if strings.IndexByte(letters+others, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, `\x%02x`, c)
	}
	return b.String()
}

func list(names []string) string {
	quoted := lists.Map(names, func(name string) string { return literal([]byte(name)) })
	return "[" + strings.Join(quoted, ", ") + "]"
}

// python is the pattern as a regular expression of Python, over bytes.
func (p *pattern) python() []byte {
	var all []string
	for _, f := range p.forms {
		if f.words == nil {
			all = append(all, escaped(f.exact, ""))
			continue
		}
		words := bytes.Join(f.words, fmt.Appendf(nil, "[^0-9A-Za-z]{0,%d}", f.gap))
		all = append(all, "(?i:"+string(words)+")")
	}
	return []byte(strings.Join(all, "|"))
}

// pages are the names of the generated pages.
func pages() []string { return []string{"decisions.md", "decisions-archive.md", "active-plan.md"} }
