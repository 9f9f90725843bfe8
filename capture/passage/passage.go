// Package passage takes a message apart into passages that may be memories, and says
// what speaks for and against each.
//
// [Of] cuts a message. A [Passage] is a paragraph, a list with its heading, or an item
// that stands by itself, with the passages around it that it is understood with. It
// tells its text without what only says that something was done ([Passage.Told]), a title
// ([Passage.Title]), and the cues and signs ([Passage.Score], [Passage.Signs]) by which
// package capture judges it with the table of capture/weights. It starts with the weight
// of its place and gains or loses the weight of every group of cues that it shows, each
// group once; the sum is a sign among others.
//
// What comes of a message depends on its text, its place and its [Setting] alone.
package passage

import (
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
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
	bold    bool     // the whole paragraph is in bold

	Parts []Passage // of a unit: all its passages, this one among them

	index, of int // which passage of the message it is
	Setting   *Setting
	scored    *scored // once it was asked for

	// How it stands to the session, for the caller to fill in; nil and 0 without.
	Subjects    []string // its words that can be a subject of the session
	Mean, Known float64  // how much the session returns to them, up to the end of the turn
	Said        float64  // the share of them that turns before this one knew
	Alike       float64  // the largest share of them that a passage of another message of the turn has
}

// Sizes of a passage, in words.
const (
	itemAlone  = 15 // items this long on average stand by themselves
	groupWords = 75 // a list is cut here
	paraWords  = 80

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
	s := splitter{at: at, record: record, when: when}
	for i := 0; i < len(blocks); i++ {
		b := blocks[i]
		switch b.Kind {
		case prose.Heading:
			s.heading(b)
		case prose.Paragraph:
			if strings.HasSuffix(b.Text, ":") && i+1 < len(blocks) && blocks[i+1].Kind == prose.Item {
				s.introduce(b)
				continue
			}
			s.intro = ""
			s.paragraph(b.Lead, b.Rest)
		case prose.Item:
			j := i
			for j < len(blocks) && blocks[j].Kind == prose.Item {
				j++
			}
			s.list(blocks[i:j])
			s.intro = ""
			i = j - 1
		}
	}
	for i := range s.out {
		s.out[i].Setting = around
	}
	return s.out
}

type splitter struct {
	at     Place
	record int
	when   time.Time
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
	var out []string
	for _, b := range s.path {
		out = append(out, strings.TrimSuffix(b.Text, ":"))
	}
	return out
}

func (s *splitter) add(p Passage) {
	if n := len(s.path); n > 0 && chores(s.path[n-1].Text) {
		return
	}
	p.Record, p.Time, p.Section = s.record, s.when, s.sections()
	if p.Place == 0 {
		p.Place = s.at
	}
	s.out = append(s.out, p)
}

func (s *splitter) paragraph(lead, rest string) {
	bold := lead != "" && rest == ""
	if bold {
		lead, rest = "", lead
	}
	kept := Facts(rest)
	for len(kept) > 0 {
		n, words := 0, 0
		for n < len(kept) && (n == 0 || words+len(strings.Fields(kept[n])) <= paraWords) {
			words += len(strings.Fields(kept[n]))
			n++
		}
		p := Passage{Lead: lead, Text: strings.Join(kept[:n], " "), bold: bold}
		if lead != "" && s.at == Handover {
			p.Place = Lead
		}
		s.add(p)
		kept, lead = kept[n:], ""
	}
}

// list makes one passage of a list of terse items, and one of each item where
// the items are long enough to stand alone.
func (s *splitter) list(items []prose.Block) {
	base := items[0].Indent
	var merged []prose.Block
	for _, it := range items {
		if len(merged) > 0 && it.Indent > base+1 {
			sep := "; "
			switch over := merged[len(merged)-1].Text; {
			case strings.HasSuffix(over, ":"):
				sep = " "
			case names(over):
				sep = ": "
			}
			merged[len(merged)-1].Add(sep, it)
			continue
		}
		merged = append(merged, it)
	}
	total, leads, files := 0, 0, 0
	for _, it := range merged {
		total += len(strings.Fields(it.Text))
		if isFileName(strings.Trim(it.Lead, "`")) || isFileName(strings.Trim(prose.FirstWord(it.Text), "`:")) {
			files++
		}
		if it.Lead != "" {
			leads++
		}
	}
	alone := itemAlone
	if leads*2 >= len(merged) {
		alone = itemAlone - 2
	}
	// a list of files and what was done to each says what the diff says
	if total >= alone*len(merged) && files*2 <= len(merged) {
		for _, it := range merged {
			s.item(it)
		}
		return
	}
	var group []string
	words := 0
	flush := func() {
		if len(group) > 0 {
			s.add(Passage{Place: s.listPlace(), Intro: s.intro, Items: group})
		}
		group, words = nil, 0
	}
	for _, it := range merged {
		n := len(strings.Fields(it.Text))
		if words+n > groupWords {
			flush()
		}
		group, words = append(group, prose.ClipWords(it.Text, 40)), words+n
	}
	flush()
}

