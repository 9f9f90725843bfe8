package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// part is a text of a moment, and how much what it shares with a memory counts.
type part struct {
	text   string
	weight float64
	call   bool // the call itself
}

// parts are the texts of a moment.
func (m *Moment) parts() []part {
	w := m.Kind.tuning().weights
	return []part{
		{m.Prompt, w.prompt, false},
		{m.Search, w.search, false},
		{m.Question, w.question, false},
		{m.Error, w.error, false},
		{m.Command, w.call, true},
		{m.File, w.call, true},
		{m.Input, w.call, true},
		{m.Words, w.words, false},
	}
}

// asked is a term of a moment.
type asked struct {
	term
	weight float64 // of the part it stands in
	idf    float64 // 0–1
	call   bool    // it stands in the call itself
	in     uint32  // the compound that it stands in wherever it stands, 0 for none
	docs   []uint32
}

// found is a memory that shares terms with a moment.
type found struct {
	doc   uint32
	score float64
	terms []int // of the moment, by place
}

// candidates is how many memories are looked at more closely.
const candidates = 12

// Find ranks the memories for a moment, best first, and says which of them are
// worth saying.
func (t *Table) Find(m Moment, opt Options) []Hit {
	if t == nil || t.Count() == 0 {
		return nil
	}
	var a words.Analyser
	said := m.heard(&a)
	terms := t.asked(&a, &m, said)
	hits := make([]Hit, 0, candidates)
	for _, f := range t.rank(terms) {
		if h, ok := t.hit(&m, said, terms, f, opt); ok {
			hits = append(hits, h)
		}
	}
	hits = lists.Without(hits, func(h Hit) bool { return !h.mayBeSaid(m.Kind, opt.Notes) })
	lists.Sort(hits, func(x, y Hit) int {
		return cmp.Or(-cmp.Compare(x.Score, y.Score), cmp.Compare(x.ID, y.ID))
	})
	return decide(m.Kind, hits, opt)
}

// asked are the terms of a moment that some memory holds.
func (t *Table) asked(a *words.Analyser, m *Moment, said map[string]bool) []asked {
	places := map[uint32]int{}
	var out []asked
	add := func(w float64, x term, in uint32, call bool) {
		if i, ok := places[x.hash]; ok {
			out[i].weight = max(out[i].weight, w)
			out[i].call = out[i].call || call
			if in == 0 {
				out[i].in = 0
			}
			return
		}
		places[x.hash] = len(out)
		out = append(out, asked{term: x, weight: w, in: in, call: call})
	}
	for _, trigger := range m.Triggers {
		x := triggerTerm(trigger)
		add(cmp.Or(triggerWeights()[x.kind], 1), x, 0, false)
	}
	m.ruleTerms(func(x term) { add(ruleWeight, x, 0, false) })
	for key := range said {
		add(m.Kind.tuning().heard, ruleTerm(saidMark+key), 0, false)
	}
	for _, p := range m.parts() {
		if p.weight > 0 && p.text != "" {
			termsOf(a, plainLinks(p.text), maxPart, func(x term, in uint32) { add(p.weight*x.worth(), x, in, p.call) })
		}
	}
	n := float64(max(t.Count(), leastKnown))
	all := math.Log(1 + n)
	kept := out[:0]
	for _, x := range out {
		docs, holding := t.holders(x.hash)
		if len(docs) == 0 {
			continue
		}
		x.docs = docs
		x.idf = math.Log(1+(n-float64(holding)+0.5)/(float64(holding)+0.5)) / all
		kept = append(kept, x)
	}
	return kept
}

// rank finds the memories that share most with the terms, before what is known
// of a memory itself.
func (t *Table) rank(terms []asked) []found {
	scores := make([]float32, t.numbers())
	for _, x := range terms {
		for _, d := range x.docs {
			scores[d] += float32(x.weight * x.idf)
		}
	}
	// Long memories share more with anything: the best by what they share are
	// read, and their length counts then.
	var best []found
	for _, d := range t.order() {
		s := scores[d]
		if s <= 0 || len(best) == 4*candidates && float64(s) <= best[len(best)-1].score {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, float64(s), func(f found, s float64) int {
			return cmp.Or(cmp.Compare(s, f.score), -1) // behind its equals
		})
		best = slices.Insert(best, at, found{doc: uint32(d), score: float64(s)})
		best = best[:min(len(best), 4*candidates)]
	}
	for i := range best {
		for k, x := range terms {
			if _, ok := slices.BinarySearch(x.docs, best[i].doc); ok {
				best[i].terms = append(best[i].terms, k)
			}
		}
	}
	return best
}

// evidence is a memory being scored for a moment.
type evidence struct {
	moment *Moment
	record *record
	hit    Hit
	recipe bool
	long   float64         // what the length of the memory divides a score by
	whole  map[uint32]bool // terms that both have

	already, still int     // terms of the call that only what works has, and others
	ruled          bool    // it may have a rule about the moment
	rare           float64 // how rare that rule's key is
}

