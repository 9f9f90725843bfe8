package imports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSections(t *testing.T) {
	for text, want := range map[string][]section{
		"a\n": {{nil, "a\n"}},
		"# T\nx\n## A\ny\n### B\nz\n": {
			{nil, ""},
			{[]string{"T"}, "x\n"},
			{[]string{"A"}, "y\n"},
			{[]string{"A", "B"}, "z\n"},
		},
		"## A\ny\n## B\nz\n":    {{nil, ""}, {[]string{"A"}, "y\n"}, {[]string{"B"}, "z\n"}},
		"# T\n```\n# no\n```\n": {{nil, ""}, {[]string{"T"}, "```\n# no\n```\n"}},
	} {
		got := sections(text)
		for i := range got {
			if len(got[i].path) == 0 {
				got[i].path = nil
			}
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(section{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

// FuzzNotes: every line that is no heading is in one section, whatever the text.
func FuzzNotes(f *testing.F) {
	for _, text := range []string{"# T\nx\n## A\ny\n", "---\na: b\n---\n# 1. T\n\n## Status\n\nSuperseded by" +
		" [2](2.md)\n", "```\n# x", "######## x\n# \n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, body, _ := headOf(text)
		if !strings.HasSuffix(strings.ReplaceAll(text, "\r\n", "\n"), body) {
			t.Errorf("the body %q is not of %q", body, text)
		}
		size := 0
		for _, s := range sections(body) {
			size += len(s.text)
			if !strings.Contains(body, s.text[:strings.IndexByte(s.text+"\n", '\n')]) {
				t.Errorf("section %q is not of the text", s.text)
			}
		}
		if size > len(body) {
			t.Errorf("sections have %d bytes of %d", size, len(body))
		}
		replaced := map[string][]string{}
		if r, ok := adrOf("a/1.md", text, replaced); ok && r.Title == "" {
			t.Error("a record without a title")
		}
	})
}

// TestEmptySections: headings without a text go, and a note of blank lines takes no
// longer than any other: it would take hours to look back over them at each line.
func TestEmptySections(t *testing.T) {
	lines := []string{
		"# Pump", "## Empty", "", "## Seals", "They last.", "### Empty too", strings.Repeat(" ", 3),
		"## Last",
	}
	if got, want := withoutEmptySections(lines), "# Pump\n\n## Seals\nThey last.\n   "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	const blank = 1_000_000
	if got := withoutEmptySections(append(make([]string, blank), "text")); len(got) != blank+len("text") {
		t.Errorf("%d bytes", len(got))
	}
}
