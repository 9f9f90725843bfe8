package prose

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/git-cortex/cortex/internal/lazy"
)

// maxNesting is how deep lists may be nested; what is deeper is text of the
// innermost item. goldmark looks at every open block for every line.
const maxNesting = 8

// inlineLimit is the longest block, in bytes, whose inline markup is read; a
// longer one is text as it stands. goldmark takes a hundredth of a second for
// the worst of this size, and time grows with the square of it.
const inlineLimit = 4 << 10

// blockParser reads messages: CommonMark but for what agents and people in a
// chat mean otherwise. A line of dashes below a paragraph is a rule and not a
// heading, a tag is text (it is more often a type parameter than HTML), and the
// lines that [chatLine] knows are blocks. It is made at first use and holds no
// state of a text. It reads no inline markup: see inlineParser.
var blockParser = lazy.Value(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(shallow{parser.NewListParser()}, 300),
		util.Prioritized(placed{parser.NewListItemParser()}, 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(placed{chatLine{}}, 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	))
})

// inlineParser reads the markup within a block.
var inlineParser = lazy.Value(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(util.Prioritized(anyLine{parser.NewParagraphParser()}, 1000)),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
	)
})

// anyLine takes indented lines too.
type anyLine struct{ parser.BlockParser }

func (anyLine) CanAcceptIndentedLine() bool { return true }

// shallow opens no list that is nested too deep.
type shallow struct{ parser.BlockParser }

func (p shallow) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	node, state := p.BlockParser.Open(parent, reader, pc)
	if nesting(parent) >= maxNesting {
		return nil, parser.NoChildren
	}
	return node, state
}

// placed notes where in the text an item's marker stands. Node.Pos does not say
// it below a tab that an outer item has eaten half of: there goldmark pads the
// line with spaces that are not in the text, and counts them.
type placed struct{ parser.BlockParser }

// markerAt names the attribute with the offset of an item's marker, in bytes.
var markerAt = []byte("marker")

func (p placed) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, segment := reader.PeekLine()
	at := segment.Start + max(pc.BlockOffset()-segment.Padding, 0)
	node, state := p.BlockParser.Open(parent, reader, pc)
	if item, ok := node.(*ast.ListItem); ok {
		item.SetAttribute(markerAt, at)
	}
	return node, state
}

func nesting(n ast.Node) int {
	depth := 0
	for ; n != nil; n = n.Parent() {
		if n.Kind() == ast.KindListItem {
			depth++
		}
	}
	return depth
}

// chatLine reads lines that are blocks of their own in a chat, though not in
// CommonMark: items behind a symbol or a number, headings in bold; and it takes
// out what is drawn, quoted or tagged. Any of them may stand directly below a
// paragraph.
type chatLine struct{}

func (chatLine) Trigger() []byte             { return nil }
func (chatLine) CanInterruptParagraph() bool { return true }
func (chatLine) CanAcceptIndentedLine() bool { return true }

func (chatLine) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	whole, segment := reader.PeekLine()
	line := bytes.TrimRight(whole, " \t\r\n")
	body := bytes.TrimLeft(line, " \t")
	if len(body) == 0 || parent.Kind() == ast.KindListItem && !parent.HasChildren() { // it opens an item
		return nil, parser.NoChildren
	}
	before := len(line) - len(body) // with the padding of the line, which is not in the text
	switch {
	case isDropped(body):
		node := ast.NewHTMLBlock(ast.HTMLBlockType7) // which no other parser makes here
		node.Lines().Append(segment)
		reader.AdvanceToEOL()
		return node, parser.NoChildren
	case isBoldLine(body):
		node := ast.NewHeading(boldLevel)
		start := segment.Start + max(before-segment.Padding, 0)
		node.Lines().Append(text.NewSegment(start, start+len(bytes.TrimSuffix(body, []byte(":")))))
		reader.AdvanceToEOL()
		return node, parser.NoChildren
	}
	size := markerSize(body)
	if size == 0 || size == len(body) || nesting(parent) >= maxNesting {
		return nil, parser.NoChildren
	}
	reader.Advance(before + size)
	return ast.NewListItem(before + size), parser.HasChildren
}

// Continue ends every block after its first line; a paragraph in an item goes
// on by itself.
func (chatLine) Continue(ast.Node, text.Reader, parser.Context) parser.State { return parser.Close }
func (chatLine) Close(ast.Node, text.Reader, parser.Context)                 {}

