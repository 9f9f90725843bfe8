// Package contradiction finds decisions that cannot both hold: something is chosen again
// that was rejected, or the same question is answered in two ways.
//
// Call [Of] for what the title of a memory chooses and turns down, [Said] for what a
// person is about to choose, and [Find] for the pairs among many that contradict each
// other. It goes by the words alone: two names are the same if they are written alike
// and, where both say what for, for the same purpose. It promises to say nothing
// where it is not sure what was chosen.
package contradiction

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Position holds what a text chooses and what it turns down.
type Position struct {
	For, Against []Choice
	Question     string // that For answers, in its own words; "" for none
}

// Empty reports whether nothing is chosen or turned down.
func (s *Position) Empty() bool { return len(s.For)+len(s.Against) == 0 }

// Choice is a thing that somebody takes a position on.
type Choice struct {
	Name    string   // lower case, without an article
	Purpose []uint32 // signature of the words that say what for; nil for any purpose
	Proper  bool     // it is written as a name is
}

// Of returns the position of a memory by its title: of decisions, architecture,
// preferences and plans, and of what was rejected.
func Of(m *memory.Memory) Position {
	switch m.Type {
	case memory.Rejected:
		return rejection(m.Title)
	case memory.Decision, memory.Architecture, memory.Preference:
		if m.Source.Layer == "answer" {
			if question, answer, ok := cutLast(m.Title, ": "); ok {
				return Position{For: names(answer, false), Question: question}
			}
		}
		return Said(m.Title)
	}
	return Position{}
}

// Said returns the position of a sentence, such as one of a prompt.
func Said(sentence string) Position {
	s := strings.TrimSpace(sentence)
	for changed := true; changed; {
		changed = false
		for i := range openings {
			if rest, ok := cutFold(s, openings[i]); ok {
				s, changed = rest, true
			}
		}
	}
	for _, v := range refusals {
		if rest, ok := cutFold(s, v); ok {
			return Position{Against: names(clause(rest), false)}
		}
	}
	for i := range verbs {
		v := &verbs[i]
		rest, ok := cutFold(s, v.word)
		if !ok {
			continue
		}
		return v.position(clause(rest))
	}
	return moved(s)
}

// movers are words behind which stands what changes its hands: "move the queue to Kafka".
var movers = [...]string{"switch", "switched", "move", "moved", "migrate", "migrated", "change", "changed", "port", "ported"}

// moved is the position of a sentence that moves something from one thing to another: what
// is moved is the purpose. A thing that is not written as a name may be a place.
func moved(s string) Position {
	for i := range movers {
		rest, ok := cutFold(s, movers[i])
		if !ok {
			continue
		}
		rest = clause(rest)
		what, to, ok := strings.Cut(rest, " to ")
		if !ok {
			return Position{}
		}
		what, from, _ := strings.Cut(what, " from ")
		purpose := stems(strings.Fields(what))
		out := Position{For: within(names(to, false), purpose), Against: within(names(from, false), purpose)}
		if len(purpose) == 0 || len(out.For) == 0 || !out.For[0].Proper {
			return Position{}
		}
		return out
	}
	return Position{}
}

// openings stand before what is chosen and say nothing of it.
var openings = [...]string{
	"decision:", "decided:", "decided to", "decided that", "decided on", "we decided to", "we decided on", "let's", "let us", "lets", "please", "we should", "we will",
	"we'll", "we now", "we", "i want to", "i'd like to", "you should", "should", "can you", "could you", "now", "ok,", "okay,", "yes,", "instead,", "actually,", "then", "always", "just",
}

// refusals turn down what follows them.
var refusals = [...]string{
	"don't use", "do not use", "dont use", "never use", "no longer use", "stop using", "avoid using", "avoid", "decided against", "against", "ruled out",
	"rule out", "rejected:", "rejected", "reject", "turned down:", "turned down", "not using",
}

// verb is a word of choosing, and the words behind which it names what is turned down.
type verb struct {
	word    string
	other   []string // behind these the other one stands
	reverse bool     // the first name is the one that is turned down
}

var verbs = [...]verb{
	{word: "use", other: instead[:]},
	{word: "using", other: instead[:]},
	{word: "chose", other: over[:]},
	{word: "choose", other: over[:]},
	{word: "chosen:", other: over[:]},
	{word: "picked", other: over[:]},
	{word: "pick", other: over[:]},
	{word: "prefer", other: over[:]},
	{word: "adopt", other: instead[:]},
	{word: "adopted", other: instead[:]},
	{word: "go with", other: over[:]},
	{word: "went with", other: over[:]},
	{word: "go back to", other: instead[:]},
	{word: "went back to", other: instead[:]},
	{word: "return to", other: instead[:]},
	{word: "bring back", other: instead[:]},
	{word: "try", other: instead[:]},
	{word: "switch to", other: instead[:]},
	{word: "switched to", other: instead[:]},
	{word: "move to", other: instead[:]},
	{word: "moved to", other: instead[:]},
	{word: "migrate to", other: instead[:]},
	{word: "switch from", other: to[:], reverse: true},
	{word: "switched from", other: to[:], reverse: true},
	{word: "changed from", other: to[:], reverse: true},
	{word: "moved from", other: to[:], reverse: true},
	{word: "migrated from", other: to[:], reverse: true},
	{word: "migrate from", other: to[:], reverse: true},
	{word: "replaced", other: with[:], reverse: true},
	{word: "replace", other: with[:], reverse: true},
}

var (
	instead = [...]string{" instead of ", " rather than ", " and not ", ", not ", " over ", " in place of "}
	over    = [...]string{" over ", " instead of ", " rather than ", " and not ", ", not ", " to "}
	to      = [...]string{" to "}
	with    = [...]string{" with ", " by "}
)