// hit makes the [Hit] of a memory that was found: its record, its score and the
// reasons that add up to the score. It is false when the record is damaged or has no
// text to say.
func (t *Table) hit(m *Moment, said map[string]bool, terms []asked, f found, opt Options) (Hit, bool) {
	r, archived, ok := t.memory(int(f.doc))
	if !ok || len(r.said) == 0 {
		return Hit{}, false
	}
	e := evidence{moment: m, record: &r, recipe: memory.IsTrap(r.triggers), whole: map[uint32]bool{}, hit: Hit{
		ID: r.id, Type: r.kind, Archived: archived, Said: r.said, Files: r.files, Triggers: r.triggers,
		session: r.session, curated: r.curated, lead: r.lead,
	}}
	e.long = math.Sqrt(lengthBase + float64(r.length))
	for _, k := range f.terms {
		e.whole[terms[k].hash] = true
	}
	for _, k := range f.terms {
		e.take(terms[k])
	}
	e.hit.titled, e.hit.chance = m.Kind == Prompt && e.isOnTitle(), m.chance()
	e.rule(said)
	e.correct(opt)
	h := e.hit
	h.Score = 0
	for _, w := range h.Why {
		h.Score += w.Weight
	}
	lists.Sort(h.Why, func(x, y Reason) int { return -cmp.Compare(math.Abs(x.Weight), math.Abs(y.Weight)) })
	return h, true
}

// add adds a part to the score.
func (e *evidence) add(why Reason) {
	e.hit.Why = append(e.hit.Why, why)
	e.hit.Score += why.Weight
}

// take takes in a term that both have.
func (e *evidence) take(x asked) {
	switch {
	case x.kind == "rule":
		e.ruled, e.rare = true, max(e.rare, x.idf)
	case x.trigger():
		e.add(Reason{x.kind, x.text, x.weight * x.idf})
		e.hit.Explains, e.hit.triggered, e.hit.called = e.hit.Explains || e.isErrorOf(x), true, true
	case !e.isQuoted(x):
		e.add(Reason{x.kind, x.text, e.weigh(x)})
	}
}

// isQuoted reports whether a term stands only in what a recipe quotes, and counts what
// it says of the call. After an error it counts.
func (e *evidence) isQuoted(x asked) bool {
	if !e.recipe || e.moment.Kind == Error {
		return false
	}
	quoted := packedHas(e.record.quoted, x.hash)
	if x.call && strings.IndexFunc(x.text, isDigit) != 0 {
		e.compareCall(x, quoted)
	}
	return quoted
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// compareCall counts whether a term of the call is one of the call that works.
func (e *evidence) compareCall(x asked, quoted bool) {
	switch {
	case packedHas(e.record.works, x.hash):
		e.already++
	case !quoted && x.kind != "word":
		e.still++
	}
}

// weigh returns what a term adds to the score.
func (e *evidence) weigh(x asked) float64 {
	if x.in != 0 && e.whole[x.in] {
		x.weight *= partWorth
	}
	w := lengthScale * x.weight * x.idf / e.long
	if e.record.curated && e.moment.Kind == Prompt {
		w *= e.record.worth(x.hash)
	}
	return w
}

// rule adds what a rule about the moment is worth, if one is broken.
func (e *evidence) rule(said map[string]bool) {
	if !e.ruled {
		return
	}
	rules := unpackRules(e.record.rules)
	what, weight := broken(rules, e.moment, said)
	if back := e.broughtBack(rules); back != "" {
		what, weight, e.hit.back = back, ruleWeight, back
	}
	if e.ruled = what != ""; !e.ruled {
		return
	}
	if e.record.curated && e.moment.Kind == Command {
		weight *= e.rare * e.rare
	}
	e.hit.called = true
	e.add(Reason{"rule", what, weight})
}

// correct adds what is known of the memory beyond what it shares with the moment.
func (e *evidence) correct(opt Options) {
	with := about{
		recipe: e.recipe, ruled: e.ruled, triggered: e.isForeseen(), already: e.already > e.still,
		spared: e.isSpared(),
	}
	prior := with.prior(e.moment.Kind)
	if prior.Weight *= e.hit.Score; prior.Weight != 0 {
		e.hit.Why = append(e.hit.Why, prior)
	}
	if opt.Boost == nil {
		return
	}
	if b := opt.Boost(e.record.id); b != 1 {
		e.hit.Why = append(e.hit.Why, Reason{"shown", "what became of it when it was shown", e.hit.Score * (b - 1)})
	}
}

// isSpared reports whether a call before it is made cannot meet the trap of a recipe: it is the
// call of another tool, or a change that finds what it looks for.
func (e *evidence) isSpared() bool {
	tools := valuesOf(e.record.triggers, memory.TriggerTool)
	if len(tools) == 0 || !e.moment.isBeforeTool() {
		return false
	}
	if !slices.Contains(tools, e.moment.Tool) {
		return true
	}
	return e.isOfCopies() && !e.moment.misses()
}

// isBeforeTool reports whether a moment is before the call of a tool that is known.
func (m *Moment) isBeforeTool() bool { return m.Kind != Error && m.Tool != "" }

// isOfCopies reports whether a trap is that of a change whose copied block the file does not have:
// it is keyed by the ending of files.
func (e *evidence) isOfCopies() bool {
	files := valuesOf(e.record.triggers, memory.TriggerFile)
	return slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(f, "*.") })
}

// valuesOf are the values of triggers of one kind.
func valuesOf(triggers []string, kind memory.TriggerKind) []string {
	return (&memory.Memory{Triggers: triggers}).TriggersOf(kind)
}

// misses reports whether a change looks for what its file does not have. The file is read last.
func (m *Moment) misses() bool {
	present := m.present()
	return present != "" && !strings.Contains(present, m.Old)
}

// present returns the text of the file of a change before it.
func (m *Moment) present() string {
	if m.Present == nil {
		return ""
	}
	return m.Present()
}

func (x *asked) trigger() bool {
	return slices.Contains([]string{"error", "command", "tool", "file"}, x.kind)
}
