package recall

import (
	"cmp"
	"math"
	"slices"

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
	w := weightsOf(m.Kind)
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
	slices.SortStableFunc(hits, func(x, y Hit) int {
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
		add(triggerWeight(x.kind), x, 0, false)
	}
	m.ruleTerms(func(x term) { add(ruleWeight, x, 0, false) })
	for key := range said {
		add(heardWeight(m.Kind), ruleTerm(saidMark+key), 0, false)
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
	for d := range t.each {
		s := scores[d]
		if s <= 0 || len(best) == 4*candidates && float64(s) <= best[len(best)-1].score {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, float64(s), func(f found, s float64) int {
			if f.score >= s {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, found{doc: uint32(d), score: float64(s)})
		if len(best) > 4*candidates {
			best = best[:4*candidates]
		}
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

// hit makes the [Hit] of a memory that was found: its record, its score and the
// reasons that add up to the score. It is false when the record is damaged or has no
// text to say.
func (t *Table) hit(m *Moment, said map[string]bool, terms []asked, f found, opt Options) (Hit, bool) {
	r, archived, ok := t.memory(int(f.doc))
	if !ok || len(r.said) == 0 {
		return Hit{}, false
	}
	h := Hit{ID: r.id, Type: r.kind, Archived: archived, Said: r.said, Files: r.files, Triggers: r.triggers, session: r.session, curated: r.curated, lead: r.lead}
	long := math.Sqrt(lengthBase + float64(r.length))
	recipe, already, still := memory.IsTrap(r.triggers), 0, 0
	ruled, rare := false, 0.0
	whole := map[uint32]bool{}
	for _, k := range f.terms {
		whole[terms[k].hash] = true
	}
	for _, k := range f.terms {
		x := terms[k]
		if x.kind == "rule" {
			ruled, rare = true, max(rare, x.idf)
			continue
		}
		if recipe && m.Kind != Error && !x.trigger() {
			quoted := packedHas(r.quoted, x.hash)
			switch {
			case !x.call || x.text[0] >= '0' && x.text[0] <= '9':
			case packedHas(r.works, x.hash):
				already++
			case !quoted && x.kind != "word":
				still++
			}
			if quoted {
				continue
			}
		}
		if x.in != 0 && whole[x.in] {
			x.weight *= partWorth
		}
		w := lengthScale * x.weight * x.idf / long
		if r.curated && m.Kind == Prompt {
			w *= r.worth(x.hash)
		}
		if x.trigger() {
			w = x.weight * x.idf
			h.explains, h.triggered = h.explains || x.kind == "error", true
		}
		h.Why = append(h.Why, Reason{x.kind, x.text, w})
		h.Score += w
	}
	if ruled {
		if what, w := broken(unpackRules(r.rules), m, said); what != "" {
			if r.curated && m.Kind == Command {
				w *= rare * rare
			}
			h.Why = append(h.Why, Reason{"rule", what, w})
			h.Score += w
		} else {
			ruled = false
		}
	}
	with := about{recipe: recipe, ruled: ruled, triggered: h.triggered, already: already > still, branch: m.Branch != "" && r.branch == m.Branch}
	for _, p := range with.priors(m.Kind) {
		p.Weight *= h.Score
		if p.Weight != 0 {
			h.Why = append(h.Why, p)
		}
	}
	if opt.Boost != nil {
		if b := opt.Boost(r.id); b != 1 {
			h.Why = append(h.Why, Reason{"shown", "what became of it when it was shown", h.Score * (b - 1)})
		}
	}
	h.Score = 0
	for _, w := range h.Why {
		h.Score += w.Weight
	}
	slices.SortStableFunc(h.Why, func(x, y Reason) int { return -cmp.Compare(math.Abs(x.Weight), math.Abs(y.Weight)) })
	return h, true
}

func (x *asked) trigger() bool {
	return x.kind == "error" || x.kind == "command" || x.kind == "tool" || x.kind == "file"
}
