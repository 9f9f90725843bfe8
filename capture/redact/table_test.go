package redact

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTable holds that the table finds each word that something is watched at, in any
// case, and that the lists of words.txt are read whole.
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
	names := regexp.MustCompile(`(?m)^\[([a-z]{2,})\]$`).FindAllStringSubmatch(wordLists, -1)
	if len(names) != len(words()) {
		t.Errorf("%d lists of %d", len(words()), len(names))
	}
	total := 0
	for _, n := range names {
		total += len(words()[n[1]].set())
		if is(n[1], "#") || is(n[1], "["+n[1]+"]") {
			t.Errorf("%s holds what is no word of it", n[1])
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
		for _, m := range regexp.MustCompile(`pattern\("([a-z-]+)"\)`).FindAllStringSubmatch(string(source), -1) {
			used[m[1]] = true
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

func BenchmarkTable(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		newTable(watched())
	}
}
