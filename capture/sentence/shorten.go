package sentence

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/memory"
)

// Shortened gives a sentence in at most limit bytes by leaving out what stands in
// brackets and what is added at its end: clauses, else another statement, else one more
// circumstance. It is "" when that does not do.
func Shortened(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = withoutBrackets(s)
	if len(s) <= limit {
		if len(prose.Words(s)) < Few {
			return ""
		}
		return s
	}
	if s = withoutPlaces(s); len(s) <= limit {
		return s
	}
	for _, ends := range []func(s string, at int) bool{clauseEnds, statementEnds, tailBegins} {
		for cut := limit; cut > 0; cut-- {
			if s[cut] == ' ' || s[cut] == ',' || s[cut] == ';' || s[cut] == '.' {
				if ends(s, cut) {
					return strings.TrimRight(s[:cut], " ,;:—–-")
				}
			}
		}
	}
	return ""
}

// withoutPlaces drops the files in which something is: " in `gauge.go`".
func withoutPlaces(s string) string {
	for _, word := range []string{" functions in `", " function in `", " method in `", " in `"} {
		before, after, found := strings.Cut(s, word)
		file, rest, closed := strings.Cut(after, "`")
		if name, ext, dotted := strings.Cut(file, "."); found && closed && dotted && name != "" && len(ext) < 5 && before != "" && !strings.ContainsAny(file, " ()") {
			return before + rest
		}
	}
	return s
}

// clauseEnds reports whether s[:at] is a sentence, and what follows a clause of its own.
func clauseEnds(s string, at int) bool { return boundary(s, at) && whole(s[:at]) }

// statementEnds reports whether s[:at] is a statement to which the rest adds another one. A
// list is not cut, nor a concession that the rest takes back.
func statementEnds(s string, at int) bool {
	head := s[:at]
	after, found := strings.CutPrefix(s[at:], ", ")
	if !found {
		after, found = strings.CutPrefix(s[at:], " but ")
		after = "but " + after
	}
	if !found || strings.HasSuffix(s, "?") || strings.Contains(head, ", ") || !whole(head) || !States(head) || opensClause(head) || Dangles(prose.Words(head)) {
		return false
	}
	switch strings.ToLower(prose.FirstWord(after)) {
	case "not", "except", "unless", "only", "if", "when", "and", "or", "nor", "until", "without", "provided", "instead":
		return false
	case "but", "yet", "though", "although":
		said := " " + strings.Join(prose.Words(head), " ") + " "
		return !slices.ContainsFunc([]string{" would ", " could ", " might ", " may ", " fine ", " okay ", " works ", " agree ", " right ", " you ", " i ", " probably ", " seems "}, func(w string) bool { return strings.Contains(said, w) })
	}
	return !strings.Contains(after, " and ") && !strings.Contains(after, ", ")
}

// tailLeast is how long a sentence is, in bytes, that a circumstance is left out of.
const tailLeast = 40

// tailBegins reports whether s[:at] is a statement whose object stands at its end, and the
// rest tells what else was done, or in which circumstance.
func tailBegins(s string, at int) bool {
	if at < tailLeast || strings.HasSuffix(s, "?") {
		return false
	}
	rest := s[at:]
	if next, found := strings.CutPrefix(rest, " and "); found {
		if w := strings.ToLower(prose.FirstWord(next)); !strings.HasSuffix(w, "ly") && !auxiliary(w) && !verbal(w) {
			return false
		}
	} else if !slices.ContainsFunc([]string{" during ", " via ", " using ", " through ", " for ", " so "}, func(p string) bool { return strings.HasPrefix(rest, p) }) {
		return false
	}
	head := s[:at]
	return named(head) && whole(head) && States(head) && !denies(head)
}

// denies reports whether words deny or forbid something, which would be more without the
// circumstance in which they do.
func denies(s string) bool {
	return slices.ContainsFunc(prose.Words(s), func(w string) bool {
		return strings.HasSuffix(w, "n't") || slices.Contains([]string{"never", "not", "no", "cannot", "without", "only", "avoid"}, w)
	})
}

// named reports whether words end with a name or a noun in the plural, as far as that
// shows.
func named(s string) bool {
	w := strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:])
	return strings.HasSuffix(w, "`") || plural(w) && !verbal(w)
}

// verbal reports whether a word is a form of a verb.
func verbal(w string) bool {
	return verbs()[w] || verbs()[strings.TrimSuffix(w, "s")] || verbs()[strings.TrimSuffix(w, "es")] || strings.HasSuffix(w, "ies") && verbs()[strings.TrimSuffix(w, "ies")+"y"]
}

// boundary reports whether a clause ends before s[at].
func boundary(s string, at int) bool {
	rest := s[at:]
	for _, mark := range []string{" — ", " – ", "; ", " - ", " -> ", " → ", " because ", " since ", " so that ", " which means ", ". "} {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	after, found := strings.CutPrefix(rest, ", ")
	if !found {
		return false
	}
	if strings.HasSuffix(strings.TrimRight(after, "."), "ly") && !strings.Contains(after, " ") {
		return true // ", literally."
	}
	if participle(after) && !strings.Contains(after, ", and ") && !strings.Contains(after, ", or ") {
		return true // ", risking a loss"
	}
	switch strings.ToLower(strings.TrimRight(prose.FirstWord(after), ",")) {
	case "which", "so", "because", "since", "while", "where", "including", "making", "leaving", "causing", "allowing", "even", "then", "as",
		"e.g.", "i.e.", "such", "meaning", "regardless", "thus", "using":
		return true // what follows takes nothing back, as "but" would
	case "and", "or":
		return !strings.Contains(s[:at], ", ")
	}
	return false
}

// participle reports whether words open with a verb in -ing that goes on, and not with one of
// several nouns: "caching and logging".
func participle(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	switch prose.FirstWord(rest) {
	case "and", "or":
		return false
	}
	return len(first) > 5 && strings.HasSuffix(first, "ing") && !strings.HasSuffix(first, "thing")
}

// withoutBrackets drops what stands in round brackets after a space.
func withoutBrackets(s string) string {
	var b strings.Builder
	depth, code := 0, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '`' && depth == 0:
			code = !code
		case code:
		case c == '(' && (depth > 0 || i > 0 && s[i-1] == ' '):
			depth++
			continue
		case c == ')' && depth > 0:
			depth--
			continue
		}
		if depth == 0 {
			b.WriteByte(c)
		}
	}
	out := memory.OneLine(b.String())
	out = strings.NewReplacer(" ,", ",", " . ", ". ", " ;", ";", " :", ":").Replace(out)
	if rest, found := strings.CutSuffix(out, " ."); found {
		return rest + "."
	}
	return out
}
