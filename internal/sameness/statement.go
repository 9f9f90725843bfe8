package sameness

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
	missing := func(name string) bool { return !slices.Contains(s.names, name) && !slices.Contains(s.words, name) }
	return !s.Denies(gone) && !slices.ContainsFunc(gone.names, missing) && !reversed(s.words, gone.words)
}

// Opposes reports whether two texts about the same say different things: one denies what
// the other does not. What stands in contrast to something, as in "tabs, not spaces", is
// named beside it and not denied, and so is a condition: "Without root it fails" is what
// "It needs root" says, and not "With root it fails".
func (s *Statement) Opposes(o *Statement) bool {
	return s.differs(o, func(word string) bool { return !s.contrasts[word] && !o.contrasts[word] })
}

// Reverses reports whether two texts in nearly the same words turn two of them round, as
// in "billing calls ledger" and "ledger calls billing".
func (s *Statement) Reverses(o *Statement) bool { return reversed(s.words, o.words) }

// Denies reports whether a word is negated in one of two texts alone.
func (s *Statement) Denies(o *Statement) bool {
	return s.differs(o, func(string) bool { return true })
}

// differs reports whether a word that counts is negated in one of two texts alone.
func (s *Statement) differs(o *Statement, counts func(string) bool) bool {
	for word, denied := range o.denied {
		if other, ok := s.denied[word]; ok && denied != other && counts(word) {
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
	// denied says of each content word whether it is negated wherever it stands, and behind
	// "with " whether a text says "without" of one.
	denied    map[string]bool
	contrasts map[string]bool // those behind ", not", and behind a "without" that begins a sentence
}

const (
	reach       = 2 // how many content words a negation covers
	near        = 3 // how many words apart two words may stand for their order to count
	sentenceEnd = ""
)

// StatementOf takes a text apart for [Statement.Covers].
func StatementOf(text string) Statement {
	r := reader{Statement: Statement{denied: map[string]bool{}, contrasts: map[string]bool{}}}
	for line := range strings.SplitSeq(text, "\n") {
		r.begins = true
		for i, piece := range strings.Split(line, "`") {
			quoted := i%2 == 1 // every second piece stands in backticks
			for field := range strings.FieldsSeq(piece) {
				r.field(field, quoted)
			}
		}
		r.endSentence()
	}
	return r.Statement
}

// reader takes a text apart word by word.
type reader struct {
	Statement
	begins   bool   // a sentence begins: the capital of its first word says nothing
	covered  int    // how many content words the last negation still covers
	comma    bool   // the word before ended with one
	contrast bool   // the last negation stood behind one, or begins a condition: "Without root it fails"
	prefix   string // "with ", where that or "without" speaks of the next content word; else "" or a negation
}

// field reads what stands between two spaces.
func (r *reader) field(field string, quoted bool) {
	word := strings.TrimFunc(field, isBetweenWords)
	if word != "" {
		r.word(word, quoted)
	}
	r.begins = false
	r.comma = strings.HasSuffix(field, ",")
	switch field[len(field)-1] {
	case '.', '!', '?', ':':
		r.endSentence()
		r.begins = true
	case ',', ';':
		r.covered = 0
	}
}

func (r *reader) word(word string, quoted bool) {
	lower := strings.ToLower(word)
	if quoted || named(word, r.begins) {
		r.names = append(r.names, lower)
	}
	r.says(lower)
}

// says takes in what a word says, in lower case, whether it is a name or not.
func (r *reader) says(lower string) {
	switch {
	case negates(lower):
		r.negate(lower)
	case lower == "with":
		r.prefix = "with "
	case !common(lower):
		r.content(lower)
	}
}

// negate takes in a negation. A "without" that begins a sentence begins a condition.
func (r *reader) negate(word string) {
	condition := r.begins && word == "without"
	r.prefix = strings.TrimSuffix(word, "out") + " "
	r.contrast = r.comma || condition
	r.covered = reach
}

// content adds a content word.
func (r *reader) content(word string) {
	was, again := r.denied[word]
	r.denied[r.prefix+word] = r.covered > 0
	r.denied[word] = r.covered > 0 && (was || !again)
	r.contrasts[word] = r.covered > 0 && r.contrast
	r.words = append(r.words, word)
	r.prefix = ""
	r.covered--
}

func (r *reader) endSentence() {
	r.words, r.covered, r.prefix = append(r.words, sentenceEnd), 0, ""
}

// named reports whether a word is a number, a name or an identifier: it has a
// digit, a capital that does not only begin a sentence, or a character that
// words of prose do not have inside them.
func named(word string, first bool) bool {
	if strings.ContainsFunc(word, unicode.IsDigit) || strings.ContainsAny(word, "_./:@=+#$\\") {
		return true
	}
	if word == "I" {
		return false
	}
	if first {
		_, size := utf8.DecodeRuneInString(word)
		word = word[size:]
	}
	return strings.ContainsFunc(word, unicode.IsUpper)
}

// negates reports whether a word turns a statement into its opposite.
func negates(word string) bool {
	switch word {
	case "not", "no", "never", "none", "neither", "nor", "without", "cannot", "nothing", "nobody",
		"nicht", "kein", "keine", "nie", "ne", "pas", "jamais", "nunca", "sin":
		return true
	}
	return strings.HasSuffix(strings.ReplaceAll(word, "’", "'"), "n't")
}

// reversed reports whether two words that stand near each other in a sentence of
// b stand near each other in one of a too, in the opposite order alone.
func reversed(a, b []string) bool {
	for x, y := range neighbours(b) {
		if onlyBefore(b, x, y) && onlyBefore(a, y, x) {
			return true
		}
	}
	return false
}

// neighbours are the pairs of words that stand near each other in a sentence, in their order.
func neighbours(words []string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for i, x := range words {
			for _, y := range behind(words, i) {
				if !yield(x, y) {
					return
				}
			}
		}
	}
}

// onlyBefore reports whether y stands near behind x somewhere, and nowhere before it.
func onlyBefore(words []string, x, y string) bool {
	return precedes(words, x, y) && !precedes(words, y, x)
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
