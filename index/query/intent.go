package query

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lazy"
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
	if p.prose {
		return
	}
	plain := slices.Clone(p.q.Words)
	p.anywhere(p.inferTime, Since, Until)
	p.anywhere(p.inferSessions, Session)
	p.anywhere(p.inferNumbers, Session)
	timed := len(p.q.Words) < len(plain)
	p.inferIntent()
	if timed && !slices.ContainsFunc(p.q.Words, saysWhat) {
		p.take(0, len(p.q.Words)) // "what happened last week" asks for all of it
	}
	if slices.ContainsFunc(p.q.Clauses, wasSaid) {
		p.q.Plain = plain
	}
}

// anywhere calls read at each word until it has read a filter, unless one of these keys
// was typed.
func (p *parser) anywhere(read func(at int) bool, keys ...Key) {
	if p.q.has(keys...) {
		return
	}
	for at := range p.q.Words {
		if read(at) {
			return
		}
	}
}

func (q *Query) has(keys ...Key) bool {
	return slices.ContainsFunc(q.Clauses, func(c Clause) bool { return slices.Contains(keys, c.Key) })
}

// plainWord is a word of the query as intents compare it; "" for a quoted one.
func (p *parser) plainWord(i int) string {
	if i >= len(p.q.Words) || p.quotedWords[i] {
		return ""
	}
	w := strings.ToLower(strings.Trim(p.q.Words[i], "?!.,;:()"))
	w = strings.ReplaceAll(w, "’", "'")
	return strings.TrimSuffix(w, "'s")
}

