// Package query reads what a person typed into a search: words, phrases, what to
// leave out, filters, and the plain language that stands for filters.
//
// Call [Parse]. It never fails: what it does not understand is searched as words,
// and a hint in the [Query] says what to type instead. The section "Search" of
// docs/behaviour.md is the grammar. A query is a value that nobody changes; whether a
// memory passes it is decided by index.
package query

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/memory"
)

// maxQuery is the number of bytes of a query that are read.
const maxQuery = 16 << 10

// Query is a parsed query. The zero value matches everything.
type Query struct {
	Text    string   // as typed
	Words   []string // what ranking uses, phrases included, in order, as typed
	Phrases []string // "quoted": each must occur
	Not     []string // -word and -"phrase": must not occur
	Clauses []Clause // filters, in order
	Hints   []string // what was not understood, and what to type instead
	Plain   []string // Words before plain language became filters; nil when none did
	Notes   []string // what plain language became
	Newest  bool     // the newest of the best matches come first
	// Mistyped are filters with a value that the key does not have. They are among
	// the words; a caller that can ask refuses them.
	Mistyped []*FilterError
}

// Parse reads what a person typed:
//
//	words              any of them, the better the more
//	"a phrase"         must occur
//	-word -"a phrase"  must not occur; --flag and -rf are words
//	key:value          type tag file entity branch session status stage is since until;
//	                   a,b means either; quotes keep spaces; -key:value excludes
//	last week          and other times become since and until; "decisions about",
//	                   "open questions", "problems with", "why did we" prefer types
//
// A text of more than a dozen words is taken for prose, a question or a pasted
// message, in which quotes and dashes are just that; filters still count.
// It never fails: what looks like a filter but is not one is treated as words,
// with a hint. Now anchors "7d", "yesterday", "last week"; dates without a zone
// are taken in now's location.
func Parse(text string, now time.Time) Query {
	q := Query{Text: text}
	if len(text) > maxQuery {
		q.hint("only the first %d bytes of the query are used", maxQuery)
		text = text[:maxQuery]
	}
	p := parser{q: &q, rest: strings.ToValidUTF8(text, " "), now: now}
	p.prose = len(strings.Fields(p.rest)) > maxOperators
	for p.next() {
	}
	p.infer()
	return q
}

// Empty reports whether the query has nothing to rank by.
func (q Query) Empty() bool { return len(q.Words) == 0 }

// Literal is q with the words that became filters as words again.
func (q Query) Literal() Query {
	if q.Plain == nil {
		return q
	}
	clauses := slices.Clone(q.Clauses)
	q.Clauses = slices.DeleteFunc(clauses, func(c Clause) bool { return c.Said != "" })
	q.Words, q.Plain, q.Notes = q.Plain, nil, nil
	return q
}

// Timeless is q without the times that were read from plain words.
func (q Query) Timeless() Query {
	timed := func(c Clause) bool { return c.Said != "" && (c.Key == Since || c.Key == Until) }
	said := q.Clauses
	q.Clauses = slices.DeleteFunc(slices.Clone(q.Clauses), timed)
	q.Notes = slices.DeleteFunc(slices.Clone(q.Notes), func(note string) bool {
		return slices.ContainsFunc(said, func(c Clause) bool { return timed(c) && strings.HasPrefix(note, became(c.Said)) })
	})
	return q
}

// Filters are the clauses for JSON: values by key in order, negated ones
// under "-key". It is never nil.
func (q Query) Filters() map[string][]string {
	out := map[string][]string{}
	for _, c := range q.Clauses {
		key := string(c.Key)
		if c.Not {
			key = "-" + key
		}
		out[key] = append(out[key], c.Value)
	}
	return out
}

func (q *Query) hint(format string, args ...any) {
	if h := fmt.Sprintf(format, args...); len(q.Hints) < 8 && !slices.Contains(q.Hints, h) {
		q.Hints = append(q.Hints, h)
	}
}

// maxOperators is the number of words up to which quotes and dashes are taken
// for operators.
const maxOperators = 12

type parser struct {
	q     *Query
	rest  string
	now   time.Time
	prose bool

	quotedWords []bool // which of the query's words were quoted
}

// next reads one item; false at the end.
func (p *parser) next() bool {
	p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
	if p.rest == "" {
		return false
	}
	not := false
	if strings.HasPrefix(p.rest, "-") && p.negates(p.rest[1:]) {
		not = true
		p.rest = p.rest[1:]
	}
	if phrase, ok := p.quoted(); ok {
		p.phrase(phrase, not)
		return true
	}
	if p.filter(not) {
		return true
	}
	p.word(p.bare(), not)
	return true
}

// negates reports whether a dash before rest excludes: not for "--flag", a lone
// dash, a number, and flags of one or two letters.
func (p *parser) negates(rest string) bool {
	if isQuote(rest) {
		return !p.prose
	}
	word := rest
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		word = rest[:i]
	}
	r, _ := utf8.DecodeRuneInString(word)
	if !unicode.IsLetter(r) || p.prose && !p.isFilter(word) {
		return false
	}
	if len(word) <= 2 {
		if len(p.q.Words) > 0 && len(word) == 2 {
			p.q.hint(`-%s is taken for a flag; write -"%s" to leave out memories with it`, word, word)
		}
		return false
	}
	return true
}

