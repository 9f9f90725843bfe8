// Package sentence says of a single sentence whether it can stand alone, and makes it
// shorter where it is too long.
//
// Call [States] and [Dangles] to learn what a sentence lacks, [Bare] to take off the
// words with which it hangs on the one before it, and [Shortened] for what of it
// fits into a title. It promises: what comes out is a whole sentence, or the
// beginning of one that is whole itself, never cut in a clause; and it is
// English that is understood, anything else is left as it is.
package sentence

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Bounds of a sentence that can be a title, in words.
const (
	Least = 5
	Few   = 4 // with an identifier among them
)

// Unnumbered drops what numbers a line: "1. ", "U3. ", "KTD2: ".
func Unnumbered(s string) string {
	first, rest, found := strings.Cut(s, " ")
	if !found || len(first) > 6 || len(first) < 2 || !strings.ContainsAny(first, "0123456789") || strings.IndexByte(".:)", first[len(first)-1]) < 0 {
		return s
	}
	if strings.Trim(first, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:)") != "" {
		return s
	}
	return rest
}

// Bare drops the words with which a sentence hangs on the one before it.
func Bare(s string) string {
	s = strings.TrimLeft(s, "→➜➡▶►✓✔✅☑• \ufe0f")
	for {
		if rest, found := unlabelled(s); found {
			s = rest
			continue
		}
		first, rest, found := strings.Cut(s, " ")
		if !found {
			return s
		}
		if lead, main, found := strings.Cut(s, ", "); found && refersBack(lead) && States(main) && !Dangles(prose.Words(main)) {
			s = main
			continue
		}
		if seen, ok := strings.CutPrefix(s, "I see "); ok {
			if seen = strings.TrimPrefix(seen, "that "); States(seen) && !Dangles(prose.Words(seen)) {
				s = seen
				continue
			}
		}
		switch strings.ToLower(strings.TrimRight(first, ",:—-")) {
		case "yes", "no", "right", "correct":
			if strings.HasSuffix(first, ",") || strings.HasPrefix(rest, "—") || strings.HasPrefix(rest, "–") {
				s = strings.TrimLeft(rest, " ,—–-")
				continue
			}
		case "so", "but", "and", "also", "however", "then", "ok", "okay", "actually", "instead", "therefore", "additionally",
			"furthermore", "now", "indeed", "wait", "hmm", "oh", "well", "exactly", "good", "great", "perfect", "finally", "hence", "thus", "still", "plus":
			s = strings.TrimLeft(rest, " ,—-")
			continue
		}
		return s
	}
}

// refersBack holds for a circumstance that was told before: "in this case".
func refersBack(lead string) bool {
	lead = strings.ToLower(lead)
	if strings.HasPrefix(lead, "looking at ") {
		return true
	}
	switch lead {
	case "for comparison", "for reference", "for context", "notably", "importantly", "specifically", "in particular", "in fact", "that said", "on closer look",
		"in this case", "in that case", "in this scenario", "in such a case", "as a result", "because of this", "because of that", "for this reason", "given that", "with that", "with this", "in both cases", "to be clear", "in other words", "in short", "in practice", "for example", "you're right", "good catch", "good point", "that's right", "fair point":
		return true
	}
	return false
}

// announcedLimit is how long a label is, in bytes, that only announces.
const announcedLimit = 40

// unlabelled drops what only announces a sentence, or numbers it: "Note: ", "The bug is that ",
// "Comment 2 — ".
func unlabelled(s string) (rest string, found bool) {
	for _, mark := range []string{": ", " — ", " – ", " - "} {
		label, rest, found := strings.Cut(s, mark)
		if found && len(label) < announcedLimit && (Announced(label) || numbered(label)) {
			return rest, true
		}
	}
	for _, mark := range []string{" is that ", " was that "} {
		if label, rest, found := strings.Cut(s, mark); found && len(label) < announcedLimit && Announced(label) {
			return rest, true
		}
	}
	if label, rest, found := strings.Cut(s, " is "); found && len(label) < announcedLimit && !strings.HasPrefix(label, "One ") && Announced(label) && States(rest) && !Dangles(prose.Words(rest)) && !Subjectless(rest) {
		return rest, true
	}
	return s, false
}

// numbered holds for a label that is one of a row: "Comment 2", "PR #31", "Thread 4:".
func numbered(label string) bool {
	label, _, _ = strings.Cut(label, " (")
	kind, number, found := strings.Cut(strings.ToLower(label), " ")
	if !found || strings.Trim(number, "#0123456789.") != "" || number == "" {
		return false
	}
	switch kind {
	case "comment", "thread", "finding", "issue", "item", "point", "pr", "nit", "scenario", "case", "question", "note", "reason":
		return true
	}
	return false
}

// Announced holds for a label that says no more than that something follows. One that says
// how sure that is, as "Likely cause" or "Risk", says more.
func Announced(label string) bool {
	label = strings.TrimPrefix(strings.ToLower(strings.Trim(label, "*_ ")), "the ")
	if strings.HasPrefix(label, "one ") { // "One thing to be aware of", "One more nuance"
		return !States(label) || strings.HasSuffix(label, " of")
	}
	if first, rest, found := strings.Cut(label, " "); found && first == "mostly" && (strings.HasPrefix(rest, "yes") || strings.HasPrefix(rest, "no")) || strings.HasPrefix(label, "to answer ") {
		return true
	}
	if n := len(strings.Fields(label)); n < 5 && (strings.HasSuffix(label, " right") || strings.HasSuffix(label, " correct")) {
		return true // "You're right", "The reviewer was right"
	}
	switch label {
	case "note", "important", "verified", "confirmed", "remember", "caveat", "notable", "conclusion", "approach", "summary", "insight", "fact",
		"found it", "key insight", "key point", "key finding", "important distinction", "important note", "one caveat", "one note", "side note", "good news", "bad news",
		"heads up", "bottom line", "in short", "worth noting", "tl;dr", "critical", "minor", "update", "main point", "main risk", "catch", "short answer", "quick answer",
		"problem", "issue", "bug", "cause", "root cause", "reason", "context", "scenario", "impact", "effect", "consequence", "trigger", "symptom", "issues", "observation", "background",
		"gap", "downside", "upside", "drawback", "trade-off", "tradeoff", "nit", "required", "notes", "reminder", "warning", "limitation", "lesson", "takeaway", "point",
		"important part", "real issue", "real problem", "actual issue", "actual problem", "side-effect check", "side effect", "side note on this", "result", "current state", "current behavior", "current behaviour",
		"what changed", "what i changed", "what was changed", "changes", "changes made":
		return true
	}
	return false
}

