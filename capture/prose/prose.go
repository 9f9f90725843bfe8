// Package prose reads the messages of a chat: Markdown into blocks, blocks into
// sentences, sentences into words.
//
// Call [Blocks] with a message, then [SplitLead] and [Plain] with the text of a
// block, [Sentences] with what they give, and [Words] to compare it with other
// text. It knows nothing of what the words mean.
//
// It promises: code and quotes are never prose; any text can be given, whatever
// its size and nesting; nothing is kept between calls, so that goroutines may
// call everything at once.
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

// Block is one heading, paragraph or list item of a message, inline markup
// still in place.
type Block struct {
	Kind    Kind
	Level   int // of a heading, 1–6; 7 for a line in bold that works as one
	Indent  int // of an item, in columns
	Ordered bool
	Text    string
}
