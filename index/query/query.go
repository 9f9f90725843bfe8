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
	q.Clauses = slices.DeleteFunc(slices.Clone(q.Clauses), wasSaid)
	q.Words, q.Plain, q.Notes = q.Plain, nil, nil
	return q
}

// Timeless is q without the times that were read from plain words.
func (q Query) Timeless() Query {
	kept, notes := []Clause{}, slices.Clone(q.Notes)
	for _, c := range q.Clauses {
		if !wasSaid(c) || !c.isTime() {
			kept = append(kept, c)
			continue
		}
		notes = slices.DeleteFunc(notes, func(note string) bool { return strings.HasPrefix(note, became(c.Said)) })
	}
	q.Clauses, q.Notes = kept, notes
	return q
}

// isTime reports whether the clause bounds the time of a memory.
func (c Clause) isTime() bool { return slices.Contains([]Key{Since, Until}, c.Key) }

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
	rest, dash := strings.CutPrefix(p.rest, "-")
	not := dash && p.negates(rest)
	if not {
		p.rest = rest
	}
	if phrase, ok := p.quoted(); ok {
		p.phrase(phrase, not)
		return true
	}
	if !p.filter(not) {
		p.word(p.bare(), not)
	}
	return true
}

// negates reports whether a dash before rest excludes: not for "--flag", a lone
// dash, a number, and flags of one or two letters.
func (p *parser) negates(rest string) bool {
	word, _ := cutField(rest)
	first, _ := utf8.DecodeRuneInString(word)
	switch {
	case isQuote(rest):
		return !p.prose
	case !unicode.IsLetter(first):
		return false
	case p.prose:
		return isFilter(word)
	}
	if len(word) == 2 && len(p.q.Words) > 0 {
		p.q.hint(`-%s is taken for a flag; write -"%s" to leave out memories with it`, word, word)
	}
	return len(word) > 2
}

func isFilter(word string) bool {
	key, _, _ := strings.Cut(word, ":")
	_, ok := keyOf(key)
	return ok && key != word
}

// cutField cuts a text at its first white space, which stays with the rest.
func cutField(s string) (field, rest string) {
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		return s, ""
	}
	return s[:end], s[end:]
}

func isQuote(s string) bool { return strings.IndexAny(s, `"“”`) == 0 }

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
func (p *parser) bare() (word string) {
	word, p.rest = cutField(p.rest)
	return word
}

func (p *parser) phrase(s string, not bool) {
	s = memory.OneLine(s)
	switch {
	case s == "":
		return
	case not:
		p.q.Not = append(p.q.Not, s)
		return
	case !p.prose:
		p.q.Phrases = append(p.q.Phrases, s)
	}
	p.q.Words = append(p.q.Words, s)
	p.quotedWords = append(p.quotedWords, true)
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
	field, _ := cutField(typed + ":" + value)
	begins := len(field) > len(typed)+1 && !isQuote(value)
	if p.prose || !begins {
		return
	}
	if near := Nearest(typed, names(Keys())); near != "" {
		p.q.hint("%q is no filter, so these are words: did you mean %s:?", typed+":", near)
	}
}

// filter reads key:value at the beginning of rest; false leaves rest as it is.
func (p *parser) filter(not bool) bool {
	typed, value, ok := strings.Cut(p.rest, ":")
	if !ok || typed == "" || len(typed) > 10 || isCode(value) {
		return false
	}
	typed = strings.ToLower(typed)
	key, ok := keyOf(typed)
	if !ok {
		p.nearKey(typed, value)
		return false
	}
	before := p.rest
	p.rest = value
	var clauses []Clause
	for _, v := range p.values(key) {
		c, err := p.clause(key, v, slices.Contains([]string{"before", "after"}, typed))
		if err != nil {
			p.rest = before
			p.mistyped(key, v, err)
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

// isCode reports whether what stands behind a colon makes it that of an address or of a
// name in a program, as in https:// and std::vec.
func isCode(behind string) bool {
	return strings.HasPrefix(behind, ":") || strings.HasPrefix(behind, "//")
}

// mistyped reads a filter whose value its key does not have as a word.
func (p *parser) mistyped(key Key, value string, err error) {
	p.q.hint("%s: %v", key, err)
	word := p.bare()
	if !p.prose {
		wrong := &FilterError{Filter: word, Key: key, Reason: err.Error(), Try: nearValue(key, value)}
		p.q.Mistyped = append(p.q.Mistyped, wrong)
	}
	p.word(word, false)
}

// values reads what stands behind the colon: a,b,"c d".
func (p *parser) values(key Key) []string {
	var out []string
	for {
		v, quoted := p.quoted()
		if !quoted {
			v = p.value(key)
		}
		if v = memory.OneLine(v); v != "" {
			out = append(out, v)
		}
		rest, more := strings.CutPrefix(p.rest, ",")
		if !more {
			return out
		}
		p.rest = rest
	}
}

// value reads a value that stands in no quotes: up to a comma or white space, and of a
// time a second word.
func (p *parser) value(key Key) string {
	v, _ := cutField(p.rest)
	v, _, _ = strings.Cut(v, ",")
	p.rest = p.rest[len(v):]
	if slices.Contains([]Key{Since, Until}, key) {
		return v + p.timeTail(v)
	}
	return v
}

// timeTail takes the second word of "last week", "3 days", "march 2026".
func (p *parser) timeTail(first string) string {
	tail := strings.TrimLeft(p.rest, " ")
	word, rest := cutField(tail)
	if word == "" || len(tail) == len(p.rest) {
		return ""
	}
	if _, err := parseTime(first+" "+word, p.now); err != nil {
		return ""
	}
	p.rest = rest
	return " " + word
}