func isFileName(s string) bool {
	i := strings.LastIndexByte(s, '.')
	return i > 0 && len(s)-i <= 6 && len(s)-i > 1 && !strings.ContainsAny(s, " ()")
}

func (s *splitter) listPlace() Place {
	if s.at == Handover {
		return List
	}
	return s.at
}

func (s *splitter) item(it prose.Block) {
	kept := strings.Join(Facts(it.Rest), " ")
	if kept == "" && it.Lead == "" {
		return
	}
	p := Passage{Place: s.listPlace(), Intro: s.intro, Lead: it.Lead, Text: prose.ClipWords(kept, paraWords)}
	if it.Lead != "" && s.at == Handover {
		p.Place = Lead
	}
	s.add(p)
}

// Facts gives the sentences of a paragraph that state something.
func Facts(t string) []string {
	var out []string
	for _, x := range prose.Sentences(t) {
		if (!Announces(x) && !Reports(x) || reasoned(x) && !goesOn(x)) && !Asks(x) && !cheers(x) && !strings.HasSuffix(x, ":") {
			out = append(out, x)
		}
	}
	return out
}

// Reports holds for a sentence that says how far the work is: what was
// committed, pushed or run, and that it went well. The history says it better.
func Reports(t string) bool {
	words := prose.Words(prose.Clip(t, 160))
	if Cues(words, "status") > 0 {
		return true
	}
	if hashes(t) {
		return true
	}
	if len(words) == 0 {
		return false
	}
	switch words[0] {
	case "done", "pushed", "committed", "ready", "verified", "verification", "commit", "branch", "result", "workflow", "tests", "lint", "build":
		return len(words) < 14
	case "created", "wrote", "written", "saved", "report":
		return len(words) < 14 && prose.Identifiers(t) > 0
	case "both", "all":
		joined := " " + strings.Join(words, " ") + " "
		return len(words) < 14 && (strings.Contains(joined, " updated ") || strings.Contains(joined, " committed ") || strings.Contains(joined, " pushed ") ||
			strings.Contains(joined, " done ") || strings.Contains(joined, " clean ") || strings.Contains(joined, " pass ") || strings.Contains(joined, " passed ") ||
			strings.Contains(joined, " resolved ") || strings.Contains(joined, " complete "))
	}
	return false
}

// hashes reports whether a text names a commit by its id.
func hashes(t string) bool {
	for f := range strings.FieldsSeq(t) {
		f = strings.Trim(f, "`.,;:()[]\"'*")
		if n := len(f); n < 7 || n > 40 || strings.Trim(f, "0123456789abcdef") != "" {
			continue
		}
		if strings.ContainsAny(f, "0123456789") && strings.ContainsAny(f, "abcdef") {
			return true
		}
	}
	return false
}

// reasoned holds for a sentence that gives a reason or a limit, whatever it
// announces.
func reasoned(t string) bool {
	words := prose.Words(t)
	n := cues().Hits(words)
	return len(words) >= 10 && n != nil && n[groupNamed("cause")]+n[groupNamed("limit")]+n[groupNamed("choice")]+n[groupNamed("norm")] > 0
}

// goesOn holds for "Let me …", which only ever leads over to the next call.
func goesOn(t string) bool {
	w := prose.Words(prose.Clip(t, 40))
	if len(w) > 1 && (w[0] == "now" || w[0] == "and" || w[0] == "so" || w[0] == "first") {
		w = w[1:]
	}
	return len(w) > 1 && w[0] == "let" && w[1] == "me"
}

// Announces holds for "I'll …", "Let me …", "Now …": what the agent is about
// to do is not worth knowing once it is done.
func Announces(t string) bool {
	w := prose.Words(prose.Clip(t, 80))
	if len(w) == 0 {
		return true
	}
	switch w[0] {
	case "i'll", "let", "let's", "now", "next", "first", "starting", "proceeding", "checking", "running", "looking", "reading", "updating", "amending", "run", "creating", "adding":
		return true
	case "i":
		return len(w) > 1 && (w[1] == "will" || w[1] == "need" || w[1] == "am" || w[1] == "should" || w[1] == "can" || w[1] == "want" || w[1] == "have" && len(w) < 9)
	case "i'm", "i'd":
		return true
	case "here's", "here":
		return true
	case "before", "then", "and", "also":
		return len(w) > 1 && (w[1] == "i'll" || w[1] == "let" || w[1] == "i" || w[1] == "now")
	}
	return false
}

// Asks holds for questions and offers to the user.
func Asks(t string) bool {
	if strings.HasSuffix(strings.TrimRight(t, "*_ \")"), "?") {
		return true
	}
	n := cues().Hits(prose.Words(prose.Clip(t, 120)))
	return n != nil && n[groupNamed("offer")] > 0
}

// cheers holds for openings such as "Perfect!" and "Good call".
func cheers(t string) bool {
	w := prose.Words(t)
	if len(w) > 5 {
		return false
	}
	switch w[0] {
	case "perfect", "great", "excellent", "good", "done", "sure", "got", "absolutely", "noted", "ok", "okay", "all", "nice",
		"understood", "thanks", "right", "yes", "no", "exactly", "confirmed", "success", "interesting", "committed":
		return true
	}
	switch strings.Join(w, " ") {
	case "analysis complete", "analysis done", "review complete", "clear picture now", "i see", "i see the problem", "i see the issue", "found it", "that's a good point", "good catch", "you're right",
		"you're absolutely right", "that's it", "fair point", "makes sense":
		return true
	}
	return false
}

