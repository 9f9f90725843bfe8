package passage

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// Bounds of a sentence that can be a title, in words.
const (
	Least = 5
	Few   = 4 // with an identifier among them
)

// Opening sorts the first word of a sentence, in lower case: pronoun, link, self, you,
// article, negation, circumstance, filler, past, gerund or other.
func Opening(w string) string {
	class := classOf(w, "pronoun", "link", "self", "you", "article", "negation", "circumstance", "filler")
	switch {
	case class != "":
		return class
	case strings.HasSuffix(w, "ed"):
		return "past"
	case strings.HasSuffix(w, "ing"):
		return "gerund"
	}
	return "other"
}

// numbering finds the number of a line: "1. ", "U3. ", "KTD2: ".
var numbering = lazy.Pattern(`^[A-Z.-]*[0-9][A-Z0-9.-]*[.:)] `)

// Unnumbered drops what numbers a line.
func Unnumbered(s string) string {
	const longest = 7
	if number := numbering().FindString(s); len(number) <= longest {
		return s[len(number):]
	}
	return s
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

// withoutOpening drops one label, one circumstance that was told before, or words that lead
// over.
func withoutOpening(s string) string {
	if label, rest := labelled(s); announces(label) {
		return rest
	}
	if lead, rest, found := strings.Cut(s, ", "); found && is("refers back", strings.ToLower(lead)) {
		return rest
	}
	return withoutConnector(withoutLeadIn(s))
}

// withoutLeadIn drops words such as "I see that".
func withoutLeadIn(s string) string {
	n := lexicon().Begins("leads in", prose.Words(prose.Clip(s, 60)))
	if n == 0 || wordCount(s) <= n {
		return s
	}
	return strings.TrimLeft(strings.Join(strings.Fields(s)[n:], " "), "—–- ")
}

// withoutConnector drops a word that leads over.
func withoutConnector(s string) string {
	first, rest, _ := strings.Cut(s, " ")
	if rest == "" || !leadsOver(first, rest) {
		return s
	}
	return strings.TrimLeft(rest, " ,–—-")
}

// leadsOver reports whether the first word of a sentence leads over to the rest, such as "So" or
// "Yes,".
func leadsOver(first, rest string) bool {
	word := strings.ToLower(strings.TrimRight(first, ",.:—-"))
	if is("reply", word) && (strings.ContainsAny(first, ",.") || strings.HasPrefix(rest, "—")) {
		return true
	}
	return is("connector", word)
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
	return len(words) < 2 || begins("dangles", words)
}

// longEnough reports whether a sentence has so many words, or one less and something in code.
func longEnough(s string, words []string, least int) bool {
	if prose.Identifiers(s) > 0 {
		least--
	}
	return len(words) >= least
}

// whole reports whether the beginning of a sentence can stand alone: it is long
// enough, closes what it opens, and has its main clause.
func whole(s string) bool {
	words := prose.Words(s)
	if !longEnough(s, words, Least+1) || !Balanced(s) {
		return false
	}
	return hasMain(withoutLabel(s)) && !ends("unfinished", words)
}

// withoutLabel drops the file or the part that a sentence is about.
func withoutLabel(s string) string {
	if label, rest := labelled(s); wordCount(label) <= Few {
		return rest
	}
	return s
}

// hasMain reports whether a sentence that opens with a circumstance has a main clause behind it.
func hasMain(s string) bool {
	if !is("clause", opener(s)) {
		return true
	}
	last := strings.LastIndex(s, ", ")
	return last > 0 && !is("clause", opener(s[last+2:]))
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
	if begins("verb", words) || in("auxiliary", words) {
		return true
	}
	for i := 1; i < len(words)-1; i++ {
		if isPredicate(words[i-1], words[i], words[i+1]) {
			return true
		}
	}
	return false
}

// isPredicate reports whether a word inside a sentence is its verb: in the third person,
// before an article, or behind a noun in the plural.
func isPredicate(before, w, after string) bool {
	switch {
	case is("determiner", before):
		return false
	case thirdPerson(w):
		return true
	case is("determiner", after):
		return mayBeVerb(w)
	}
	return is("verb", w) && isPlural(before)
}

// mayBeVerb reports whether a word is a verb, or ends as one in the third person does.
func mayBeVerb(w string) bool {
	const shortest = 4
	return is("verb", w) || len(w) >= shortest && isPlural(w)
}

// isPlural reports whether a word ends as a noun in the plural does.
func isPlural(w string) bool { return strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") }

// thirdPerson reports whether a word is a verb in the third person.
func thirdPerson(w string) bool {
	endings := [][2]string{{"s", ""}, {"es", ""}, {"ies", "y"}}
	return slices.ContainsFunc(endings, func(ending [2]string) bool {
		stem, found := strings.CutSuffix(w, ending[0])
		return found && is("verb", stem+ending[1])
	})
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
	return thirdPerson(first) && classOf(second, "auxiliary", "verb", "joins") == ""
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
	words := lexicon().Without("before done", prose.Words(prose.Clip(withoutLabel(Bare(s)), 240)))
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
	if s = withoutBrackets(s); len(s) <= limit {
		return s
	}
	const gaps = " ,;."
	for cut := strings.LastIndexAny(s[:limit+1], gaps); cut > 0; cut = strings.LastIndexAny(s[:cut], gaps) {
		if clauseEnds(s, cut) {
			return strings.TrimRight(s[:cut], " ,;:—–-")
		}
	}
	return ""
}

// clauseEnds reports whether s[:at] can stand alone, and what follows takes nothing of it back.
func clauseEnds(s string, at int) bool {
	head, rest := s[:at], strings.TrimSpace(s[at:])
	words := prose.Words(prose.Clip(rest, 40))
	ends := begins("clause mark", words) || opensClause().MatchString(rest)
	switch {
	case begins("restricts", words):
		ends = holdsDespite(head, words)
	case strings.HasPrefix(rest, ","):
		ends = addsClause(head, rest, words)
	}
	return ends && whole(head)
}

// opensClause matches a mark behind which another clause or sentence stands.
var opensClause = lazy.Pattern(`^(?:\. |;|[—–→>-]+(?: |$))`)

// holdsDespite reports whether a statement holds although "but" follows: nobody concedes it, to
// say the contrary then.
func holdsDespite(head string, rest []string) bool {
	return begins("contrast", rest) && statesOnce(head) && !in("concedes", prose.Words(head))
}

// addsClause reports whether a comma adds another clause to a statement, and neither parts a list
// nor ends the clause of a question.
func addsClause(head, rest string, words []string) bool {
	if begins("clause after comma", words) {
		return true
	}
	first, more, _ := strings.Cut(strings.TrimLeft(rest, ", "), " ")
	inList := first != "and" && strings.Contains(more, "and ")
	asks := strings.HasSuffix(rest, "?")
	return statesOnce(head) && !inList && !asks
}

// statesOnce reports whether words are a statement in one clause.
func statesOnce(s string) bool {
	return States(s) && !strings.Contains(s, ", ") && !Dangles(prose.Words(s))
}

// codeOrBrackets matches a span of code, or what stands in round brackets behind a space, with the
// code in it.
var codeOrBrackets = lazy.Pattern("`[^`]*`| \\((?:`[^`]*`|[^`()])*\\)")

// withoutBrackets drops what stands in round brackets behind a space, outside of code.
func withoutBrackets(s string) string {
	return strings.TrimSpace(codeOrBrackets().ReplaceAllStringFunc(s, func(part string) string {
		if isCode(part) {
			return part
		}
		return ""
	}))
}

// Chooses reports whether a sentence tells of a choice: what its writer took, and over what.
func Chooses(s string) bool {
	words := prose.Words(strings.ReplaceAll(s, ", not ", " and not "))
	return in("chose", words) && in("over", words)
}

// Explains reports whether a text tells of a choice in full: with its reason, in words or behind a colon or dash.
func Explains(s string) bool {
	parts := opensReason().Split(withoutLabel(s), 2)
	return Chooses(s) && (in("reason", prose.Words(s)) || len(parts) > 1 && Chooses(parts[0]))
}

// opensReason matches a mark behind which at least four words stand.
var opensReason = lazy.Pattern(`(?::| [—–]) (?:\S+ ){3}`)

// Choice is the sentence in which the agent tells of a choice in full: what it took, over
// what, and why, as in "I chose SQLite over PostgreSQL because zero-config is critical". It
// is "" for a passage without one that makes a title, and where the words are not the agent's own.
func (p *Passage) Choice() string {
	titled := func(s string) bool {
		return Explains(s) && Shortened(strings.TrimSuffix(s, "."), TitleLimit) != ""
	}
	if !p.Place.inMessage() {
		return ""
	}
	return strings.Join(lists.First(lists.Where(p.sentences(), titled), 1), "")
}
