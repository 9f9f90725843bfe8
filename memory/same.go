package memory

import (
	"slices"
	"strings"
	"unicode"
)

// Covers reports whether kept says everything that gone says, so that gone can
// be dropped as a restatement of kept. Both are one text each: title and body.
//
// Words in a bag are no proof of sameness: "times out after 30 seconds in
// production" and "times out after 90 seconds in staging" share most of theirs.
// So every number, name, identifier and quotation of gone must stand in kept, no
// word may be negated in one of them alone, and no two words that stand near each other in
// gone may stand in the opposite order in kept, as in "billing calls ledger" and
// "ledger calls billing". How many words they share is for the caller to ask (see
// [Jaccard]), and so are their types.
func Covers(kept, gone string) bool {
	k, g := StatementOf(kept), StatementOf(gone)
	return k.Covers(&g)
}

// Covers is [Covers] of two texts that were taken apart before.
func (s *Statement) Covers(gone *Statement) bool {
	if s.Denies(gone) {
		return false
	}
	for _, name := range gone.names {
		if !slices.Contains(s.names, name) && !slices.Contains(s.words, name) {
			return false
		}
	}
	return !reversed(s.words, gone.words)
}

// Opposes reports whether two texts in much the same words say different things: one
// denies what the other does not, or turns two words of it round.
func (s *Statement) Opposes(o *Statement) bool {
	return s.Denies(o) || reversed(s.words, o.words)
}

// Denies reports whether a word is negated in one of two texts alone.
func (s *Statement) Denies(o *Statement) bool {
	for word, denied := range o.denied {
		if other, ok := s.denied[word]; ok && denied != other {
			return true
		}
	}
	return false
}

// Statement holds the parts of a text that can distinguish it from another one in
// much the same words.
type Statement struct {
	words []string // content words in order, lower case
	names []string // numbers, names, identifiers and quotations, lower case
	// denied says of each content word whether it is negated wherever it stands.
	denied map[string]bool
}

const (
	reach       = 2 // how many content words a negation covers
	near        = 3 // how many words apart two words may stand for their order to count
	sentenceEnd = ""
)

// StatementOf takes a text apart for [Statement.Covers].
func StatementOf(text string) Statement {
	s := Statement{denied: map[string]bool{}}
	covered := 0 // content words that the last negation still covers
	for line := range strings.SplitSeq(text, "\n") {
		first := true // of a sentence: its capital says nothing
		// Every second piece stands in backticks.
		for i, piece := range strings.Split(line, "`") {
			for field := range strings.FieldsSeq(piece) {
				word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
				lower := strings.ToLower(word)
				switch {
				case word == "":
				case negates(lower):
					covered = reach
				case !common(lower):
					was, again := s.denied[lower]
					s.denied[lower] = covered > 0 && (was || !again)
					s.words = append(s.words, lower)
					covered--
				}
				if word != "" && (i%2 == 1 || named(word, first)) {
					s.names = append(s.names, lower)
				}
				last := field[len(field)-1]
				first = strings.IndexByte(".!?:", last) >= 0
				if first || last == ',' || last == ';' {
					covered = 0
				}
				if first {
					s.words = append(s.words, sentenceEnd)
				}
			}
		}
		s.words, covered = append(s.words, sentenceEnd), 0
	}
	return s
}

// named reports whether a word is a number, a name or an identifier: it has a
// digit, a capital that does not only begin a sentence, or a character that
// words of prose do not have inside them.
func named(word string, first bool) bool {
	for i, r := range word {
		switch {
		case unicode.IsDigit(r), strings.ContainsRune("_./:@=+#$\\", r):
			return true
		case unicode.IsUpper(r) && (i > 0 || !first) && word != "I":
			return true
		}
	}
	return false
}

// negates reports whether a word turns a statement into its opposite.
func negates(word string) bool {
	switch word {
	case "not", "no", "never", "none", "neither", "nor", "without", "cannot", "nothing", "nobody",
		"nicht", "kein", "keine", "nie", "ne", "pas", "jamais", "nunca", "sin":
		return true
	}
	return strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t")
}

// reversed reports whether two words that stand near each other in a sentence of
// b stand near each other in one of a too, in the opposite order alone.
func reversed(a, b []string) bool {
	for i, x := range b {
		for _, y := range behind(b, i) {
			if x != y && precedes(a, y, x) && !precedes(a, x, y) && !precedes(b, y, x) {
				return true
			}
		}
	}
	return false
}

// precedes reports whether y stands near behind x somewhere in words.
func precedes(words []string, x, y string) bool {
	for i, word := range words {
		if word == x && slices.Contains(behind(words, i), y) {
			return true
		}
	}
	return false
}

// behind returns the words that follow word i in its sentence, at most near of them.
func behind(words []string, i int) []string {
	if words[i] == sentenceEnd {
		return nil
	}
	after := words[i+1 : min(i+1+near, len(words))]
	if end := slices.Index(after, sentenceEnd); end >= 0 {
		after = after[:end]
	}
	return after
}
