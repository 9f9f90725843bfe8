package capture

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// weigher turns turns into candidates and decides between them.
type weigher struct {
	opt   *Options
	s     *session.Session
	book  *book
	found []*finding
	// expected holds what an earlier run kept: what is settled, and what is to come back of lines that are read again.
	// What is not kept in the end is withdrawn.
	expected map[memory.ID]bool
	replaced map[memory.ID]memory.ID
	names    func() *names
	model    string // that the session runs on, as far as was read
	changed  int    // where the turn at hand first wrote a file or committed
}

// finding is a candidate with what is needed to compare it with others.
type finding struct {
	c       Candidate
	class   Class
	sig     []uint32
	stated  *sameness.Statement // see [finding.statement]
	place   passage.Place
	earlier bool // kept by an earlier run and settled
	gone    bool // an earlier one that has been taken back now
	note    bool // it stays in the record of the session
}

func newWeigher(opt *Options, s *session.Session) *weigher {
	w := &weigher{opt: opt, s: s, expected: map[memory.ID]bool{}, replaced: map[memory.ID]memory.ID{}}
	w.names = lazy.Value(func() *names { return newNames(listed(opt.People), listed(opt.Dependencies)) })
	return w
}

// listed calls a function that lists something, if there is one.
func listed(list func() []string) []string {
	if list == nil {
		return nil
	}
	return list()
}

// entities are the names in a text: of code, and, where it is worth a memory,
// of people and dependencies.
func (w *weigher) entities(text string, files []string, conf float64) []string {
	out := entitiesIn(text, files)
	if conf < MinConfidence {
		return out
	}
	for _, x := range w.names().in(text) {
		if !slices.ContainsFunc(out, func(have string) bool { return strings.EqualFold(have, x) }) {
			out = addNew(out, x, maxEntities+4)
		}
	}
	slices.Sort(out)
	return out
}

// settle takes over a memory of an earlier run.
func (w *weigher) settle(f session.Finding, m *memory.Memory) {
	if m == nil {
		m = &memory.Memory{ID: f.ID, Type: f.Type, Title: f.Title}
	}
	class := recordedClass(f)
	w.found = append(w.found, &finding{
		class: class,
		c: Candidate{
			Class: class, Memory: m, Layer: f.Layer, Confidence: f.Confidence, Record: f.Record,
			Disposition: Kept,
		},
		sig:     signature(m.Title, m.Text),
		earlier: true,
	})
}

// settleNote takes over a note of an earlier run.
func (w *weigher) settleNote(m *memory.Memory) {
	w.settle(session.FindingOf(m), m)
	w.found[len(w.found)-1].note = true
}

func (w *weigher) expect(f session.Finding) { w.expected[f.ID] = true }

// draft is a candidate in the making, texts not yet redacted.
type draft struct {
	class   Class
	typ     memory.Type
	title   string
	text    string
	span    string
	conf    float64 // 0 for that of its class
	least   float64 // the confidence that it has whatever the table of weights says
	record  int
	time    time.Time
	cue     string
	path    string
	place   passage.Place
	pinned  bool
	person  bool             // a person worded it, not the agent
	unit    *passage.Passage // gives the title and the text; nil where they are set
	chosen  string           // the agent's choice that it tells of in full; see [passage.Passage.Choice]
	about   string           // of a document: what it is about
	subject string           // of a commit: its title
	several bool             // of a commit: it takes up a whole review
	signs   []string         // what the table of weights is to judge by; nil when the class says enough
	rows    []string         // of the table of cues
}

// cueOf names the cues of a draft in one line.
func cueOf(cued []string) string { return strings.Join(cued, ", ") }

