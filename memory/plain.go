package memory

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// plainLimit bounds what is given to the Markdown parser, whose worst case
// on hostile nesting is far from linear.
const plainLimit = 16 << 10

// markdownParser is made at first use and holds no state of a text. It is
// goldmark's default one, without the package that would load the renderer.
var markdownParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
})

// Plain is the text of a Markdown document as a reader sees it, without
// markup: paragraphs and list items one a line, code as it stands. Text that
// is too long or nested too deeply to parse safely is returned as it is. The
// result is [Clean], but not [Defang]ed.
func Plain(markdown string) string {
	if len(markdown) > plainLimit || deep(markdown) {
		return Clean(markdown)
	}
	p := plainWriter{src: []byte(markdown)}
	_ = ast.Walk(markdownParser().Parse(text.NewReader(p.src)), p.node) // p.node returns no error
	return Clean(strings.TrimRight(string(p.out), "\n"))
}

// HasHTML reports whether a reader of Markdown sees HTML in a document. It is
// also true of text that is too long or nested too deeply to parse safely.
func HasHTML(markdown string) bool {
	if len(markdown) > plainLimit || deep(markdown) {
		return true
	}
	found := false
	_ = ast.Walk(markdownParser().Parse(text.NewReader([]byte(markdown))), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindHTMLBlock, ast.KindRawHTML:
			found = true
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	}) // the walker returns no error
	return found
}

type plainWriter struct{ src, out []byte }

func (p *plainWriter) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		if n.Type() == ast.TypeBlock && len(p.out) > 0 && p.out[len(p.out)-1] != '\n' {
			p.out = append(p.out, '\n')
		}
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Text:
		p.text(n)
	case *ast.String:
		p.out = append(p.out, n.Value...)
	case *ast.AutoLink:
		p.out = append(p.out, n.Label(p.src)...)
	case *ast.RawHTML: // more often a type parameter than HTML
		p.lines(n.Segments)
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		p.lines(n.Lines())
	}
	return ast.WalkContinue, nil
}

func (p *plainWriter) text(n *ast.Text) {
	value := n.Segment.Value(p.src)
	if _, code := n.Parent().(*ast.CodeSpan); !code && !n.IsRaw() {
		value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
	}
	p.out = append(p.out, value...)
	if n.SoftLineBreak() || n.HardLineBreak() {
		p.out = append(p.out, ' ')
	}
}

func (p *plainWriter) lines(lines *text.Segments) {
	for i := range lines.Len() {
		line := lines.At(i)
		p.out = append(p.out, line.Value(p.src)...)
	}
}

// deep reports what no person writes and goldmark takes long for: a line whose
// indentation and quote or list markers run past 32 characters, ten blank
// lines in a row, or too many characters that open something. Within these
// bounds the worst that a search over 18,000 hostile texts found took a
// hundredth of a second.
func deep(s string) bool {
	blank := 0
	for line := range strings.Lines(s) {
		text := strings.TrimLeft(line, " \t>*-+0123456789.)")
		if len(line)-len(text) > 32 {
			return true
		}
		if blank++; strings.TrimRight(text, "\r\n") != "" {
			blank = 0
		}
		if blank == 10 {
			return true
		}
	}
	open := 0
	for i := range len(s) {
		switch s[i] {
		case '[', '*', '_', '`', '<', '(', '!':
			open++
		}
	}
	return open > 256+len(s)/32
}