// isDropped holds for quotes, rows of tables, rules of equals signs, lines drawn
// with box characters and lone tags.
func isDropped(body []byte) bool {
	switch body[0] {
	case '>', '|':
		return true
	case '<':
		return body[len(body)-1] == '>'
	case '=':
		return len(body) >= 3 && len(bytes.Trim(body, "=")) == 0
	}
	return isDrawn(body)
}

// isDrawn reports whether more than two box characters stand in a line.
func isDrawn(body []byte) bool {
	n := 0
	for _, r := range string(body) {
		if r >= 0x2500 && r <= 0x257f {
			n++
		}
	}
	return n > 2
}

// boldLine is a short line in bold that works as a heading.
var boldLine = lazy.Pattern(`^\*\*[^*]([^*]|\*[^*])*[^.*]\*\*:?$`)

// boldLimit is how long such a line is at most, in bytes.
const boldLimit = 90

func isBoldLine(body []byte) bool { return len(body) < boldLimit && boldLine().Match(body) }

// itemMarker marks a line as an item: a number of up to three digits or a bullet, with the spaces
// behind it.
var itemMarker = lazy.Pattern(`^([0-9]{1,3}[.)]|[-*+•–]) [ \x{fe0f}]*`)

// markerSize is the size of what marks a line as an item, with the space behind
// it: a bullet, a number of up to three digits, a symbol. 0 means that it is
// none.
func markerSize(body []byte) int {
	if m := itemMarker().Find(body); m != nil {
		return len(m)
	}
	const symbols = 0x2190 // arrows, marks and pictures are above
	r, size := utf8.DecodeRune(body)
	if r < symbols || !unicode.IsSymbol(r) {
		return 0
	}
	return len(body) - len(bytes.TrimLeft(body[size:], " \ufe0f"))
}

// Blocks splits Markdown into blocks.
func Blocks(md string) []Block {
	w := blockWriter{src: []byte(md)}
	w.children(blockParser().Parse(text.NewReader(w.src)))
	return w.out
}

// Lines gives the lines of Markdown, without the marks before them, that are
// neither in a fence nor quoted.
func Lines(md string) []string {
	src := []byte(md)
	var out []string
	_ = ast.Walk(blockParser().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Type() != ast.TypeBlock || n.Kind() == ast.KindFencedCodeBlock {
			return ast.WalkContinue, nil
		}
		for i := range n.Lines().Len() {
			line := n.Lines().At(i)
			if t := strings.TrimSpace(string(line.Value(src))); !strings.HasPrefix(t, ">") {
				out = append(out, t)
			}
		}
		return ast.WalkContinue, nil
	})
	return out
}

// blockWriter makes blocks of what goldmark read.
type blockWriter struct {
	src []byte
	out []Block
}

// children adds the blocks below a node.
func (w *blockWriter) children(n ast.Node) {
	in := len(w.out) // the first block of the node
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Heading:
			w.heading(c)
		case *ast.Paragraph, *ast.TextBlock:
			w.paragraph(c, n, in)
		case *ast.List, *ast.ListItem:
			w.children(c)
		}
	}
}

// heading adds a heading that says anything.
func (w *blockWriter) heading(n *ast.Heading) {
	b := w.block(n)
	b.Text = strings.TrimSuffix(b.Text, ":")
	if b.Text != "" {
		w.out = append(w.out, Block{Kind: Heading, Level: n.Level, Source: b.Source, Text: b.Text, Rest: b.Text})
	}
}

// paragraph adds a paragraph. The first one of an item is the item; what stands behind what is nested in
// it is added to that, in the order of the text. The blocks of the parent begin at in.
func (w *blockWriter) paragraph(n, parent ast.Node, in int) {
	b := w.block(n)
	item, ok := parent.(*ast.ListItem)
	switch {
	case b.Text == "":
		return
	case ok && in < len(w.out):
		w.out[len(w.out)-1].Add(" ", b)
		return
	case ok:
		w.item(&b, item)
	}
	w.out = append(w.out, b)
}

// item says how an item stands in the text.
func (w *blockWriter) item(b *Block, n *ast.ListItem) {
	b.Kind = Item
	marker, _ := n.Attribute(markerAt)
	at, _ := marker.(int)
	line := bytes.LastIndexByte(w.src[:at], '\n') + 1
	before := w.src[line:at]
	b.Indent = len(before) + 3*bytes.Count(before, []byte("\t"))
	b.Ordered = isDigit(w.src[at])
}