// is reports whether a word of the query is of a class.
func (p *parser) is(at int, c class) bool { return c.has(p.plainWord(at)) }

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
	if p.is(at, leadWord) {
		lead, next = p.plainWord(at), at+1
		if p.plainWord(next) == "the" && slices.Contains([]string{"last", "past"}, p.plainWord(next+1)) {
			next++
		}
	}
	row, sp, ok := p.plainSpan(next, lead != "")
	if !ok {
		return false
	}
	p.q.Newest = p.q.Newest || row.newest
	said := p.take(at, next+len(row.words)-at)
	switch {
	case lead == "since", row.recent:
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
const fewSessions = "3"

// patterns match sessions at the beginning of what is left of a query.
type patterns struct{ last, numbered *regexp.Regexp }

var sessionPatterns = lazy.Value(func() patterns {
	of := func(c class) string { return "(" + strings.Join(classes()[string(c)], "|") + ") " }
	led := of(sessionLead)
	count := `(?:(an?|few|\d{1,3}|` + strings.Join(classes()[string(numberWord)][1:], "|") + ") )?"
	return patterns{
		last: regexp.MustCompile(
			"^(?:" + led + ")?(?:" + of(ourWord) + ")?" + of(lastWord) + count + "(sessions?)(?: |$)"),
		// One alone must be led in or be all that is asked for: a session without "in" may be of a program.
		numbered: regexp.MustCompile(`^(?:(?:` + led + `)?sessions (\d{1,4})(?:-| to | through | until )(\d{1,4})|` +
			led + `session (\d{1,4})|session (\d{1,4})$)(?: |$)`),
	}
})

// plainFrom are the words of the query from one on, as [parser.plainWord] has them.
func (p *parser) plainFrom(at int) string {
	var rest []string
	for i := range p.q.Words[at:] {
		rest = append(rest, p.plainWord(at+i))
	}
	return strings.Join(rest, " ")
}

// inferSessions reads which sessions are meant, beginning at a word: "in the last three
// sessions", "the previous session".
func (p *parser) inferSessions(at int) bool {
	rest := p.plainFrom(at)
	found := sessionPatterns().last.FindStringSubmatch(rest)
	if found == nil {
		return false
	}
	n := sessionsMeant(found, len(found[0]) == len(rest))
	if n == "" {
		return false
	}
	said := p.take(at, len(strings.Fields(found[0])))
	if p.is(at, aboutWord) {
		p.take(at, 1)
	}
	p.q.Clauses = append(p.q.Clauses, Clause{Key: Session, Value: LastSessions + n, Said: said})
	p.q.Notes = append(p.q.Notes, became(said)+"the newest "+n+" of session:; put it in quotes to search the words")
	return true
}

// sessionsMeant is how many of the last sessions are meant by what was found; "" for none. A single one must
// be led in or stand at the end: "last session cookie" is about cookies.
func sessionsMeant(found []string, atEnd bool) string {
	last, count, noun := found[3], countOf(found[4]), found[5]
	few := map[string]string{"session": "1", "sessions": fewSessions}[noun]
	switch {
	case found[1] != "", last+noun == "recentsessions", noun == "session" && atEnd:
		return cmp.Or(count, few)
	case noun == "session":
		return ""
	}
	return count
}

// inferNumbers reads sessions that are named by their numbers, beginning at a word: "in
// session 5", "sessions 5-8", "sessions 5 to 8".
func (p *parser) inferNumbers(at int) bool {
	found := sessionPatterns().numbered.FindStringSubmatch(p.plainFrom(at))
	if found == nil || found[6] != "" && at > 0 {
		return false
	}
	value := strings.TrimSuffix(found[2]+"-"+found[3], "-") + found[5] + found[6]
	said := p.take(at, len(strings.Fields(found[0])))
	p.q.Clauses = append(p.q.Clauses, Clause{Key: Session, Value: value, Said: said})
	p.q.Notes = append(p.q.Notes, became(said)+"session:"+value+"; put it in quotes to search the words")
	return true
}

// LastSessions begins the value of a clause that means so many of the newest sessions.
// Which those are, only the caller knows.
const LastSessions = "last:"

func (p *parser) said(words string, key Key, t time.Time) {
	value := t.UTC().Format(time.RFC3339)
	p.q.Clauses = append(p.q.Clauses, Clause{Key: key, Value: value, Time: t, Said: words, Lean: leanTime})
}

// plainSpan reads a span of time that begins at a word, by the first row of times.tsv that
// fits. Without a word like "in" before it, a name must not be a common word.
func (p *parser) plainSpan(at int, led bool) (row timeRow, sp span, ok bool) {
	for _, row := range timeRows() {
		if !p.fitsRow(row, at, led) {
			continue
		}
		if sp, ok := p.spanOf(row, at); ok {
			return row, sp, true
		}
	}
	return timeRow{}, span{}, false
}

func (p *parser) fitsRow(row timeRow, at int, led bool) bool {
	if row.led && !led {
		return false
	}
	for i, pattern := range row.words {
		if !fitsWord(pattern, p.plainWord(at+i)) {
			return false
		}
	}
	return true
}

// spanOf is the time that the words of a row mean; false when they mean none.
func (p *parser) spanOf(row timeRow, at int) (span, bool) {
	means := row.means
	for i, pattern := range row.words {
		word := p.plainWord(at + i)
		if pattern == "COUNT" {
			word = countOf(word)
		}
		means = strings.ReplaceAll(means, "$"+strconv.Itoa(i+1), word)
	}
	sp, err := parseTime(means, p.now)
	if err != nil || !row.ago {
		return sp, err == nil
	}
	count, unit, _ := strings.Cut(means, " ")
	n, _ := strconv.Atoi(count)
	next, err := parseTime(fmt.Sprint(max(n-1, 0))+" "+unit, p.now)
	return span{sp.from, next.from}, err == nil
}

// inferIntent reads what kind of memory the beginning of a query asks for.
func (p *parser) inferIntent() {
	if p.q.has(Type, Is) {
		return
	}
	for _, in := range intents() {
		end, ok := p.endOf(in)
		if !ok {
			continue
		}
		said := strings.Join(p.q.Words[:end], " ")
		if !in.keep {
			if p.is(end, aboutWord) {
				end++
			}
			said = p.take(0, end)
			p.q.Newest = p.q.Newest || slices.ContainsFunc(strings.Fields(strings.ToLower(said)), newestWord.has)
		}
		for _, c := range in.clauses {
			c.Said = said
			p.q.Clauses = append(p.q.Clauses, c)
		}
		p.q.note(said)
		return
	}
}

// endOf is where the words end with which a query begins as an intent says; false when it
// does not.
func (p *parser) endOf(in intent) (end int, ok bool) {
	start := 0
	if in.noun {
		start = p.openers()
	}
	if !p.fits(in.words, start) {
		return 0, false
	}
	end = start + len(in.words)
	if !in.noun || end >= len(p.q.Words) {
		return end, true
	}
	return end, p.is(end, aboutWord)
}

func (p *parser) fits(words [][]string, start int) bool {
	for i, alternatives := range words {
		if !slices.Contains(alternatives, p.plainWord(start+i)) {
			return false
		}
	}
	return true
}

// openers is how many words the query begins with that may stand before a noun.
func (p *parser) openers() int {
	n := 0
	for n < maxIntent && p.is(n, openerWord) {
		n++
	}
	return n
}

// saysWhat reports whether a word narrows down what is wanted of a time.
func saysWhat(w string) bool {
	w = strings.ToLower(strings.Trim(w, "?!.,;:"))
	return !saysNothing.has(w) && !words.IsStop(w)
}

// wasSaid reports whether a clause was read from plain words.
func wasSaid(c Clause) bool { return c.Said != "" }

// became is how the note on plain words begins.
func became(said string) string { return fmt.Sprintf("%q became ", said) }

// note says what words became, and how to have them searched.
func (q *Query) note(said string) {
	var parts []string
	soft := ", preferred"
	for _, c := range q.Clauses {
		if c.Said != said {
			continue
		}
		if !c.Time.IsZero() {
			soft = ""
		}
		key, value := string(c.Key)+":", c.shown()
		if n := len(parts); n > 0 && strings.HasPrefix(parts[n-1], key) {
			parts[n-1] += "," + value
		} else {
			parts = append(parts, key+value)
		}
	}
	if q.Newest {
		soft += ", newest first"
	}
	q.Notes = append(q.Notes, became(said)+strings.Join(parts, " ")+soft+"; put it in quotes to search the words")
}

// shown is the value of a clause for people: a day, or a minute where one matters.
func (c Clause) shown() string {
	switch {
	case c.Time.IsZero():
		return c.Value
	case c.Time.Hour()+c.Time.Minute() > 0:
		return c.Time.Format("2006-01-02T15:04")
	}
	return c.Time.Format(time.DateOnly)
}
