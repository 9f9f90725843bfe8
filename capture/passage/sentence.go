package passage

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// Bounds of a sentence that can be a title, in words.
const (
	Least = 5
	Few   = 4 // with an identifier among them
)

// Opening sorts the first word of a sentence, in lower case: pronoun, link, self, you,
// article, negation, circumstance, filler, past, gerund, code or other.
func Opening(w string) string {
	for _, class := range []string{"pronoun", "link", "self", "you", "article", "negation", "circumstance", "filler"} {
		if is(class, w) {
			return class
		}
	}
	switch {
	case strings.HasSuffix(w, "ed"):
		return "past"
	case strings.HasSuffix(w, "ing"):
		return "gerund"
	case strings.ContainsAny(w[:min(1, len(w))], "0123456789") || strings.Contains(w, "_"):
		return "code"
	}
	return "other"
}

// Unnumbered drops what numbers a line: "1. ", "U3. ", "KTD2: ".
func Unnumbered(s string) string {
	const longest = 6
	first, rest, found := strings.Cut(s, " ")
	number, marked := strings.CutSuffix(first, first[max(0, len(first)-1):])
	if !found || !marked || len(first) > longest || !strings.ContainsAny(number, "0123456789") || !strings.ContainsAny(first[len(number):], ".:)") {
		return s
	}
	if strings.Trim(number, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.") != "" {
		return s
	}
	return rest
}

// Bare drops the words with which a sentence hangs on the one before it.
func Bare(s string) string {
	s = strings.TrimLeft(s, "→➜➡▶►✓✔✅☑• \ufe0f")
	for {
		rest := withoutOpening(s)
		if rest == s {
			return s
		}
		s = rest
	}
}

// withoutOpening drops one label, one circumstance that was told before, or one word that
// leads over.
func withoutOpening(s string) string {
	if label, rest := labelled(s); announces(label) {
		return rest
	}
	if n := lexicon().Begins("leads in", prose.Words(prose.Clip(s, 60))); n > 0 && wordCount(s) > n {
		return strings.Join(strings.Fields(s)[n:], " ")
	}
	if lead, rest, found := strings.Cut(s, ", "); found && is("refers back", strings.ToLower(lead)) {
		return rest
	}
	first, rest, found := strings.Cut(s, " ")
	word := strings.ToLower(strings.TrimRight(first, ",.:—-"))
	answers := is("reply", word) && (strings.Trim(first, ",.") != first || strings.HasPrefix(rest, "—"))
	if !found || !answers && !is("connector", word) {
		return s
	}
	return strings.TrimLeft(rest, " ,–—-")
}

// labelLimit is how long a label is at most, in bytes.
const labelLimit = 40

// labelled splits a sentence at the first mark behind a short label.
func labelled(s string) (label, rest string) {
	for _, mark := range []string{": ", " — ", " – ", " - ", " is that ", " was that "} {
		if label, rest, found := strings.Cut(s, mark); found && len(label) < labelLimit {
			return label, rest
		}
	}
	return "", s
}

// announces reports whether a label says no more than that something follows, or numbers it:
// "Note", "Comment 2".
func announces(label string) bool {
	label = strings.TrimPrefix(strings.ToLower(strings.Trim(label, "*_ ")), "the ")
	kind, number := prose.FirstWord(label), secondWord(label)
	if number != "" && strings.Trim(number, "#0123456789.") == "" {
		return is("numbered", kind)
	}
	return is("label", label) || kind == "one" && !States(label)
}

// secondWord gives the text between the first space and the second.
func secondWord(s string) string {
	_, rest, _ := strings.Cut(s, " ")
	return prose.FirstWord(rest)
}

// Field reports whether a line such as "File: a.go" says where or what something is, and
// nothing about it.
func Field(s string) bool {
	label, value, found := strings.Cut(s, ":")
	if !found {
		return false
	}
	if value = strings.TrimSpace(value); value != "" && strings.Trim(value, "v0123456789.,-%/ ") == "" {
		return true // "name: 10.13.1"
	}
	return is("field", strings.ToLower(strings.Trim(label, "*_- ")))
}

// Dangles reports whether the subject of a sentence stands in another one.
func Dangles(words []string) bool {
	n := lexicon().Begins("dangles", words)
	switch {
	case len(words) < 2:
		return true
	case n == 2 && len(words) > n:
		return len(words) < 12 && !is("complement", words[n])
	}
	return n > 0
}

