package house

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a page of code may ask of its reader. Branch points are counted as
// [branchPoints] does; a function's lines are those from its first to its last.
const (
	maxBranches       = 12     // of one function
	maxBranchesParser = 30     // of one that [parsers] names
	fewBranches       = 5      // below this a function is never packed
	manyBranches      = 9      // below this a function is never dense
	packedFrom        = 0.35   // branch points a line
	denseFrom         = 0.5    // branch points, and one for the function, a line
	maxPackageDensity = 0.24   // branch points a function line
	maxDensity        = 0.21   // the same, of the program
	maxProgram        = 16_000 // branch points of the program
	maxWorkspaceLines = 4500   // of package workspace, without tests
	maxReadableLines  = 5000   // of any other package, without tests
	minLonelyLines    = 400    // of a package below internal that one package imports
)

var updateReading = flag.Bool("update-reading", false, "write testdata/reading.tsv anew from the code as it is")

// parsers are the functions that may have up to maxBranchesParser branch points,
// each with the reason why one piece reads better than several.
func parsers() map[string]string {
	return map[string]string{}
}

// reading counts what the functions of a package ask of a reader.
type reading struct {
	lines     int // of the package
	branches  int // of its functions
	functions int // lines of its functions
	long      int // functions of more than maxBranches
	packed    int // functions of fewBranches and more with over packedFrom a line
	dense     int // functions of more than manyBranches with over denseFrom a line
	lonely    int // 1 for a small package below internal that one package imports
}

func (r reading) density() float64 {
	return float64(r.branches) / float64(max(r.functions, 1))
}

// excess is by how much a package is over each bound, by the bound's name.
// What is within a bound is not there.
func (r reading) excess(path string) map[string]int {
	most := maxReadableLines
	if path == "workspace" {
		most = maxWorkspaceLines
	}
	over := map[string]int{
		"long":    r.long,
		"packed":  r.packed,
		"dense":   r.dense,
		"lonely":  r.lonely,
		"lines":   r.lines - most,
		"density": int(1000*r.density()) - int(1000*maxPackageDensity),
	}
	for name, n := range over {
		if n <= 0 {
			delete(over, name)
		}
	}
	return over
}

// TestReading: a package is as easy to read as the bounds above demand, or is
// named in testdata/reading.tsv with what it lacks. That list only ever gets
// shorter: a package may not fall behind its row, and a row that is no longer
// needed goes (-update-reading writes the list anew).
func TestReading(t *testing.T) {
	packages := readings(load(t))
	found := map[string]map[string]int{}
	for path, r := range packages {
		if over := r.excess(path); len(over) > 0 {
			found[path] = over
		}
	}
	name := filepath.Join("testdata", "reading.tsv")
	if *updateReading {
		if err := os.WriteFile(name, formatDebts(found), 0o644); err != nil { //nolint:gosec // a file of the repository
			t.Fatal(err)
		}
	}
	known := parseDebts(t, name)
	for _, path := range keys(found, known) {
		for _, bound := range keys(found[path], known[path]) {
			now, before := found[path][bound], known[path][bound]
			switch {
			case now > before:
				t.Errorf("%s: %s is %d over its bound, %d before: name the questions, return early, delete", path, bound, now, before)
			case now == 0:
				t.Errorf("%s: %s is within its bound: go test ./internal/house -run TestReading -update-reading", path, bound)
			}
		}
	}
}

// TestProgramReading bounds the program as a whole by what it was, until it is
// at maxProgram and maxDensity.
func TestProgramReading(t *testing.T) {
	var all reading
	for _, r := range readings(load(t)) {
		all.branches += r.branches
		all.functions += r.functions
	}
	t.Logf("%d branch points, %.3f a function line; the aim is %d and %.2f", all.branches, all.density(), maxProgram, maxDensity)
	if all.branches > programBranches {
		t.Errorf("the program has %d branch points, %d before", all.branches, programBranches)
	}
}