// Body is the passage's whole text: lead, prose or items.
func (p *Passage) Body() string {
	if len(p.Items) > 0 {
		return strings.Join(p.Items, "\n")
	}
	if p.Lead == "" || p.Text == "" {
		return p.Lead + p.Text
	}
	return led(p.Lead, p.Text)
}

// led joins a bold opening with what follows: a heading of its own, or the first
// words of a sentence that goes on.
func led(lead, rest string) string {
	switch rest[0] {
	case ',', '.', ';', ')', '?', '!':
		return lead + rest
	case '(':
		return lead + " " + rest
	}
	if strings.HasPrefix(lead, "`") && strings.HasSuffix(lead, "`") && sentence.Subjectless(rest) && !sentence.Orders(rest) {
		return lead + " " + rest // "`probe()` reads the level"
	}
	if strings.HasPrefix(rest, "— ") || strings.HasPrefix(rest, "– ") || strings.HasPrefix(rest, "- ") {
		return lead + " " + rest
	}
	return lead + ": " + rest
}

// Score gives the confidence of a passage, the type its cues suggest, and the
// cues themselves.
func (p *Passage) Score() (float64, memory.Type, []string) {
	if p.scored == nil {
		p.scored = &scored{}
		p.scored.conf, p.scored.typ, p.scored.names = p.weigh()
	}
	return p.scored.conf, p.scored.typ, p.scored.names
}

type scored struct {
	conf  float64
	typ   memory.Type
	names []string
}

func (p *Passage) weigh() (float64, memory.Type, []string) {
	words := prose.Words(p.Body())
	conf := WeightOf(p.Place)
	best, typ := 0.0, memory.Learned
	var names []string
	take := func(g Group, n int) {
		w := g.Weight
		if n > 1 && w > 0 {
			w += 0.04
		}
		conf += w
		names = append(names, g.Name)
		switch {
		case strings.HasPrefix(g.Name, "heading"):
			w += typeHeading
		case g.Name == "repair", g.Name == "declined", g.Name == "convention":
			w += typeRepair
		}
		if g.Type != "" && w > best {
			best, typ = w, g.Type
		}
	}
	for i, n := range cues().Hits(words) {
		// one weak item does not spoil a list
		if n > 0 && (cues().Groups[i].Weight > 0 || 2*n >= len(p.Items)) {
			take(cues().Groups[i], n)
		}
	}
	over := headings().Hits(p.titleWords())
	for i, n := range over {
		if n > 0 {
			take(headings().Groups[i], 1)
		}
	}
	if n := len(p.Section); n > 1 {
		for i, n := range headings().Hits(prose.Words(p.Section[n-2])) {
			// an outer heading can lend weight, not take it
			if n > 0 && headings().Groups[i].Weight > 0 && (over == nil || over[i] == 0) {
				take(headings().Groups[i], 1)
			}
		}
	}
	if prose.Identifiers(p.Body()) > 0 {
		conf += weightIdentifier
		names = append(names, "identifier")
	}
	if len(p.Items) == 0 && strings.HasSuffix(p.Text, ":") {
		conf += weightDangling
	}
	if p.Place == Lead && len(strings.Fields(p.Lead)) >= 6 || p.bold {
		conf += weightStressed
		names = append(names, "stressed")
	}
	switch n := len(words); {
	case n < 7:
		conf += weightShort
	case n >= 12:
		conf += weightLong
	}
	if len(p.Items) > 0 && len(words) < 6*len(p.Items) {
		conf += weightShort
	}
	return conf, typ, names
}

// titleWords are the words of what stands directly over the passage.
func (p *Passage) titleWords() []string {
	t := ""
	for _, h := range []string{p.Intro, p.Lead} {
		// of a whole sentence only the opening works as a heading
		if f := strings.Fields(h); len(f) > headingWords {
			h = strings.Join(f[:2], " ")
		}
		t += h + " . "
	}
	if n := len(p.Section); n > 0 {
		t += " . " + p.Section[n-1]
	}
	return prose.Words(t)
}

// Marked reports whether a heading over the passage says what it is.
func (p *Passage) Marked() bool {
	return headings().Hits(p.titleWords()) != nil
}

// TagOpen begins an explicit request to remember.
const TagOpen = "[MEMORY:"

// WithoutTags drops the lines that tags stand in: they are evidence already.
func WithoutTags(md string) string {
	if !strings.Contains(md, TagOpen) {
		return md
	}
	var b strings.Builder
	for line := range strings.Lines(md) {
		if !strings.Contains(line, TagOpen) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// chores holds for a heading under which stand lists that the work keeps for itself.
func chores(h string) bool {
	switch strings.Join(prose.Words(h), " ") {
	case "acceptance criteria", "resources", "references", "work log":
		return true
	}
	return false
}
