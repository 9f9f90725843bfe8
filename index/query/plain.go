package query

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

// The plain language that stands for filters is data: three tables with a tab between
// columns ([words.Rows]).

//go:embed classes.tsv
var classText string

//go:embed times.tsv
var timeText string

//go:embed intents.tsv
var intentText string

// class is a set of words that serve one purpose, see classes.tsv.
type class string

const (
	leadWord    class = "lead"         // leads in a time
	sessionLead class = "session lead" // leads in sessions
	ourWord     class = "our"          // stands before "last sessions"
	lastWord    class = "last"
	newestWord  class = "newest"       // asks for the newest of what follows
	openerWord  class = "opener"       // may stand before a noun that says what is wanted
	aboutWord   class = "about"        // leads from a noun to its subject
	saysNothing class = "says nothing" // does not narrow down what is wanted of a time
	numberWord  class = "number"
)

var classes = lazy.Value(func() map[string][]string { return words.Classes(classText) })

func (c class) has(word string) bool { return slices.Contains(classes()[string(c)], word) }

// timeRow is a row of times.tsv.
type timeRow struct {
	words  []string // alternatives with | between them, or the name of a kind of word
	means  string   // with $1 for the first word
	led    bool     // a word like "in" must stand before it
	recent bool     // it lasts until now
	newest bool     // the newest are wanted first
	ago    bool     // it is one unit long
}

var timeRows = lazy.Value(func() []timeRow {
	var out []timeRow
	for row := range words.Rows(timeText, 3) {
		is := func(flag string) bool { return slices.Contains(strings.Fields(row[2]), flag) }
		out = append(out, timeRow{
			words: strings.Fields(row[0]), means: row[1],
			led: is("led"), recent: is("recent"), newest: is("newest"), ago: is("ago"),
		})
	}
	return out
})

// kinds are the kinds of words that rows of times.tsv name.
func kinds() map[string]func(word string) bool {
	return map[string]func(word string) bool{
		"COUNT":    func(w string) bool { return countOf(w) != "" },
		"WORD":     func(w string) bool { return w != "" },
		"CALENDAR": isCalendarName,
		"YEAR":     func(w string) bool { return len(w) == len("2026") },
		"DATE":     func(w string) bool { return len(w) >= len("2026") && strings.HasPrefix(w, "20") },
	}
}

// fitsWord reports whether a word is one of the alternatives or of the kind that a row of
// times.tsv names.
func fitsWord(pattern, word string) bool {
	if is, ok := kinds()[pattern]; ok {
		return is(word)
	}
	return slices.Contains(strings.Split(pattern, "|"), word)
}

// countOf is a small number in digits; "" when the word is none.
func countOf(word string) string {
	switch word {
	case "a", "an":
		return "1"
	case "few":
		return "3"
	}
	if n := slices.Index(classes()[string(numberWord)], word); n > 0 {
		return strconv.Itoa(n)
	}
	if len(word) <= 3 && strings.Trim(word, "0123456789") == "" {
		return word
	}
	return ""
}

// intent is a row of intents.tsv: a way to begin a query, and what it asks for.
type intent struct {
	words   [][]string // alternatives, word by word
	clauses []Clause
	noun    bool // a word like "about" or the end of the query follows
	keep    bool // the words stay in the ranking
}

var intents = lazy.Value(func() []intent {
	var out []intent
	for row := range words.Rows(intentText, 3) {
		in := intent{noun: row[0] == "noun", keep: row[0] == "why"}
		lean := leanKind
		if in.keep {
			lean = leanWhy
		}
		for filter := range strings.FieldsSeq(row[1]) {
			key, values, _ := strings.Cut(filter, ":")
			for value := range strings.SplitSeq(values, ",") {
				in.clauses = append(in.clauses, Clause{Key: Key(key), Value: value, Lean: lean})
			}
		}
		for word := range strings.FieldsSeq(row[2]) {
			in.words = append(in.words, strings.Split(word, "|"))
		}
		out = append(out, in)
	}
	return out
})
