package house

import (
	"fmt"
	"go/ast"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layers says which packages of ours each package may import. A package that
// is in no layer fails the test: give it one here and in ARCHITECTURE.md. What
// is inside a package belongs to its layer unless it has a row of its own.
func layers() map[string][]string {
	leaves := []string{"memory", "templates", "internal/atomicfile", "internal/fill", "internal/linediff", "internal/lists", "internal/markers", "internal/sameness", "internal/stamp", "internal/suspicion", "internal/words"}
	table := map[string][]string{
		"workspace":        slices.Concat(leaves, siblings()),
		"internal/answer":  slices.Concat(leaves, siblings(), []string{"workspace", "hub/client"}, children()),
		"serve":            slices.Concat(leaves, siblings(), []string{"workspace", "internal/answer", "hub/client"}, children()),
		"serve/ui":         slices.Concat(leaves, siblings(), []string{"workspace", "internal/answer", "serve", "hub/client"}, children()),
		"cmd/cortex":       slices.Concat(leaves, siblings(), []string{"workspace", "internal/answer", "serve", "serve/ui", "hub/client", "cmd/internal/usage"}, children()),
		"hub":              slices.Concat(leaves, siblings()),
		"hub/client":       {"gitops", "memory"},
		"hub/forge":        {"hub", "gitops"},
		"hub/postgres":     slices.Concat(leaves, siblings(), []string{"hub"}),
		"serve/hub":        slices.Concat(leaves, siblings(), []string{"workspace", "internal/answer", "hub"}),
		"cmd/cortex-hub":   slices.Concat(leaves, siblings(), []string{"hub", "hub/client", "hub/forge", "hub/postgres", "serve/hub", "internal/answer", "cmd/internal/usage", "workspace"}),
		"internal/house":   leaves,
		"internal/testrun": {},

		"cmd/internal/manual":     {},
		"cmd/internal/usage":      {"index/query"},
		"internal/forgetest":      {},
		"internal/hubtest":        {"capture/recipe", "hub", "index", "index/query", "internal/forgetest", "memory", "serve/hub", "workspace"},
		"internal/pgtest":         {},
		"internal/transcripttest": {},

		"tools": {"capture", "capture/redact", "capture/weights", "memory", "internal/atomicfile", "internal/transcripttest"},
	}
	for _, leaf := range leaves {
		table[leaf] = nil
	}
	table["internal/suspicion"] = []string{"internal/words", "memory"}
	for _, s := range siblings() {
		table[s] = slices.Clone(leaves)
		for _, room := range siblings() { // a sibling uses its rooms, never the reverse
			if strings.HasPrefix(room, s+"/") {
				table[s] = append(table[s], room)
			}
		}
	}
	// What calls of tools teach is found in a transcript's events, and its words are redacted.
	table["capture/recipe"] = append(table["capture/recipe"], "capture/prose", "capture/redact", "capture/transcript")
	table["capture/passage"] = append(table["capture/passage"], "capture/prose", "capture/transcript", "capture/weights")
	table["workspace/internal/manifest"] = nil
	table["workspace"] = append(table["workspace"], "workspace/internal/manifest")
	for _, child := range children() {
		table[child] = slices.Concat(leaves, siblings(), []string{"workspace"})
	}
	table["workspace/setup"] = append(table["workspace/setup"], "workspace/internal/manifest") // settings in TOML
	for room, allowed := range indexRooms() {
		table[room] = allowed
		table["index"] = append(table["index"], room)
	}
	for room, allowed := range cmdRooms() {
		table[room] = allowed
		table["cmd/cortex"] = append(table["cmd/cortex"], room)
	}
	for room, allowed := range table { // as the standard library
		table[room] = append(slices.Clone(allowed), "internal/lazy")
	}
	table["internal/lazy"] = nil
	return table
}

// children are the rooms of workspace, each with commands of its own. They call
// workspace, never each other, and workspace calls none of them.
func children() []string {
	return []string{
		"workspace/agents",
		"workspace/certify",
		"workspace/changes",
		"workspace/codes",
		"workspace/consolidate",
		"workspace/curate",
		"workspace/doctor",
		"workspace/exchange",
		"workspace/explore",
		"workspace/exports",
		"workspace/guards",
		"workspace/branches",
		"workspace/imports",
		"workspace/lifecycle",
		"workspace/merging",
		"workspace/proposal",
		"workspace/purge",
		"workspace/reset",
		"workspace/review",
		"workspace/setup",
		"workspace/threads",
		"workspace/tiers",
	}
}

// cmdRooms are the packages inside of cmd/cortex, with what each may import.
// They know nothing of the process: cmd passes in its streams, its clock and
// its environment.
func cmdRooms() map[string][]string {
	const (
		console = "cmd/cortex/internal/console"
		output  = "cmd/cortex/internal/output"
	)
	return map[string][]string{
		console: {"memory"},
		output: {
			"capture", "capture/session", "index", "index/graph", "index/query", "index/recall", "internal/answer", "internal/lists",
			"memory", "workspace", "workspace/agents", "workspace/codes", "workspace/consolidate", "workspace/curate",
			"workspace/exchange", "workspace/explore", "workspace/guards", "workspace/imports", "workspace/lifecycle", "workspace/proposal",
			"workspace/purge", "workspace/reset", "workspace/review", "workspace/setup", "workspace/tiers", "hub/client", console,
		},
		"cmd/cortex/internal/pulls":   {"index", "memory", "workspace", "workspace/certify", "workspace/changes", "workspace/doctor", "workspace/review", "workspace/threads", "internal/linediff", "internal/lists", console},
		"cmd/cortex/internal/process": {"gitops", "internal/answer", "workspace/curate", "workspace/setup"},
		"cmd/cortex/internal/demo": {
			"capture", "gitops", "internal/answer", "internal/lists", "memory", "projection", "templates", "workspace", "workspace/agents", "workspace/setup", console, output,
		},
		"cmd/cortex/internal/dialogue": {
			"gitops", "index", "internal/answer", "memory", "workspace", "workspace/review", console, output,
		},
	}
}

// siblings are the packages that never import each other, with those of their
// rooms that the layers above may enter.
func siblings() []string {
	return []string{
		"capture", "capture/relation", "capture/passage", "capture/prose", "capture/recipe", "capture/redact", "capture/session", "capture/transcript", "capture/weights",
		"gitops",
		"index", "index/embed", "index/embed/static", "index/graph", "index/query", "index/recall", "index/vector",
		"projection",
	}
}

// owners says which packages alone may import what is outside of the module:
// layers, a package of a layer alone, or a file. A key ending in "/" covers
// everything below it that has no key of its own.
func owners() map[string][]string {
	return map[string][]string{
		"github.com/blugelabs/":                   {"index/internal/postings"},
		"github.com/blevesearch/":                 {"index/internal/postings"},
		"github.com/blevesearch/go-porterstemmer": {"internal/words"},
		"github.com/go-git/":                      {"gitops"},
		"github.com/spf13/":                       {"cmd/cortex", "cmd/cortex-hub", "cmd/internal/usage"},
		"github.com/google/jsonschema-go/":        {}, // tests check answers by it
		"github.com/jackc/":                       {"hub/postgres"},
		"github.com/pressly/":                     {"hub/postgres"},
		"github.com/modelcontextprotocol/":        {"serve"},
		"github.com/yuin/goldmark/":               {"memory", "capture/prose", "serve/ui"},
		"golang.org/x/term":                       {"cmd/cortex", "cmd/cortex/internal/dialogue"},
		"github.com/BurntSushi/":                  {"workspace/internal/manifest"},
		"os/exec": {
			"gitops/editor.go", "gitops/internal/gitcmd", "gitops/internal/locks/lsof.go", "workspace/imports/sqlite.go",
			"cmd/cortex", "cmd/cortex/internal/console", "cmd/cortex/internal/process", "tools",
		},
		"net":      {"serve/ui/ui.go", "serve/ui/peer.go", "serve/hub/rate.go", "hub/client", "cmd/cortex-hub", "tools/realagents/world.go"},
		"net/http": {"index/embed/remote.go", "serve/ui", "serve/hub", "hub/client", "hub/forge", "cmd/cortex-hub", "tools/mockmodel/mockmodel.go", "tools/realagents/world.go"},
		// Calls of methods by name keep every exported method in the program.
		"text/template": {},
		"html/template": {},
		"plugin":        {},
		"C":             {},
		// Repository and Worktree move the user's HEAD, index and files;
		// everything gitops needs is in the packages below this one.
		"github.com/go-git/go-git/v5": {},
	}
}

// ownersOf says who alone may import a path: the longest name of owners counts.
func ownersOf(path string) (who []string, ok bool) {
	longest := ""
	for name, list := range owners() {
		if matches(path, []string{name}) && len(name) >= len(longest) {
			longest, who, ok = name, list, true
		}
	}
	return who, ok
}

// testOnly are imports for tests.
func testOnly() []string {
	return []string{"testing", "github.com/google/go-cmp/", "github.com/rogpeppe/go-internal/"}
}

// assertionLibraries are imports for nobody: tests compare with go-cmp.
func assertionLibraries() []string {
	return []string{"github.com/stretchr/", "github.com/onsi/", "gotest.tools/", "github.com/matryer/is", "github.com/frankban/"}
}

func TestLayers(t *testing.T) {
	for _, pkg := range load(t).packages {
		allowed, ok := layers()[layerOf(pkg.path)]
		if !ok {
			t.Errorf("%s is in no layer: say in layers_test.go and ARCHITECTURE.md where it belongs", pkg.path)
			continue
		}
		for _, s := range pkg.files {
			for _, message := range checkImports(layerOf(pkg.path), allowed, s) {
				t.Error(message)
			}
		}
	}
}

// layerOf names the layer that a package belongs to: itself, or the nearest
// package that it is inside of.
func layerOf(path string) string {
	table := layers()
	for at := path; ; {
		if _, ok := table[at]; ok {
			return at
		}
		i := strings.LastIndexByte(at, '/')
		if i < 0 {
			return path
		}
		at = at[:i]
	}
}

func checkImports(layer string, allowed []string, s *source) []string {
	var messages []string
	complain := func(format string, args ...any) {
		messages = append(messages, s.path+": "+fmt.Sprintf(format, args...))
	}
	for _, name := range s.imports() {
		if matches(name, assertionLibraries()) {
			complain("imports the assertion library %s: compare with go-cmp", name)
		}
		if ours, ok := strings.CutPrefix(name, modulePath+"/"); ok {
			if slices.Contains(testSupport(), ours) && !s.test && layer != "tools" {
				complain("imports %s outside of a test", name)
			}
			if to := layerOf(ours); to != layer && !s.test && !slices.Contains(allowed, to) {
				complain("%s must not import %s (it may import %s)", layer, to, or(allowed, "nothing of ours"))
			}
			continue
		}
		if s.test {
			continue
		}
		if matches(name, testOnly()) {
			complain("imports %s outside of a test", name)
		}
		who, ok := ownersOf(name)
		if ok && !slices.Contains(who, layer) && !slices.Contains(who, path.Dir(s.path)) && !slices.Contains(who, s.path) {
			complain("imports %s, which is for %s alone", name, or(who, "nobody"))
		}
	}
	return messages
}

func matches(path string, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		if strings.HasSuffix(name, "/") {
			return strings.HasPrefix(path, name)
		}
		return path == name
	})
}