// add redacts a draft, makes a memory of it, and weighs it against what has
// been found already.
func (w *weigher) add(d draft) *finding {
	m, span, secrets := w.memoryOf(&d)
	if m == nil {
		return nil
	}
	f := &finding{
		class: d.class,
		c: Candidate{
			Memory: m, Class: d.class, Layer: d.class.Layer(), Confidence: m.Confidence, Record: d.record,
			Span: prose.Clip(memory.OneLine(span), 300), Cue: d.cue, Disposition: Kept,
		},
		sig: signature(m.Title, m.Text), place: d.place, note: d.class.note(m.Confidence),
	}
	if w.opt.Trace != nil && d.signs != nil {
		w.opt.Trace(Weighed{Signs: d.signs, Cues: d.rows, Candidate: f.c})
	}
	switch {
	case secrets && onlyRedacted(m.Title+" "+m.Text):
		f.c.Disposition, f.c.Reason = Redacted, "nothing was left without its secrets"
	case d.conf < MinConfidence:
		f.c.Disposition, f.c.Reason = InSession, "too weak to keep"
	default:
		w.fold(f)
	}
	w.found = append(w.found, f)
	return f
}

// memoryOf makes a memory of a draft, nil if nothing is left of its title, with the words that
// it rests on. secrets reports whether something was redacted.
func (w *weigher) memoryOf(d *draft) (m *memory.Memory, span string, secrets bool) {
	d.conf = cmp.Or(d.conf, d.class.confidence())
	title, secretsA := w.opt.Redactor.Redact(memory.Clean(d.title))
	body, secretsB := w.opt.Redactor.Redact(memory.Clean(d.text))
	span, _ = w.opt.Redactor.Redact(memory.Clean(d.span))
	if title = fitted(title); title == "" {
		return nil, "", false
	}
	if prose.Sentence(body) == title { // it says no more
		body = ""
	}
	m = memory.New(d.typ, title, body, stamp(d.time, w.opt.Now))
	m.Confidence = round(d.conf)
	m.Pinned = d.pinned
	m.Files = w.filesIn(title + "\n" + body + "\n" + d.path)
	m.Entities = w.entities(title+"\n"+body, m.Files, d.conf)
	m.Tags = areasOf(title, m.Files)
	m.Source = memory.Source{
		Agent: w.s.Agent, Model: w.model, Session: w.opt.Redactor.Line(w.s.ID), Layer: string(d.class.Layer()),
		Branch: w.s.Branch, Commit: w.opt.Head, Record: d.record + 1,
	}
	if d.person {
		m.Source.Agent, m.Source.Model = memory.Human, ""
	}
	if Personal(m) {
		m.Scope = memory.ScopeGlobal
	}
	if d.class == classTag {
		m.Triggers = memory.CommandNamed(m)
	}
	return m, span, len(secretsA)+len(secretsB) > 0
}

// fitted makes a title of a line: whole where it fits, else as far as a clause goes
// that is whole itself, and cut at a word where there is none.
func fitted(line string) string {
	line = memory.OneLine(line)
	if short := passage.Shortened(line, passage.TitleLimit); short != "" {
		line = short
	}
	return prose.Clip(prose.Sentence(line), passage.TitleLimit)
}

// Lines that say what a statement was about; they are not the statement.
const (
	replyLine   = "In reply to: "
	agentLine   = "The agent: "
	refusedLine = "Said when turning down: "
	askedLine   = "Asked: "
	othersLine  = "Not chosen: "
	answerLine  = "Answer: "
	insteadMark = ", instead of " // in a title, before what was not chosen
	meansMark   = " — "           // between an option and what was said of it
)

// statement is a finding without the lines of its context.
func statement(title, text string) string {
	return strings.Join(append([]string{title}, lists.Without(strings.Split(text, "\n"), isContext)...), "\n")
}

// isContext reports whether a line of a text says what the statement was about.
func isContext(line string) bool {
	return slices.ContainsFunc([]string{replyLine, refusedLine, askedLine, othersLine},
		func(p string) bool { return strings.HasPrefix(line, p) })
}

// statement is the statement of a finding in the form that is compared. It is made
// when it is first needed.
func (f *finding) statement() *sameness.Statement {
	if f.stated == nil {
		s := sameness.StatementOf(statement(f.c.Memory.Title, f.c.Memory.Text))
		f.stated = &s
	}
	return f.stated
}

