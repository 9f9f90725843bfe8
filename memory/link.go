package memory

import (
	"fmt"
	"strings"
)

// Rel is the relation of a link. The set is closed; see [Rels].
type Rel string

// The relations of FORMAT.md, "Links". Only a person, or an agent that says so
// explicitly, writes [Supersedes]; a heuristic writes [Contradicts], and a
// person decides in review.
const (
	RelatesTo   Rel = "relates_to"
	DerivedFrom Rel = "derived_from"
	Contradicts Rel = "contradicts"
	Exemplifies Rel = "exemplifies"
	Refines     Rel = "refines"
	BuildsOn    Rel = "builds_on"
	Supersedes  Rel = "supersedes"
	Answers     Rel = "answers"
	SourceOf    Rel = "source_of"
	StepOf      Rel = "step_of"
	Agrees      Rel = "agrees" // a person's word that two memories hold together
)

// Rels lists every relation.
func Rels() []Rel {
	return []Rel{
		RelatesTo, DerivedFrom, Contradicts, Exemplifies, Refines, BuildsOn, Supersedes, Answers, SourceOf, StepOf,
		Agrees,
	}
}

// ParseRel reads a relation, in any letter case, with "-" or "_".
func ParseRel(s string) (Rel, error) {
	want := Rel(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(s)), "-", "_"))
	names := make([]string, 0, len(Rels()))
	for _, r := range Rels() {
		if r == want {
			return r, nil
		}
		names = append(names, string(r))
	}
	return "", fmt.Errorf("unknown relation %q (one of %s)", s, strings.Join(names, ", "))
}