// block reads the inline markup of a node.
func (w *blockWriter) block(n ast.Node) Block {
	var source strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		source.Write(bytes.TrimSpace(line.Value(w.src)))
		source.WriteByte('\n')
	}
	in := inlined(source.String())
	b := Block{Source: unmarked(folded([]byte(source.String()))), Text: unmarked(folded(in.out))}
	b.Rest = b.Text
	if lead := folded(in.out[in.leadFrom:in.leadTo]); len(lead) > 1 && len(lead) <= 160 {
		b.Lead = strings.TrimSpace(strings.TrimRight(lead, ":."))
		b.Rest = separator().ReplaceAllString(folded(in.out[in.leadTo:]), "")
	}
	return b
}

// separator matches the mark between the bold words of a block and the rest.
var separator = lazy.Pattern(`^(?:[:—–→]|- ) *`)

// Plain is text without inline markup: emphasis and the targets of links are
// dropped, code stands in its backticks, white space is folded.
func Plain(s string) string { return folded(inlined(s).out) }

// folded is text on one line, with single spaces.
func folded(text []byte) string { return strings.Join(strings.Fields(string(text)), " ") }

// unmarked drops the box and the symbols before the words of an item.
func unmarked(s string) string {
	for {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case s == "":
			return ""
		case strings.HasPrefix(s, "[ ] "), strings.HasPrefix(s, "[x] "), strings.HasPrefix(s, "[X] "):
			s = s[4:]
		case isOrnament(r):
			s = s[size:]
		default:
			return s
		}
		s = strings.TrimLeft(s, " ")
	}
}

// opens holds for what may stand before the words of a block.
func opens(text []byte) bool { return strings.TrimSpace(unmarked(folded(text)+" ")) == "" }

// isOrnament holds for what decorates text and says nothing.
func isOrnament(r rune) bool {
	return r == 0xfe0f || r >= 0x2300 && unicode.IsSymbol(r) || r >= 0x1f000 && r < 0x20000
}

// inlineWriter writes text without its markup, code in its backticks.
type inlineWriter struct {
	src, out         []byte
	leadFrom, leadTo int // the words in bold with which the text opens
}

// inlined reads the markup in a text.
func inlined(s string) *inlineWriter {
	w := &inlineWriter{src: []byte(s)}
	if len(s) > inlineLimit || !strings.ContainsAny(s, "*_`[<&\\") {
		w.text(w.src)
		return w
	}
	root := inlineParser().Parse(text.NewReader(w.src))
	for c := root.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c)
		w.out = append(w.out, ' ')
	}
	return w
}

func (w *inlineWriter) block(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		from, leads := len(w.out), w.leads(c)
		w.node(c)
		if leads {
			w.leadFrom, w.leadTo = from, len(w.out)
		}
	}
}

// leads reports whether a node holds the words in bold with which the text opens.
func (w *inlineWriter) leads(n ast.Node) bool {
	strong, ok := n.(*ast.Emphasis)
	return ok && strong.Level == 2 && opens(w.out)
}

func (w *inlineWriter) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		value := n.Value(w.src)
		if !n.IsRaw() {
			value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
		}
		w.text(value)
		if n.SoftLineBreak() || n.HardLineBreak() {
			w.out = append(w.out, ' ')
		}
	case *ast.String:
		w.text(n.Value)
	case *ast.AutoLink:
		w.text(n.Label(w.src))
	case *ast.CodeSpan:
		w.code(n)
	default:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			w.node(c)
		}
	}
}

// code adds a span of code in its backticks.
func (w *inlineWriter) code(n *ast.CodeSpan) {
	space := w.lostSpace(n)
	w.out = append(w.out, "`"+space...)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			w.out = append(w.out, t.Value(w.src)...)
		}
	}
	w.out = append(w.out, space+"`"...)
}

// lostSpace is the space that goldmark takes from both ends of a span, if the span is one by mistake:
// agents put backticks into spans that single ones enclose, which makes code of what stands between two.
func (w *inlineWriter) lostSpace(n *ast.CodeSpan) string {
	first, ok := n.FirstChild().(*ast.Text)
	if !ok {
		return ""
	}
	before := w.src[:first.Segment.Start]
	if bytes.HasSuffix(before, []byte("` ")) && !bytes.HasSuffix(before, []byte("`` ")) {
		return " "
	}
	return ""
}

// text adds text without ornaments.
func (w *inlineWriter) text(value []byte) {
	for len(value) > 0 {
		r, size := utf8.DecodeRune(value)
		if !isOrnament(r) {
			w.out = append(w.out, value[:size]...)
		}
		value = value[size:]
	}
}