// signature is the words of a finding without those of its context.
func signature(title, text string) []uint32 { return sameness.Signature(statement(title, text)) }

func round(c float64) float64 { return float64(int(min(max(c, 0), 1)*100+0.5)) / 100 }

// onlyRedacted reports whether fewer than three words stand beside what was
// redacted.
func onlyRedacted(s string) bool {
	var rest strings.Builder
	for i, part := range strings.Split(s, "[redacted:") {
		if _, after, found := strings.Cut(part, "]"); i > 0 && found {
			part = after
		}
		rest.WriteString(part)
	}
	return len(prose.Words(rest.String())) < 3
}

// firmness orders findings by trust: any memory before all notes, and of two of a kind that of
// the higher layer.
func firmness(f *finding) int {
	if f.note {
		return rank(f.c.Layer) - rank(session.LayerTag)
	}
	return rank(f.c.Layer)
}

// rank orders layers by trust.
func rank(l session.Layer) int {
	ranks := map[session.Layer]int{
		session.LayerTag: 5, session.LayerAnswer: 4, session.LayerUser: 3, session.LayerStructure: 2,
		session.LayerRecipe: 2,
	}
	return cmp.Or(ranks[l], 1)
}

// kept reports whether a finding is kept as far as is known.
func (f *finding) kept() bool { return f.c.Disposition == Kept && !f.gone }

// between reports whether a finding stands at a line from one up to, but without, another.
func (f *finding) between(from, to int) bool { return f.c.Record >= from && f.c.Record < to }

// memory reports whether a finding is kept as a memory.
func (f *finding) memory() bool { return f.kept() && !f.note }

// kept goes through the findings that are kept as far as is known.
func (w *weigher) kept() iter.Seq[*finding] {
	return func(yield func(*finding) bool) {
		for _, f := range w.found {
			if f.kept() && !yield(f) {
				return
			}
		}
	}
}

// fold compares a new finding with the kept ones and lets one of two
// restatements go: the more trusted stays, of equals the later, whose wording
// is the final one.
func (w *weigher) fold(f *finding) {
	for k := range w.kept() {
		if k.c.Memory.ID == f.c.Memory.ID && k.note == f.note {
			f.c.Disposition, f.c.Reason = Duplicate, "said before at line "+itoa(k.c.Record+1)
			return
		}
		gone, reason := oneTooMany(k, f)
		if gone == nil {
			continue
		}
		if gone == f {
			f.c.Disposition, f.c.Reason = Duplicate, reason+" line "+itoa(k.c.Record+1)
			return
		}
		w.drop(k, Duplicate, reason+" line "+itoa(f.c.Record+1))
		w.replaced[k.c.Memory.ID] = f.c.Memory.ID
	}
}

// oneTooMany is the one of two findings, the first of them older, that goes because the other
// says the same, nil if neither does.
func oneTooMany(k, f *finding) (gone *finding, reason string) {
	if oneSubject(k, f) {
		return lesser(k, f), "has the subject of"
	}
	gone, stays := k, f
	if outranks(k, f) {
		gone, stays = f, k
	}
	if restates(gone, stays) {
		return gone, "restates"
	}
	return nil, ""
}

// lesser is the less trusted of two findings, or the less sure, or the later.
func lesser(k, f *finding) *finding {
	if cmp.Or(firmness(k)-firmness(f), cmp.Compare(k.c.Confidence, f.c.Confidence)) >= 0 {
		return f
	}
	return k
}

// outranks reports whether the older of two findings is the more trusted one, or of two that are
// trusted alike is the final wording.
func outranks(k, f *finding) bool {
	if trust := firmness(k) - firmness(f); trust != 0 {
		return trust > 0
	}
	return k.place > f.place
}

// subjectShare is the share of the words of one finding that stand in another with the same
// title, from which on both are about the same.
const subjectShare = 0.5

