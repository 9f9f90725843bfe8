package pulls

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/linediff"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/certify"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/doctor"
)

func TestInert(t *testing.T) {
	for in, want := range map[string]string{
		"Use Bluge, not FTS5":              "Use Bluge, not FTS5",
		"ask @dev about #12":               "ask @&#8203;dev about #&#8203;12",
		"group!12 %3 ~bug $4 &5":           `group\!&#8203;12 %&#8203;3 \~&#8203;bug &#36;4 &amp;5`,
		"<b>x</b> & y":                     "&lt;b&gt;x&lt;/b&gt; &amp; y",
		"![i](https://e.example) www.e.co": `\!&#8203;\[i\]\(https:&#8203;//e.example\) www&#8203;.e.co`,
		"/close":                           "&#47;close",
		"- [ ] item":                       `\- \[ \] item`,
		"1. one":                           `1\. one`,
		"run `a@b <c>` or `x":              "run `a@b <c>` or \\`x",
		"``double`` and ` `":               "\\`\\`double\\`\\` and \\` \\`",
		`\` + "`code`":                     `\\` + "`code`",
		"*a* _b_ a|b ^c =d":                `\*a\* \_b\_ a\|b \^c \=d`,
		"see GH-12":                        "see GH&#8203;-12",
		"":                                 "",
	} {
		if diff := cmp.Diff(want, inert(in)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"a.go": "`a.go`", "a`b": "``a`b``", "`": "`` ` ``", "": "",
	} {
		if got := code(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	want := []linediff.Line{{Sign: " ", Text: "a"}, {Sign: "-", Text: "b"}, {Sign: "+", Text: "c"}, {Sign: " ", Text: "d"}}
	if diff := cmp.Diff(want, lines("a\nb\nd", "a\nc\nd")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]linediff.Line{{Sign: "+", Text: "x"}, {Sign: "+", Text: "y"}}, lines("", "x\ny")); diff != "" {
		t.Errorf("of nothing (-want +got):\n%s", diff)
	}
	if got := lines("x", "x"); got != nil {
		t.Errorf("equal texts differ by %v", got)
	}
	long := strings.Repeat("a\n", maxLines)
	want = []linediff.Line{{Sign: "-", Text: "(1001 lines)"}, {Sign: "+", Text: "(1 lines)"}}
	if diff := cmp.Diff(want, lines(long, "a")); diff != "" {
		t.Errorf("of what is too long (-want +got):\n%s", diff)
	}
}

// TestScalars: when a memory was changed is told only if nothing else was.
func TestScalars(t *testing.T) {
	entry := workspace.Entry{Memory: &memory.Memory{Title: "a"}}
	for want, fields := range map[string][]string{
		"other fields: updated": {"updated"},
		"other fields: tags":    {"tags", "updated"},
		"":                      {"text", "updated"},
	} {
		if got := strings.Join(scalars(changes.Change{Was: entry, Now: entry, Fields: fields}), "; "); got != want {
			t.Errorf("%v: %q, want %q", fields, got, want)
		}
	}
}

// TestTwoTitles: a title that two branches changed stands beside the other one, and neither is markup.
func TestTwoTitles(t *testing.T) {
	was := memory.New(memory.Gotcha, "The importer drops lines", "Since 2.1.", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
	ours, theirs := *was, *was
	ours.Title, ours.Updated = "The old importer drops the last line", was.Created.Add(time.Hour)
	theirs.Title = "The importer drops @maren | <b>"
	now, err := memory.Merge(was, &ours, &theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := Markdown(&changes.Report{Changed: []changes.Change{{
		Was: workspace.Entry{Memory: was}, Now: workspace.Entry{Memory: now}, Fields: []string{"title", "text", "contested"},
	}}})
	_, table, _ := strings.Cut(text, "| one title | the other title |\n| --- | --- |\n")
	row, _, _ := strings.Cut(table, "\n")
	if !strings.HasPrefix(row, "| The old importer drops the last line | The importer drops ") || strings.Contains(row, "@maren") ||
		strings.Contains(row, "<b>") || strings.Count(row, "|")-strings.Count(row, `\|`) != 3 {
		t.Errorf("%q in\n%s", row, text)
	}
}

// TestFindingsOnOneLine: no name of a file begins a line of a log, where a runner takes
// commands.
func TestFindingsOnOneLine(t *testing.T) {
	var out bytes.Buffer
	c := Checked{Findings: []doctor.Finding{{Path: "a\n::error::b.md", Line: 1, Rule: "format", Text: "c\n::error::d"}}}
	if err := Findings(&console.Printer{Out: &out, Width: 80}, "text", c); err != nil || strings.Contains(out.String(), "\n:") {
		t.Errorf("%v, %q", err, out.String())
	}
	out.Reset()
	Certificate(&console.Printer{Out: &out, Width: 80}, &certify.Certificate{Problems: []certify.Finding{{Path: "a\n::error::b.md", Kind: "page", Text: "c"}}}, true)
	if strings.Contains(out.String(), "\n:") {
		t.Errorf("%q", out.String())
	}
}

// TestFindingsSayWhatToDo: each rule has its remedy, told once where the rule found
// something, and nothing is told where nothing was found.
func TestFindingsSayWhatToDo(t *testing.T) {
	for _, r := range doctor.Rules() {
		var out bytes.Buffer
		c := Checked{Findings: []doctor.Finding{{Path: "a.md", Rule: r.Name, Text: "b"}, {Path: "c.md", Rule: r.Name, Text: "d"}}}
		if err := Findings(&console.Printer{Out: &out, Width: 200}, "text", c); err != nil {
			t.Fatal(err)
		}
		if r.Remedy == "" || strings.Count(out.String(), r.Remedy) != 1 {
			t.Errorf("%s: %q", r.Name, out.String())
		}
		for _, other := range doctor.Rules() {
			if other.Name != r.Name && strings.Contains(out.String(), "  "+other.Remedy) {
				t.Errorf("%s: the remedy of %s", r.Name, other.Name)
			}
		}
	}
	var out bytes.Buffer
	long := Checked{Findings: []doctor.Finding{{Path: "a.md", Rule: "instruction", Text: strings.Repeat("it gives orders ", 20)}}}
	if err := Findings(&console.Printer{Out: &out, Width: 80}, "text", long); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if len(line) > 81 {
			t.Errorf("on a terminal of 80 columns: %q", line)
		}
	}
	out.Reset()
	if err := Findings(&console.Printer{Out: &out, Width: 80}, "text", Checked{Memories: 2}); err != nil || out.String() != "0 findings in 2 memories.\n" {
		t.Errorf("%v, %q", err, out.String())
	}
}

// entry is a memory with this title and text.
func entry(title, text string) workspace.Entry {
	m := memory.New("decision", title, text, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	return workspace.Entry{Memory: m}
}

// TestMarkdownIsBounded: whatever a branch brings, a host takes the comment, it says
// how much is left out, and the last sections are not crowded out by the first.
func TestMarkdownIsBounded(t *testing.T) {
	r := &changes.Report{Budget: changes.Budget{Added: 2000, Most: 10, Over: true, Bytes: 1}}
	for i := range 2000 {
		r.Added = append(r.Added, entry(fmt.Sprintf("%d %s", i, strings.Repeat("@", 300)), strings.Repeat("long text ", 500)))
	}
	r.Stale = []changes.Stale{{Entry: entry("the store appends", ""), Code: []changes.Code{{Path: "store.go"}}}}
	got := Markdown(r)
	if len(got) > maxComment {
		t.Errorf("%d bytes are over the limit of %d", len(got), maxComment)
	}
	for _, want := range []string{"2000 memories added", "- and ", " more\n", "#### Stale", "more than the 10"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if !strings.HasPrefix(got, Marker+"\n") {
		t.Errorf("it begins with %.40q", got)
	}
}

// TestMarkdownAsksFirst: what a reviewer has to decide stands above what is only to be
// read, with what to do about it and the line that is wrong.
func TestMarkdownAsksFirst(t *testing.T) {
	other := entry("records are appended", "")
	ref := changes.Ref{ID: other.Memory.ID, Type: other.Memory.Type, Title: other.Memory.Title}
	got := Markdown(&changes.Report{
		Added:       []workspace.Entry{entry("the store rewrites", "in place")},
		Removed:     []workspace.Entry{other},
		Contested:   []changes.Turned{{Entry: other}},
		Stale:       []changes.Stale{{Entry: other, Code: []changes.Code{{Path: "store.go"}}}},
		Contradicts: []changes.Contradiction{{Of: ref, By: ref}},
		Problems:    []index.Problem{{Path: ".cortex/memories/x.md", Line: 2, Text: "no id"}},
	})
	var headings []string
	for line := range strings.Lines(got) {
		if name, ok := strings.CutPrefix(line, "#### "); ok {
			headings = append(headings, strings.TrimSpace(name))
		}
	}
	want := []string{
		"Unreadable: mend or remove", "Contradicted: let one supersede the other, or leave one out",
		"Contested", "Stale: verify or remove what no longer holds", "Added", "Removed",
	}
	if diff := cmp.Diff(want, headings); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(got, "`.cortex/memories/x.md:2` no id") {
		t.Errorf("the line is missing: %s", got)
	}
}

// FuzzMarkdown: no text of a memory gets HTML, a mention, a link or the beginning of a
// command into a comment.
func FuzzMarkdown(f *testing.F) {
	f.Add("title", "text")
	f.Add("@all <img src=x>", "/close\n```\n</details>\n")
	f.Add("a`b", "~~~\n`\n```` x\n~~~\n\\`<b>`")
	f.Add("[x](javascript:alert(1))", "> quote\n    <i>\n1. a\n\t<!-- -->")
	f.Add("", "`a\n<b>`\n`<c>")
	mention := regexp.MustCompile(`@[\pL\pN]`)
	f.Fuzz(func(t *testing.T, title, text string) {
		e := entry(memory.OneLine(title), text)
		e.Memory.Title = memory.OneLine(title)
		e.Memory.Text = text
		got := quoted(text) + titleOf(e) + "\n"
		if len(got) < 4096 && memory.HasHTML(got) {
			t.Errorf("HTML in %q", got)
		}
		for line := range strings.Lines(quoted(text)) {
			if !strings.HasPrefix(line, ">") {
				t.Errorf("the line %q is outside of the quotation", line)
			}
		}
		outside := regexp.MustCompile("(?m)`[^`\n]*`").ReplaceAllString(inert(title), "")
		if found := mention.FindString(outside); found != "" {
			t.Errorf("the mention %q in %q", found, outside)
		}
	})
}
