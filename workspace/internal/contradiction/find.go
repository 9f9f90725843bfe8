package contradiction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
)

// Kind says how two memories contradict each other.
type Kind string

// The kinds of contradiction.
const (
	Again    Kind = "chosen again"       // the newer one chooses what the older one turned down
	Dropped  Kind = "turned down"        // the newer one turns down what the older one chose
	Answered Kind = "answered otherwise" // both answer one question or one purpose
	Linked   Kind = "said to contradict" // a link says so
)

// Pair is two memories of which only one can hold.
type Pair struct {
	Newer, Older *memory.Memory
	Kind         Kind
	What         string // the name that both are about; "" for a link
}

// Find returns the pairs among memories that are in force, by the newer one, newest
// first. What one of the two supersedes or agrees with does not contradict it. One that shares a
// word with many is compared with the latest of those before it.
//
// What a memory supersedes or agrees with counts if heard reports that it may speak for others.
func Find(live []*memory.Memory, heard func(*memory.Memory) bool) []Pair {
	f := finder{
		heard: heard, byID: map[memory.ID]*memory.Memory{}, met: map[string][]held{},
		seen: map[[2]memory.ID]bool{},
	}
	sorted := slices.Clone(live)
	lists.Sort(sorted, func(a, b *memory.Memory) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range sorted {
		f.byID[m.ID] = m
		if s := Of(m); !s.Empty() || len(s.claims) > 0 {
			f.meet(held{m, s})
		}
	}
	for _, m := range live {
		f.link(m)
	}
	lists.Sort(f.out, func(a, b Pair) int {
		return cmp.Or(b.Newer.Created.Compare(a.Newer.Created), cmp.Compare(a.Newer.ID, b.Newer.ID),
			cmp.Compare(a.Older.ID, b.Older.ID))
	})
	return f.out
}

// held is a memory with its position.
type held struct {
	m *memory.Memory
	s Position
}

// finder collects the pairs among memories, which it meets from the oldest on.
type finder struct {
	heard func(*memory.Memory) bool
	byID  map[memory.ID]*memory.Memory
	met   map[string][]held     // first word of a name, or a question: the latest that have it
	seen  map[[2]memory.ID]bool // pairs that were added, the lower id first
	out   []Pair
}

// meet compares a memory with those before it, by the words that both have.
func (f *finder) meet(h held) {
	for _, k := range keysOf(&h.s) {
		for _, older := range f.met[k] {
			if kind, what := Between(&h.s, &older.s); kind != "" {
				f.add(Pair{h.m, older.m, kind, what})
			}
		}
		met := f.met[k]
		f.met[k] = append(met[max(0, len(met)-mostMet+1):], h)
	}
}

// link adds what the links of a memory say of others in force.
func (f *finder) link(m *memory.Memory) {
	for _, id := range m.Linked(memory.Contradicts) {
		if older := f.byID[id]; older != nil && sameSubject(m, older) {
			f.add(Pair{m, older, Linked, ""}.inOrder())
		}
	}
}

// inOrder is a pair whose newer memory is the newer one: a link may be in either.
func (p Pair) inOrder() Pair {
	if p.Newer.Created.Before(p.Older.Created) {
		p.Newer, p.Older = p.Older, p.Newer
	}
	return p
}

// add adds a pair once, if it is not settled.
func (f *finder) add(p Pair) {
	key := [2]memory.ID{min(p.Newer.ID, p.Older.ID), max(p.Newer.ID, p.Older.ID)}
	settled := f.settles(p.Newer, p.Older) || f.settles(p.Older, p.Newer)
	if settled || f.seen[key] {
		return
	}
	f.seen[key] = true
	f.out = append(f.out, p)
}

// mostMet is how many memories before it one is compared with for each of its words, so
// that the start of a session does not wait for all pairs of a large project.
const mostMet = 100

// keysOf are the words by which positions that may contradict each other meet.
func keysOf(s *Position) []string {
	var out []string
	for _, name := range []string{s.For.Name, s.Against.Name} {
		if word, _, _ := strings.Cut(name, " "); word != "" {
			out = append(out, word)
		}
	}
	if s.For.Proper && len(s.For.Purpose) > 1 {
		out = append(out, fmt.Sprint("for ", s.For.Purpose))
	}
	if s.Question != "" {
		out = append(out, "? "+strings.ToLower(s.Question))
	}
	out = append(out, lists.Map(s.claims, func(c claim) string { return c.key })...)
	slices.Sort(out)
	return slices.Compact(out)
}

// settles reports whether a memory that may speak for others supersedes another one or is said
// to agree with it, so that there is nothing left to ask.
func (f *finder) settles(m, other *memory.Memory) bool {
	links := slices.Concat(m.Linked(memory.Supersedes), m.Linked(memory.Agrees))
	return slices.Contains(links, other.ID) && f.heard(m)
}

// fewestWords is how many words two memories share at least that are about one subject.
const fewestWords = 2

// sameSubject reports whether a link that says so is enough for a contradiction. The word
// of a person, of a reader or of an agent that was explicit is; what a program read out of a
// text is not if the two memories have but one word in common.
func sameSubject(m, older *memory.Memory) bool {
	switch session.Layer(m.Source.Layer) {
	case "", session.LayerTag, session.LayerCurated:
		return true
	}
	if hearsay.ByPerson(m) {
		return true
	}
	said := sameness.Signature(m.Title, m.Text)
	return sameness.Shared(said, sameness.Signature(older.Title, older.Text)) >= fewestWords
}

// Between says how a newer position contradicts an older one, and about what; "" if it
// does not.
func Between(newer, older *Position) (Kind, string) {
	kind, what := opposed(newer, older)
	switch {
	case kind != "":
		return kind, what
	case answersOtherwise(newer, older):
		return Answered, newer.Question
	case newer.For.rivals(older.For):
		return Answered, older.For.Name
	case claimsOtherwise(newer, older):
		return Answered, older.For.Name
	}
	return "", ""
}

// opposed is [Between] for what one of two positions chooses and the other one turns down.
func opposed(newer, older *Position) (Kind, string) {
	switch {
	case newer.For.same(older.Against):
		return Again, older.Against.Name
	case newer.Against.same(older.For):
		return Dropped, older.For.Name
	}
	return "", ""
}

// answersOtherwise reports whether two positions answer one question with one thing each, and not
// the same.
func answersOtherwise(a, b *Position) bool {
	if a.Question == "" || !strings.EqualFold(a.Question, b.Question) {
		return false
	}
	return a.For.differs(b.For)
}

// claimsOtherwise reports whether two positions say of one subject what cannot both hold.
func claimsOtherwise(a, b *Position) bool {
	return slices.ContainsFunc(a.claims, func(c claim) bool {
		return slices.ContainsFunc(b.claims, func(o claim) bool { return c.excludes(&o) })
	})
}

// differs reports whether two choices are of things that are not named alike.
func (c Choice) differs(o Choice) bool {
	return c.Name != "" && o.Name != "" && c.Name != o.Name
}

// rivals reports whether two things with names of their own are for the same purpose.
func (c Choice) rivals(o Choice) bool {
	if !c.Proper || !o.Proper || !c.differs(o) {
		return false
	}
	return len(c.Purpose) > 1 && slices.Equal(c.Purpose, o.Purpose)
}

// same reports whether two choices are of one thing and may be for one purpose.
func (c Choice) same(o Choice) bool {
	return c.isNamedAs(o) && mayShare(c.Purpose, o.Purpose)
}

// isNamedAs reports whether two choices have one name.
func (c Choice) isNamedAs(o Choice) bool {
	if c.Name == o.Name {
		return c.Name != ""
	}
	return begins(c, o) || begins(o, c)
}

// mayShare reports whether two purposes have a word in common, or one of them is not known.
func mayShare(a, b []uint32) bool {
	isKnown := len(a) > 0 && len(b) > 0
	return !isKnown || sameness.Shared(a, b) > 0
}

// begins reports whether a longer name, written as none, begins with a proper one:
// "redis caching" with Redis.
func begins(long, short Choice) bool {
	return short.Proper && !long.Proper && strings.HasPrefix(long.Name, short.Name+" ")
}

// Sentence says what a pair is about, with the ids of both.
func (p *Pair) Sentence() string {
	newer := fmt.Sprintf("%q (%s)", p.Newer.Title, p.Newer.ID.Short())
	older := fmt.Sprintf("%q (%s, %s)", p.Older.Title, p.Older.ID.Short(), Day(p.Older.Created))
	says := map[Kind]string{
		Again:    " chooses " + p.What + ", which was turned down before: ",
		Dropped:  " turns down " + p.What + ", which was chosen before: ",
		Answered: " decides anew what was decided otherwise before: ",
	}
	return newer + cmp.Or(says[p.Kind], " is said to contradict ") + older + "."
}

// Day is a date as sentences say it: 12 March 2026.
func Day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// Against returns those of memories in force that sentences go against, such as those
// of a prompt, at most so many and each once: what turned down what they choose, and
// what chose what they turn down. The first sentence comes first.
func Against(said []Position, live []*memory.Memory, most int) []Pair {
	var out []Pair
	held := lists.Map(live, Of)
	told := map[*memory.Memory]bool{}
	for i := range said {
		for k, m := range live {
			if kind, what := opposed(&said[i], &held[k]); kind != "" && !told[m] {
				told[m] = true
				out = append(out, Pair{Older: m, Kind: kind, What: what})
			}
		}
	}
	return out[:min(len(out), most)]
}
