package redact

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTable holds that the table finds each word that something is watched at, in any
// case, and that the lists of words.tsv are read whole.
func TestTable(t *testing.T) {
	all := watched()
	table := newTable(all)
	for _, w := range all {
		upper := []byte(w.word)
		for i, b := range upper {
			if b >= 'a' && b <= 'z' {
				upper[i] = b - 'a' + 'A'
			}
		}
		for _, text := range []string{w.word, string(upper)} {
			found := false
			for _, c := range table.group(text[0], text[1]) {
				found = found || c.word == w.word && table.here(text, c.word)
			}
			if !found {
				t.Errorf("%q is not found at %q", w.word, text)
			}
		}
	}
	for a := range 256 {
		for b := range 256 {
			group := table.group(byte(a), byte(b))
			for i, w := range group {
				if w.word[0] != table.fold[a] || w.word[1] != table.fold[b] || i > 0 && len(w.word) > len(group[i-1].word) {
					t.Errorf("%q is in the group of %q", w.word, []byte{byte(a), byte(b)})
				}
			}
		}
	}
	total := 0
	for name, list := range wordLists() {
		total += len(list.set())
		if is(name, "") || is(name, "#") {
			t.Errorf("%s holds what is no word of it", name)
		}
	}
	if total < 1000 {
		t.Errorf("%d words", total)
	}
}

// TestPatterns holds that patterns.txt has every expression that the code names, and no other,
// and that all of them compile.
func TestPatterns(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		for _, m := range regexp.MustCompile(`"([a-z-]+)"`).FindAllStringSubmatch(string(source), -1) {
			used[m[1]] = true
		}
		for _, m := range regexp.MustCompile(`pattern\("([a-z-]+)"\)`).FindAllStringSubmatch(string(source), -1) {
			if patterns()[m[1]] == nil {
				t.Errorf("%s names the pattern %q, and patterns.txt has none", name, m[1])
			}
		}
	}
	for name := range patterns() {
		if !used[name] {
			t.Errorf("the pattern %q is used nowhere", name)
			continue
		}
		pattern(name)
	}
}

// TestShapes holds that values.tsv asks only for what there is, and that the code does.
func TestShapes(t *testing.T) {
	known := func(name string) bool {
		_, list, listed := strings.Cut(name, ":")
		_, isList := wordLists()[list]
		return values().asks[name] != nil || values().shapes[name] != nil || listed && isList
	}
	for name, rows := range values().shapes {
		for _, row := range rows {
			for _, asked := range append(row.is, row.not...) {
				if !known(asked) {
					t.Errorf("%s asks for %q, which values.tsv has not", name, asked)
				}
			}
		}
	}
	for _, f := range formats() {
		if f.shape != "-" && !known(f.shape) {
			t.Errorf("the format %s has the shape %q, which values.tsv has not", f.kind, f.shape)
		}
	}
	calls := regexp.MustCompile(
		`(?:fits\(|take\("[a-z-]+", )"([a-z:-]+)"|shape(?:, marks)? :?= "([a-z-]+)"|fitsAny\([^"\n]*((?:"[a-z-]+"(?:, )?)+)\)`,
	)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range calls.FindAllStringSubmatch(string(source), -1) {
			for _, asked := range strings.FieldsFunc(
				strings.Join(m[1:], " "), func(r rune) bool { return strings.ContainsRune(`", `, r) },
			) {
				if !known(asked) && patterns()[asked] == nil {
					t.Errorf("%s asks for %q, which values.tsv has not", name, asked)
				}
			}
		}
	}
}

func BenchmarkTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newTable(watched())
	}
}
