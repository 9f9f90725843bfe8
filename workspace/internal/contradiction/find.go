package contradiction

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
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
	type held struct {
		m *memory.Memory
		s Position
	}
	var all []held
	byID := make(map[memory.ID]*memory.Memory, len(live))
	for _, m := range live {
		byID[m.ID] = m
		if s := Of(m); !s.Empty() {
			all = append(all, held{m, s})
		}
	}
	slices.SortStableFunc(all, func(a, b held) int {
		if c := a.m.Created.Compare(b.m.Created); c != 0 {
			return c
		}
		return strings.Compare(string(a.m.ID), string(b.m.ID))
	})
	var out []Pair
	first := map[string][]int{} // first word of a name, or a question → places in all
	seen := map[[2]memory.ID]bool{}
	for i, h := range all {
		keys := keysOf(&h.s)
		for _, k := range keys {
			for _, j := range first[k] {
				older := all[j]
				if seen[[2]memory.ID{h.m.ID, older.m.ID}] {
					continue
				}
				kind, what := Between(&h.s, &older.s)
				if kind == "" || settled(h.m, older.m, heard) {
					continue
				}
				seen[[2]memory.ID{h.m.ID, older.m.ID}] = true
				out = append(out, Pair{h.m, older.m, kind, what})
			}
			met := first[k]
			first[k] = append(met[max(0, len(met)-mostMet+1):], i)
		}
	}
	for _, m := range live {
		for _, id := range m.Linked(memory.Contradicts) {
			older := byID[id]
			if older == nil || seen[[2]memory.ID{m.ID, id}] || seen[[2]memory.ID{id, m.ID}] || settled(m, older, heard) || !sameSubject(m, older) {
				continue
			}
			seen[[2]memory.ID{m.ID, id}] = true
			out = append(out, Pair{m, older, Linked, ""})
		}
	}
	slices.SortStableFunc(out, func(a, b Pair) int {
		if c := b.Newer.Created.Compare(a.Newer.Created); c != 0 {
			return c
		}
		return strings.Compare(string(a.Newer.ID)+string(a.Older.ID), string(b.Newer.ID)+string(b.Older.ID))
	})
	return out
}

// mostMet is how many memories before it one is compared with for each of its words, so
// that the start of a session does not wait for all pairs of a large project.
const mostMet = 100

// keysOf are the words by which positions that may contradict each other meet.
func keysOf(s *Position) []string {
	var out []string
	add := func(k string) {
		if k != "" && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	for _, c := range slices.Concat(s.For, s.Against) {
		word, _, _ := strings.Cut(c.Name, " ")
		add(word)
	}
	for _, c := range s.For {
		if c.Proper && len(c.Purpose) > 1 {
			add(fmt.Sprint("for ", c.Purpose))
		}
	}
	if s.Question != "" {
		add("? " + strings.ToLower(s.Question))
	}
	return out
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
	return memory.Shared(memory.Signature(m.Title, m.Text), memory.Signature(older.Title, older.Text)) >= fewestWords
}

// Between says how a newer position contradicts an older one, and about what; "" if it
// does not.
func Between(newer, older *Position) (Kind, string) {
	for _, c := range newer.For {
		if i := slices.IndexFunc(older.Against, c.same); i >= 0 {
			return Again, older.Against[i].Name
		}
	}
	for _, c := range newer.Against {
		if i := slices.IndexFunc(older.For, c.same); i >= 0 {
			return Dropped, older.For[i].Name
		}
	}
	if newer.Question != "" && strings.EqualFold(newer.Question, older.Question) && len(newer.For) == 1 && len(older.For) == 1 && newer.For[0].Name != older.For[0].Name {
		return Answered, newer.Question
	}
	for _, c := range newer.For {
		for _, o := range older.For {
			if c.Proper && o.Proper && c.Name != o.Name && len(c.Purpose) > 1 && slices.Equal(c.Purpose, o.Purpose) {
				return Answered, o.Name
			}
		}
	}
	return "", ""
}

// same reports whether two choices are of one thing and may be for one purpose.
func (c Choice) same(o Choice) bool {
	if c.Name != o.Name && !begins(c, o) && !begins(o, c) {
		return false
	}
	return len(c.Purpose) == 0 || len(o.Purpose) == 0 || shares(c.Purpose, o.Purpose)
}

// begins reports whether a longer name, written as none, begins with a proper one:
// "redis caching" with Redis.
func begins(long, short Choice) bool {
	return short.Proper && !long.Proper && strings.HasPrefix(long.Name, short.Name+" ")
}

func shares(a, b []uint32) bool {
	return slices.ContainsFunc(a, func(h uint32) bool {
		_, ok := slices.BinarySearch(b, h)
		return ok
	})
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
			if kind != Again && kind != Dropped || slices.ContainsFunc(out, func(p Pair) bool { return p.Older == live[k] }) {
				continue
			}
			if out = append(out, Pair{Older: live[k], Kind: kind, What: what}); len(out) == most {
				return out
			}
		}
	}
	return out
}
