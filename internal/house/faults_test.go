package house

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFaults: the tests and scripts that docs/faults.md and docs/threats.md name exist,
// in the package that they name before them, and each row names one.
func TestFaults(t *testing.T) {
	for _, document := range []string{"docs/faults.md", "docs/threats.md"} {
		t.Run(document, func(t *testing.T) { checkNamedTests(t, document) })
	}
}

func checkNamedTests(t *testing.T, document string) {
	t.Helper()
	root := filepath.Join("..", "..")
	tests := testNames(t, root)
	for line := range strings.Lines(text(t, document)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) < 3 {
			continue
		}
		if last := cells[len(cells)-2]; !strings.Contains(last, "`") && !strings.Contains(last, "---") && strings.TrimSpace(last) != "tests" {
			t.Errorf("%s: a row without a test: %s", document, cells[1])
		}
		for _, m := range regexp.MustCompile("(?:([a-z/-]+) )?`((?:Test|script/)[^`]+)`").FindAllStringSubmatch(cells[len(cells)-2], -1) {
			pkg, name := m[1], m[2]
			if script, ok := strings.CutPrefix(name, "script/"); ok {
				found, err := filepath.Glob(filepath.Join(root, "cmd/cortex/testdata/script", script+".txtar"))
				if err != nil || len(found) == 0 {
					t.Errorf("%s names %s, which is not there", document, name)
				}
				continue
			}
			if !slices.ContainsFunc(slices.Collect(maps.Keys(tests)), func(test string) bool {
				matches, err := path.Match(name, path.Base(test))
				return err == nil && matches && (pkg == "" || path.Dir(test) == pkg)
			}) {
				t.Errorf("%s names %s of package %q, which is not there", document, name, pkg)
			}
		}
	}
}

// testNames lists the tests of the module as FOLDER/NAME.
func testNames(t *testing.T, root string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(p, "_test.go") {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, filepath.Dir(p))
		for _, m := range declared.FindAllSubmatch(data, -1) {
			names[path.Join(filepath.ToSlash(rel), string(m[1]))] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