// whole reports whether the beginning of a sentence can stand alone: it is long
// enough, closes what it opens, and has its main clause.
func whole(s string) bool {
	words := prose.Words(s)
	if len(words) < Least || len(words) == Least && prose.Identifiers(s) == 0 || !Balanced(s) {
		return false
	}
	if label, rest, found := strings.Cut(s, ": "); found && wordCount(label) <= Few {
		s = rest
	}
	if is("clause", opener(s)) {
		last := strings.LastIndex(s, ", ")
		return last > 0 && !is("clause", opener(s[last+2:]))
	}
	return !ends("unfinished", words)
}

// Circumstance reports whether words such as "Before the first release" want a main clause.
func Circumstance(s string) bool {
	if !is("clause", opener(s)) {
		return false
	}
	_, main, found := strings.Cut(s, ", ")
	return !found && !strings.ContainsAny(s, ":—") || found && len(prose.Words(main)) < 3
}

// Balanced reports whether quotes and brackets that are opened are closed.
func Balanced(s string) bool {
	even := strings.Count(s, "`")%2 == 0 && strings.Count(s, `"`)%2 == 0
	return even && strings.Count(s, "“") == strings.Count(s, "”") && strings.Count(s, "(") == strings.Count(s, ")")
}

// States reports whether a sentence states something: it has a verb that says what
// its subject is or does, or it begins with one, as an order. "File existence checks
// (`os.Stat()`)" and "New SDK initialization" do not. What stands in brackets
// does not count.
func States(s string) bool {
	words := prose.Words(strings.ReplaceAll(withoutBrackets(s), "`", ""))
	if len(words) > 0 && is("verb", words[0]) {
		return true
	}
	for i, w := range words {
		if is("auxiliary", w) || i > 0 && i < len(words)-1 && isPredicate(words[i-1], w, words[i+1]) {
			return true
		}
	}
	return false
}

// isPredicate reports whether a word inside a sentence is its verb: in the third person, or
// before an article.
func isPredicate(before, w, after string) bool {
	if is("determiner", before) {
		return false
	}
	return thirdPerson(w) || is("determiner", after) && (is("verb", w) || len(w) > 3 && isPlural(w)) || is("verb", w) && isPlural(before)
}

