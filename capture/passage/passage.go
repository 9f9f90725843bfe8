// Package passage takes a message apart into passages that may be memories, and says
// what speaks for and against each.
//
// [Of] cuts a message. A [Passage] is a paragraph, a list with its heading, or an item
// that stands by itself, with the passages around it that it is understood with. It
// tells its text without what only says that something was done ([Passage.Told]), a title
// ([Passage.Title]), and the signs ([Passage.Signs]) by which package capture judges it
// with the table of capture/weights. [Shortened], [Bare], [States] and [Dangles] say what a
// single sentence needs to stand alone, and make it shorter: what comes out is a complete
// sentence, or a complete leading clause.
//
// Cues (cues.tsv), words (words.tsv) and the rules of types (types.tsv) are files beside the
// code. What comes of a message depends on its text, its place and its [Setting] alone.
package passage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// Passage is a piece of text that may be one memory: a paragraph, a list with
// its heading, or one item of a list that stands by itself.
type Passage struct {
	Place   Place
	Record  int
	Time    time.Time
	Section []string // headings above it, outermost first
	Intro   string   // line that introduces the list
	Lead    string   // bold opening
	Text    string   // plain prose
	Items   []string // plain items, when it is a list

	Parts []Passage // of a unit: all its passages, this one among them

	of      int // how many passages the message has
	Setting *Setting
	seen    *seen // once it was asked for
}

// Sizes of a passage, in words.
const (
	itemAlone  = 15 // items this long on average stand by themselves
	groupWords = 75 // a list is cut here
	paraWords  = 80
	itemWords  = 40 // of an item of a list

	headingWords = 6 // a longer line is a statement, not a heading
)

// Of cuts a message into passages. Sentences that announce what the
// agent is about to do, that ask or offer, or that only cheer are left out.
func Of(md string, at Place, record int, when time.Time, around *Setting) []Passage {
	return unite(Cut(md, at, record, when, around))
}

// Spoken is the user's own words, taken as one statement.
func Spoken(text string, around *Setting) Passage {
	return Passage{Place: User, Text: text, of: 1, Setting: around}
}

// Cut cuts a message into its single passages.
func Cut(md string, at Place, record int, when time.Time, around *Setting) []Passage {
	blocks := prose.Blocks(prose.WithTables(WithoutTags(transcript.WithoutBriefing(md))))
	s := splitter{at: at, record: record, when: when, around: around}
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		switch b.Kind {
		case prose.Heading:
			s.heading(b)
		case prose.Paragraph:
			s.intro = ""
			if leadsToList(blocks[i:]) {
				s.introduce(b)
			} else {
				s.paragraph(b.Lead, b.Rest)
			}
		case prose.Item:
			n := itemsAt(blocks[i:])
			s.list(blocks[i : i+n])
			s.intro = ""
			i += n - 1
		}
	}
	return s.out
}

// leadsToList reports whether the first of some blocks introduces a list.
func leadsToList(blocks []prose.Block) bool {
	return strings.HasSuffix(blocks[0].Text, ":") && len(blocks) > 1 && blocks[1].Kind == prose.Item
}

// itemsAt is how many items some blocks begin with.
func itemsAt(blocks []prose.Block) int {
	n := slices.IndexFunc(blocks, func(b prose.Block) bool { return b.Kind != prose.Item })
	if n < 0 {
		return len(blocks)
	}
	return n
}

type splitter struct {
	at     Place
	record int
	when   time.Time
	around *Setting
	path   []prose.Block
	intro  string
	out    []Passage
}

func (s *splitter) heading(b prose.Block) {
	for len(s.path) > 0 && s.path[len(s.path)-1].Level >= b.Level {
		s.path = s.path[:len(s.path)-1]
	}
	s.path = append(s.path, b)
	s.intro = ""
}

// introduce takes the line before a list; sentences before its last one are a
// paragraph of their own.
func (s *splitter) introduce(b prose.Block) {
	lead, parts := b.Lead, prose.Sentences(b.Rest)
	if len(parts) < 2 { // the words in bold are part of the line, or sentences themselves
		lead, parts = "", prose.Sentences(b.Text)
	}
	n := len(parts) - 1
	if n > 0 {
		s.paragraph(lead, strings.Join(parts[:n], " "))
	}
	s.intro = strings.TrimSuffix(parts[n], ":")
}

