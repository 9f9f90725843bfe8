// Package contradiction finds decisions that cannot both hold: something is chosen again
// that was rejected, the same question is answered in two ways, or two titles say of one
// subject what excludes each other.
//
// Call [Of] for what the title of a memory chooses and turns down, [Said] for what a
// person is about to choose, and [Find] for the pairs among many that contradict each
// other. It goes by the words alone: two names are the same if they are written alike
// and, where both say what for, for the same purpose. It promises to say nothing
// where it is not sure what was chosen.
package contradiction

import (
	_ "embed" // for phrases.tsv
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Position holds what a text chooses and what it turns down: either may be none.
type Position struct {
	For, Against Choice
	Question     string // that For answers, in its own words; "" for none

	claims []claim // what the whole title says of its subject
}

// Empty reports whether nothing is chosen or turned down.
func (s *Position) Empty() bool { return s.For.Name+s.Against.Name == "" }

// Choice is a thing that somebody takes a position on; the zero Choice is none.
type Choice struct {
	Name    string   // lower case, without an article
	Purpose []uint32 // signature of the words that say what for; nil for any purpose
	Proper  bool     // it is written as a name is
}

// Of returns the position of a memory by its title: of decisions, architecture,
// preferences, and of what was rejected.
func Of(m *memory.Memory) Position {
	switch m.Type {
	case memory.Rejected:
		out := rejection(m.Title)
		out.claims = denials(m.Title)
		return out
	case memory.Decision, memory.Architecture, memory.Preference:
		if end := strings.LastIndex(m.Title, ": "); end >= 0 && m.Source.Layer == string(session.LayerAnswer) {
			return Position{For: named(m.Title[end+len(": "):], false), Question: m.Title[:end]}
		}
		out := Said(m.Title)
		out.claims = claimsOf(m.Title)
		return out
	}
	return Position{}
}

// Said returns the position of a sentence, such as one of a prompt.
func Said(sentence string) Position {
	s := withoutOpenings(strings.TrimSpace(sentence))
	if rest, ok := cutAny(s, phrases("refusals")); ok {
		return Position{Against: named(rest, false)}
	}
	for _, v := range []verb{{"instead", false}, {"over", false}, {"to", true}, {"with", true}} {
		if rest, ok := cutAny(s, phrases("verb "+v.other)); ok {
			return v.position(clause(rest))
		}
	}
	if rest, ok := cutAny(s, phrases("movers")); ok {
		return moved(clause(rest))
	}
	return Position{}
}

// withoutOpenings is a sentence without what stands before what is chosen.
func withoutOpenings(s string) string {
	for rest, ok := cutAny(s, phrases("openings")); ok; rest, ok = cutAny(s, phrases("openings")) {
		s = rest
	}
	return s
}

// cutAny cuts the first of some phrases that a sentence begins with off it.
func cutAny(s string, list []string) (string, bool) {
	for _, phrase := range list {
		if rest, ok := cutFold(s, phrase); ok {
			return rest, true
		}
	}
	return s, false
}

//go:embed phrases.tsv
var phraseTable string

// phrases are those of a kind of phrases.tsv.
func phrases(kind string) []string { return phrasesByKind()[kind] }

var phrasesByKind = lazy.Value(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(phraseTable) {
		kind, list, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if ok {
			out[kind] = append(out[kind], strings.Split(list, "|")...)
		}
	}
	return out
})

// moved is the position of a sentence that moves something from one thing to another, "the queue
// to Kafka": what is moved is the purpose. A thing that is not written as a name may be a place.
func moved(rest string) Position {
	what, to, _ := strings.Cut(rest, " to ")
	what, from, _ := strings.Cut(what, " from ")
	purpose := stems(strings.Fields(what))
	out := Position{For: named(to, false).within(purpose), Against: named(from, false).within(purpose)}
	if len(purpose) == 0 || !out.For.Proper {
		return Position{}
	}
	return out
}

// verb is a kind of words of choosing.
type verb struct {
	other   string // the kind of phrases behind which the other thing stands
	reverse bool   // the first name is the one that is turned down
}

// position reads what follows the verb.
func (v verb) position(rest string) Position {
	first, second := rest, ""
	for _, word := range phrases(v.other) {
		if a, b, ok := strings.Cut(rest, word); ok {
			first, second = a, b
			break
		}
	}
	purpose := purposeOf(second)
	if len(purpose) == 0 {
		purpose = purposeOf(first)
	}
	a, b := named(first, false).within(purpose), named(second, false).within(purpose)
	switch {
	case !v.reverse:
		return Position{For: a, Against: b}
	case b.Name == "":
		return Position{} // replaced by nothing that is named: it may be a bug
	}
	return Position{For: b, Against: a}
}

// within is a choice for the purpose of its sentence, if it names none itself.
func (c Choice) within(purpose []uint32) Choice {
	if len(c.Purpose) == 0 {
		c.Purpose = purpose
	}
	return c
}

