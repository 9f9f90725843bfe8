package prose

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// shown lists blocks, one a line: what each is, its lead in bold, its text.
func shown(blocks []Block) []string {
	var out []string
	for _, b := range blocks {
		s := []string{"p", fmt.Sprintf("h%d", b.Level), fmt.Sprintf("- at %d", b.Indent)}[b.Kind]
		if b.Ordered {
			s += " ordered"
		}
		if b.Lead != "" {
			s += " (" + b.Lead + ")"
		}
		out = append(out, s+": "+b.Text)
	}
	return out
}

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		name, md string
		want     []string
	}{
		{"empty", " \n\n", nil},
		{"paragraphs", "one\ntwo\n\nthree", []string{"p: one two", "p: three"}},
		{"headings", "# A\n### B #\ntext\n#no", []string{"h1: A", "h3: B", "p: text #no"}},
		{"a line of dashes is a rule", "text\n---\nmore\n***\nlast", []string{"p: text", "p: more", "p: last"}},
		{
			"a line in bold is a heading", "**What changed:**\ntext\n**Done**:\n- x",
			[]string{"h7: What changed", "p: text", "h7: Done", "- at 0: x"},
		},
		{"a sentence in bold is none", "**It fails.**\nSo be it.", []string{"p (It fails): It fails. So be it."}},
		{
			"lead", "**Name stutter:** the type is `memory.Memory`",
			[]string{"p (Name stutter): Name stutter: the type is `memory.Memory`"},
		},
		{
			"items", "- a\n* b\n+ c\n1. d\n2) e",
			[]string{"- at 0: a", "- at 0: b", "- at 0: c", "- at 0 ordered: d", "- at 0 ordered: e"},
		},
		{
			"nested items", "1. a\n   - b\n     - c\n\n   more of a\n2. d",
			[]string{"- at 0 ordered: a", "- at 3: b", "- at 5: c more of a", "- at 0 ordered: d"},
		},
		{
			"items below a paragraph", "text:\n- a\n\ntext:\n2. b\n3. c",
			[]string{"p: text:", "- at 0: a", "p: text:", "- at 0 ordered: b", "- at 0 ordered: c"},
		},
		{
			"items of a chat", "• a\n– b\n✅ c\nand more\n\n→ d",
			[]string{"- at 0: a", "- at 0: b", "- at 0: c and more", "- at 0: d"},
		},
		{
			"boxes and symbols", "- [ ] a\n- [x] ✅ **bold**: c\n- ⚠️ d",
			[]string{"- at 0: a", "- at 0 (bold): bold: c", "- at 0: d"},
		},
		{"bold items stay items", "1. **Foo**\n   bar", []string{"- at 0 ordered (Foo): Foo bar"}},
		{"fences", "a\n```go\nb\n```\nc\n~~~\n```\nd\n~~~\n- e\n  ```\n  f\n  ```\n  g", []string{"p: a", "p: c", "- at 0: e g"}},
		{"open fence", "a\n```\nb\n\n# c", []string{"p: a"}},
		{"indented code", "a\n\n    b\n\nc", []string{"p: a", "p: c"}},
		{"quotes", "a\n> b\nc\n- d\n  > e", []string{"p: a", "p: c", "- at 0: d"}},
		{"tables", "a\n\n| b | c |\n|---|---|\n| d | e |\n\nf", []string{"p: a", "p: f"}},
		{
			"drawings and tags", "a\n┌───┐\n│ b │ c │\n└───┘\n<details>\nc <T> d\n</details>",
			[]string{"p: a", "p: c <T> d"},
		},
		{"emphasis", "*a* _b_ __c__ ***d*** snake_case `**e**` 2*3*4", []string{"p: a b c d snake_case `**e**` 234"}},
		{"links", "[a](b) ![c](d) <https://e.f> [g] [h][i] [j](k", []string{"p: a c https://e.f [g] [h][i] [j](k"}},
		{"code", "`a  b` `` `c` `` `d", []string{"p: `a b` ``c`` `d"}},
		{"spans in a span", "`x = `a` + `b``", []string{"p: `x = `a` + `b``"}},
		{"escapes", `a\*b &lt; c\d`, []string{`p: a*b < c\d`}},
	} {
		if d := cmp.Diff(c.want, shown(Blocks(c.md))); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

func TestBlockSource(t *testing.T) {
	for md, want := range map[string]string{
		"- [ ] **a** and\n  `b`": "**a** and `b`",
		"C:\\_x\ny":              "C:\\_x y",
	} {
		if got := Blocks(md); len(got) != 1 || got[0].Source != want {
			t.Errorf("%q: %+v, want %q", md, got, want)
		}
	}
}

func TestLead(t *testing.T) {
	for md, want := range map[string][2]string{
		"**a b:** c":        {"a b", "c"},
		"**a b** — c":       {"a b", "c"},
		"**a b**: c **d**":  {"a b", "c d"},
		"**It fails.** So.": {"It fails", "So."},
		"a **b** c":         {"", "a b c"},
		"*a* b":             {"", "a b"},
		"**" + strings.Repeat("word ", 40) + "x** y": {"", strings.Repeat("word ", 40) + "x y"},
	} {
		if got := Blocks(md); len(got) != 1 || got[0].Lead != want[0] || got[0].Rest != want[1] {
			t.Errorf("%q: %+v, want %q", md, got, want)
		}
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		"1. **a**  `b*c*`\n\n    [d](e)": "1. a `b*c*` d",
		"✅ done 🚀, →":                    "done , →",
	} {
		if got := Plain(in); got != want {
			t.Errorf("Plain(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestLines(t *testing.T) {
	got := Lines("a\n- b\n  c\n> d\n```\ne\n```\n| f |\n\n    g\n# h")
	if d := cmp.Diff([]string{"a", "b", "c", "| f |", "g", "h"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestTabs: a tab below an item counts as spaces that are not in the text.
func TestTabs(t *testing.T) {
	for md, want := range map[string]Block{
		"- a\n\t- 2 of them":       {Kind: Item, Indent: 4, Text: "2 of them"},
		"1. a\n\t2. b":             {Kind: Item, Indent: 4, Ordered: true, Text: "b"},
		"- a\n\t• 2 of them":       {Kind: Item, Indent: 4, Text: "2 of them"},
		"1. **b**\n\t **c and d**": {Kind: Heading, Level: boldLevel, Text: "c and d"},
		"- 1.   \n\t\xffa":         {Kind: Item, Indent: 4, Text: "a"},
	} {
		got := Blocks(md)
		if len(got) == 0 {
			t.Errorf("%q: no block", md)
			continue
		}
		last := got[len(got)-1]
		last.Source, last.Lead, last.Rest = "", "", ""
		if d := cmp.Diff(want, last); d != "" {
			t.Errorf("%q (-want +got):\n%s", md, d)
		}
	}
}

// TestHostile: what costs goldmark the square of its size, or more, is read
// only as far as it is cheap; without bounds these would take minutes.
func TestHostile(t *testing.T) {
	const n = 100_000
	for _, md := range []string{
		strings.Repeat("- ", n), strings.Repeat("> ", n), strings.Repeat("1. - • ", n), strings.Repeat("#", n) + " x",
		strings.Repeat("[", n), strings.Repeat("[a](", n), strings.Repeat("*a **a ", n), strings.Repeat("a**b_c* ", n), strings.Repeat("`a``", n),
		strings.Repeat("- x\n\n\n\n\n\n\n\n\n\n\n", n/10), strings.Repeat("[a]: b\n", n),
	} {
		Blocks(md)
		Lines(md)
		Plain(md)
	}
	deep := ""
	for i := range 100 {
		deep += strings.Repeat("  ", i) + "- x\n"
	}
	for _, b := range Blocks(deep) {
		if b.Indent > 2*maxNesting {
			t.Errorf("an item at column %d", b.Indent)
		}
	}
}

// FuzzBlocks: any text gives blocks of one line each, and nothing of what
// stands in a fence.
func FuzzBlocks(f *testing.F) {
	f.Add("# a\n- [ ] **b**: `c`\n  1. d\n\n```\ne\n```\n> f\n| g |\n• h *i* [j](k) &lt;\n")
	f.Add("1. **b**\n\t **c**\n- \t\t- \t\n\t **d**\n- 1.   \n\t\xffa")
	f.Add("**a**\n   **b**:\n\t- \xff\n12) c\n~~~\n")
	f.Fuzz(func(t *testing.T, md string) {
		for _, b := range Blocks(md) {
			for _, s := range []string{b.Source, b.Text, b.Lead, b.Rest} {
				if strings.ContainsAny(s, "\n\r\t") || utf8.ValidString(md) && !utf8.ValidString(s) {
					t.Fatalf("%q in %+v", s, b)
				}
			}
			if b.Text == "" || b.Kind == Heading != (b.Level > 0) {
				t.Fatalf("%+v", b)
			}
		}
		Plain(md)
		Lines(md)
		if !strings.Contains(md, "~") {
			if got := Blocks("~~~~\n" + md + "\n~~~~\nend"); len(got) != 1 || got[0].Text != "end" {
				t.Fatalf("out of a fence: %+v", got)
			}
		}
	})
}

func BenchmarkBlocks(b *testing.B) {
	md := strings.Repeat("## What changed\n\nThe scheduler in `internal/alert` reads limits once per run, because reading *400* files was slow.\n\n"+
		"- **Cause:** the cache was [cold](x.go)\n- it is warm now, and nobody has to wait for it\n\n```go\nfunc f() {}\n```\n\n", 20)
	b.SetBytes(int64(len(md)))
	b.ReportAllocs()
	for b.Loop() {
		Blocks(md)
	}
}
