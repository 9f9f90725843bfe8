package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/internal/words"
)

// What people say instead of filters. A clause read from plain words leans: what
// fails it counts for less, and a clear match is never hidden.
const (
	leanTime  = 0.5  // another time; shown only if it still beats all of that time
	leanKind  = 0.4  // another type than was asked for by name
	leanWhy   = 0.85 // not the type that usually says why
	maxIntent = 8    // words at the start of a query that may say what is wanted
)

// infer takes plain language out of the words: times anywhere, intents at the
// start. Quoted words, long queries, and what explicit filters say already are
// left alone.
func (p *parser) infer() {
	if p.prose || len(p.q.Words) == 0 {
		return
	}
	plain := slices.Clone(p.q.Words)
	if !p.q.has(Since, Until) {
		for at := range p.q.Words {
			if p.inferTime(at) {
				break
			}
		}
	}
	if !p.q.has(Session) {
		for at := range p.q.Words {
			if p.inferSessions(at) {
				break
			}
		}
	}
	timed := len(p.q.Words) < len(plain)
	if !p.q.has(Type, Is) {
		p.inferIntent()
	}
	if timed && !slices.ContainsFunc(p.q.Words, saysWhat) {
		p.take(0, len(p.q.Words)) // "what happened last week" asks for all of it
	}
	if slices.ContainsFunc(p.q.Clauses, func(c Clause) bool { return c.Said != "" }) {
		p.q.Plain = plain
	}
}

func (q *Query) has(keys ...Key) bool {
	return slices.ContainsFunc(q.Clauses, func(c Clause) bool { return slices.Contains(keys, c.Key) })
}

// word is a word of the query as intents compare it; "" for a quoted one.
func (p *parser) plainWord(i int) string {
	if i >= len(p.q.Words) || p.quotedWords[i] {
		return ""
	}
	w := strings.ToLower(strings.Trim(p.q.Words[i], "?!.,;:()"))
	w = strings.ReplaceAll(w, "’", "'")
	return strings.TrimSuffix(w, "'s")
}

// take removes n words from the query and returns them as they were typed.
func (p *parser) take(at, n int) string {
	said := strings.Join(p.q.Words[at:at+n], " ")
	p.q.Words = slices.Delete(p.q.Words, at, at+n)
	p.quotedWords = slices.Delete(p.quotedWords, at, at+n)
	return said
}

// inferTime reads a time that begins at a word: "since march", "in october
// 2025", "last week", "yesterday", "3 days ago", "in the past two weeks".
func (p *parser) inferTime(at int) bool {
	lead, next := "", at
	switch w := p.plainWord(at); w {
	case "since", "after", "before", "until", "in", "during", "on", "from", "within", "over":
		lead, next = w, at+1
		if p.plainWord(next) == "the" && (p.plainWord(next+1) == "last" || p.plainWord(next+1) == "past") {
			next++
		}
	case "":
		return false
	}
	sp, n, recent := p.plainSpan(next, lead != "")
	if n == 0 {
		return false
	}
	said := p.take(at, next+n-at)
	switch {
	case lead == "since" || recent:
		p.said(said, Since, sp.from)
	case lead == "after":
		p.said(said, Since, sp.to)
	case lead == "before":
		p.said(said, Until, sp.from)
	case lead == "until":
		p.said(said, Until, sp.to)
	default:
		p.said(said, Since, sp.from)
		p.said(said, Until, sp.to)
	}
	p.q.note(said)
	return true
}

// fewSessions is how many "recent sessions" are.
const fewSessions = 3

// inferSessions reads which sessions are meant, beginning at a word: "in the last three
// sessions", "the previous session". A single one must be led in or stand at the end:
// "last session cookie" is about cookies.
func (p *parser) inferSessions(at int) bool {
	next, led := at, false
	switch p.plainWord(next) {
	case "in", "during", "from", "of", "over", "within":
		next, led = next+1, true
	}
	switch p.plainWord(next) {
	case "the", "my", "our":
		next++
	}
	switch p.plainWord(next) {
	case "last", "past", "previous", "latest", "recent":
	default:
		return false
	}
	n, few := "1", p.plainWord(next) == "recent"
	next++
	if count := countOf(p.plainWord(next)); count != "" {
		n = count
		next++
	}
	switch p.plainWord(next) {
	case "session":
		if !led && next+1 < len(p.q.Words) {
			return false
		}
	case "sessions":
		if n == "1" {
			if !few && !led {
				return false
			}
			n = fmt.Sprint(fewSessions)
		}
	default:
		return false
	}
	said := p.take(at, next+1-at)
	if isAbout(p.plainWord(at)) {
		p.take(at, 1)
	}
	p.q.Clauses = append(p.q.Clauses, Clause{Key: Session, Value: LastSessions + n, Said: said})
	p.q.Notes = append(p.q.Notes, became(said)+"the newest "+n+" of session:; put it in quotes to search the words")
	return true
}

