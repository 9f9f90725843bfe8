package house

import (
	"fmt"
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// TestDocumentLengths: a document that grows past its limit is no longer read.
func TestDocumentLengths(t *testing.T) {
	for name, limit := range map[string]int{
		"README.md": 200, "ARCHITECTURE.md": 250, "CONTRIBUTING.md": 130, "AGENTS.md": 60,
	} {
		if n := strings.Count(text(t, name), "\n"); n > limit {
			t.Errorf("%s has %d lines, at most %d", name, n, limit)
		}
	}
	const most = 35 * 1024 // bytes: whoever writes a second reader reads all of it
	if n := len(text(t, "FORMAT.md")); n > most {
		t.Errorf("FORMAT.md has %d bytes, at most %d: what no reader needs belongs in docs/behaviour.md", n, most)
	}
}

// maxColumns is how wide a line of prose may be, in characters.
const maxColumns = 120

// TestDocumentLines: lines of prose can be read side by side. Exempt are rows of a table, code,
// quotations, pictures and addresses, and what an agent reads as a whole.
func TestDocumentLines(t *testing.T) {
	for _, name := range documents(t) {
		if strings.HasPrefix(name, "plugin/extension/") || strings.HasPrefix(name, "serve/mcp/") {
			continue
		}
		code := false
		for i, line := range strings.Split(text(t, name), "\n") {
			start := strings.TrimSpace(line)
			if strings.HasPrefix(start, "```") {
				code = !code
			}
			exempt := code || strings.HasPrefix(start, "![") || strings.TrimLeft(start, "|<>") != start
			if n := utf8.RuneCountInString(line); n > maxColumns && !exempt {
				t.Errorf("%s:%d has %d columns, at most %d", name, i+1, n, maxColumns)
			}
		}
	}
}

// TestQuickStart: the two commands do all the set-up there is. README.md names the command of
// the tests, and CI calls it.
func TestQuickStart(t *testing.T) {
	want := []string{"go install ./cmd/cortex", "cortex demo"}
	got := block(text(t, "README.md"), "quick-start")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("quick start of README.md (-want +got):\n%s", diff)
	}
	if !strings.Contains(text(t, "README.md"), "`go test ./...`") {
		t.Error("README.md does not name the command of the tests")
	}
	if !regexp.MustCompile(`(?m)^\s*go test \./\.\.\. `).MatchString(text(t, ".ci/run")) {
		t.Error(".ci/run does not call go test ./...")
	}
}

// block is the lines of the code block after the comment <!-- run: name -->.
func block(document, name string) []string {
	_, rest, _ := strings.Cut(document, "<!-- run: "+name+" -->\n```sh\n")
	body, _, ok := strings.Cut(rest, "\n```")
	if !ok {
		return nil
	}
	return strings.Split(body, "\n")
}

// TestLinks: a relative link leads to a file, and to a heading that is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, name := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(text(t, name), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, heading, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			info, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(target)))
			if err != nil {
				t.Errorf("%s: the link %s leads nowhere", name, m[1])
				continue
			}
			if heading != "" && !info.IsDir() && !hasHeading(text(t, target), heading) {
				t.Errorf("%s: no heading for the link %s", name, m[1])
			}
		}
	}
}

func hasHeading(document, anchor string) bool {
	for line := range strings.Lines(document) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if ok && strings.HasPrefix(line, "#") && strings.ReplaceAll(strings.ToLower(strings.TrimSpace(title)), " ", "-") == anchor {
			return true
		}
	}
	return false
}