// programBranches bounds the branch points of the program until it is at maxProgram.
// Lower it with the program.
const programBranches = 20_130

// readings measures each package of the program. Tools and what only tests
// import are left out.
func readings(p *project) map[string]reading {
	found, importers := map[string]reading{}, importersOf(p)
	for _, pkg := range p.packages {
		if isTool(pkg.path) {
			continue
		}
		var r reading
		for _, s := range pkg.files {
			if !s.test {
				r.add(s)
			}
		}
		// A package without functions is there for its tests.
		if len(importers[pkg.path]) < 2 && r.functions > 0 && r.lines < minLonelyLines && strings.Contains(pkg.path, "internal/") {
			r.lonely = 1
		}
		found[pkg.path] = r
	}
	return found
}

func isTool(path string) bool {
	return path == "tools" || strings.HasPrefix(path, "tools/")
}

// importersOf lists the packages that import each package, tests left out.
func importersOf(p *project) map[string][]string {
	found := map[string][]string{}
	for _, pkg := range p.packages {
		for _, s := range pkg.files {
			if s.test || isTool(pkg.path) {
				continue
			}
			for _, path := range s.imports() {
				path = strings.TrimPrefix(path, modulePath+"/")
				if !slices.Contains(found[path], pkg.path) {
					found[path] = append(found[path], pkg.path)
				}
			}
		}
	}
	return found
}

// add counts the functions of a file.
func (r *reading) add(s *source) {
	r.lines += s.lines
	for _, decl := range s.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		branches := branchPoints(f)
		lines := s.fset.Position(f.End()).Line - s.line(f) + 1
		r.branches += branches
		r.functions += lines
		most := maxBranches
		if _, ok := parsers()[s.path+":"+f.Name.Name]; ok {
			most = maxBranchesParser
		}
		if branches > most {
			r.long++
		}
		if branches >= fewBranches && float64(branches) > packedFrom*float64(lines) {
			r.packed++
		}
		if branches >= manyBranches && float64(branches+1) > denseFrom*float64(lines) {
			r.dense++
		}
	}
}

// branchPoints counts what a reader has to decide on the way through a function:
// each if, for, case and comm clause, && and ||. A default clause is none.
func branchPoints(f ast.Node) int {
	n := 0
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// parseDebts reads rows of a package, a bound, and by how much it is exceeded.
func parseDebts(t *testing.T, name string) map[string]map[string]int {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]int{}
	for line := range strings.Lines(string(data)) {
		row := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(row) != 3 {
			t.Fatalf("%s: %q has %d columns, not 3", name, line, len(row))
		}
		n, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if found[row[0]] == nil {
			found[row[0]] = map[string]int{}
		}
		found[row[0]][row[1]] = n
	}
	return found
}

func formatDebts(found map[string]map[string]int) []byte {
	var out []byte
	for _, path := range keys(found) {
		for _, bound := range keys(found[path]) {
			out = fmt.Appendf(out, "%s\t%s\t%d\n", path, bound, found[path][bound])
		}
	}
	return out
}

// keys are the keys of all maps in order, each once.
func keys[V any](maps ...map[string]V) []string {
	var all []string
	for _, m := range maps {
		for key := range m {
			all = append(all, key)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestBranchPoints holds the count against functions counted by hand.
func TestBranchPoints(t *testing.T) {
	for _, tt := range []struct {
		code string
		want int
	}{
		{"", 0},
		{"if a && b || c { return }", 3},
		{"for range 3 { for a { break } }", 2},
		{"switch { case a: case b, c: default: }", 2},
		{"select { case <-x: default: }", 1},
		{"func() { if a { return } }()", 1},
	} {
		s, err := parseSource("p/p.go", []byte("package p\nfunc f() {\n"+tt.code+"\n}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if got := branchPoints(s.file); got != tt.want {
			t.Errorf("%s: %d branch points, want %d", tt.code, got, tt.want)
		}
	}
}
