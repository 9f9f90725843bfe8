// Package prose reads the messages of a chat: Markdown into blocks, blocks into
// sentences, sentences into words.
//
// Call [Blocks] with a message, [Plain] with text of one block, [Sentences]
// with what they give, and [Words] to compare it with other text. It knows
// nothing of what the words mean.
//
// It promises: code and quotes are never prose; any text can be given, whatever
// its size and nesting, and costs time in proportion to its size; nothing is
// kept between calls, so that goroutines may call everything at once.
//
// Markdown is read by goldmark, with the bounds and the departures from
// CommonMark that stand in markdown.go.
package prose

// Kind says what a [Block] is. Code and quotes are not blocks: they are never
// evidence and are dropped.
type Kind int

// The kinds of blocks.
const (
	Paragraph Kind = iota
	Heading
	Item // of a list
)

// Block is one heading, paragraph or list item of a message.
type Block struct {
	Kind    Kind
	Level   int // of a heading, 1–6; boldLevel for a line in bold that works as one
	Indent  int // of an item, in columns
	Ordered bool

	Source string // as it was written, on one line
	Text   string // without inline markup; code stands in its backticks
	Lead   string // the words in bold with which Text opens, "" when there are none
	Rest   string // Text without them, and without the colon or dash behind them
}

const boldLevel = 7

// Add appends the text of another block.
func (b *Block) Add(sep string, more Block) {
	b.Source += sep + more.Source
	b.Text += sep + more.Text
	b.Rest += sep + more.Text
}