func or(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	return strings.Join(names, ", ")
}

// TestPackageTable: the table of ARCHITECTURE.md has a row for every package, but for the measuring
// tools, which share one, and for what a test writes.
func TestPackageTable(t *testing.T) {
	architecture := text(t, "ARCHITECTURE.md")
	for _, pkg := range load(t).packages {
		shared := strings.HasPrefix(pkg.path, "tools/") || strings.Contains(pkg.path, "testdata")
		if !shared && packageComment(pkg) != "" && !strings.Contains(architecture, "| `"+pkg.path+"` |") {
			t.Errorf("ARCHITECTURE.md has no row for %s: say in one sentence what it promises", pkg.path)
		}
	}
}

func TestPackageComments(t *testing.T) {
	const enough = 60 // characters after "Package x"
	for _, pkg := range load(t).packages {
		want := "Package " + pkg.Name + " "
		if pkg.Name == "main" {
			want = "Command " + pkg.path[strings.LastIndexByte(pkg.path, '/')+1:] + " "
		}
		comment := packageComment(pkg)
		switch {
		case comment == "":
			t.Errorf("%s has no package comment: say what it is, what to call first, what it promises", pkg.path)
		case !strings.HasPrefix(comment, want):
			t.Errorf("%s: the package comment must begin %q, not %q", pkg.path, want, firstLine(comment))
		case len(comment) < len(want)+enough:
			t.Errorf("%s: a stranger cannot act on the package comment %q", pkg.path, comment)
		}
	}
}

