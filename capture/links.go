package capture

import (
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/relation"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Proposal is a link that the words of a candidate state: "supersedes k7q2m9x". The caller finds
// the memory, or drops the link.
type Proposal struct {
	Rel memory.Rel
	ID  string // of the target, or a prefix as it was said
}

// maxProposals bounds what one candidate proposes.
const maxProposals = 4

// stated finds the links that a text states: a phrase such as "builds on" with an id behind it. The
// phrases that state a relation are the class of its name in words.tsv.
func stated(text string) []Proposal {
	var out []Proposal
	words := prose.Words(text)
	for i := range words {
		rel, to := relationAt(words[i:])
		denied := i > 0 && is("denies", words[i-1])
		if isID(to) && !denied {
			out = append(out, Proposal{Rel: rel, ID: to})
		}
	}
	return out[:min(len(out), maxProposals)]
}

// relationAt is the relation that some words begin to state, and the word that says to what:
// "supersedes the earlier decision k7q2m9x".
func relationAt(words []string) (rel memory.Rel, to string) {
	for _, rel := range []memory.Rel{
		memory.Supersedes, memory.Exemplifies, memory.Refines, memory.BuildsOn, memory.Contradicts, memory.Answers,
		memory.RelatesTo,
	} {
		if n := lexicon().Begins(string(rel), words); n > 0 && n < len(words) {
			return rel, lexicon().Without("target", words[n:])[0]
		}
	}
	return "", ""
}

// isID holds for words that look like the id of a memory, or the short form.
func isID(x string) bool {
	if len(x) != 7 && len(x) != 16 {
		return false
	}
	isMixed := strings.ContainsAny(x, "0123456789") && strings.ContainsAny(x, "abcdefghjkmnpqrstvwxyz")
	return isMixed && memory.IsIDPrefix(x)
}

// mostKin bounds how many links to its kin a memory is given.
const mostKin = 2

// link proposes the links between what a session has found: what answers its
// open questions and problems, carries out or refines what it found before (see
// [relation.Between]). Only the later of two is given the link, so that what was kept
// before stays as it is.
func (w *weigher) link() {
	sides := lists.Map(w.found, func(f *finding) func() *relation.Side {
		return lazy.Value(func() *relation.Side {
			s := relation.Of(f.c.Memory)
			return &s
		})
	})
	for i, f := range w.found {
		if f.earlier || !f.memory() {
			continue
		}
		m := f.c.Memory
		f.c.Proposals = stated(statement(m.Title, m.Text))
		if f.class == classRecipe {
			continue
		}
		var found relation.Links
		for j, k := range w.found[:i] {
			if !k.memory() || k.class == classRecipe {
				continue
			}
			rel, strength := relation.Between(sides[i](), sides[j]())
			if rel != memory.Answers || settles(f) {
				found.Add(rel, k.c.Memory.ID, strength)
			}
		}
		m.Links = append(m.Links, found.Best(mostKin)...)
	}
}

// settles reports whether a finding can be an answer: what was learned in passing is none.
func settles(f *finding) bool {
	return f.c.Memory.Type != memory.Learned || f.place == passage.Handover || f.place == passage.User ||
		f.place == passage.Commit
}
