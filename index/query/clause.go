package query

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Key says what of a memory a clause looks at.
type Key string

// The keys, as they are typed.
const (
	Type    Key = "type"
	Tag     Key = "tag"
	File    Key = "file"
	Entity  Key = "entity"
	Branch  Key = "branch"
	Session Key = "session"
	Status  Key = "status"
	Stage   Key = "stage"
	Since   Key = "since"
	Until   Key = "until"
	Is      Key = "is"
)

// Keys are all keys.
func Keys() []Key {
	return []Key{Type, Tag, File, Entity, Branch, Session, Status, Stage, Since, Until, Is}
}

// otherWords lists what is typed for keys besides their names.
func otherWords() map[string]Key {
	return map[string]Key{
		"tags": Tag, "files": File, "types": Type, "sessions": Session, "branches": Branch, "entities": Entity,
		"after": Since, "before": Until,
	}
}

// keyOf finds a key by one of the words for it.
func keyOf(word string) (Key, bool) {
	word = strings.ToLower(word)
	if k, ok := otherWords()[word]; ok {
		return k, true
	}
	return Key(word), slices.Contains(Keys(), Key(word))
}

// example returns a sample clause of the key, for messages to people.
func (k Key) example() string {
	value := map[Key]string{
		Type: "decision", Is: "pinned", Status: "active", Stage: "pending",
		Since: "2026-11-01 or since:7d", Until: "2026-11-01 or until:7d",
	}[k]
	return string(k) + ":" + cmp.Or(value, "name")
}

// Clause is one filter. Clauses of one key are alternatives, clauses of different
// keys must all hold, negated ones must not hold.
type Clause struct {
	Key   Key
	Value string // canonical: a type's name, a time as 2006-01-02T15:04:05Z
	Not   bool
	Time  time.Time // of Since and Until: from Time on, before Time
	Said  string    // the plain words it was read from; "" for a typed filter
	Lean  float64   // of such a clause: the factor, 0–1, of the score of a memory that fails it
}

// Meets reports whether what holds tells of meets all clauses, by the rule of [Clause].
func Meets(clauses []Clause, holds func(Clause) bool) bool {
	return !slices.ContainsFunc(clauses, func(c Clause) bool { return !c.met(clauses, holds) })
}

// met reports whether a clause or one of its alternatives holds.
func (c Clause) met(all []Clause, holds func(Clause) bool) bool {
	if c.Not {
		return !holds(c)
	}
	return slices.ContainsFunc(all, func(o Clause) bool { return o.Key == c.Key && !o.Not && holds(o) })
}

// Facts holds what filters compare of something that is not in the index. No filter holds of what it lacks.
type Facts struct {
	Type, Session, Branch string
	Start, End            time.Time
}

// Hold reports whether a filter holds, as if it were not negated.
func (f Facts) Hold(c Clause) bool {
	switch c.Key {
	case Type:
		return f.Type == c.Value
	case Session:
		return strings.HasPrefix(f.Session, c.Value)
	case Branch:
		return f.Branch == c.Value
	case Since:
		return !f.End.Before(c.Time)
	case Until:
		return f.Start.Before(c.Time)
	}
	return false
}

// String is the clause as it is typed: [Parse] reads it as the same filter.
func (c Clause) String() string {
	value := c.Value
	if strings.ContainsFunc(value, func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		value = `"` + value + `"`
	}
	if c.Not {
		return "-" + string(c.Key) + ":" + value
	}
	return string(c.Key) + ":" + value
}

// String writes the query as it could be typed: words first, phrases in quotes, then
// excluded words behind a dash, then the clauses. It is for people: plain language
// comes out as the filters that it became.
func (q Query) String() string {
	var parts []string
	for _, w := range q.Words {
		if slices.Contains(q.Phrases, w) {
			w = `"` + w + `"`
		}
		parts = append(parts, w)
	}
	for _, w := range q.Not {
		parts = append(parts, `-"`+w+`"`)
	}
	for _, c := range q.Clauses {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, " ")
}