func (s *splitter) sections() []string {
	return lists.Map(s.path, func(b prose.Block) string { return strings.TrimSuffix(b.Text, ":") })
}

// add adds a passage in the place of the message, and in one of its own in last words.
func (s *splitter) add(p Passage, own Place) {
	if n := len(s.path); n > 0 && is("chores", strings.Join(prose.Words(s.path[n-1].Text), " ")) {
		return // lists that the work keeps for itself
	}
	p.Record, p.Time, p.Section, p.Setting = s.record, s.when, s.sections(), s.around
	if p.Place = s.at; s.at == Handover {
		p.Place = own
	}
	s.out = append(s.out, p)
}

// ownPlace is the place of a passage with words in bold before it, if there are any.
func ownPlace(lead string, without Place) Place {
	if lead != "" {
		return Lead
	}
	return without
}

func (s *splitter) paragraph(lead, rest string) {
	if rest == "" {
		lead, rest = "", lead
	}
	for kept := Facts(rest); len(kept) > 0; lead = "" {
		n := fitting(kept)
		s.add(Passage{Lead: lead, Text: strings.Join(kept[:n], " ")}, ownPlace(lead, Handover))
		kept = kept[n:]
	}
}

// fitting is how many sentences fit into one passage, at least one.
func fitting(sentences []string) int {
	size := wordCount(sentences[0])
	for n, s := range sentences[1:] {
		if size += wordCount(s); size > paraWords {
			return n + 1
		}
	}
	return len(sentences)
}

func wordCount(s string) int { return len(strings.Fields(s)) }

// list makes one passage of a list of terse items, and one of each item where
// the items are long enough to stand alone.
func (s *splitter) list(items []prose.Block) {
	merged := withNested(items)
	if standAlone(merged) {
		for _, it := range merged {
			s.item(it)
		}
		return
	}
	var group []string
	words := 0
	for _, it := range merged {
		n := wordCount(it.Text)
		if len(group) > 0 && words+n > groupWords {
			s.add(Passage{Intro: s.intro, Items: group}, List)
			group, words = nil, 0
		}
		group, words = append(group, prose.ClipWords(it.Text, itemWords)), words+n
	}
	s.add(Passage{Intro: s.intro, Items: group}, List)
}

// withNested adds items that are nested to the one above them.
func withNested(items []prose.Block) []prose.Block {
	var out []prose.Block
	for _, it := range items {
		if it.Indent <= items[0].Indent+1 {
			out = append(out, it)
			continue
		}
		over := &out[len(out)-1]
		switch {
		case strings.HasSuffix(over.Text, ":"):
			over.Add(" ", it)
		default:
			over.Add("; ", it)
		}
	}
	return out
}

// standAlone reports whether items are so long that each is a passage. A list of files and
// what was done to each says what the diff says.
func standAlone(items []prose.Block) bool {
	total, leads, files := 0, 0, 0
	for _, it := range items {
		total += wordCount(it.Text)
		if isFileName(cmp.Or(it.Lead, prose.FirstWord(it.Text))) {
			files++
		}
		if it.Lead != "" {
			leads++
		}
	}
	alone := itemAlone
	if leads*2 >= len(items) {
		alone -= 2
	}
	return total >= alone*len(items) && files*2 <= len(items)
}

// isFileName reports whether a word is written like the name of a file.
func isFileName(s string) bool {
	const longest = 6 // of an ending, with its dot
	s = strings.Trim(s, "`:")
	i := strings.LastIndexByte(s, '.')
	return i > 0 && len(s)-i > 1 && len(s)-i <= longest && !strings.ContainsAny(s, " ()")
}

func (s *splitter) item(it prose.Block) {
	kept := strings.Join(Facts(it.Rest), " ")
	if kept == "" && it.Lead == "" {
		return
	}
	s.add(Passage{Intro: s.intro, Lead: it.Lead, Text: prose.ClipWords(kept, paraWords)}, ownPlace(it.Lead, List))
}