// rejection is the position of a rejected approach: of what its title begins with.
func rejection(title string) Position {
	switch s := Said(title); {
	case s.Against.Name != "":
		return Position{Against: s.Against}
	case s.For.Name != "": // "Use Redis for the queue" is what was turned down
		return Position{Against: s.For}
	}
	for _, end := range phrases("rejected") {
		if i := indexFold(title, end); i > 0 {
			return Position{Against: named(title[:i], true)}
		}
	}
	return Position{Against: named(title, true)}
}

// clause is the beginning of a text up to where a reason begins.
func clause(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return strings.TrimRight(strings.TrimSpace(before(s, phrases("reasons"))), ".,;:")
}

// Sides returns what a sentence says, and what it names beside that as not so: "in Close" and "in every
// write" of "in Close rather than in every write". Most sentences name nothing there.
func Sides(sentence string) (said, besides string) {
	said = sentence
	for _, phrase := range phrases("besides") {
		if first, rest, ok := strings.Cut(said, phrase); ok {
			said, besides = first, rest
		}
	}
	besides, _, _ = strings.Cut(clause(besides), ",")
	return said, besides
}

// before is the beginning of a text up to the first of some phrases.
func before(s string, list []string) string {
	for _, phrase := range list {
		s, _, _ = strings.Cut(s, phrase)
	}
	return s
}

// ends reports whether a word ends a name and begins what it is for.
func ends(word string) bool { return slices.Contains(phrases("prepositions"), strings.ToLower(word)) }

// mostWords is the number of words from which something is a description and no name.
const mostWords = 3

// named is the one thing that a text names, with what it is for; none where it names nothing
// or describes something. At the beginning of a sentence a capital says nothing.
func named(s string, begins bool) Choice {
	words := strings.Fields(clause(s))
	articles := leading(words, isArticle)
	words = words[articles:]
	n := nameEnd(words)
	proper := properWords(words[:n], begins && articles == 0)
	if proper > 0 { // "Redis caching": the name is what is written as one
		n = proper
	}
	text := strings.ToLower(strings.Trim(strings.Join(words[:n], " "), "`'\"*.,"))
	if n > mostWords || isVague(text) {
		return Choice{}
	}
	return Choice{Name: text, Purpose: purposeOf(strings.Join(words[n:], " ")), Proper: proper > 0}
}

// leading counts the words at the beginning of a list of which something holds.
func leading[T any](words []T, holds func(T) bool) int {
	for i, w := range words {
		if !holds(w) {
			return i
		}
	}
	return len(words)
}

func isArticle(word string) bool { return slices.Contains(phrases("articles"), strings.ToLower(word)) }

// nameEnd is how many words stand before the one that begins what a thing is for.
func nameEnd(words []string) int {
	return leading(words, func(w string) bool { return !ends(w) })
}

// isVague reports whether a name says nothing.
func isVague(name string) bool {
	return len(name) < 2 || slices.Contains(phrases("vague"), name)
}

// properWords counts the words that a name begins with and that are written as names. At the
// beginning of a sentence, a capital letter alone makes no name of the first of several words.
func properWords(name []string, begins bool) int {
	n := leading(name, written)
	if !begins {
		return n
	}
	if len(name) == 1 {
		return 1
	}
	if n == 0 || strings.ContainsAny(name[0][1:], marks) {
		return n
	}
	return 0
}

// marks are the characters that mark a word as a name, at its beginning or within.
const marks = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`"

// written reports whether a word is written as a name: with a capital, a digit or
// marked as code.
func written(w string) bool {
	return strings.ContainsAny(w, marks+"_") || strings.ContainsAny(strings.Trim(w, ".,"), "./")
}

// purposeOf is the signature of what stands behind the first preposition of a text.
func purposeOf(s string) []uint32 {
	words := strings.Fields(clause(s))
	words = words[nameEnd(words):]
	if len(sameness.Signature(strings.Join(words, " "))) == 0 {
		return nil
	}
	return stems(words)
}

// stems is the signature of words without the endings of their plurals.
func stems(words []string) []uint32 {
	plain := lists.Map(words, func(w string) string { return stem(strings.ToLower(strings.Trim(w, "`'\".,;:"))) })
	return sameness.Signature(lists.Without(plain, ends)...)
}

// stem is a word without the ending of its plural, or of its verb.
func stem(w string) string {
	for _, end := range [...]string{"ing", "ed", "es", "s", "e"} {
		if rest, ok := strings.CutSuffix(w, end); ok && len(rest) > 2 {
			return rest
		}
	}
	return w
}

// cutFold cuts words off the beginning of a sentence, whatever their case.
func cutFold(s, words string) (string, bool) {
	n := len(words)
	if len(s) <= n || !strings.ContainsAny(s[n:n+1], " '") || !strings.EqualFold(s[:n], words) {
		return s, false
	}
	return strings.TrimSpace(s[n:]), true
}

// indexFold is where words, in lower case, first stand in a text in any case; -1 for
// nowhere. Only letters of ASCII are folded: others may be longer in lower case.
func indexFold(s, words string) int {
	lower := func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r | 0x20
		}
		return r
	}
	return strings.Index(strings.Map(lower, s), words)
}
