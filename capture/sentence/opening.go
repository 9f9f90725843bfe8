package sentence

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Vague says how much a sentence leaves to what stands around it, although it is
// whole: lines of a file that will move, a comment by its number, a thing by
// nothing but its article, a pronoun after an opening clause.
func Vague(s string, words []string) float64 {
	v := 0.0
	if len(words) < 3 {
		return v
	}
	lower := strings.ToLower(s)
	if strings.Contains(lower, "(line ") || strings.Contains(lower, "(lines ") || placed(lower) {
		v += 0.3
	}
	switch words[0] {
	case "current": // and soon another one
		v += 0.4
	case "comment", "issue", "finding", "task", "phase", "part", "section", "point", "item", "batch":
		if len(words) > 1 && words[1][0] >= '0' && words[1][0] <= '9' {
			v += 0.25
		}
	case "the", "this":
		switch words[2] {
		case "is", "are", "was", "were", "has", "have", "had", "does", "doesn't", "also", "still", "now", "already", "itself", "should", "can", "could", "would", "will", "only", "needs", "works", "uses", "must":
			if prose.Identifiers(s) == 0 {
				v += 0.25
			}
		}
		switch words[1] {
		case "current", "existing", "new", "old", "previous", "earlier", "following", "specific", "important", "local", "given":
			if prose.Identifiers(s) == 0 {
				v += 0.2
			}
		}
	case "why", "how", "what", "where", "when":
		if !strings.Contains(s, ", ") && !strings.Contains(s, ": ") {
			v += 0.3 // names what is told elsewhere
		}
	}
	for _, p := range []string{" you're ", " you've ", " you ", " your ", " i'm ", " i've ", " i ", " my "} {
		if strings.Contains(" "+strings.Join(words, " ")+" ", p) {
			v += 0.25
			break
		}
	}
	if len(words) < 10 && evaluates(words[len(words)-1]) {
		v += 0.4
	}
	if takesUp(words) {
		v += 0.2
	}
	if Opening(words[0]) == "past" && prose.Identifiers(s) == 0 {
		v += 0.15
	}
	if before, after, found := strings.Cut(s, ", "); found {
		switch strings.ToLower(prose.FirstWord(after)) {
		case "this", "that", "these", "those":
			v += 0.5 // all that was said before
		case "it", "it's", "they":
			if prose.Identifiers(before) == 0 {
				v += 0.2
			}
		}
	}
	return v
}

// evaluates holds for a word that says how something is found, and not what it does.
func evaluates(w string) bool {
	switch w {
	case "different", "correct", "preferable", "fine", "safe", "right", "wrong", "clean", "good", "better", "best", "bad", "acceptable", "intentional", "minor", "expected", "harmless", "valid", "clear", "viable", "reasonable", "useful", "ok", "okay", "solid", "simple":
		return true
	}
	return false
}

// takesUp reports whether a sentence goes on from what others named: "restoring both",
// "the same shape", "two more commands", "this makes it slow".
func takesUp(words []string) bool {
	for i, w := range words {
		switch w {
		case "both":
			if !slices.Contains(words[i:], "and") {
				return true
			}
		case "same":
			if i > 0 && words[i-1] == "the" && !slices.Contains(words[i:], "as") && !slices.Contains(words[i:], "time") {
				return true
			}
		case "this", "these", "those", "such", "it", "they", "them":
			if i == 1 && (w != "it" || verbs()[words[0]] || Opening(words[0]) == "past") {
				return true
			}
		case "either", "neither", "too", "again", "instead":
			if i == len(words)-1 {
				return true
			}
		case "more", "other", "another", "others":
			if i == 1 && (words[0] == "the" || words[0] == "two" || words[0] == "three" || words[0] == "one") {
				return true
			}
		}
	}
	return false
}