// oneSubject reports whether two findings are a commit and the pull request that carries
// it, or two states of a document: one title over much the same words.
func oneSubject(k, f *finding) bool {
	written := k.c.Layer == session.LayerStructure && f.c.Layer == session.LayerStructure
	return written && strings.EqualFold(k.c.Memory.Title, f.c.Memory.Title) &&
		eitherInside(k.sig, f.sig) >= subjectShare
}

// restates reports whether stays says all that gone says, in much the same
// words: most words in common, or gone within it, and nothing in gone that stays
// does not cover (see [sameness.Covers]). Their types agree, except that the type
// of a sentence found by its pattern is a guess that a more trusted finding
// corrects. What somebody tagged is never taken for a restatement: it goes only
// by an explicit word.
func restates(gone, stays *finding) bool {
	return gone.c.Layer != session.LayerTag && sameKind(gone, stays) && muchTheSame(gone.sig, stays.sig) &&
		stays.statement().Covers(gone.statement())
}

// muchTheSame reports whether two texts have most words in common, or the second most of the first's.
func muchTheSame(a, b []uint32) bool {
	return sameness.Jaccard(a, b) >= sameness.Same || within(a, b)
}

// sameKind reports whether two findings are of one type, or the guess at the type of the first
// one gives way to a finding that is more trusted.
func sameKind(gone, stays *finding) bool {
	guessed := gone.c.Layer == session.LayerPattern && rank(stays.c.Layer) > rank(gone.c.Layer)
	return gone.c.Memory.Type == stays.c.Memory.Type || guessed
}

// within reports whether most words of a text stand in another.
func within(a, b []uint32) bool {
	const most, few = 0.75, 4
	return len(a) >= few && sameness.Inside(a, b) >= most
}

// drop takes a kept finding back.
func (w *weigher) drop(k *finding, d Disposition, reason string) {
	if k.earlier {
		k.gone = true
		return
	}
	k.c.Disposition, k.c.Reason = d, reason
}

// finish fills the result and the session record.
func (w *weigher) finish(res *Result) {
	kept := map[memory.ID]bool{}
	lists.Sort(w.found, func(a, b *finding) int { return cmp.Compare(a.c.Record, b.c.Record) })
	w.link()
	for _, f := range w.found {
		w.record(f)
		if f.memory() {
			kept[f.c.Memory.ID] = true
		}
		if !f.earlier {
			res.Candidates = append(res.Candidates, f.c)
		}
	}
	isLost := func(id memory.ID) bool { return !kept[id] }
	res.Withdrawn = lists.Where(slices.Sorted(maps.Keys(w.expected)), isLost)
	for _, id := range res.Withdrawn {
		if to := w.standsFor(id, kept); to != "" {
			res.Replaced[id] = to
		}
	}
}

// record writes a finding into the record of the session.
func (w *weigher) record(f *finding) {
	w.hold(f)
	switch {
	case f.memory():
		w.s.Found = append(w.s.Found, recordOf(f))
	case f.kept():
		f.c.Disposition = Noted
		w.s.AddNote(f.c.Memory)
	case f.c.Disposition == InSession && len(w.s.Weak) < maxWeak:
		x := recordOf(f)
		x.ID = ""
		w.s.Weak = append(w.s.Weak, x)
	}
}

// hold holds back what is kept and may not be for everybody.
func (w *weigher) hold(f *finding) {
	m := f.c.Memory
	if f.kept() && !f.earlier && w.opt.Redactor.Sensitive(m.Title+"\n"+m.Text) != "" {
		m.Hold = memory.HoldPrivate
	}
}

// mostReplaced bounds how often a finding is replaced by another one.
const mostReplaced = 10

// standsFor is the kept memory in the place of one that is not, "" for none.
func (w *weigher) standsFor(id memory.ID, kept map[memory.ID]bool) memory.ID {
	for range mostReplaced {
		if id = w.replaced[id]; kept[id] {
			return id
		}
	}
	return ""
}

func recordOf(f *finding) session.Finding {
	m := f.c.Memory
	return session.Finding{
		ID: m.ID, Type: m.Type, Layer: f.c.Layer, Confidence: f.c.Confidence, Record: f.c.Record,
		Title: m.Title,
	}
}