// LastSessions begins the value of a clause that means so many of the newest sessions.
// Which those are, only the caller knows.
const LastSessions = "last:"

func (p *parser) said(words string, key Key, t time.Time) {
	p.q.Clauses = append(p.q.Clauses, Clause{Key: key, Value: t.UTC().Format(time.RFC3339), Time: t, Said: words, Lean: leanTime})
}

// plainSpan reads a span of time of n words; recent says that it lasts until
// now. Without a word like "in" before it, a name must not be a common word.
func (p *parser) plainSpan(at int, led bool) (sp span, n int, recent bool) {
	one, two, three := p.plainWord(at), p.plainWord(at+1), p.plainWord(at+2)
	switch {
	case one == "last" && two == "night":
		sp, _ = p.span("yesterday")
		return sp, 2, false
	case one == "this" && (two == "morning" || two == "afternoon"):
		sp, _ = p.span("today")
		return sp, 2, false
	case (one == "last" || one == "past") && countOf(two) != "":
		if sp, ok := p.span(countOf(two) + " " + three); ok {
			return sp, 3, true
		}
	case three == "ago" && countOf(one) != "":
		if sp, ok := p.span(countOf(one) + " " + two); ok {
			n, _ := strconv.Atoi(countOf(one))
			next, _ := p.span(fmt.Sprint(max(n-1, 0)) + " " + two)
			return span{sp.from, next.from}, 3, false
		}
	case one == "recently" || one == "lately":
		sp, _ = p.span("30d")
		p.q.Newest = true
		return sp, 1, true
	case one == "today" || one == "yesterday":
		sp, _ = p.span(one)
		return sp, 1, false
	case one == "last" || one == "this":
		if sp, ok := p.span(two); ok && one == "last" && isCalendarName(two) {
			return sp, 2, false
		}
		if sp, ok := p.span(one + " " + two); ok {
			return sp, 2, false
		}
	case led && isCalendarName(one):
		if sp, ok := p.span(one + " " + two); ok && len(two) == 4 {
			return sp, 2, false
		}
		if sp, ok := p.span(one); ok {
			return sp, 1, false
		}
	case led && len(one) >= len("2026") && strings.HasPrefix(one, "20"):
		if sp, ok := p.span(one); ok {
			return sp, 1, false
		}
	}
	return span{}, 0, false
}

func (p *parser) span(s string) (span, bool) {
	sp, err := parseTime(s, p.now)
	return sp, err == nil
}

// isCalendarName reports whether s names a month or a day of the week in full.
func isCalendarName(s string) bool {
	for m := time.January; m <= time.December; m++ {
		if s == strings.ToLower(m.String()) {
			return true
		}
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		if s == strings.ToLower(d.String()) {
			return true
		}
	}
	return false
}

// countOf reads a small number as digits; "" when it is none.
func countOf(s string) string {
	if s == "a" || s == "an" {
		return "1"
	}
	if s == "few" {
		return "3"
	}
	for i, w := range []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if s == w {
			return fmt.Sprint(i + 1)
		}
	}
	if s != "" && len(s) <= 3 && strings.Trim(s, "0123456789") == "" {
		return s
	}
	return ""
}

// intent is a way to begin a query, and what it asks for.
type intent struct {
	words   [][]string // alternatives, word by word
	clauses []Clause
	noun    bool // a word like "about" or the end of the query follows
	keep    bool // the words stay in the ranking
}

