package contradiction

import (
	"cmp"
	_ "embed" // for claims.tsv
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/internal/words"
)

// claim is something that a title says of its subject. Two claims of one key are about the same
// thing, and only one of them can hold if they differ (see [claim.excludes]).
type claim struct {
	key    string
	value  []string // words that stand for the value, sorted; none where the claim is only made or denied
	denied bool
	one    bool // the thing may have other values beside this one
}

// excludes reports whether two claims of one key cannot both hold: one denies what the other
// says, or they give one thing two values that have no word in common.
func (c *claim) excludes(o *claim) bool {
	switch {
	case c.key != o.key:
		return false
	case c.denied != o.denied:
		return slices.Equal(c.value, o.value)
	case c.one && o.one, min(len(c.value), len(o.value)) == 0:
		return false
	}
	return sameness.Shared(c.value, o.value) == 0
}

// What a key begins with says which words of the title it was made of.
const (
	keyOfWhole    = "all "   // all words: the value is the number among them
	keyOfSlot     = "slot "  // all but the value, which stands behind a preposition
	keyOfIdentity = "being " // those that say what the value is, or is used for
	keyOfRole     = "one "   // before an identity that one thing alone can have
)

const (
	fewestSubject = 2 // words that name a subject well enough
	mostValue     = 4 // words; more are a description
	numeral       = "#"
	anyWord       = "*" // in claims.tsv
)

// part is a word of a claim.
type part struct {
	root   string // of a number, what stands before it and "#"
	number string // what it says, with its unit
	place  bool   // a preposition: a value may stand behind it
	says   bool   // a verb or a preposition: it says something of the others
	change bool   // a verb of change: what it says of a thing held once
	unit   bool   // what a number before it counts
	name   bool   // it is a name, or written as one
	role   bool   // one thing fills it
}

// sign says what a word does in a claim.
type sign struct {
	part
	stands bool // it is a part
	flips  bool // it turns what is said round
	opens  bool // what is said is said of several things, of any one, or under a condition
	is     bool // the value stands behind it
}

//go:embed claims.tsv
var claimTable string

// wordTable is claims.tsv.
type wordTable struct {
	signs map[string]sign    // by the forms of words
	bound map[[2]string]bool // prepositions and roots that together give a thing one value
}

var claimWords = lazy.Value(func() wordTable {
	out := wordTable{map[string]sign{}, map[[2]string]bool{}}
	kinds := kindsOfWords()
	for row := range words.Rows(claimTable, 4) {
		kind := kinds[row[0]]
		for form := range strings.FieldsSeq(row[2]) {
			kind.root = cmp.Or(strings.Trim(row[1], "-"), root(form))
			out.signs[form] = kind
		}
		for word := range strings.FieldsSeq(row[3]) {
			out.bound[[2]string{row[1], root(word)}] = true
		}
	}
	return out
})

// kindsOfWords says what the words of each kind of row do.
func kindsOfWords() map[string]sign {
	return map[string]sign{
		"same":     {part: part{says: true}, stands: true},
		"opposite": {part: part{says: true}, stands: true, flips: true},
		"place":    {part: part{place: true, says: true}, stands: true},
		"counter":  {part: part{place: true, says: true}, stands: true, flips: true},
		"change":   {part: part{change: true}, stands: true},
		"unit":     {part: part{unit: true}, stands: true},
		"name":     {part: part{name: true}, stands: true},
		"role":     {part: part{role: true}, stands: true},
		"deny":     {flips: true},
		"is":       {is: true},
		"open":     {opens: true},
	}
}

// reading is a title that is taken apart.
type reading struct {
	parts  []part
	denied bool
	open   bool
	says   bool // it says something, and is no heading
	is     int  // the number of parts before "is"; 0 for none
}

// claimsOf returns the claims of a title. A heading, a question and news of a change make none.
func claimsOf(title string) []claim {
	text := clause(title)
	if !states(title, text) {
		return nil
	}
	said := before(text, phrases("besides"))
	r := readingOf(withoutOpenings(said))
	if len(r.parts) < fewestSubject || r.parts[0].change {
		return nil
	}
	return r.claims(readingOf(text[len(said):]).parts)
}

// states reports whether a title says with its first clause what is so.
func states(title, clause string) bool {
	return !strings.HasPrefix(title[len(clause):], ":") && !strings.HasSuffix(title, "?")
}

// denials are the opposites of what the title of a rejected approach says as a whole.
func denials(title string) []claim {
	all := claimsOf(title)
	if len(all) == 0 {
		return nil
	}
	all[0].denied = !all[0].denied
	return all[:1]
}

func readingOf(text string) *reading {
	r := &reading{}
	for field := range strings.FieldsSeq(text) {
		r.read(field)
	}
	return r
}

// read takes in a word.
func (r *reading) read(field string) {
	word := strings.ToLower(strings.Trim(field, "`'\"*.,;:!?()[]"))
	s, ok := claimWords().signs[word]
	if !ok {
		r.name(word, r.isName(field))
		return
	}
	r.denied = r.denied != s.flips
	r.open = r.open || s.opens
	r.says = r.says || s.says
	if s.is {
		r.is = len(r.parts)
	}
	if s.stands {
		r.add(s.part)
	}
}

// isName reports whether a word is written as a name. The first letter of a title is a capital anyway.
func (r *reading) isName(field string) bool {
	return written(field[1:]) || len(r.parts) > 0 && written(field)
}

// add adds a part. A unit belongs to the number before it: 90 minutes are not 90 hours.
func (r *reading) add(p part) {
	if n := len(r.parts); p.unit && n > 0 && isNumber(r.parts[n-1]) {
		r.parts[n-1].number += " " + p.root
		return
	}
	r.parts = append(r.parts, p)
}