// Dangles holds for a sentence whose subject stands in another one.
func Dangles(words []string) bool {
	if len(words) < 2 {
		return true
	}
	switch words[0] {
	case "this", "that", "that's", "these", "those", "it", "it's", "it'll", "its", "they", "they're", "them", "their", "both", "he", "she", "such", "which", "here", "there", "otherwise", "because",
		"same", "neither", "either", "others":
		return true
	case "why", "how", "what", "when", "where", "if", "while", "as":
		switch words[1] {
		case "this", "that", "it", "these", "those", "they":
			return len(words) < 8
		}
	case "the":
		if (words[1] == "first" || words[1] == "second") && len(words) > 2 && !auxiliary(words[2]) {
			return false
		}
		switch words[1] {
		case "fix", "issue", "problem", "error", "change", "changes", "solution", "bug", "reason", "cause", "key", "root", "result", "approach", "only", "same", "other", "first", "second", "main", "latter", "former", "difference", "point", "question", "answer", "failure", "rest":
			if len(words) > 2 && complements(words[2]) {
				return false
			}
			return len(words) < 12
		}
	case "line", "lines", "step", "option":
		return len(words) > 1 && words[1] != "" && words[1][0] >= '0' && words[1][0] <= '9'
	}
	return false
}

// whole reports whether the beginning of a sentence can stand alone: it is long
// enough, closes what it opens, and has its main clause.
func whole(s string) bool {
	words := prose.Words(s)
	if len(words) < Least || len(words) == Least && prose.Identifiers(s) == 0 || !Balanced(s) {
		return false
	}
	clause := s
	if label, rest, found := strings.Cut(s, ": "); found && len(strings.Fields(label)) <= 4 {
		clause = rest
	}
	if opensClause(clause) {
		last := strings.LastIndex(clause, ", ")
		return last > 0 && !opensClause(clause[last+2:])
	}
	return !Unfinished(words)
}

// Circumstance holds for words such as "Before the first release", for which a main clause
// would have to follow.
func Circumstance(s string) bool {
	if _, main, found := strings.Cut(s, ", "); found && opensClause(s) && len(prose.Words(main)) < 3 {
		return true
	}
	return opensClause(s) && !strings.Contains(s, ", ") && !strings.Contains(s, ": ") && !strings.Contains(s, " — ") && !strings.Contains(s, " - ")
}

// opensClause reports whether words begin with a circumstance, for which a main
// clause has to follow.
func opensClause(s string) bool {
	switch strings.ToLower(strings.TrimRight(prose.FirstWord(s), ",")) {
	case "if", "when", "after", "before", "since", "because", "while", "once", "although", "though", "until", "unless", "as", "given", "for", "in", "with", "even", "whenever", "where", "without", "instead":
		return true
	}
	return false
}

// complements reports whether a word behind a noun says which one is meant: "the reason to",
// "the cause of".
func complements(w string) bool {
	switch w {
	case "of", "to", "with", "for", "between", "why":
		return true
	}
	return false
}

// Balanced reports whether quotes and brackets that are opened are closed.
func Balanced(s string) bool {
	return strings.Count(s, "`")%2 == 0 && strings.Count(s, `"`)%2 == 0 && strings.Count(s, "“") == strings.Count(s, "”") && strings.Count(s, "(") == strings.Count(s, ")")
}

// Labelled holds for lines such as "File: a.go" that say where or what something
// is, and nothing about it.
func Labelled(s string) bool {
	label, _, found := strings.Cut(s, ":")
	if !found || len(label) > 24 {
		return false
	}
	switch strings.TrimPrefix(strings.ToLower(strings.Trim(label, "*_ ")), "code ") {
	case "file", "files", "modify", "create", "created", "location", "commit", "pushed commit", "branch", "run", "area", "severity", "priority", "status", "workflow run",
		"pr", "test", "tests", "step", "goal", "progress", "report written to", "written to", "saved to", "updated", "deleted", "renamed", "version", "requirements", "dependencies", "test scenarios", "verification", "expected", "lines", "url", "result":
		return true
	}
	return false
}

// Unfinished holds for words that break off.
func Unfinished(words []string) bool {
	switch words[len(words)-1] {
	case "the", "a", "an", "of", "to", "for", "and", "or", "with", "by", "is", "are", "not", "that", "this", "which", "when", "where", "if", "because", "from", "into", "uses",
		"using", "as", "but", "covering", "precisely", "exactly", "only", "just", "mainly", "than", "then", "these", "following", "like":
		return true
	}
	return false
}

// Values holds for "name: 10.13.1" and for a place in a file of somebody's disk.
func Values(s string) bool {
	_, value, found := strings.Cut(s, ": ")
	if found && value != "" && strings.Trim(value, "v0123456789.,-%/ ") == "" {
		return true
	}
	return s[0] == '/' && strings.Count(prose.FirstWord(s), "/") > 2
}
