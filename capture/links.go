package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/relation"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Proposal is a link that the words of a candidate state, to a memory that
// capture has not seen: the caller resolves it, or drops it.
type Proposal struct {
	Rel memory.Rel
	ID  string // of the target, or a prefix as it was said; "" when About says which
	// About describes the target in the words of the candidate. Every content
	// word of it has to stand in the target.
	About string
}

// maxProposals bounds what one candidate proposes.
const maxProposals = 4

// stated finds the links that a text states.
func stated(text string) []Proposal {
	var out []Proposal
	for line := range strings.SplitSeq(text, "\n") {
		if isContext(line) || strings.HasPrefix(line, agentLine) {
			continue
		}
		for _, s := range prose.Sentences(line) {
			out = append(out, statedIn(prose.Words(s))...)
		}
	}
	return out[:min(len(out), maxProposals)]
}

// statedIn finds the links that a sentence states.
func statedIn(words []string) []Proposal {
	var out []Proposal
	for i := range words {
		if p, ok := statedAt(words, i); ok {
			out = append(out, p)
		}
	}
	return out
}

// statedAt reads a verb at words[i] and what it points to. The words that state a relation are
// the class of its name in words.tsv.
func statedAt(words []string, i int) (Proposal, bool) {
	if i > 0 && is("denies", words[i-1]) {
		return Proposal{}, false
	}
	for _, rel := range []memory.Rel{
		memory.Supersedes, memory.Exemplifies, memory.Refines, memory.BuildsOn, memory.Contradicts, memory.Answers, memory.RelatesTo,
	} {
		if n := lexicon().Begins(string(rel), words[i:]); n > 0 {
			return target(rel, words[i+n:])
		}
	}
	return Proposal{}, false
}

// aboutWords is how many words are read that say what a link points to.
const aboutWords = 12

// target reads "the earlier decision about sqlite" or an id.
func target(rel memory.Rel, words []string) (Proposal, bool) {
	kind := false
	for i, x := range words {
		switch {
		case is("target kind", x):
			kind = true
		case is("target filler", x):
		case isID(x):
			return Proposal{Rel: rel, ID: x}, true
		case kind && rel != memory.RelatesTo && is("about", x):
			about := untilClause(words[i+1:])
			p := Proposal{Rel: rel, About: strings.Join(about[:min(len(about), aboutWords)], " ")}
			return p, len(sameness.Signature(p.About)) > 0
		default:
			return Proposal{}, false
		}
	}
	return Proposal{}, false
}

// untilClause are words up to those behind which another clause stands.
func untilClause(words []string) []string {
	if end := slices.IndexFunc(words, func(w string) bool { return is("ends a phrase", w) }); end >= 0 {
		return words[:end]
	}
	return words
}

// isID holds for words that look like the id of a memory, or the short form.
func isID(x string) bool {
	return (len(x) == 7 || len(x) == 16) && memory.IsIDPrefix(x) && strings.ContainsAny(x, "0123456789") && strings.ContainsAny(x, "abcdefghjkmnpqrstvwxyz")
}

// mostKin bounds how many links to its kin a memory is given.
const mostKin = 2

// link proposes the links between what a session has found: what answers its
// open questions and problems, carries out or refines what it found before (see
// [relation.Between]). Only the later of two is given the link, so that what was kept
// before stays as it is.
func (w *weigher) link() {
	sides := make([]*relation.Side, len(w.found))
	side := func(i int) *relation.Side {
		if sides[i] == nil {
			s := relation.Of(w.found[i].c.Memory)
			sides[i] = &s
		}
		return sides[i]
	}
	for i, f := range w.found {
		if f.earlier || !f.memory() {
			continue
		}
		m := f.c.Memory
		f.c.Proposals = stated(m.Title + "\n" + m.Text)
		if f.class == classRecipe {
			continue
		}
		var found relation.Links
		for j, k := range w.found[:i] {
			if !k.memory() || k.class == classRecipe {
				continue
			}
			rel, strength := relation.Between(side(i), side(j))
			if rel != memory.Answers || settles(f) {
				found.Add(rel, k.c.Memory.ID, strength)
			}
		}
		m.Links = append(m.Links, found.Best(mostKin)...)
	}
}

// settles reports whether a finding can be an answer: what was learned in passing is none.
func settles(f *finding) bool {
	return f.c.Memory.Type != memory.Learned || f.place == passage.Handover || f.place == passage.User || f.place == passage.Commit
}