// placed reports whether a sentence points at lines of a file: "in store.go:176-185".
func placed(s string) bool {
	for f := range strings.FieldsSeq(s) {
		file, lines, found := strings.Cut(strings.Trim(f, "`(),;:."), ":")
		if found && strings.Contains(file, ".") && lines != "" && strings.Trim(lines, "0123456789-–,:") == "" {
			return true
		}
	}
	return false
}

// Unprompted is a question without the words that tie it to what was said just before:
// "With that comparison, which one?".
func Unprompted(question string) string {
	lead, rest, found := strings.Cut(question, ", ")
	words := prose.Words(lead)
	if !found || len(words) < 2 || len(words) > 4 || len(prose.Words(rest)) < 2 {
		return question
	}
	switch words[0] {
	case "with", "given", "considering", "after", "knowing":
		switch words[1] {
		case "that", "this", "those", "these", "it":
			return prose.Sentence(rest)
		}
	}
	return question
}

// Matter returns the words of a question that its answer can stand behind: of "Which method
// do you want to use for the release?" that is "Method for the release". A question that does
// not name what it asks for, or asks what else is to be done with it, loses only its mark:
// of "Which store should we drop?" a mere "Store" would say the contrary.
func Matter(question string) string {
	bare := strings.TrimRight(question, "? ")
	first, rest, _ := strings.Cut(bare, " ")
	if f := strings.ToLower(first); f != "which" && f != "what" {
		return bare
	}
	for _, ask := range []string{" do you want ", " do you prefer", " would you like ", " would you prefer", " should we ", " should I ", " shall we ", " do we want ", " do we ", " should be "} {
		thing, more, found := strings.Cut(rest+" ", ask)
		if !found || thing == "" || len(prose.Words(thing)) > 5 {
			continue
		}
		more = strings.TrimSpace(more)
		for _, verb := range []string{"to use", "use", "to have", "used", "to see", "take", "choose", "pick", "adopt", "go with", "follow"} {
			if after, cut := strings.CutPrefix(more+" ", verb+" "); cut {
				more = strings.TrimSpace(after)
				break
			}
		}
		switch prose.FirstWord(more) {
		case "":
			return prose.Sentence(thing)
		case "for", "in", "of", "on", "when", "with", "at", "by", "as":
			return prose.Sentence(thing + " " + more)
		}
		return bare
	}
	return bare
}

// Inverted reports whether words are in the order of a question: "Should we keep it".
func Inverted(s string) bool {
	first := strings.ToLower(prose.FirstWord(s))
	switch first {
	case "which", "what", "who", "how", "why", "where", "when", "want", "any":
		return true
	}
	return auxiliary(first)
}

// Opening sorts the first word of a sentence, in lower case: pronoun, link, self, you,
// article, negation, circumstance, filler, past, gerund, code or other.
func Opening(w string) string {
	switch w {
	case "this", "that", "these", "those", "it", "it's", "they", "both", "which", "such", "there", "he", "she", "them":
		return "pronoun"
	case "so", "but", "and", "then", "also", "however", "or", "because", "since", "though", "although":
		return "link"
	case "i", "i'm", "i've", "i'd", "i'll", "we", "we're", "we've", "let", "let's", "my", "our":
		return "self"
	case "you", "your", "you'll", "you're":
		return "you"
	case "the", "a", "an":
		return "article"
	case "no", "not", "don't", "never", "none", "nothing", "without", "do", "does", "doesn't", "can't", "cannot":
		return "negation"
	case "if", "when", "while", "after", "before", "until", "once", "on", "in", "for", "with", "at", "during", "from", "as", "by":
		return "circumstance"
	case "yes", "ok", "okay", "good", "great", "perfect", "now", "here", "here's", "done", "all":
		return "filler"
	}
	switch {
	case strings.HasSuffix(w, "ed"):
		return "past"
	case strings.HasSuffix(w, "ing"):
		return "gerund"
	case w != "" && (w[0] >= '0' && w[0] <= '9' || strings.Contains(w, "_")):
		return "code"
	}
	return "other"
}