// Facts gives the sentences of a paragraph that state something.
func Facts(t string) []string {
	return lists.Without(prose.Sentences(t), func(s string) bool { return idle(s) })
}

// idle reports whether a sentence states nothing: it announces, asks, cheers, reports how far
// the work is, or leads up to what was code.
func idle(s string) bool {
	words := prose.Words(s)
	switch {
	case Asks(s), cheers(words), strings.HasSuffix(s, ":"):
		return true
	case Announces(words), in("status", words), hashes(s):
		return !reasoned(words)
	}
	return false
}

// leastReason is how many words a sentence has that gives a reason beside what it announces.
const leastReason = 10

// reasoned reports whether a sentence gives a reason or a limit, whatever it announces.
func reasoned(words []string) bool {
	return len(words) >= leastReason && Hints(words, "cause", "limit", "choice", "norm")
}

// Announces reports whether words say what the agent is about to do: that is not worth
// knowing once it is done.
func Announces(words []string) bool { return len(words) == 0 || begins("announces", words) }

// Asks reports whether a sentence is a question or an offer to the user.
func Asks(t string) bool {
	return strings.HasSuffix(strings.TrimRight(t, "*_ \")"), "?") || in("offer", prose.Words(prose.Clip(t, 120)))
}

// cheers reports whether words are an opening such as "Perfect!" and "Good call".
func cheers(words []string) bool { return len(words) <= Least && begins("cheers", words) }

// hexWord matches a word that is written like the id of a commit.
var hexWord = lazy.Pattern(`\b[0-9a-f]{7,40}\b`)

// hashes reports whether a text names a commit by its id.
func hashes(t string) bool {
	return slices.ContainsFunc(hexWord().FindAllString(t, -1), func(word string) bool {
		return strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef")
	})
}

// Body is the passage's whole text: lead, prose or items.
func (p *Passage) Body() string {
	if len(p.Items) > 0 {
		return strings.Join(p.Items, "\n")
	}
	return led(p.Lead, p.Text)
}

// led joins a bold opening with what follows: a heading of its own, or the first
// words of a sentence that goes on.
func led(lead, rest string) string {
	switch {
	case lead == "", rest == "", strings.IndexByte(",.;)?!", rest[0]) >= 0:
		return lead + rest
	case opensAside().MatchString(rest), isCode(lead) && Subjectless(rest): // "`probe()` reads the level"
		return lead + " " + rest
	}
	return lead + ": " + rest
}

// opensAside matches the beginning of words that go on behind a dash or in brackets.
var opensAside = lazy.Pattern(`^(?:\(|[—–-](?: |$))`)

// isCode reports whether a text is one span of code.
func isCode(s string) bool { return strings.HasPrefix(s, "`") && strings.HasSuffix(s, "`") }

// TagOpen begins an explicit request to remember.
const TagOpen = "[MEMORY:"

// tagForm matches a tag, in whichever language and brackets: [MÉMOIRE : décision], 【MEMORY：gotcha】.
var tagForm = lazy.Pattern(`[\[【［] ?(\pL+) ?[:：]([^\]】］\n]*)[\]】］]`)

// WithTags gives the tags of a text the form that [TagOpen] begins.
func WithTags(md string) string {
	if !strings.ContainsAny(md, "[【［") {
		return md
	}
	return tagForm().ReplaceAllStringFunc(md, func(tag string) string {
		parts := tagForm().FindStringSubmatch(tag)
		if !is("tag", parts[1]) {
			return tag
		}
		return TagOpen + parts[2] + "]"
	})
}

// WithoutTags drops the lines that tags stand in: they are evidence already.
func WithoutTags(md string) string {
	tagged := WithTags(md)
	if !strings.Contains(tagged, TagOpen) {
		return md
	}
	lines := strings.SplitAfter(tagged, "\n")
	return strings.Join(lists.Without(lines, func(l string) bool { return strings.Contains(l, TagOpen) }), "")
}
