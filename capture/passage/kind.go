package passage

import (
	_ "embed" // the rules of types
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

//go:embed types.tsv
var typeFile string

// Reading is a statement as its type follows from it: see [Reading.Type].
type Reading struct {
	At      Place
	Cued    memory.Type // what its cues suggest
	Signs   []string    // see [Passage.Signs]
	Title   string
	Prompt  string // what began its turn
	Changed bool   // its turn had written a file or committed before it
	Several bool   // it tells of several things
}

// typeRule is a row of the rules of types.
type typeRule struct {
	pass         string
	places, cued []string
	when         [][]string // alternatives
	typ          memory.Type
}

// typeFields is how many fields a row has.
const typeFields = 5

var typeRules = lazy.Value(func() []typeRule {
	var out []typeRule
	for f := range words.Rows(typeFile, typeFields) {
		r := typeRule{
			pass: f[0], places: strings.Split(f[1], "|"), cued: strings.Split(f[2], "|"),
			typ: memory.Type(f[4]),
		}
		for _, c := range strings.FieldsFunc(f[3], func(r rune) bool { return r == ',' }) {
			r.when = append(r.when, strings.Split(c, "|"))
		}
		out = append(out, r)
	}
	return out
})

// Type is the type of a statement as FORMAT.md defines the types, by where it stands and
// what its turn had done before it. A negation alone is no trap. What a document or a plan
// lays down was decided, and so was what the agent tells of its changes in the end. What a
// report describes, or the agent in answer to a question, is how things are built. What the
// project demands of those who work on it is a preference, and what the user says, until
// they choose between things. Nothing is mended before something was changed.
func (r *Reading) Type() memory.Type {
	known := r.facts()
	typ := r.Cued
	for _, pass := range []string{"place", "turn"} {
		for _, rule := range typeRules() {
			if rule.pass == pass && rule.holds(r.At, typ, known) {
				typ = rule.typ
				break
			}
		}
	}
	return typ
}

func (rule *typeRule) holds(at Place, typ memory.Type, known []string) bool {
	if !oneOf(rule.places, []string{at.String()}) || !oneOf(rule.cued, []string{string(typ)}) {
		return false
	}
	return !slices.ContainsFunc(rule.when, func(alternatives []string) bool { return !oneOf(alternatives, known) })
}

// oneOf reports whether one of some names is known; "*" always is, "!NAME" where it is not.
func oneOf(names, known []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		if absent, negated := strings.CutPrefix(name, "!"); negated {
			return !slices.Contains(known, absent)
		}
		return name == "*" || slices.Contains(known, name)
	})
}

// facts are the signs of a reading, and what else the rules of types ask for.
func (r *Reading) facts() []string {
	title := prose.Words(r.Title)
	out := signList(slices.Clone(r.Signs))
	out.add("changed", r.Changed)
	out.add("several", r.Several)
	out.add("question asked", PutsQuestion(r.Prompt))
	out.add("project rule", r.namesRule())
	out.add("title states", States(r.Title))
	out.add("title changes", slices.ContainsFunc(title, func(w string) bool { return is("changes", w) }))
	out.add("title fixed by", in("fixed by", title))
	for _, group := range []string{"trap", "limit", "choice"} {
		out.add("title "+group, Hints(title, group))
	}
	return out
}

// namesRule reports whether the title is about a rule that the project lays down for those
// who work on it: its conventions, or its instructions for agents.
func (r *Reading) namesRule() bool {
	words := prose.Words(r.Title)
	return in("rulebook", words) && Hints(words, "norm")
}

// PutsQuestion reports whether a text puts a question; people leave the mark out.
func PutsQuestion(prompt string) bool {
	return strings.Contains(prompt, "?") || slices.ContainsFunc(prose.Sentences(prompt), func(s string) bool {
		return is("question", opener(s))
	})
}
