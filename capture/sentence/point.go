package sentence

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Point gives the clause of a sentence that says what it is about, where the rest leads up
// to it: what follows a colon or a dash, "One gap surfaced: the tag needs …". It is "" when
// no such clause can stand alone.
func Point(s string) string { return behind(s, ": ", " — ", " – ", " - ") }

// Reason gives the reason in a sentence that tells what its writer does, "I'll push a branch,
// because the rules forbid …"; "" if there is none that can stand alone.
func Reason(s string) string { return behind(s, " because ", ", since ", ", as ") }

// behind gives the clause behind the first of some marks that can stand alone.
func behind(s string, marks ...string) string {
	for _, mark := range marks {
		lead, clause, found := outsideCode(s, mark)
		if !found || prose.Identifiers(lead) > 2 {
			continue
		}
		words := prose.Words(clause)
		if len(words) < Least || !Balanced(clause) || !States(clause) || Subjectless(clause) || Dangles(words) || Narrates(clause) || opensClause(clause) && Dangles(words[1:]) {
			continue
		}
		return clause
	}
	return ""
}

// outsideCode cuts a sentence at the first mark that stands in no code, quotes or brackets.
func outsideCode(s, mark string) (before, after string, found bool) {
	for from := 0; ; {
		i := strings.Index(s[from:], mark)
		if i < 0 {
			return s, "", false
		}
		if i += from; Balanced(s[:i]) {
			return s[:i], s[i+len(mark):], true
		}
		from = i + len(mark)
	}
}
