package contradiction

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
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
	f := finder{heard: heard, met: map[string][]held{}, seen: map[[2]memory.ID]bool{}}
	sorted := slices.Clone(live)
	slices.SortStableFunc(sorted, func(a, b *memory.Memory) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range sorted {
		if s := Of(m); !s.Empty() {
			f.meet(held{m, s})
		}
	}
	f.linked(live)
	slices.SortStableFunc(f.out, func(a, b Pair) int {
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
	met   map[string][]held // first word of a name, or a question: the latest that have it
	seen  map[[2]memory.ID]bool
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

// linked adds what links between memories in force say.
func (f *finder) linked(live []*memory.Memory) {
	byID := make(map[memory.ID]*memory.Memory, len(live))
	for _, m := range live {
		byID[m.ID] = m
	}
	for _, m := range live {
		for _, id := range m.Linked(memory.Contradicts) {
			if older := byID[id]; f.mayOppose(m, older) {
				f.add(Pair{m, older, Linked, ""})
			}
		}
	}
}

// mayOppose reports whether a link between two memories is to be said. Older may be nil.
func (f *finder) mayOppose(m, older *memory.Memory) bool {
	return older != nil && !f.seen[[2]memory.ID{older.ID, m.ID}] && sameSubject(m, older)
}

// add adds a pair once, if it is not settled.
func (f *finder) add(p Pair) {
	key := [2]memory.ID{p.Newer.ID, p.Older.ID}
	if !f.seen[key] && !settled(p.Newer, p.Older, f.heard) {
		f.seen[key] = true
		f.out = append(f.out, p)
	}
}

// mostMet is how many memories before it one is compared with for each of its words, so
// that the start of a session does not wait for all pairs of a large project.
const mostMet = 100

// keysOf are the words by which positions that may contradict each other meet.
func keysOf(s *Position) []string {
	var out []string
	for _, c := range slices.Concat(s.For, s.Against) {
		word, _, _ := strings.Cut(c.Name, " ")
		out = append(out, word)
	}
	for _, c := range s.For {
		if c.Proper && len(c.Purpose) > 1 {
			out = append(out, fmt.Sprint("for ", c.Purpose))
		}
	}
	if s.Question != "" {
		out = append(out, "? "+strings.ToLower(s.Question))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// settled reports whether one of the two supersedes the other, or is said to agree with it.
func settled(a, b *memory.Memory, heard func(*memory.Memory) bool) bool {
	return says(a, b.ID) && heard(a) || says(b, a.ID) && heard(b)
}

// says reports whether a memory says how it stands to another one, so that there is
// nothing left to ask.
func says(m *memory.Memory, of memory.ID) bool {
	return slices.ContainsFunc(m.Links, func(l memory.Link) bool {
		return l.To == of && (l.Rel == memory.Supersedes || l.Rel == memory.Agrees)
	})
}

// fewestWords is how many words two memories share at least that are about one subject.
const fewestWords = 2

// sameSubject reports whether a link that says so is enough for a contradiction. The word
// of a person or of an explicit tag is; what a program read out of a text is not if the
// two memories have but one word in common.
func sameSubject(m, older *memory.Memory) bool {
	switch session.Layer(m.Source.Layer) {
	case session.LayerTag, session.LayerAnswer, session.LayerUser:
		return true
	}
	if m.Source.Agent == "" || m.Source.Agent == memory.Human || !m.Updated.IsZero() {
		return true
	}
	said := sameness.Signature(m.Title, m.Text)
	return sameness.Shared(said, sameness.Signature(older.Title, older.Text)) >= fewestWords
}

// Between says how a newer position contradicts an older one, and about what; "" if it
// does not.
func Between(newer, older *Position) (Kind, string) {
	if c := common(newer.For, older.Against); c != nil {
		return Again, c.Name
	}
	if c := common(newer.Against, older.For); c != nil {
		return Dropped, c.Name
	}
	if answersOtherwise(newer, older) {
		return Answered, newer.Question
	}
	for _, c := range newer.For {
		if i := slices.IndexFunc(older.For, c.rivals); i >= 0 {
			return Answered, older.For[i].Name
		}
	}
	return "", ""
}

// answersOtherwise reports whether two positions answer one question with one thing each, and not
// the same.
func answersOtherwise(a, b *Position) bool {
	if a.Question == "" || !strings.EqualFold(a.Question, b.Question) {
		return false
	}
	return len(a.For) == 1 && len(b.For) == 1 && a.For[0].Name != b.For[0].Name
}

// common returns the first of some choices that is the same as one of others; nil for none.
func common(newer, older []Choice) *Choice {
	for _, c := range newer {
		if i := slices.IndexFunc(older, c.same); i >= 0 {
			return &older[i]
		}
	}
	return nil
}

// rivals reports whether two things with names of their own are for the same purpose.
func (c Choice) rivals(o Choice) bool {
	return c.Proper && o.Proper && c.Name != o.Name && len(c.Purpose) > 1 && slices.Equal(c.Purpose, o.Purpose)
}

// same reports whether two choices are of one thing and may be for one purpose.
func (c Choice) same(o Choice) bool {
	return c.named(o) && mayShare(c.Purpose, o.Purpose)
}

// named reports whether two choices have one name.
func (c Choice) named(o Choice) bool { return c.Name == o.Name || begins(c, o) || begins(o, c) }

// mayShare reports whether two purposes have a word in common, or one of them is not known.
func mayShare(a, b []uint32) bool { return len(a) == 0 || len(b) == 0 || sameness.Shared(a, b) > 0 }

// begins reports whether a longer name, written as none, begins with a proper one:
// "redis caching" with Redis.
func begins(long, short Choice) bool {
	return short.Proper && !long.Proper && strings.HasPrefix(long.Name, short.Name+" ")
}

// Sentence says what a pair is about, with the ids of both.
func (p *Pair) Sentence() string {
	newer := fmt.Sprintf("%q (%s)", p.Newer.Title, p.Newer.ID.Short())
	older := fmt.Sprintf("%q (%s, %s)", p.Older.Title, p.Older.ID.Short(), Day(p.Older.Created))
	switch p.Kind {
	case Again:
		return newer + " chooses " + p.What + ", which was turned down before: " + older + "."
	case Dropped:
		return newer + " turns down " + p.What + ", which was chosen before: " + older + "."
	case Answered:
		return newer + " decides anew what was decided otherwise before: " + older + "."
	}
	return newer + " is said to contradict " + older + "."
}

// Day is a date as sentences say it: 12 March 2026.
func Day(t time.Time) string { return t.UTC().Format("2 January 2006") }

// Against returns those of memories in force that sentences go against, such as those
// of a prompt, at most so many and each once: what turned down what they choose, and
// what chose what they turn down. The first sentence comes first.
func Against(said []Position, live []*memory.Memory, most int) []Pair {
	var out []Pair
	held := make([]Position, len(live))
	for i, m := range live {
		held[i] = Of(m)
	}
	for i := range said {
		for k := range held {
			kind, what := Between(&said[i], &held[k])
			switch kind {
			case Again, Dropped:
				out = append(out, Pair{Older: live[k], Kind: kind, What: what})
			}
		}
	}
	return firstOf(out, most)
}

// firstOf returns the first pairs of a list that have different older memories.
func firstOf(pairs []Pair, most int) []Pair {
	var out []Pair
	for _, p := range pairs {
		if !slices.ContainsFunc(out, func(o Pair) bool { return o.Older == p.Older }) {
			out = append(out, p)
		}
	}
	return out[:min(len(out), most)]
}
