// Package relation says how what a session has just taught stands to what was known
// before it. Call [Of] for each of two memories and [Between] for the pair. It
// promises that a relation is only named where both speak of the same named things,
// or in much the same words. It knows no view and writes nothing. It implements what
// docs/behaviour.md, "Links", says that capture writes.
package relation

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Side is a memory as [Between] compares it. Most pairs are told apart by their types, so
// it is taken apart when the first pair needs that. It is for one goroutine at a time.
type Side struct {
	m     *memory.Memory
	said  []uint32            // signature of title and text; nil until read
	names []string            // that few other things bear, in lower case, sorted
	words *sameness.Statement // nil until a denial is looked for
}

// Links collects the relations of one memory to others. The zero value has none.
type Links []link

type link struct {
	memory.Link
	strength float64
}

// Add adds what [Between] returned of the memory with an id.
func (l *Links) Add(rel memory.Rel, to memory.ID, strength float64) {
	if rel != "" {
		*l = append(*l, link{memory.Link{Rel: rel, To: to}, strength})
	}
}

// Best returns the strongest links, at most n; of several equally strong ones those that were
// added last, because what was learned last is nearest.
func (l Links) Best(n int) []memory.Link {
	slices.Reverse(l)
	slices.SortStableFunc(l, func(a, b link) int { return cmp.Compare(b.strength, a.strength) })
	var out []memory.Link
	for _, x := range l[:min(n, len(l))] {
		out = append(out, x.Link)
	}
	return out
}

// Of is the side of a memory, which must not change from then on.
func Of(m *memory.Memory) Side { return Side{m: m} }

// read takes the memory apart, once.
func (s *Side) read() {
	if s.said != nil {
		return
	}
	s.said = sameness.Signature(s.m.Title, s.m.Text)
	for _, list := range [][]string{s.m.Entities, s.m.Files} {
		for _, x := range list {
			if distinctive(x) {
				s.names = append(s.names, strings.ToLower(strings.Trim(x, "`")))
			}
		}
	}
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
}

// denies reports whether a word is negated in one of two memories alone.
func (s *Side) denies(o *Side) bool {
	for _, side := range [...]*Side{s, o} {
		if side.words == nil {
			words := sameness.StatementOf(side.m.Title + "\n" + side.m.Text)
			side.words = &words
		}
	}
	return s.words.Denies(o.words)
}

// distinctive holds for names that are written like those of one thing in code: with
// a capital inside, a digit, or a sign that words of prose do not have.
func distinctive(x string) bool {
	const short = 4
	if len(x) < short {
		return false
	}
	before := rune(0)
	for i, r := range x {
		switch {
		case strings.ContainsRune("_./:@()#", r) && i > 0, unicode.IsDigit(r), unicode.IsUpper(r) && unicode.IsLower(before):
			return true
		}
		before = r
	}
	return false
}

// titled is the Jaccard index of the titles of two memories of which one goes on from the other,
// where less of the text is enough. twoNames is how many names both must have, where one follows
// from the other. How many words they must share is a [sameness.Level]. These bounds were set by
// reading pairs from sessions of four projects.
const (
	titled   = sameness.Same
	twoNames = 2
)

// Between is the relation of what was learned now to what is older, "" for none, and
// how strong it is: more than another pair's means likelier.
func Between(now, old *Side) (memory.Rel, float64) {
	if now.m.ID == old.m.ID || !related(now.m.Type, old.m.Type) {
		return "", 0
	}
	now.read()
	old.read()
	rel, strength := relation(now, old)
	mends := now.m.Type == memory.Fix && old.m.Type != memory.Fix // what was so is so no longer
	if rel == "" || !mends && now.denies(old) {
		return "", 0
	}
	return rel, strength
}

// related reports whether there is a relation that memories of two types can have.
func related(now, old memory.Type) bool {
	switch {
	case isOpen(old):
		return settles(now)
	case isOpen(now):
		return false
	}
	return family(now) == family(old) || carriesOut(now) && grounds(old)
}

// relation is that of two memories whose types can have one, denials aside.
func relation(now, old *Side) (memory.Rel, float64) {
	inside := sameness.Inside(old.said, now.said)
	names := sameness.Shared(now.names, old.names)
	switch {
	case isOpen(old.m.Type):
		if sameness.Answered().Met(old.said, now.said) {
			return memory.Answers, 1 + inside
		}
	case names > 0 && family(now.m.Type) == family(old.m.Type) && goesOn(now, old):
		return memory.Refines, inside
	case carriesOut(now.m.Type) && grounds(old.m.Type) && enough(now, old, names):
		return memory.BuildsOn, inside
	}
	return "", 0
}

// enough holds where two memories have so much in common that one follows from the
// other: two names and some words or, without names, most words. The very words of the
// older one are the same passage, read in another place.
func enough(now, old *Side, names int) bool {
	if sameness.Copied().Met(old.said, now.said) {
		return false
	}
	if names >= twoNames && sameness.Followed().Met(old.said, now.said) {
		return true
	}
	return sameness.FollowedUnnamed().Met(old.said, now.said)
}

// goesOn holds where the newer of two of a family says what the older one says and
// more, or has its title and much of its text.
func goesOn(now, old *Side) bool {
	if sameness.Copied().Met(now.said, old.said) {
		return false // nothing in it is new
	}
	if sameness.Refined().Met(old.said, now.said) {
		return true
	}
	titles := sameness.Jaccard(sameness.Signature(now.m.Title), sameness.Signature(old.m.Title))
	return titles >= titled && sameness.Followed().Met(old.said, now.said)
}

func isOpen(t memory.Type) bool { return t == memory.Question || t == memory.Problem }

// settles holds for types that can be an answer.
func settles(t memory.Type) bool {
	switch t {
	case memory.Decision, memory.Rejected, memory.Preference, memory.Fix, memory.Architecture, memory.Learned:
		return true
	}
	return false
}

// families of types that one memory of can refine another of.
const (
	choices  = "choices"
	findings = "findings"
)

func family(t memory.Type) string {
	switch t {
	case memory.Decision, memory.Architecture, memory.Preference:
		return choices
	case memory.Gotcha, memory.Learned, memory.Pattern:
		return findings
	}
	return string(t)
}

// carriesOut holds for types of work that follows from something.
func carriesOut(t memory.Type) bool {
	switch t {
	case memory.Progress, memory.Fix, memory.Architecture, memory.Plan, memory.Code, memory.Decision:
		return true
	}
	return false
}

// grounds holds for types that work can follow from.
func grounds(t memory.Type) bool {
	switch t {
	case memory.Decision, memory.Architecture, memory.Gotcha, memory.Learned, memory.Fix, memory.Plan:
		return true
	}
	return false
}