func packageComment(pkg *goPackage) string {
	for _, s := range pkg.files {
		if !strings.HasSuffix(s.name, "_test.go") && s.file.Doc != nil {
			return s.file.Doc.Text()
		}
	}
	return ""
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// TestDependencies: every module that our code imports directly has its line
// in CONTRIBUTING.md, which says what it is for.
func TestDependencies(t *testing.T) {
	contributing := text(t, "CONTRIBUTING.md")
	modules := regexp.MustCompile(`(?m)^\s+([a-z0-9.]+\.[a-z]+/\S+) v`).FindAllStringSubmatch(text(t, "go.mod"), -1)
	seen := map[string]bool{}
	for _, pkg := range load(t).packages {
		for _, s := range pkg.files {
			for _, path := range s.imports() {
				if module := moduleOf(path, modules); module != "" && !seen[module] {
					seen[module] = true
					if !strings.Contains(contributing, "`"+module+"`") {
						t.Errorf("%s: %s is not in the dependency table of CONTRIBUTING.md", s.path, module)
					}
				}
			}
		}
	}
}

func moduleOf(path string, modules [][]string) string {
	longest := ""
	for _, m := range modules {
		if (path == m[1] || strings.HasPrefix(path, m[1]+"/")) && len(m[1]) > len(longest) {
			longest = m[1]
		}
	}
	return longest
}

// TestFaces: the faces may name what a sibling defines (a stage, a sentinel
// error), but what a sibling does they ask of workspace, so that all faces do
// the same.
func TestFaces(t *testing.T) {
	for _, pkg := range load(t).packages {
		if layer := layerOf(pkg.path); !strings.HasPrefix(layer, "cmd/cortex") && layer != "serve" && layer != "internal/answer" {
			continue
		}
		for _, s := range pkg.files {
			if s.test {
				continue
			}
			ast.Inspect(s.file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				for _, name := range siblings() {
					if s.calls(call, modulePath+"/"+name, calleeName(call)) {
						t.Errorf("%s:%d calls %s.%s: call workspace", s.path, s.line(call), name, calleeName(call))
					}
				}
				return true
			})
		}
	}
}

// TestGitProcess: cmd may start processes, but never git: it asks gitops,
// through workspace.
func TestGitProcess(t *testing.T) {
	for _, pkg := range load(t).packages {
		if layer := layerOf(pkg.path); layer == "gitops" || layer == "tools" {
			continue // the tools measure the program from outside, in repositories of their own
		}
		for _, s := range pkg.files {
			if s.test {
				continue
			}
			ast.Inspect(s.file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if ok && s.calls(call, "os/exec", "Command", "CommandContext") && slices.ContainsFunc(call.Args, isGit) {
					t.Errorf("%s:%d runs git: only gitops does", s.path, s.line(call))
				}
				return true
			})
		}
	}
}

func isGit(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Value == `"git"`
}
