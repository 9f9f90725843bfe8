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
	"sync"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Side is a memory as [Between] compares it. Most pairs are told apart by their types, so
// it is taken apart when the first pair needs that. It is for one goroutine at a time.
type Side struct {
	m     *memory.Memory
	said  []uint32                   // signature of title and text; nil until read
	names []string                   // that few other things bear, in lower case, sorted
	words func() *sameness.Statement // read when a denial is looked for
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
	lists.Sort(l, func(a, b link) int { return cmp.Compare(b.strength, a.strength) })
	var out []memory.Link
	for _, x := range l[:min(n, len(l))] {
		out = append(out, x.Link)
	}
	return out
}

// Of is the side of a memory, which must not change from then on.
func Of(m *memory.Memory) Side {
	return Side{m: m, words: sync.OnceValue(func() *sameness.Statement {
		words := sameness.StatementOf(m.Title + "\n" + m.Text)
		return &words
	})}
}

// read takes the memory apart, once.
func (s *Side) read() {
	if s.said != nil {
		return
	}
	s.said = sameness.Signature(s.m.Title, s.m.Text)
	for _, x := range slices.Concat(s.m.Entities, s.m.Files) {
		if distinctive(x) {
			s.names = append(s.names, strings.ToLower(strings.Trim(x, "`")))
		}
	}
	slices.Sort(s.names)
	s.names = slices.Compact(s.names)
}

// denies reports whether a word is negated in one of two memories alone.
func (s *Side) denies(o *Side) bool { return s.words().Denies(o.words()) }

// distinctive reports whether a name is written like that of one thing in code: with
// a capital inside, a digit, or a sign that words of prose do not have.
func distinctive(x string) bool {
	const short = 4
	return len(x) >= short && coded().MatchString(x)
}

var coded = lazy.Pattern(`(?s:.)[_./:@()#]|\p{Nd}|\p{Ll}\p{Lu}`)

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
	if rel == "" || refused(now, old) {
		return "", 0
	}
	return rel, strength
}

// refused reports whether one of two memories denies what the other says. A fix may: what was so is so no
// longer. So may the answer to a question, which says nothing itself.
func refused(now, old *Side) bool {
	mends := now.m.Type == memory.Fix && old.m.Type != memory.Fix
	return !mends && old.m.Type != memory.Question && now.denies(old)
}

// related reports whether there is a relation that memories of two types can have.
func related(now, old memory.Type) bool {
	n, o := roles()[now], roles()[old]
	if o.open {
		return n.settles
	}
	return family(now) == family(old) || n.follows && o.grounds
}

// relation is that of two memories whose types can have one, denials aside.
func relation(now, old *Side) (memory.Rel, float64) {
	inside := sameness.Inside(old.said, now.said)
	names := sameness.Shared(now.names, old.names)
	switch {
	case roles()[old.m.Type].open && sameness.Answered().Met(old.said, now.said):
		return memory.Answers, 1 + inside
	case refines(now, old, names):
		return memory.Refines, inside
	case buildsOn(now, old, names):
		return memory.BuildsOn, inside
	}
	return "", 0
}

// buildsOn reports whether work follows from something that it has so much in common with: some names
// and some words or, without names, most words. The very words of the older memory are the same
// passage, read in another place.
func buildsOn(now, old *Side, names int) bool {
	if !roles()[now.m.Type].follows || !roles()[old.m.Type].grounds || sameness.Copied().Met(old.said, now.said) {
		return false
	}
	level := sameness.FollowedUnnamed()
	if names >= twoNames {
		level = sameness.Followed()
	}
	return level.Met(old.said, now.said)
}

// refines reports whether the newer of two of a family says what the older one says and
// more, or has its title and much of its text.
func refines(now, old *Side, names int) bool {
	switch {
	case names == 0, family(now.m.Type) != family(old.m.Type):
		return false
	case sameness.Copied().Met(now.said, old.said): // nothing in it is new
		return false
	case sameness.Refined().Met(old.said, now.said):
		return true
	}
	titles := sameness.Jaccard(sameness.Signature(now.m.Title), sameness.Signature(old.m.Title))
	return titles >= titled && sameness.Followed().Met(old.said, now.said)
}

// role says what memories of a type can be to others.
type role struct {
	open    bool   // asks for an answer
	settles bool   // can be an answer
	follows bool   // is work that follows from something
	grounds bool   // work can follow from it
	family  string // of types that one memory of can refine another of
}

// The families of several types.
const (
	choices  = "choices"
	findings = "findings"
)

var roles = lazy.Value(func() map[memory.Type]role {
	return map[memory.Type]role{
		memory.Question:     {open: true},
		memory.Problem:      {open: true},
		memory.Decision:     {settles: true, follows: true, grounds: true, family: choices},
		memory.Architecture: {settles: true, follows: true, grounds: true, family: choices},
		memory.Preference:   {settles: true, family: choices},
		memory.Rejected:     {settles: true},
		memory.Fix:          {settles: true, follows: true, grounds: true},
		memory.Learned:      {settles: true, grounds: true, family: findings},
		memory.Gotcha:       {grounds: true, family: findings},
		memory.Pattern:      {family: findings},
		memory.Plan:         {follows: true, grounds: true},
		memory.Progress:     {follows: true},
		memory.Code:         {follows: true},
	}
})

// family is that of a type; most are one of their own.
func family(t memory.Type) string { return cmp.Or(roles()[t].family, string(t)) }
