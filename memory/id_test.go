package memory_test

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// Ids are in files and links of repositories we do not know: if this test
// fails, the code is wrong.
func TestNewIDIsStable(t *testing.T) {
	for _, tt := range []struct {
		typ         memory.Type
		title, text string
		want        memory.ID
	}{
		{"", "", "", "e2f81j44gyh427gy"},
		{memory.Fix, "Close the spool before renaming it", "Windows keeps the name of an open file.", "6tsatymg66246s59"},
		{memory.Fix, " close  THE spool\nbefore renaming it", "\n\nWindows keeps\tthe name\r\nof an open file. \n", "6tsatymg66246s59"},
		{memory.Gotcha, "ÄRGER mit dem Spool", "Ein\n\n\tOFFENER   Name.\n", "1kkmmatqtsrdqw2z"},
	} {
		if got := memory.NewID(tt.typ, tt.title, tt.text); got != tt.want {
			t.Errorf("NewID(%q, %q, %q) = %s, want %s", tt.typ, tt.title, tt.text, got, tt.want)
		}
	}
	if memory.NewID(memory.Fix, "a", "b c") == memory.NewID(memory.Fix, "a b", "c") {
		t.Error("the boundary between title and text does not count")
	}
}

// The ref of an import is the fourth part of what is digested, as written.
func TestNewImportedIDIsStable(t *testing.T) {
	seen := map[memory.ID]string{}
	for ref, want := range map[string]memory.ID{"": "6tsatymg66246s59", "41": "7259rt26t7xwn5dt", "doc-A": "58csv2nsctwy3vh8", "doc-a": "p3a534m9dw6yn8ba"} {
		got := memory.NewImportedID(memory.Fix, "Close the spool before renaming it", "Windows keeps the name of an open file.", ref)
		if got != want {
			t.Errorf("with the ref %q: %s, want %s", ref, got, want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q are one memory", ref, other)
		}
		seen[got] = ref
	}
}

func TestParseID(t *testing.T) {
	for in, want := range map[string]bool{
		"0123456789abcdef": true, "1234567890123456": true, "zzzzzzzzzzzzzzzz": true, "6tsatymg66246s59": true,
		"0123456789abcde": false, "0123456789abcdef0": false, "0123456789abcdel": false, "0123456789ABCDEF": false, "": false,
		"../../../../etc/": false, "0123456789abcde\n": false,
	} {
		id, err := memory.ParseID(in)
		if (err == nil) != want || want && string(id) != in {
			t.Errorf("ParseID(%q) = %q, %v", in, id, err)
		}
		if short := in[:min(len(in), 5)]; want && !memory.IsIDPrefix(short) {
			t.Errorf("%q is no prefix", short)
		}
	}
	for _, in := range []string{"", "ABC", "il", "0123456789abcdef0", "a/b", strings.Repeat("a", 17)} {
		if memory.IsIDPrefix(in) {
			t.Errorf("%q is a prefix", in)
		}
	}
	if got := memory.ID("0123456789abcdef").Short(); got != "0123456" {
		t.Error(got)
	}
	if got := memory.ID("012").Short(); got != "012" {
		t.Error(got)
	}
}

func TestSlug(t *testing.T) {
	for in, want := range map[string]string{
		"Chose Bluge over SQLite FTS5":    "chose-bluge-over-sqlite-fts5",
		"Don't use 'go vet' -- it's slow": "dont-use-go-vet-its-slow",
		"Don’t trust the clock":           "dont-trust-the-clock",
		"":                                "memory",
		"日本語":                             "memory",
		"日本語 index v2":                    "index-v2",
		"../../etc/passwd":                "etc-passwd",
		"a\x00b\nc":                       "a-b-c",
		"Größe":                           "gr-e",
		"---":                             "memory",
		strings.Repeat("a", 60):           strings.Repeat("a", 48),
		strings.Repeat("word ", 20):       strings.TrimSuffix(strings.Repeat("word-", 9), "-"),
		"a " + strings.Repeat("b", 60):    "a-" + strings.Repeat("b", 46),
		strings.Repeat("x", 48) + " and more of it": strings.Repeat("x", 48),
	} {
		if got := memory.Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestValidPath(t *testing.T) {
	for in, want := range map[string]bool{
		"a": true, "a/b.go": true, ".github/x": true, ".gitignore": true, "a.git/b": true, "a  b/c d": true, "ü/#1.md": true,
		"a:b": false, "c:": false, "c:/a": false, "": false, ".": false, "..": false, "../a": false, "a/../b": false, "a/./b": false,
		"/a": false, "a/": false, "a//b": false, "a\\b": false, "a\nb": false, "a\x1b": false, "a\x7f": false, " a": false, "a ": false,
		".git": false, "a/.GIT/x": false, ".git /x": false, ".git./x": false, ".git::$INDEX_ALLOCATION/x": false, "git~1": false,
		".g\u200cit/x": false, "...": false, "\xff": false, strings.Repeat("a", 1025): false, "ab:c": true,
	} {
		if got := memory.ValidPath(in); got != want {
			t.Errorf("ValidPath(%q) = %v", in, got)
		}
	}
}
