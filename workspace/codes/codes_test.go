package codes

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParseGo: receivers of any form, grouped and generic types, //line comments, and
// declarations that nobody describes.
func TestParseGo(t *testing.T) {
	const source = `// Code generated elsewhere.
package p

type (
	// A is an A.
	A[K comparable, V any] struct{}
	B int
)

// doc of Get
//
//line other.y:400
func (a *A[K, V]) Get() {}

func (B) Put() { func() {}() }
func (*missing[K]) Gone() {}

var x = func() {}

const c = 1

func init() {}
`
	f := &file{path: "p.go"}
	f.parseGo([]byte(source))
	want := []Symbol{
		{"A", "type", 5, 6},
		{"B", "type", 7, 7},
		{"A.Get", "method", 10, 13},
		{"B.Put", "method", 15, 15},
		{"missing.Gone", "method", 16, 16},
		{"init", "function", 22, 22},
	}
	if diff := cmp.Diff(want, f.symbols); diff != "" || f.generated {
		t.Errorf("generated %v, symbols (-want +got):\n%s", f.generated, diff)
	}
	broken := &file{path: "q.go"}
	broken.parseGo([]byte("package q; type (A int; B = [2]A) // no comment of Get\nfunc Get( {\n"))
	if diff := cmp.Diff([]Symbol{{"A", "type", 1, 1}, {"B", "type", 1, 1}}, broken.symbols); diff != "" {
		t.Errorf("broken Go (-want +got):\n%s", diff)
	}
}

// TestFind: a name, the end of one, and what is said of one that is not there.
func TestFind(t *testing.T) {
	f := &file{
		path: "a.go", lines: make([]string, 9),
		symbols: []Symbol{{Name: "A.Get"}, {Name: "B.Get"}, {Name: "A.Put"}, {Name: "Get2"}},
	}
	for name, want := range map[string]string{"A.Get": "A.Get", "Put": "A.Put", "Get2": "Get2"} {
		if s, err := f.find(name); err != nil || s.Name != want {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	if s, err := f.find(""); err != nil || s.Last != 9 || s.Kind != "file" {
		t.Errorf("the file: %+v, %v", s, err)
	}
	var unknown *SymbolError
	if _, err := f.find("Get"); !errors.As(err, &unknown) || !unknown.Several ||
		!strings.HasPrefix(unknown.Hint(), "it has A.Get, B.Get, Get2") {
		t.Errorf("two of a name: %v", err)
	}
	if _, err := (&file{path: "b"}).find("x"); !errors.As(err, &unknown) ||
		!strings.Contains(unknown.Hint(), "whole file") {
		t.Errorf("no symbols: %v", err)
	}
}

// TestText: code with fences in it, and code that is too long, whose end is not compared.
func TestText(t *testing.T) {
	f := &file{path: "a.md", lines: []string{"one\r\n", "```sh\n", "ls\n", "```"}}
	s := Symbol{Kind: "file", First: 1, Last: 4}
	const want = "It lists.\n\nSource: `a.md:1-4`\n\n````md\none\n```sh\nls\n```\n````"
	if diff := cmp.Diff(want, f.text(s, " It lists.\n")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	long := &file{path: "b.c"}
	for i := range 3 * maxCode {
		long.lines = append(long.lines, fmt.Sprintf("line %d;\n", i))
	}
	code := long.code(Symbol{First: 1, Last: len(long.lines)})
	if strings.Count(code, "\n") != maxCode+1 || !strings.HasSuffix(code, fmt.Sprintf("… %d more lines\n", 2*maxCode)) {
		t.Errorf("long code ends with %q", code[len(code)-40:])
	}
	wide := &file{path: "c.js", lines: []string{strings.Repeat("x", 1<<20)}}
	if code := wide.code(Symbol{First: 1, Last: 1}); code != "… 1 more lines\n" {
		t.Errorf("a wide line: %.80q", code)
	}
}

func TestTitle(t *testing.T) {
	s := Symbol{Name: "A.Get"}
	for prose, want := range map[string]string{
		"Reads one. Then the next.":      "A.Get: Reads one",
		"Reads v1.2 files.":              "A.Get: Reads v1.2 files",
		"  Reads\nlines.":                "A.Get: Reads",
		"Reads e.g. lines. Others wait.": "A.Get: Reads e.g. lines",
	} {
		if got := s.title("a.go", prose); got != want {
			t.Errorf("%q: %q", prose, got)
		}
	}
	if got := (Symbol{}).title("web/chart.js", "Draws"); got != "chart.js: Draws" {
		t.Errorf("of a file: %q", got)
	}
}
