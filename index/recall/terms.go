package recall

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Bounds of what is looked at, in bytes.
const (
	maxText = 8 << 10 // of a memory
	maxPart = 1 << 10 // of each part of a moment
)

// triggerMark stands before what is a trigger and no word of a text. No word
// begins so.
const triggerMark = "\x00"

// term is one thing that a memory and a moment may have in common.
type term struct {
	hash uint32
	text string
	kind string // as in [Reason]
}

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// termsOf calls yield with each term of a text, repeated ones too, and with the
// largest compound that it stands in, 0 for none.
func termsOf(a *words.Analyser, text string, most int, yield func(x term, in uint32)) {
	tokens := a.Analyse(words.Head(text, most))
	for i := range tokens {
		t := &tokens[i]
		in := outer(tokens, i)
		switch {
		case t.Stem == "":
			kind := "symbol"
			if strings.ContainsAny(t.Term, `/\`) {
				kind = "path"
			}
			yield(term{hash("=" + t.Term), t.Term, kind}, in)
		case len(t.Term) > 1 && !words.IsStop(t.Term):
			yield(term{hash(t.Stem), t.Term, "word"}, in)
		}
	}
}

// outer is the hash of the largest compound around a token, 0 for none.
func outer(tokens []words.Token, i int) uint32 {
	t := &tokens[i]
	best := t
	from, to := overlapping(tokens, i)
	for k := from; k < to; k++ {
		if c := &tokens[k]; isAround(c, t) && size(c) > size(best) {
			best = c
		}
	}
	if best == t {
		return 0
	}
	return hash("=" + best.Term)
}

// overlapping returns where the tokens around token i begin and end that share some of its
// text: the compounds that it stands in are near it.
func overlapping(tokens []words.Token, i int) (from, to int) {
	from, to = i, i+1
	for from > 0 && tokens[i].Start < tokens[from-1].End {
		from--
	}
	for to < len(tokens) && tokens[to].Start < tokens[i].End {
		to++
	}
	return from, to
}

// isAround reports whether a token is a compound that holds another one.
func isAround(c, t *words.Token) bool {
	return c.Stem == "" && c.Start <= t.Start && t.End <= c.End
}

func size(t *words.Token) int { return t.End - t.Start }

// triggerTerm is the term of an item of a memory's triggers.
func triggerTerm(trigger string) term {
	kind, value, _ := strings.Cut(trigger, ": ")
	return term{hash(triggerMark + trigger), value, kind}
}

// memoryTerms are the hashes of all terms of a memory, sorted, and how many of
// them are no triggers.
func memoryTerms(a *words.Analyser, m *memory.Memory) (hashes []uint32, length int) {
	seen := map[uint32]bool{}
	add := func(t term) {
		if !seen[t.hash] {
			seen[t.hash] = true
			hashes = append(hashes, t.hash)
		}
	}
	left := maxText
	for _, text := range []string{m.Title, m.Text, strings.Join(m.Files, " "), strings.Join(m.Entities, " ")} {
		termsOf(a, text, left, func(x term, _ uint32) { add(x) })
		left = max(0, left-len(text))
	}
	length = len(hashes)
	for _, t := range m.Triggers {
		add(triggerTerm(t))
	}
	slices.Sort(hashes)
	return hashes, length
}

// termSet is a set of terms, by their hashes.
type termSet map[uint32]bool

// add adds the terms of a text.
func (s termSet) add(a *words.Analyser, text string) {
	termsOf(a, text, maxText, func(x term, _ uint32) { s[x.hash] = true })
}

// where returns those of a set that are as wanted, sorted.
func (s termSet) where(wanted func(h uint32) bool) []uint32 {
	var out []uint32
	for h := range s {
		if wanted(h) {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}

// recipe holds the terms of the parts of a recipe.
type recipe struct {
	tried   termSet // the call that failed
	failed  termSet // what it said
	instead termSet // the call that works
	told    termSet // all around these quotes
}

// recipeOf reads the parts of a recipe.
func recipeOf(a *words.Analyser, m *memory.Memory) recipe {
	r := recipe{termSet{}, termSet{}, termSet{}, termSet{}}
	r.told.add(a, m.Title)
	for line := range strings.Lines(m.Text) {
		line = strings.TrimSpace(line)
		if tried, ok := strings.CutPrefix(line, memory.TriedMark); ok {
			r.tried.add(a, tried)
			continue
		}
		if failed, ok := strings.CutPrefix(line, memory.ErrorMark); ok {
			r.failed.add(a, failed)
			continue
		}
		before, after, _ := strings.Cut(line, memory.WorksMark)
		end := strings.LastIndexByte(after, '`')
		if end > 0 && after[0] == '`' {
			r.instead.add(a, after[1:end])
			after = after[end+1:]
		}
		r.told.add(a, before+" "+after)
	}
	return r
}

// quotes tells apart what a recipe quotes: works are the terms that only the call
// that works has and not the one that was tried, and quoted are those that stand in
// quotes alone and do not tell what was tried from what works.
func quotes(a *words.Analyser, m *memory.Memory) (quoted, works []uint32) {
	if !memory.IsTrap(m.Triggers) {
		return nil, nil
	}
	r := recipeOf(a, m)
	all := termSet{}
	for _, part := range []termSet{r.tried, r.failed, r.instead} {
		maps.Copy(all, part)
	}
	quoted = all.where(func(h uint32) bool {
		tells := r.tried[h] && !r.instead[h] && len(r.instead) > 0
		return !tells && !r.told[h]
	})
	return quoted, r.instead.where(func(h uint32) bool { return !r.tried[h] })
}

// partWorth is how much a part of a compound counts beside the whole.
const partWorth = 0.3

// worth is how much a term counts by what kind of word it is.
func (x *term) worth() float64 {
	if x.kind == "word" && words.IsEveryday(x.text) {
		return everydayWorth
	}
	return 1
}

// everydayWorth is how much a word counts that everybody uses of anything: among a
// few hundred memories it may be rare, and says nothing all the same.
const everydayWorth = 0.35
