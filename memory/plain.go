package memory

import (
	"bytes"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// plainLimit is the longest text, in bytes, that is given to the Markdown
// parser, which takes more than linear time for hostile nesting.
const plainLimit = 16 << 10

// markdownParser returns goldmark's default parser, which holds no state of a
// text and is safe for concurrent use. It is built from the parser package
// alone, so that the renderer is not linked.
var markdownParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
})

// Plain returns the text of a Markdown document without markup: paragraphs and
// list items one per line, code unchanged. A text that is too long or nested
// too deeply to parse safely is returned with its markup. The result is
// [Clean], but not [Defang]ed.
func Plain(markdown string) string {
	if len(markdown) > plainLimit || deep(markdown) {
		return Clean(markdown)
	}
	p := plainWriter{src: []byte(markdown)}
	_ = ast.Walk(markdownParser().Parse(text.NewReader(p.src)), p.node) // p.node returns no error
	return Clean(strings.TrimRight(string(p.out), "\n"))
}

// HasHTML reports whether a Markdown reader finds HTML in a document. It also
// returns true for a text that is too long or nested too deeply to parse
// safely.
func HasHTML(markdown string) bool {
	if len(markdown) > plainLimit || deep(markdown) {
		return true
	}
	found := false
	look := func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		switch n.Kind() {
		case ast.KindHTMLBlock, ast.KindRawHTML:
			found = true
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	}
	_ = ast.Walk(markdownParser().Parse(text.NewReader([]byte(markdown))), look) // look returns no error
	return found
}

type plainWriter struct{ src, out []byte }

func (p *plainWriter) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		p.leave(n)
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Text:
		p.text(n)
	case *ast.String:
		p.out = append(p.out, n.Value...)
	case *ast.AutoLink:
		p.out = append(p.out, n.Label(p.src)...)
	case *ast.RawHTML: // usually a type parameter, such as List<T>
		p.lines(n.Segments)
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		p.lines(n.Lines())
	}
	return ast.WalkContinue, nil
}

// leave ends the line of a block.
func (p *plainWriter) leave(n ast.Node) {
	if n.Type() == ast.TypeBlock && len(p.out) > 0 && !bytes.HasSuffix(p.out, []byte("\n")) {
		p.out = append(p.out, '\n')
	}
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

// deep reports whether goldmark may take too long for a text that no person
// would write: a line with more than 32 characters of indentation, quote and
// list markers, ten blank lines in a row, or too many characters that open
// something. Of 18,000 hostile texts within these bounds, the slowest took a
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
