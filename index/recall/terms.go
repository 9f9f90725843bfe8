package recall

import (
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
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	tokens := a.Analyse(text)
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

// outer is the hash of the largest compound around a token, 0 for none. The
// compounds around it stand near it.
func outer(tokens []words.Token, i int) uint32 {
	t := &tokens[i]
	from, to := i, i+1
	for from > 0 && t.Start < tokens[from-1].End {
		from--
	}
	for to < len(tokens) && tokens[to].Start < t.End {
		to++
	}
	best := -1
	for k := from; k < to; k++ {
		c := &tokens[k]
		if k != i && c.Stem == "" && c.Start <= t.Start && t.End <= c.End && c.End-c.Start > t.End-t.Start && (best < 0 || c.End-c.Start > tokens[best].End-tokens[best].Start) {
			best = k
		}
	}
	if best < 0 {
		return 0
	}
	return hash("=" + tokens[best].Term)
}

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

// quotes tells apart what a recipe quotes: works are the terms that only the call
// that works has and not the one that was tried, and quoted are those that stand in
// quotes alone and do not tell what was tried from what works.
func quotes(a *words.Analyser, m *memory.Memory) (quoted, works []uint32) {
	if !memory.IsTrap(m.Triggers) {
		return nil, nil
	}
	tried, failed, instead, told := map[uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}, map[uint32]bool{}
	into := func(to map[uint32]bool) func(term, uint32) {
		return func(x term, _ uint32) { to[x.hash] = true }
	}
	termsOf(a, m.Title, maxText, into(told))
	for line := range strings.Lines(m.Text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, memory.TriedMark):
			termsOf(a, line[len(memory.TriedMark):], maxText, into(tried))
			continue
		case strings.HasPrefix(line, memory.ErrorMark):
			termsOf(a, line[len(memory.ErrorMark):], maxText, into(failed))
			continue
		}
		before, after, _ := strings.Cut(line, memory.WorksMark)
		if code, ok := strings.CutPrefix(after, "`"); ok {
			if end := strings.LastIndexByte(code, '`'); end >= 0 {
				termsOf(a, code[:end], maxText, into(instead))
				after = code[end+1:]
			}
		}
		termsOf(a, before+" "+after, maxText, into(told))
	}
	for h := range instead {
		if !tried[h] {
			works = append(works, h)
		}
	}
	for _, in := range []map[uint32]bool{tried, failed, instead} {
		for h := range in {
			if !told[h] && (!tried[h] || instead[h] || len(instead) == 0) {
				quoted = append(quoted, h)
			}
		}
	}
	slices.Sort(works)
	slices.Sort(quoted)
	return slices.Compact(quoted), works
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