// intents are told apart by the first that fits, so longer ones come first.
// a|b is either word; a noun may be introduced by words like "show me all".
var intents = sync.OnceValue(func() []intent {
	const table = `
noun type:question is:open = open|unanswered|unresolved question|questions
noun type:problem is:open  = open|unsolved|unresolved problem|problems|issue|issues
noun type:plan is:open     = open|unfinished plan|plans
noun type:rejected         = rejected|discarded approach|approaches|alternative|alternatives|idea|ideas|option|options|solution|solutions
noun type:rejected         = rejections
noun type:decision,rejected= decision|decisions
noun type:problem,gotcha,fix = problem|problems|issues|trouble|troubles
noun type:gotcha           = gotcha|gotchas|traps|pitfalls|caveats
noun type:preference       = preferences|conventions
noun type:learned          = lessons learned
noun type:learned          = lessons
noun type:question         = questions
noun type:plan             = plans|todos
noun type:progress         = progress
noun type:architecture     = architecture
verb type:decision,rejected= what|which did|have we decide|decided|choose|chosen|agree|agreed
verb type:decision,rejected= what was|were decided|agreed|chosen
verb type:rejected         = what did|have we reject|rejected|discard
verb type:rejected         = what was|were rejected
verb type:fix              = how did we fix|solve|resolve
verb type:problem,gotcha,fix = what went|goes wrong
verb is:open               = what is still open
verb is:open               = what still open
verb type:gotcha           = what to|should watch out
why type:decision,rejected,architecture = why did|do|have|are|don't|didn't|won't|can't we|i
why type:decision,rejected,architecture = why we|not
why type:decision,rejected,architecture = why is|was it`
	var out []intent
	for line := range strings.Lines(table) {
		head, tail, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		kind, filters, _ := strings.Cut(head, " ")
		in := intent{noun: kind == "noun", keep: kind == "why"}
		lean := leanKind
		if kind == "why" {
			lean = leanWhy
		}
		for f := range strings.FieldsSeq(filters) {
			key, values, _ := strings.Cut(f, ":")
			for v := range strings.SplitSeq(values, ",") {
				in.clauses = append(in.clauses, Clause{Key: Key(key), Value: v, Lean: lean})
			}
		}
		for w := range strings.FieldsSeq(tail) {
			in.words = append(in.words, strings.Split(w, "|"))
		}
		out = append(out, in)
	}
	return out
})

// inferIntent reads what kind of memory the beginning of a query asks for.
func (p *parser) inferIntent() {
	for _, in := range intents() {
		start := 0
		if in.noun {
			for start < maxIntent && isOpener(p.plainWord(start)) {
				start++
			}
		}
		end := start + len(in.words)
		if !p.fits(in.words, start) || in.noun && end < len(p.q.Words) && !isAbout(p.plainWord(end)) {
			continue
		}
		said := strings.Join(p.q.Words[:end], " ")
		if !in.keep {
			if end < len(p.q.Words) && isAbout(p.plainWord(end)) {
				end++
			}
			said = p.take(0, end)
			p.q.Newest = p.q.Newest || slices.ContainsFunc(strings.Fields(strings.ToLower(said)), isNewest)
		}
		for _, c := range in.clauses {
			c.Said = said
			p.q.Clauses = append(p.q.Clauses, c)
		}
		p.q.note(said)
		return
	}
}

func (p *parser) fits(words [][]string, start int) bool {
	for i, alternatives := range words {
		if !slices.Contains(alternatives, p.plainWord(start+i)) {
			return false
		}
	}
	return true
}

// saysWhat reports whether a word narrows down what is wanted of a time.
func saysWhat(w string) bool {
	w = strings.ToLower(strings.Trim(w, "?!.,;:"))
	switch w {
	case "happened", "changed", "new", "news", "everything", "anything", "all", "show", "list", "find", "give":
		return false
	}
	return !words.IsStop(w)
}

// isOpener reports whether w may stand before a noun that says what is wanted.
func isOpener(w string) bool {
	switch w {
	case "show", "list", "most", "find", "give", "me", "us", "all", "any", "our", "the", "past", "previous", "earlier", "known",
		"what", "which", "are", "were", "is", "there":
		return true
	}
	return isNewest(w)
}

// isNewest reports whether w asks for the newest of what follows.
func isNewest(w string) bool { return w == "latest" || w == "newest" || w == "recent" }

// isAbout reports whether w leads from a noun to its subject.
func isAbout(w string) bool {
	switch w {
	case "about", "on", "for", "regarding", "concerning", "around", "with", "in", "of", "to", "from", "did", "do", "have", "we", "made":
		return true
	}
	return false
}

// became is how the note on plain words begins.
func became(said string) string { return fmt.Sprintf("%q became ", said) }

// note says what words became, and how to have them searched.
func (q *Query) note(said string) {
	var parts []string
	soft := "preferred"
	for _, c := range q.Clauses {
		if c.Said != said {
			continue
		}
		value := c.Value
		if !c.Time.IsZero() {
			soft, value = "", c.Time.Format("2006-01-02")
			if c.Time.Hour()+c.Time.Minute() > 0 {
				value = c.Time.Format("2006-01-02T15:04")
			}
		}
		if n := len(parts); n > 0 && strings.HasPrefix(parts[n-1], string(c.Key)+":") {
			parts[n-1] += "," + value
			continue
		}
		parts = append(parts, string(c.Key)+":"+value)
	}
	text := became(said) + strings.Join(parts, " ")
	if soft != "" {
		text += ", " + soft
	}
	if q.Newest {
		text += ", newest first"
	}
	q.Notes = append(q.Notes, text+"; put it in quotes to search the words")
}
