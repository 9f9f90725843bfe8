package capture

import (
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/relation"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// Proposal is a link that the words of a candidate state, to a memory that
// capture has not seen: the caller resolves it, or drops it.
type Proposal struct {
	Rel memory.Rel
	ID  string // of the target, or a prefix as it was said; "" when About says which
	// About describes the target in the words of the candidate. Every content
	// word of Must has to stand in the target.
	About, Must string
	// Change holds where nobody speaks of another memory: something is said to be
	// otherwise than it was. That both sides say Must is one sign only, and proves
	// nothing. A second one is that the target speaks of Subject too, which is what
	// was changed, or that Must is what the target chooses.
	Change  bool
	Subject string // in the words of the candidate; "" where they do not say
}

// maxProposals bounds what one candidate proposes.
const maxProposals = 4

// linkVerb is a row of the table of words that state a link.
type linkVerb struct {
	rel   memory.Rel
	words string // separated by "|"
	about bool   // may be followed by "the decision about …", not only by an id
}

func linkVerbs() []linkVerb {
	return []linkVerb{
		{memory.Supersedes, "supersedes|supersede|superseding|replaces|overrides|overrules|obsoletes", true},
		{memory.Exemplifies, "exemplifies|an example of|an instance of|another case of", true},
		{memory.Refines, "refines|narrows|narrows down", true},
		{memory.BuildsOn, "builds on|build on|building on|based on|extends|follows from", true},
		{memory.Contradicts, "contradicts|contradict|contrary to", true},
		{memory.Answers, "answers|answer to|resolves", true},
		{memory.RelatesTo, "related to|relates to|see also|see|cf", false},
	}
}

// linkPhrase is one way to state a link, word by word.
type linkPhrase struct {
	verb  linkVerb
	words []string
}

// linkPhrases are the phrases of [linkVerbs], in order.
var linkPhrases = sync.OnceValue(func() []linkPhrase {
	var out []linkPhrase
	for _, v := range linkVerbs() {
		for phrase := range strings.SplitSeq(v.words, "|") {
			out = append(out, linkPhrase{v, strings.Fields(phrase)})
		}
	}
	return out
})

// stated finds the links that a text states.
func stated(text string) []Proposal {
	var out []Proposal
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, replyLine) || strings.HasPrefix(line, refusedLine) || strings.HasPrefix(line, agentLine) || strings.HasPrefix(line, askedLine) {
			continue
		}
		for _, s := range prose.Sentences(line) {
			words := prose.Words(s)
			for i := range words {
				if p, ok := statedAt(words, i); ok && len(out) < maxProposals {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// statedAt reads a verb at words[i] and what it points to.
func statedAt(words []string, i int) (Proposal, bool) {
	if p, ok := changedFrom(words, i); ok {
		return p, true
	}
	for _, p := range linkPhrases() {
		n := len(p.words)
		if words[i] != p.words[0] || len(words)-i <= n || !slices.Equal(words[i:i+n], p.words) {
			continue
		}
		if i > 0 && slices.Contains([]string{"not", "doesn't", "never", "no", "nothing"}, words[i-1]) {
			return Proposal{}, false
		}
		return target(p.verb, words[i+n:])
	}
	return Proposal{}, false
}

// target reads "the earlier decision about sqlite" or an id.
func target(v linkVerb, words []string) (Proposal, bool) {
	kind := false
	for i, x := range words {
		switch x {
		case "the", "our", "my", "an", "a", "earlier", "previous", "old", "older", "original", "open", "id", "number", "memory":
			kind = kind || x == "memory"
		case "decision", "rule", "preference", "plan", "convention", "note", "choice", "agreement", "question", "problem", "gotcha":
			kind = true
		case "about", "on", "to", "that", "for", "of", "regarding":
			if !kind || !v.about {
				return Proposal{}, false
			}
			about := words[i+1:]
			if end := slices.IndexFunc(about, endsPhrase); end >= 0 {
				about = about[:end]
			}
			p := Proposal{Rel: v.rel, About: strings.Join(about[:min(len(about), 12)], " ")}
			p.Must = p.About
			return p, len(memory.Signature(p.About)) > 0
		default:
			if isID(x) {
				return Proposal{Rel: v.rel, ID: x}, true
			}
			return Proposal{}, false
		}
	}
	return Proposal{}, false
}

// isID holds for words that look like the id of a memory, or the short form.
func isID(x string) bool {
	return (len(x) == 7 || len(x) == 16) && memory.IsIDPrefix(x) && strings.ContainsAny(x, "0123456789") && strings.ContainsAny(x, "abcdefghjkmnpqrstvwxyz")
}

// changedFrom reads "changed from X to Y": what spoke for X is contradicted,
// and whether it is superseded is for a person to say.
func changedFrom(words []string, i int) (Proposal, bool) {
	switch words[i] {
	case "changed", "switched", "moved", "migrated", "switch", "switching", "moving":
	default:
		return Proposal{}, false
	}
	from := slices.Index(words[i:], "from")
	if from < 1 || from > 3 {
		return Proposal{}, false
	}
	rest := words[i+from+1:]
	to := slices.Index(rest, "to")
	if to < 1 || to > 5 || to == len(rest)-1 {
		return Proposal{}, false
	}
	must := strings.Join(rest[:to], " ")
	subject := slices.Concat(words[:i], words[i+1:i+from], purpose(rest[to+1:]))
	return Proposal{
		Rel: memory.Contradicts, About: strings.Join(words, " "), Must: must,
		Change: true, Subject: strings.Join(subject, " "),
	}, len(memory.Signature(must)) > 0
}

// purpose returns the words that say what Y is for, of those that follow "to Y".
func purpose(words []string) []string {
	begin := slices.Index(words, "for")
	if begin < 0 {
		return nil
	}
	words = words[begin+1:]
	if end := slices.IndexFunc(words, endsPhrase); end >= 0 {
		words = words[:end]
	}
	return words
}

// endsPhrase holds for words behind which another clause stands.
func endsPhrase(w string) bool {
	return slices.Contains([]string{"because", "since", "as", "but", "and", "which", "so"}, w)
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
		if f.earlier || f.c.Disposition != Kept {
			continue
		}
		m := f.c.Memory
		f.c.Proposals = stated(m.Title + "\n" + m.Text)
		if f.c.Layer == session.LayerRecipe {
			continue
		}
		var found relation.Links
		for j, k := range w.found[:i] {
			if k.gone || k.c.Disposition != Kept || k.c.Layer == session.LayerRecipe || len(k.c.Memory.Title) == 0 {
				continue
			}
			rel, strength := relation.Between(side(i), side(j))
			if rel == memory.Answers && !settles(f) {
				continue
			}
			found.Add(rel, k.c.Memory.ID, strength)
		}
		m.Links = append(m.Links, found.Best(mostKin)...)
	}
}

// settles holds for findings that can be an answer: what was learned in passing is none.
func settles(f *finding) bool {
	return f.c.Memory.Type != memory.Learned || f.place == passage.Handover || f.place == passage.User || f.place == passage.Commit
}