// name takes in a word that is not in the table. What begins with a digit in it is a number.
func (r *reading) name(word string, isName bool) {
	if word == "" {
		return
	}
	at := strings.IndexAny(word, "0123456789")
	if at < 0 {
		r.add(part{root: root(word), name: isName})
		return
	}
	r.add(part{root: word[:at] + numeral, number: word[at:], name: isName})
}

// root is a word without the ending of its form.
func root(word string) string {
	word = stem(word)
	if n := len(word); n > 3 && word[n-1] == word[n-2] {
		return word[:n-1]
	}
	return word
}

// claims are those that the words make, and the words of what is not so instead.
func (r *reading) claims(instead []part) []claim {
	whole := claim{key: keyOfWhole + masked(r.parts), value: r.measure(), denied: r.denied}
	if r.open || r.denied {
		return []claim{whole}
	}
	out := slices.Concat([]claim{whole}, r.called(), r.used(), r.besides(instead))
	for i := range r.parts {
		out = append(out, r.slot(i)...)
	}
	return out
}

// besides is the claim that something has not another value: "in UTC, never in local time".
func (r *reading) besides(value []part) []claim {
	about := r.parts[:r.is]
	for i, p := range r.parts {
		if p.place {
			about = r.parts[:i+1]
		}
	}
	if min(len(about), len(value)) == 0 {
		return nil
	}
	if last := about[len(about)-1]; value[0].root == last.root {
		value = value[1:]
	}
	return []claim{{key: keyOfWhole + masked(slices.Concat(about, value)), denied: true}}
}

// measure is the one number of a title that says how much, "expire after 30 minutes", or which,
// "needs Node 20".
func (r *reading) measure() []string {
	i := slices.IndexFunc(r.parts, isNumber)
	if i < fewestSubject || !r.says || !r.counts(i) {
		return nil
	}
	return []string{r.parts[i].number}
}

// counts reports whether the number at i is the last one and no label as in "the readings of station 7".
func (r *reading) counts(i int) bool {
	if slices.ContainsFunc(r.parts[i+1:], isNumber) {
		return false
	}
	return r.parts[i-1].says || strings.Contains(r.parts[i].number, " ") || r.isVersion(i)
}

func isNumber(p part) bool { return p.number != "" }

// isVersion reports whether the number at i ends a title and belongs to a name.
func (r *reading) isVersion(i int) bool {
	return i == len(r.parts)-1 && (r.parts[i-1].name || r.parts[i].root != numeral)
}

// slot is the claim that what stands before a preposition has the value behind it.
func (r *reading) slot(i int) []claim {
	place, about := r.parts[i], r.parts[:i]
	if len(about) < fewestSubject || !isBound(place, about) {
		return nil
	}
	value, rest := beforePlace(r.parts[i+1:])
	if len(value) > mostValue {
		return nil
	}
	return []claim{{key: keyOfSlot + place.root + ": " + joined(about) + " | " + joined(rest), value: roots(value)}}
}

// isBound reports whether what a preposition says of something has one value: by itself, or
// with one of its words.
func isBound(place part, about []part) bool {
	bound := claimWords().bound
	return bound[[2]string{place.root, anyWord}] ||
		slices.ContainsFunc(about, func(p part) bool { return bound[[2]string{place.root, p.root}] })
}

// called is the claim that something is a thing with a name, as in "the cache is Redis".
func (r *reading) called() []claim {
	subject, value := r.parts[:r.is], r.parts[r.is:]
	if leading(value, isName) == 0 {
		return nil
	}
	return identity(subject, value, false)
}

// used is the claim that something is used for a purpose, as in "use Redis for the cache" and "Redis for the cache".
func (r *reading) used() []claim {
	what, rest := beforePlace(r.parts)
	if begin(what, "use") {
		what = what[1:]
	} else if !areNames(what) {
		return nil
	}
	if !begin(rest, "for") {
		return nil
	}
	return identity(rest[1:], what, true)
}

// identity is the claim that a value is what a subject says.
func identity(subject, value []part, one bool) []claim {
	_, more := beforePlace(slices.Concat(subject, value))
	if len(more) > 0 || len(subject) == 0 || len(value) > mostValue {
		return nil
	}
	is := claim{key: keyOfIdentity + joined(subject), value: roots(value), one: one}
	return append(filled(subject, is, value), is)
}

// filled is the claim that a value alone is what a subject says: a project may use two things for the tests, but has
// one cache.
func filled(subject []part, is claim, value []part) []claim {
	if !subject[len(subject)-1].role || !areNames(value) {
		return nil
	}
	return []claim{{key: keyOfRole + is.key, value: is.value}}
}

func areNames(parts []part) bool { return leading(parts, isName) == len(parts) }

func isName(p part) bool { return p.name }

// beforePlace cuts parts before the first preposition.
func beforePlace(parts []part) (before, rest []part) {
	n := leading(parts, func(p part) bool { return !p.place })
	return parts[:n], parts[n:]
}

// begin reports whether the first part is a word.
func begin(parts []part, word string) bool { return len(parts) > 0 && parts[0].root == word }

// roots are those of parts with their numbers, sorted.
func roots(parts []part) []string {
	out := lists.Map(parts, func(p part) string { return p.root + p.number })
	slices.Sort(out)
	return out
}

func joined(parts []part) string { return strings.Join(roots(parts), " ") }

// masked joins the roots of parts, whatever their numbers say.
func masked(parts []part) string {
	return joined(lists.Map(parts, func(p part) part { return part{root: p.root} }))
}
