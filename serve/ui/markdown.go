package ui

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/git-cortex/cortex/internal/lazy"
)

// Bounds of what is read as Markdown, in bytes and in blocks within each other. The
// time goldmark takes grows with the square of both; longer texts stand as they are.
const (
	markdownLimit = 8 << 10
	plainLimit    = 128 << 10
	maxNesting    = 24
)

// reader reads CommonMark without HTML, which is text here.
var reader = lazy.Value(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		))
})

// markdown is a text as HTML. Nothing but the tags written below can come out: each
// kind of node is written by us, and text is escaped. Links lead to the web alone,
// images are named and not loaded. Nothing that was written is hidden, as agents are
// told all of it: of a link that leads nowhere, of an image and of a block of code that
// stands too what other readers of Markdown keep back.
func markdown(s string) markup {
	if len(s) > markdownLimit {
		return asWritten(s)
	}
	w := writer{source: []byte(s)}
	if w.node(reader().Parse(text.NewReader(w.source)), 0); w.deep {
		return asWritten(s)
	}
	return markup(w.out.String())
}

// asWritten is a text as it stands.
func asWritten(s string) markup {
	more := ""
	if len(s) > plainLimit {
		s, more = strings.ToValidUTF8(s[:plainLimit], ""), "<p>The rest is left out here.</p>"
	}
	return markup("<pre>" + escaped(s) + "</pre>" + more)
}

// writer writes the nodes of a text as HTML.
type writer struct {
	source []byte
	out    strings.Builder
	deep   bool // more was nested than is written
}

func (w *writer) text(b []byte) { w.out.WriteString(escaped(string(b))) }

// within writes what is in a node between two tags.
func (w *writer) within(open string, n ast.Node, depth int, end string) {
	w.out.WriteString(open)
	w.children(n, depth)
	w.out.WriteString(end)
}

func (w *writer) children(n ast.Node, depth int) {
	if depth > maxNesting {
		w.deep = true
		return
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.node(c, depth+1)
	}
}

func (w *writer) node(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.Paragraph:
		w.within("<p>", n, depth, "</p>\n")
	case *ast.Heading: // below the title of the memory
		h := strconv.Itoa(min(n.Level+2, 6))
		w.within("<h"+h+">", n, depth, "</h"+h+">\n")
	case *ast.List:
		tag := "ul"
		if n.IsOrdered() {
			tag = "ol"
		}
		w.within("<"+tag+">\n", n, depth, "</"+tag+">\n")
	case *ast.ListItem:
		w.within("<li>", n, depth, "</li>\n")
	case *ast.Blockquote:
		w.within("<blockquote>", n, depth, "</blockquote>\n")
	case *ast.ThematicBreak:
		w.out.WriteString("<hr>\n")
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		w.out.WriteString("<pre><code>")
		w.language(n)
		w.lines(n)
		w.out.WriteString("</code></pre>\n")
	default:
		w.inline(n, depth)
	}
}

// inline writes what stands within a line; of text blocks and the document what is in them.
func (w *writer) inline(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.CodeSpan:
		w.within("<code>", n, depth, "</code>")
	case *ast.Emphasis:
		tag := "em"
		if n.Level == 2 {
			tag = "strong"
		}
		w.within("<"+tag+">", n, depth, "</"+tag+">")
	case *ast.Link:
		w.link(string(n.Destination), func() { w.children(n, depth) })
		w.title(n.Title)
	case *ast.AutoLink:
		w.link(string(n.URL(w.source)), func() { w.text(n.Label(w.source)) })
	case *ast.Image:
		w.within("[image: ", n, depth, " (")
		w.text(n.Destination)
		w.out.WriteString(")")
		w.title(n.Title)
		w.out.WriteString("]")
	case *ast.Text:
		w.text(meant(n.Segment.Value(w.source), n.IsRaw()))
		if n.HardLineBreak() || n.SoftLineBreak() && labelled(bytes.TrimLeft(w.source[n.Segment.Stop:], "\r\n ")) {
			w.out.WriteString("<br>")
		}
		if n.SoftLineBreak() {
			w.out.WriteString("\n")
		}
	case *ast.String:
		w.text(n.Value)
	default:
		w.children(n, depth)
	}
}

// labelled reports whether a line names what it says, as in "Answer: yes". Such a line stays one.
func labelled(line []byte) bool {
	end := bytes.IndexFunc(line, func(r rune) bool { return r != ' ' && !unicode.IsLetter(r) })
	return end > 0 && line[end] == ':' && unicode.IsUpper(rune(line[0]))
}

// meant is a text without backslashes before punctuation, and with the characters
// that entities stand for. In code, which is raw, both are as written.
func meant(text []byte, raw bool) []byte {
	if raw {
		return text
	}
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(text)))
}

func (w *writer) lines(n ast.Node) {
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		w.text(at.Value(w.source))
	}
}

// language writes what stands behind the fence of a block of code, unless it is a name.
func (w *writer) language(n ast.Node) {
	fenced, ok := n.(*ast.FencedCodeBlock)
	if !ok || fenced.Info == nil {
		return
	}
	const longest = 12 // of such names
	if info := fenced.Info.Segment.Value(w.source); len(info) > longest || bytes.ContainsAny(info, " \t") {
		w.text(info)
		w.out.WriteString("\n")
	}
}

// title writes what a browser shows of a link where the pointer rests.
func (w *writer) title(title []byte) {
	if len(title) > 0 {
		w.out.WriteString(" (")
		w.text(title)
		w.out.WriteString(")")
	}
}

// link writes a link if it leads to the web, else its words and where it leads.
func (w *writer) link(to string, words func()) {
	u, err := url.Parse(to)
	if err != nil || !slices.Contains([]string{"https", "http"}, u.Scheme) || u.Host == "" {
		start := w.out.Len()
		words()
		if w.out.String()[start:] != escaped(to) {
			w.out.WriteString(" (")
			w.text([]byte(to))
			w.out.WriteString(")")
		}
		return
	}
	w.out.WriteString(`<a rel="noopener noreferrer nofollow" target="_blank" href="` + escaped(u.String()) + `">`)
	start := w.out.Len()
	words()
	if strings.TrimSpace(w.out.String()[start:]) == "" {
		w.text([]byte(to))
	}
	w.out.WriteString("</a>")
}