// documents lists the project's own Markdown files.
func documents(t *testing.T) []string {
	t.Helper()
	root := filepath.Join("..", "..")
	var names []string
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "templates" || strings.HasPrefix(d.Name(), ".") && rel != ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(rel, ".md") {
			names = append(names, rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestFormatTypes: the table of types in FORMAT.md is the table of the code.
func TestFormatTypes(t *testing.T) {
	rows := table(text(t, "FORMAT.md"), "| type | priority |")
	if len(rows) != len(memory.Types()) {
		t.Errorf("%d types in FORMAT.md, %d in the code", len(rows), len(memory.Types()))
	}
	for _, row := range rows {
		typ, err := memory.ParseType(row[0])
		if err != nil || string(typ) != row[0] {
			t.Errorf("FORMAT.md: %q is no type: %v", row[0], err)
			continue
		}
		half := "never"
		if d := typ.HalfLife(); d > 0 {
			half = fmt.Sprintf("%d d", d/(24*time.Hour))
		}
		if row[1] != fmt.Sprint(typ.Priority()) || row[2] != half {
			t.Errorf("FORMAT.md: %s has %s and %s, the code %d and %s", typ, row[1], row[2], typ.Priority(), half)
		}
		for synonym := range strings.SplitSeq(row[3], ", ") {
			if got, err := memory.ParseType(synonym); synonym != "" && (err != nil || got != typ) {
				t.Errorf("FORMAT.md: %q is not a synonym of %s", synonym, typ)
			}
		}
	}
}

// TestFormatNumbers: limits and relations of FORMAT.md are those of the code.
func TestFormatNumbers(t *testing.T) {
	format := text(t, "FORMAT.md")
	for _, want := range []string{
		fmt.Sprintf("| a memory file | %d bytes |", memory.MaxFile),
		fmt.Sprintf("| its frontmatter | %d bytes |", memory.MaxFrontmatter),
		fmt.Sprintf("| a title, a tag, any one word | %d bytes |", memory.MaxTitle),
		fmt.Sprintf("| items of one list | %d |", memory.MaxList),
	} {
		if !strings.Contains(format, want) {
			t.Errorf("FORMAT.md does not say %q", want)
		}
	}
	for _, rel := range memory.Rels() {
		if !strings.Contains(format, "`"+string(rel)+"`") {
			t.Errorf("FORMAT.md does not name the relation %s", rel)
		}
	}
}

// TestFormatExamples: every memory shown in a document is a valid file, in
// canonical form, under the id that its content has.
func TestFormatExamples(t *testing.T) {
	example := regexp.MustCompile("(?s)```markdown\n(---\n.*?)```")
	for _, name := range []string{"FORMAT.md", "README.md"} {
		found := example.FindAllStringSubmatch(text(t, name), -1)
		if len(found) == 0 {
			t.Errorf("%s shows no memory", name)
		}
		for _, m := range found {
			got, err := memory.Parse(name, []byte(m[1]))
			if err != nil {
				t.Error(err)
				continue
			}
			if diff := cmp.Diff(m[1], string(memory.Format(got))); diff != "" {
				t.Errorf("%s: an example is not canonical (-shown +canonical):\n%s", name, diff)
			}
			if want := memory.NewID(got.Type, got.Title, got.Text); got.ID != want {
				t.Errorf("%s: the id of the example is %s, its content has %s", name, got.ID, want)
			}
		}
	}
}

// TestVectors: every numbered rule of FORMAT.md has a vector.
func TestVectors(t *testing.T) {
	dir := filepath.Join("..", "..", "memory", "testdata", "vectors")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Skipf("no vectors yet: %v", err)
	}
	for _, m := range regexp.MustCompile(`(?m)^- \*\*(M\d+)\*\*`).FindAllStringSubmatch(text(t, "FORMAT.md"), -1) {
		covered := false
		for _, e := range entries {
			covered = covered || strings.HasPrefix(e.Name(), m[1]+"-")
		}
		if !covered {
			t.Errorf("FORMAT.md: the rule %s has no vector %s-*", m[1], m[1])
		}
	}
}

// TestDesigns: each design document has a number of its own, and its title has the same.
func TestDesigns(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "design", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no design documents: %v", err)
	}
	named := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		number, _, _ := strings.Cut(name, "-")
		if named[number] != "" {
			t.Errorf("%s and %s have one number", named[number], name)
		}
		named[number] = name
		if title := "# " + strings.TrimLeft(number, "0") + ". "; !strings.HasPrefix(text(t, "docs/design/"+name), title) {
			t.Errorf("%s does not begin with %q", name, title)
		}
	}
}

// table returns the rows below the head that begins with head, as trimmed cells.
func table(document, head string) [][]string {
	_, rest, _ := strings.Cut(document, "\n"+head)
	var rows [][]string
	for i, line := range strings.Split(rest, "\n") {
		if i < 2 {
			continue // the rest of the head, and the rule below it
		}
		if !strings.HasPrefix(line, "|") {
			break
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		rows = append(rows, cells)
	}
	return rows
}

// TestManualIsCurrent: docs/commands.md has the texts and flags that the commands have.
// The test of the whole, TestManual of cmd/cortex, takes a build of the program; this one
// tells everybody who changes a command.
func TestManualIsCurrent(t *testing.T) {
	words := func(s string) string {
		s = regexp.MustCompile("(?m)^```$").ReplaceAllString(s, "")
		return strings.Join(strings.Fields(strings.NewReplacer("`", "", `\*`, "*", `\_`, "_", "&lt;", "<").Replace(s)), " ")
	}
	manual := words(text(t, "docs/commands.md"))
	for _, pkg := range load(t).packages {
		if pkg.path != "cmd/cortex" {
			continue
		}
		for _, s := range pkg.files {
			for _, said := range helpTexts(s) {
				if !s.test && !strings.Contains(manual, words(said)) {
					t.Errorf("docs/commands.md does not say %q, as %s does; run: go test ./cmd/cortex -run TestManual -update", said, s.path)
				}
			}
		}
	}
}

// helpTexts are the long texts, examples and texts of flags in a file, but for those of
// hidden commands.
func helpTexts(s *source) (found []string) {
	literal := func(e ast.Expr) {
		if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if value, err := strconv.Unquote(l.Value); err == nil {
				found = append(found, value)
			}
		}
	}
	hidden := false
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			key, _ := n.Key.(*ast.Ident)
			hidden = hidden || key != nil && key.Name == "Hidden"
			if key != nil && (key.Name == "Long" || key.Name == "Example") {
				literal(n.Value)
			}
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && len(n.Args) > 2 && regexp.MustCompile(`^(Bool|String|Int|Float64|StringSlice|StringArray|Duration)VarP?$`).MatchString(sel.Sel.Name) {
				literal(n.Args[len(n.Args)-1])
			}
		}
		return true
	})
	if hidden {
		return nil
	}
	return found
}