func (p *parser) isFilter(word string) bool {
	key, _, ok := strings.Cut(word, ":")
	if ok {
		_, ok = keyOf(key)
	}
	return ok
}

func isQuote(s string) bool {
	return strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "“") || strings.HasPrefix(s, "”")
}

// quoted reads a quoted text at the beginning of rest. A quote that is never
// closed ends with the query.
func (p *parser) quoted() (string, bool) {
	if !isQuote(p.rest) {
		return "", false
	}
	_, n := utf8.DecodeRuneInString(p.rest)
	body := p.rest[n:]
	end := strings.IndexAny(body, `"“”`)
	if end < 0 {
		p.rest = ""
		return body, true
	}
	_, n = utf8.DecodeRuneInString(body[end:])
	p.rest = body[end+n:]
	return body[:end], true
}

// bare reads up to white space.
func (p *parser) bare() string {
	end := strings.IndexFunc(p.rest, unicode.IsSpace)
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

func (p *parser) phrase(s string, not bool) {
	s = memory.OneLine(s)
	switch {
	case s == "":
	case not:
		p.q.Not = append(p.q.Not, s)
	case p.prose:
		p.q.Words = append(p.q.Words, s)
		p.quotedWords = append(p.quotedWords, true)
	default:
		p.q.Phrases = append(p.q.Phrases, s)
		p.q.Words = append(p.q.Words, s)
		p.quotedWords = append(p.quotedWords, true)
	}
}

func (p *parser) word(s string, not bool) {
	if not {
		p.q.Not = append(p.q.Not, s)
		return
	}
	p.q.Words = append(p.q.Words, s)
	p.quotedWords = append(p.quotedWords, false)
}

// nearKey says that the word before a colon is no key, if it is spelled like one and
// value begins right behind the colon.
func (p *parser) nearKey(typed, value string) {
	if p.prose || len(typed) < 3 || value == "" || strings.ContainsAny(typed+value[:1], " \t\n\"") {
		return
	}
	var known []string
	for _, k := range Keys() {
		known = append(known, string(k))
	}
	if near := Nearest(typed, known); near != "" {
		p.q.hint("%q is no filter, so these are words: did you mean %s:?", typed+":", near)
	}
}

// filter reads key:value at the beginning of rest; false leaves rest as it is.
func (p *parser) filter(not bool) bool {
	i := strings.IndexByte(p.rest, ':')
	if i <= 0 || i > 10 {
		return false
	}
	typed := strings.ToLower(p.rest[:i])
	key, ok := keyOf(typed)
	if strings.HasPrefix(p.rest[i:], "::") || strings.HasPrefix(p.rest[i:], "://") {
		return false
	}
	if !ok {
		p.nearKey(typed, p.rest[i+1:])
		return false
	}
	before := p.rest
	p.rest = p.rest[i+1:]
	values := p.values(key)
	var clauses []Clause
	for _, v := range values {
		c, err := p.clause(key, v, typed == "before" || typed == "after")
		if err != nil {
			p.q.hint("%s: %v", key, err)
			p.rest = before
			word := p.bare()
			if !p.prose {
				p.q.Mistyped = append(p.q.Mistyped, &FilterError{Filter: word, Key: key, Reason: err.Error(), Try: nearValue(key, v)})
			}
			p.word(word, false)
			return true
		}
		c.Not = not
		clauses = append(clauses, c)
	}
	if len(clauses) == 0 {
		p.q.hint("%s: needs a value right behind the colon, like %s", key, key.example())
		p.rest = before
		return false
	}
	p.q.Clauses = append(p.q.Clauses, clauses...)
	return true
}

// values reads what stands behind the colon: a,b,"c d".
func (p *parser) values(key Key) []string {
	var out []string
	for {
		v, quoted := p.quoted()
		if !quoted {
			end := strings.IndexFunc(p.rest, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
			if end < 0 {
				end = len(p.rest)
			}
			v, p.rest = p.rest[:end], p.rest[end:]
			if key == Since || key == Until {
				v += p.timeTail(v)
			}
		}
		if v = memory.OneLine(v); v != "" {
			out = append(out, v)
		}
		if !strings.HasPrefix(p.rest, ",") {
			return out
		}
		p.rest = p.rest[1:]
	}
}

// timeTail takes the second word of "last week", "3 days", "march 2026".
func (p *parser) timeTail(first string) string {
	tail := strings.TrimLeft(p.rest, " ")
	word := tail
	if i := strings.IndexFunc(tail, unicode.IsSpace); i >= 0 {
		word = tail[:i]
	}
	if word == "" || len(tail) == len(p.rest) {
		return ""
	}
	if _, err := parseTime(first+" "+word, p.now); err != nil {
		return ""
	}
	p.rest = tail[len(word):]
	return " " + word
}
