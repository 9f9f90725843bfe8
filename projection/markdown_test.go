package projection

import (
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// kinds are the kinds of all nodes that goldmark sees in a page, and the kinds
// of the blocks at its top.
func kinds(page string) (all map[ast.NodeKind]int, top []ast.NodeKind) {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	doc := p.Parse(text.NewReader([]byte(page)))
	all = map[ast.NodeKind]int{}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			all[n.Kind()]++
		}
		return ast.WalkContinue, nil
	})
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		top = append(top, n.Kind())
	}
	return all, top
}

// FuzzQuoted: whatever a body holds, a Markdown parser sees one quote and what
// follows it, and no HTML in the quote.
func FuzzQuoted(f *testing.F) {
	for _, seed := range []string{
		"text", "# heading\n\ntext\n===", "```go\n<b>\n", "~~~\n```\n~~~\n<script>", "- a\n\n  <div>\n", "<!-- cortex:record x -->",
		"a `b\n<i>` c", "    # code\n\n\t<b>", "[a]: http://x\n[a]", "1. ```\n   x\n<b>", "\\<b> \\`<i>`", "> ```\n> <b>\n\n<i>", "a\n- \n-\n=", "`` ` <b> ``",
		"* # heading", "- <b>", "+ ```\n<i>", "1) ===", "text\n    ---", "> > # x",
		"    ```\n\n<b>x</b>", "a\n    ```\n<b>x</b>", "```\n    ```\n<b>", "~~~ `x`\n~~~~\n<b>", "`a\n```\n<b>`", "- a\n      ```\n\n<b>", "1. a\n\n   ```\n<b>\n",
		"> ```\n<b>", "- ```\n  x\n  ```\n<b>", "```\n> ```\n<i>\n```\n<b>", "\t```\n<b>", "a\n``` `\n<b>", "\\`<b>`", "`\\`<b>`",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 300 {
			return // goldmark's worst cases are not what this is about
		}
		page := quoted(body) + "\n## After\n\nend\n"
		all, top := kinds(page)
		want := 3
		if quoted(body) == "" {
			want = 2
		}
		if len(top) != want || top[len(top)-2] != ast.KindHeading || want == 3 && top[0] != ast.KindBlockquote {
			t.Errorf("blocks %v of %q", top, page)
		}
		if all[ast.KindHTMLBlock]+all[ast.KindRawHTML] > 0 {
			t.Errorf("HTML in %q", page)
		}
	})
}

// FuzzInline: whatever a title holds, it stays in its line, and is neither HTML
// nor a link.
func FuzzInline(f *testing.F) {
	for _, seed := range []string{
		"text", "<b>", "a `b <i>` c", "`` ` ``", "[x](http://y)", "![x](y)", "a\n# b", "`<b>", "\\`<b>`", "<http://x>", "\\", "a``b`", "\\[x](y)", "**a** _b_",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, title string) {
		if len(title) > 300 {
			return
		}
		for _, page := range []string{"### x " + inline(title) + " (y)\n\nend\n", "x " + codeSpan(title) + " y\n\nend\n"} {
			all, top := kinds(page)
			if len(top) != 2 || all[ast.KindRawHTML]+all[ast.KindHTMLBlock]+all[ast.KindLink]+all[ast.KindImage] > 0 {
				t.Errorf("blocks %v, all %v of %q", top, all, page)
			}
		}
		if all, _ := kinds("x " + codeSpan(title) + " y\n"); all[ast.KindCodeSpan] != 1 && codeSpan(title) != "" {
			t.Errorf("%d code spans of %q", all[ast.KindCodeSpan], codeSpan(title))
		}
	})
}