// isPlural reports whether a word ends as a noun in the plural does.
func isPlural(w string) bool { return strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") }

// thirdPerson reports whether a word is a verb in the third person.
func thirdPerson(w string) bool {
	for _, ending := range [][2]string{{"s", ""}, {"es", ""}, {"ies", "y"}} {
		if stem, found := strings.CutSuffix(w, ending[0]); found && is("verb", stem+ending[1]) {
			return true
		}
	}
	return false
}

// Subjectless reports whether a sentence begins with its verb where nobody is told to do
// something: "Does not call the hook", "Should block at once", "Uses `TOKEN` for it", "To
// accept a key and return it". What it speaks of stands above it.
func Subjectless(s string) bool {
	first, second := opener(s), strings.ToLower(secondWord(s))
	switch {
	case second == "":
		return false
	case is("adverb", first):
		_, rest, _ := strings.Cut(s, " ")
		return Subjectless(rest)
	case first == "to":
		return !strings.Contains(s, ", ")
	case is("opens no order", first):
		return !strings.HasSuffix(s, "?")
	}
	return thirdPerson(first) && !is("auxiliary", second) && !is("verb", second) && !is("joins", second)
}

// Orders reports whether a sentence begins with the plain form of a verb, as an order
// or a step of a plan does.
func Orders(s string) bool {
	words := prose.Words(prose.Clip(Unnumbered(strings.TrimLeft(s, "-*• ")), 80))
	return len(words) > 1 && is("verb", words[0])
}

// Narrates reports whether words tell how their writer went about the work, or how sure they
// are: "I verified it in the source", "Confirmed again". What they found stands elsewhere.
func Narrates(words []string) bool {
	if begins("narrates", words) {
		return true
	}
	return len(words) > 1 && strings.HasPrefix(words[0], "i") && is("self", words[0]) && !explains(words)
}

// Deed reports whether a sentence or an item says that something was done, and no more: no
// reason, no limit, no trap. The history of the repository says it better.
func Deed(s string) bool {
	s = Bare(s)
	if label, rest := labelled(s); wordCount(label) <= Few { // the file or the part that it is about
		s = rest
	}
	words := lexicon().Without("before done", prose.Words(prose.Clip(s, 240)))
	if len(words) == 0 || explains(words) {
		return false
	}
	return isDone(words[0]) || in("status", words)
}

// isDone reports whether a word says that something was done.
func isDone(w string) bool {
	return is("done", w) || len(w) > 4 && strings.HasSuffix(w, "ed") && !is("not done", w)
}

// Shortened gives a sentence in at most limit bytes by leaving out what stands in
// brackets and the clauses that are added at its end. It is "" when that does not do.
func Shortened(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = withoutBrackets(s)
	if len(s) <= limit && wordCount(s) >= Few {
		return s
	}
	for cut := min(limit, len(s)-1); cut > 0; cut-- {
		if strings.IndexByte(" ,;.", s[cut]) >= 0 && clauseEnds(s, cut) {
			return strings.TrimRight(s[:cut], " ,;:—–-")
		}
	}
	return ""
}

// clauseEnds reports whether s[:at] can stand alone, and what follows takes nothing of it back.
func clauseEnds(s string, at int) bool {
	head, rest := s[:at], strings.TrimSpace(s[at:])
	words := prose.Words(prose.Clip(rest, 40))
	if !whole(head) {
		return false
	}
	switch {
	case begins("restricts", words):
		return begins("contrast", words) && !in("concedes", prose.Words(head)) && statesOnce(head)
	case strings.HasPrefix(rest, ","):
		return begins("clause after comma", words) || statesOnce(head) && !inList(rest) && !strings.HasSuffix(s, "?")
	case begins("circumstance after", words):
		return len(head) >= tailLeast && endsInName(head) && statesOnce(head) && !in("denies", prose.Words(head))
	}
	return strings.HasPrefix(rest, ". ") || isMark(prose.FirstWord(rest)) || begins("clause mark", words)
}

// inList reports whether a comma parts the members of a list.
func inList(rest string) bool {
	first, more, _ := strings.Cut(strings.TrimLeft(rest, ", "), " ")
	return first != "and" && strings.Contains(more, "and ")
}

// tailLeast is how long a sentence is, in bytes, that a circumstance is left out of.
const tailLeast = 40

// isMark reports whether a text begins with a mark behind which another clause stands.
func isMark(s string) bool {
	return strings.HasPrefix(s, ";") || strings.Trim(s, "—–→->") == ""
}

// statesOnce reports whether words are a statement in one clause.
func statesOnce(s string) bool {
	return States(s) && !strings.Contains(s, ", ") && !is("clause", opener(s)) && !Dangles(prose.Words(s))
}

// endsInName reports whether words end with a name or a noun in the plural, as far as that
// shows.
func endsInName(s string) bool {
	last := strings.ToLower(s[strings.LastIndexByte(s, ' ')+1:])
	return strings.HasSuffix(last, "`") || isPlural(last) && !thirdPerson(last)
}

// withoutBrackets drops what stands in round brackets after a space, outside of code.
func withoutBrackets(s string) string {
	var b strings.Builder
	for i, part := range strings.Split(s, "`") {
		if i%2 == 1 {
			part = "`" + strings.NewReplacer("(", "\x00", ")", "\x01").Replace(part) + "`"
		}
		b.WriteString(part)
	}
	out := b.String()
	for {
		from := strings.LastIndex(out, " (")
		if from < 0 {
			break
		}
		n := strings.IndexByte(out[from:], ')')
		if n < 0 {
			break
		}
		out = out[:from] + out[from+n+1:]
	}
	return strings.TrimSpace(strings.NewReplacer("\x00", "(", "\x01", ")").Replace(out))
}

// Chooses reports whether a sentence tells of a choice: what its writer took, and over what.
func Chooses(s string) bool {
	words := prose.Words(s)
	return in("chose", words) && in("over", words)
}

// GivesReason reports whether a sentence says why.
func GivesReason(s string) bool { return in("reason", prose.Words(s)) }

// Choice is the sentence in which the agent tells of a choice in full: what it took, over
// what, and why, as in "I chose SQLite over PostgreSQL because zero-config is critical". It
// is "" for a passage without one, and where the words are not the agent's own.
func (p *Passage) Choice() string {
	if p.Place != Middle && !p.Place.Closing() {
		return ""
	}
	for _, s := range p.sentences() {
		if Chooses(s) && GivesReason(s) {
			return Shortened(strings.TrimSuffix(s, "."), TitleLimit)
		}
	}
	return ""
}
