package capture

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// weigher turns turns into candidates and decides between them.
type weigher struct {
	opt   *Options
	s     *session.Session
	book  *book
	found []*finding
	// expected holds the ids that an earlier run kept from lines that are read
	// again now; what does not come back is withdrawn.
	expected map[memory.ID]bool
	settled  map[memory.ID]*finding
	replaced map[memory.ID]memory.ID
	names    func() *names
	before   subjects // words of the turns before the one at hand
	about    subjects // and of it
	met      []met    // the messages of the turn at hand
	prior    subjects // words of the turns before the last one that was weighed
	models   models
	changed  int // where the turn at hand first wrote a file or committed
}

// finding is a candidate with what is needed to compare it with others.
type finding struct {
	c       Candidate
	sig     []uint32
	stated  *memory.Statement // see [finding.statement]
	path    string            // of the document it comes from
	place   passage.Place
	earlier bool // kept by an earlier run and settled
	judged  bool // by the weights
	gone    bool // an earlier one that has been taken back now
}

func newWeigher(opt *Options, s *session.Session) *weigher {
	w := &weigher{opt: opt, s: s, expected: map[memory.ID]bool{}, settled: map[memory.ID]*finding{}, replaced: map[memory.ID]memory.ID{}}
	w.names = sync.OnceValue(func() *names {
		var people, deps []string
		if opt.People != nil {
			people = opt.People()
		}
		if opt.Dependencies != nil {
			deps = opt.Dependencies()
		}
		return newNames(people, deps)
	})
	return w
}