// position reads what follows the verb.
func (v *verb) position(rest string) Position {
	first, second := rest, ""
	for _, word := range v.other {
		if a, b, ok := strings.Cut(rest, word); ok {
			first, second = a, b
			break
		}
	}
	purpose := purposeOf(second)
	if len(purpose) == 0 {
		purpose = purposeOf(first)
	}
	a, b := within(names(first, false), purpose), within(names(second, false), purpose)
	if v.reverse {
		if len(b) == 0 {
			return Position{} // replaced by nothing that is named: it may be a bug
		}
		a, b = b, a
	}
	return Position{For: a, Against: b}
}

// within gives choices that name no purpose that of their sentence.
func within(all []Choice, purpose []uint32) []Choice {
	for i := range all {
		if len(all[i].Purpose) == 0 {
			all[i].Purpose = purpose
		}
	}
	return all
}

// rejection is the position of a rejected approach: of what its title begins with.
func rejection(title string) Position {
	switch s := Said(title); {
	case len(s.Against) > 0:
		return Position{Against: s.Against}
	case len(s.For) > 0: // "Use Redis for the queue" is what was turned down
		return Position{Against: s.For}
	}
	for _, end := range [...]string{" was rejected", " were rejected", " is rejected", " rejected", " was turned down", " was ruled out", " ruled out"} {
		if i := indexFold(title, end); i > 0 {
			return Position{Against: names(title[:i], true)}
		}
	}
	return Position{Against: names(clause(title), true)}
}

// clause is the beginning of a text up to where a reason begins.
func clause(s string) string {
	cut := len(s)
	for _, end := range [...]string{". ", "; ", ": ", " — ", " – ", " - ", " because ", " since ", " so that ", " so ", " (", "?", "!", "\n", ", but ", ", as ", ", it ", ", which "} {
		if i := strings.Index(s, end); i >= 0 && i < cut {
			cut = i
		}
	}
	return strings.TrimRight(strings.TrimSpace(s[:cut]), ".,;:")
}

// prepositions end a name and begin what it is for.
var prepositions = [...]string{"for", "as", "in", "to", "on", "with", "when", "where", "at", "by", "inside", "under", "behind", "from", "here", "again", "everywhere", "throughout", "only", "instead", "via", "of"}

// mostWords is the number of words from which something is a description and no name.
const mostWords = 3

// names is the one thing that a text names, with what it is for; nil where it names none
// or describes something. At the beginning of a sentence a capital says nothing.
func names(s string, begins bool) []Choice {
	words := strings.Fields(strings.TrimRight(clause(s), ".,;:"))
	for len(words) > 0 && slices.Contains([]string{"the", "a", "an", "our", "plain", "just", "only"}, strings.ToLower(words[0])) {
		words, begins = words[1:], false
	}
	n, proper := 0, false
	for n < len(words) && !slices.Contains(prepositions[:], strings.ToLower(words[n])) {
		n++
	}
	purpose := words[n:]
	name := words[:n]
	for i, w := range name {
		named := written(w)
		if begins && i == 0 && !strings.ContainsAny(w[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`") {
			named = n == 1 // a single word before a colon or a preposition
		}
		if !named {
			if i > 0 && proper { // "Redis caching": the name is what is written as one
				purpose, name = words[i:], name[:i]
			}
			break
		}
		proper = true
	}
	if len(name) == 0 || len(name) > mostWords {
		return nil
	}
	text := strings.ToLower(strings.Trim(strings.Join(name, " "), "`'\"*.,"))
	if len(text) < 2 || slices.Contains(vague[:], text) {
		return nil
	}
	return []Choice{{Name: text, Purpose: purposeOf(" " + strings.Join(purpose, " ")), Proper: proper}}
}

// vague names stand for something that only their context tells.
var vague = [...]string{"it", "this", "that", "them", "these", "those", "both", "one", "yes", "no", "none", "same", "option", "approach", "all", "neither", "either", "something", "anything", "everything", "more", "less", "continue", "other", "another"}

// written reports whether a word is written as a name: with a capital, a digit or
// marked as code.
func written(w string) bool {
	return strings.ContainsAny(w, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789`_") || strings.ContainsAny(strings.Trim(w, ".,"), "./")
}

// purposeOf is the signature of what stands behind the first preposition of a text.
func purposeOf(s string) []uint32 {
	words := strings.Fields(clause(s))
	for i, w := range words {
		if slices.Contains(prepositions[:], strings.ToLower(w)) {
			if sig := memory.Signature(strings.Join(words[i:], " ")); len(sig) > 0 {
				return stems(words[i:])
			}
			return nil
		}
	}
	return nil
}

// stems is the signature of words without the endings of their plurals.
func stems(words []string) []uint32 {
	out := make([]string, len(words))
	for i, w := range words {
		w = strings.ToLower(strings.Trim(w, "`'\".,;:"))
		for _, end := range [...]string{"ing", "es", "s", "e"} {
			if rest, ok := strings.CutSuffix(w, end); ok && len(rest) > 2 {
				w = rest
				break
			}
		}
		if !slices.Contains(prepositions[:], w) {
			out[i] = w
		}
	}
	return memory.Signature(strings.Join(out, " "))
}

// cutFold cuts words off the beginning of a sentence, whatever their case.
func cutFold(s, words string) (string, bool) {
	if len(s) <= len(words) || s[0]|0x20 != words[0] || !strings.EqualFold(s[:len(words)], words) || s[len(words)] != ' ' && s[len(words)] != '\'' {
		return s, false
	}
	return strings.TrimSpace(s[len(words):]), true
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

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
