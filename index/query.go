package index

import "time"

// Query is a parsed query. The zero value matches everything.
type Query struct {
	Text    string   // as typed
	Words   []string // words and the words of phrases that ranking uses, in order, as typed
	Phrases []string // "quoted": each must occur
	Not     []string // -word and -"phrase": must not occur
	Clauses []Clause // filters, in order
	Hints   []string // what was not understood, and what to type instead
}

// Clause is one filter. Clauses of one key are alternatives, clauses of
// different keys must all hold, negated ones must not hold.
type Clause struct {
	Key   string // type, tag, file, entity, branch, session, status, stage, since, until, is
	Value string // canonical: a type's name, a date as 2006-01-02T15:04:05Z
	Not   bool
	Time  time.Time // of since and until: from Time on, before Time
}

// ParseQuery reads what a person typed. It never fails: what looks like a
// filter but is not one is treated as words, with a hint. Now anchors "7d",
// "yesterday", "last week"; dates without a zone are taken in now's location.
func ParseQuery(text string, now time.Time) Query { panic("soon") }

// Filters is the query's filters for JSON: values by key in order, negated ones
// under "-key". It is never nil.
func (q Query) Filters() map[string][]string { panic("soon") }