// entities are the names in a text: of code, and, where it is worth a memory,
// of people and dependencies.
func (w *weigher) entities(text string, files []string, conf float64) []string {
	out := entitiesIn(text, files)
	if conf < MinConfidence {
		return out
	}
	for _, x := range w.names().in(text) {
		if len(out) < maxEntities+4 && !slices.ContainsFunc(out, func(have string) bool { return strings.EqualFold(have, x) }) {
			out = append(out, x)
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
	x := &finding{
		c:       Candidate{Memory: m, Layer: f.Layer, Confidence: f.Confidence, Record: f.Record, Disposition: Kept},
		sig:     signature(m.Title, m.Text),
		earlier: true,
	}
	if f.Layer == session.LayerStructure && len(m.Files) > 0 {
		x.path = m.Files[0]
	}
	w.found = append(w.found, x)
	w.settled[f.ID] = x
}

func (w *weigher) expect(f session.Finding) { w.expected[f.ID] = true }

// draft is a candidate in the making, texts not yet redacted.
type draft struct {
	typ     memory.Type
	title   string
	text    string
	span    string
	layer   session.Layer
	conf    float64
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
	signs   []string         // what the table of weights is to judge by; nil when the layer says enough
}

// add redacts a draft, makes a memory of it, and weighs it against what has
// been found already.
func (w *weigher) add(d draft) *finding {
	title, secretsA := w.opt.Redactor.Redact(memory.Clean(d.title))
	body, secretsB := w.opt.Redactor.Redact(memory.Clean(d.text))
	span, _ := w.opt.Redactor.Redact(memory.Clean(d.span))
	title = fitted(title)
	if title == "" {
		return nil
	}
	if body == title || prose.Sentence(body) == title {
		body = ""
	}
	m := memory.New(d.typ, title, body, stamp(d.time, w.opt.Now))
	m.Confidence = round(d.conf)
	m.Pinned = d.pinned
	if w.opt.Redactor.Sensitive(title+"\n"+body) != "" {
		m.Hold = memory.HoldPrivate
	}
	m.Files = w.filesIn(title + "\n" + body + "\n" + d.path)
	if Personal(m) {
		m.Scope = memory.ScopeGlobal
	}
	m.Entities = w.entities(title+"\n"+body, m.Files, d.conf)
	m.Tags = areasOf(title, m.Files)
	m.Source = memory.Source{
		Agent: w.s.Agent, Model: w.models.at(d.record), Session: w.opt.Redactor.Line(w.s.ID), Layer: string(d.layer), Branch: w.s.Branch, Commit: w.opt.Head, Record: d.record + 1,
	}
	if d.person {
		m.Source.Agent = memory.Human
	}
	if d.layer == session.LayerTag {
		m.Triggers = memory.CommandNamed(m)
	}
	f := &finding{
		c: Candidate{
			Memory: m, Layer: d.layer, Confidence: m.Confidence, Record: d.record,
			Span: prose.Clip(memory.OneLine(span), 300), Cue: d.cue, Disposition: Kept,
		},
		sig: signature(title, body), path: d.path, place: d.place, judged: d.signs != nil,
	}
	if w.opt.Trace != nil && d.signs != nil {
		w.opt.Trace(Weighed{Signs: d.signs, Candidate: f.c})
	}
	switch {
	case len(secretsA)+len(secretsB) > 0 && onlyRedacted(title+" "+body):
		f.c.Disposition, f.c.Reason = Redacted, "nothing was left without its secrets"
	case d.conf < MinConfidence:
		f.c.Disposition, f.c.Reason = InSession, "too weak to keep"
	default:
		w.fold(f)
	}
	w.found = append(w.found, f)
	return f
}

// fitted makes a title of a line: whole where it fits, else as far as a clause goes
// that is whole itself, and cut at a word where there is none.
func fitted(line string) string {
	line = memory.OneLine(line)
	if short := sentence.Shortened(line, passage.TitleLimit); short != "" {
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
)

// statement is a finding without the lines of its context.
func statement(title, text string) string {
	parts := []string{title}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, replyLine) && !strings.HasPrefix(line, refusedLine) && !strings.HasPrefix(line, askedLine) {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, "\n")
}

// statement is the statement of a finding in the form that is compared. It is made
// when it is first needed.
func (f *finding) statement() *memory.Statement {
	if f.stated == nil {
		s := memory.StatementOf(statement(f.c.Memory.Title, f.c.Memory.Text))
		f.stated = &s
	}
	return f.stated
}

// signature is the words of a finding without those of its context.
func signature(title, text string) []uint32 { return memory.Signature(statement(title, text)) }

func round(c float64) float64 { return float64(int(min(max(c, 0), 1)*100+0.5)) / 100 }

// onlyRedacted reports whether fewer than three words stand beside what was
// redacted.
func onlyRedacted(s string) bool {
	for {
		i := strings.Index(s, "[redacted:")
		if i < 0 {
			break
		}
		j := strings.IndexByte(s[i:], ']')
		if j < 0 {
			break
		}
		s = s[:i] + s[i+j+1:]
	}
	return len(prose.Words(s)) < 3
}

// rank orders layers by trust.
func rank(l session.Layer) int {
	switch l {
	case session.LayerTag:
		return 5
	case session.LayerAnswer:
		return 4
	case session.LayerUser:
		return 3
	case session.LayerStructure, session.LayerRecipe:
		return 2
	}
	return 1
}

// fold compares a new finding with the kept ones and lets one of two
// restatements go: the more trusted stays, of equals the later, whose wording
// is the final one.
func (w *weigher) fold(f *finding) {
	for _, k := range w.found {
		if k.c.Disposition != Kept || k.gone {
			continue
		}
		if k.c.Memory.ID == f.c.Memory.ID {
			if k.earlier {
				f.c.Disposition, f.c.Reason = Duplicate, "already captured"
			} else {
				f.c.Disposition, f.c.Reason = Duplicate, "said before at line "+itoa(k.c.Record+1)
			}
			return
		}
		if oneSubject(k, f) {
			if f.c.Confidence <= k.c.Confidence {
				f.c.Disposition, f.c.Reason = Duplicate, "has the subject of line "+itoa(k.c.Record+1)
				return
			}
			w.drop(k, Duplicate, "has the subject of line "+itoa(f.c.Record+1))
			w.replaced[k.c.Memory.ID] = f.c.Memory.ID
			continue
		}
		if twins(k, f) {
			reason := " says most of it"
			if k.c.Layer == session.LayerStructure && f.c.Layer != session.LayerStructure {
				f.c.Disposition, f.c.Reason = InSession, "line "+itoa(k.c.Record+1)+reason
				return
			}
			w.drop(k, InSession, "line "+itoa(f.c.Record+1)+reason)
			w.replaced[k.c.Memory.ID] = f.c.Memory.ID
			continue
		}
		gone, stays := k, f
		if rank(k.c.Layer) > rank(f.c.Layer) || rank(k.c.Layer) == rank(f.c.Layer) && k.place > f.place && k.place != passage.Commit {
			gone, stays = f, k
		}
		if !restates(gone, stays) {
			continue
		}
		if gone == f {
			f.c.Disposition, f.c.Reason = Duplicate, "restates line "+itoa(k.c.Record+1)
			return
		}
		w.drop(k, Duplicate, "restated at line "+itoa(f.c.Record+1))
		w.replaced[k.c.Memory.ID] = f.c.Memory.ID
	}
}

// subjectShare is the share of the words of one finding that stand in another with the same
// title, from which on both are about the same.
const subjectShare = 0.5

// oneSubject reports whether two findings are a commit and the pull request that carries
// it, or two states of a document: one title over much the same words.
func oneSubject(k, f *finding) bool {
	return k.c.Layer == session.LayerStructure && f.c.Layer == session.LayerStructure && f.c.Cue != planCue && f.c.Cue != todoCue &&
		strings.EqualFold(k.c.Memory.Title, f.c.Memory.Title) && max(memory.Inside(k.sig, f.sig), memory.Inside(f.sig, k.sig)) >= subjectShare
}

// From where on two findings of a session tell one thing twice: how many words they have in
// common, how alike they are, and how much of one stands in the other. Two short sentences
// of one subject may say the opposite.
const (
	twinShared = 12
	twinAlike  = 0.38
	twinInside = 0.6
)

// twins reports whether two findings of which a session keeps only the best tell one thing,
// each with details of its own: the diagnosis and the commit that followed, an answer that
// was given again. What was written to be read by others stays, else the later one.
func twins(k, f *finding) bool {
	if !k.counted() || !f.counted() || k.c.Layer == session.LayerUser || f.c.Layer == session.LayerUser {
		return false
	}
	return memory.Shared(k.sig, f.sig) >= twinShared && memory.Jaccard(k.sig, f.sig) >= twinAlike && max(memory.Inside(k.sig, f.sig), memory.Inside(f.sig, k.sig)) >= twinInside
}

// restates reports whether stays says all that gone says, in much the same
// words: most words in common, or gone within it, and nothing in gone that stays
// does not cover (see [memory.Covers]). Their types agree, except that the type
// of a sentence found by its pattern is a guess that a more trusted finding
// corrects. What somebody tagged is never taken for a restatement: it goes only
// by an explicit word.
func restates(gone, stays *finding) bool {
	guessed := gone.c.Layer == session.LayerPattern && rank(stays.c.Layer) > rank(gone.c.Layer) && asking(gone) == asking(stays)
	switch {
	case gone.c.Layer == session.LayerTag:
		return false
	case gone.c.Memory.Type != stays.c.Memory.Type && !guessed:
		return false
	}
	alike := memory.Jaccard(gone.sig, stays.sig) >= memory.SimilarSame ||
		memory.Inside(gone.sig, stays.sig) >= 0.75 && len(gone.sig) >= 4 || memory.Inside(stays.sig, gone.sig) >= 0.75 && len(stays.sig) >= 4
	return alike && stays.statement().Covers(gone.statement())
}

func asking(f *finding) bool {
	return f.c.Memory.Type == memory.Question || f.c.Memory.Type == memory.Problem
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
	slices.SortStableFunc(w.found, func(a, b *finding) int { return cmp.Compare(a.c.Record, b.c.Record) })
	w.link()
	for _, f := range w.found {
		if f.earlier {
			if f.gone {
				res.Withdrawn = append(res.Withdrawn, f.c.Memory.ID)
				continue
			}
			kept[f.c.Memory.ID] = true
			w.s.Found = append(w.s.Found, recordOf(f))
			continue
		}
		res.Candidates = append(res.Candidates, f.c)
		switch f.c.Disposition {
		case Kept:
			kept[f.c.Memory.ID] = true
			w.s.Found = append(w.s.Found, recordOf(f))
		case InSession:
			if len(w.s.Weak) < maxWeak {
				x := recordOf(f)
				x.ID = ""
				w.s.Weak = append(w.s.Weak, x)
			}
		}
	}
	for id := range w.expected {
		if !kept[id] {
			res.Withdrawn = append(res.Withdrawn, id)
		}
	}
	slices.Sort(res.Withdrawn)
	res.Withdrawn = slices.Compact(res.Withdrawn)
	for _, id := range res.Withdrawn {
		to := w.replaced[id]
		for range 10 {
			if to == "" || kept[to] {
				break
			}
			to = w.replaced[to]
		}
		if to != "" && kept[to] {
			res.Replaced[id] = to
		}
	}
}

func recordOf(f *finding) session.Finding {
	return session.Finding{
		ID: f.c.Memory.ID, Type: f.c.Memory.Type, Layer: f.c.Layer, Confidence: f.c.Confidence, Record: f.c.Record, Title: f.c.Memory.Title,
	}
}
