package passage

import (
	"cmp"
	_ "embed" // cues and words
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

//go:embed cues.tsv
var cueFile string

//go:embed words.tsv
var wordFile string

// lexicon has the classes of words by which a sentence is told apart, such as verbs.
var lexicon = lazy.Value(func() *prose.Lexicon { return prose.ReadLexicon(wordFile) })

func is(class, word string) bool               { return lexicon().Is(class, word) }
func in(class string, words []string) bool     { return lexicon().In(class, words) }
func begins(class string, words []string) bool { return lexicon().Begins(class, words) > 0 }
func ends(class string, words []string) bool   { return len(words) > 0 && is(class, words[len(words)-1]) }

// classOf is the first of some classes that a word is of, "" if it is of none.
func classOf(word string, classes ...string) string {
	for _, class := range classes {
		if is(class, word) {
			return class
		}
	}
	return ""
}

func opener(s string) string { return strings.ToLower(strings.TrimRight(prose.FirstWord(s), ",.;:")) }

// Where a cue is looked for.
const (
	inText    = "text"    // the agent's words
	inHeading = "heading" // what stands over them
	inUser    = "user"    // the user's own words
)

// group is a group of cues of one meaning.
type group struct {
	where, name string
	typ         memory.Type // that the cues suggest, "" for none
}

// sign names a group among the signs of a passage.
func (g *group) sign() string {
	switch g.where {
	case inHeading:
		return "heading: " + g.name
	case inUser:
		return "said " + g.name
	}
	return g.name
}

// cueTable is the table of cues: groups in the order of the file, and their phrases.
type cueTable struct {
	groups []group
	byWord map[string][]cue // by the first word
}

// cue is one row of the table.
type cue struct {
	group int
	rest  []string // the words behind the first
	text  string
}

var cues = lazy.Value(func() *cueTable {
	t := &cueTable{byWord: map[string][]cue{}}
	for f := range words.Rows(cueFile, cueFields) {
		if f[0] != "where" { // the names of the columns
			t.add(f)
		}
	}
	return t
})

// cueFields is how many fields a row has: where, group, type, worth, phrase.
const cueFields = 5

func (t *cueTable) add(f []string) {
	g := group{where: f[0], name: f[1], typ: memory.Type(strings.Trim(f[2], "-"))}
	n := len(t.groups)
	if n == 0 || t.groups[n-1] != g {
		t.groups = append(t.groups, g)
		n++
	}
	words := prose.Phrase(f[4])
	t.byWord[words[0]] = append(t.byWord[words[0]], cue{n - 1, words[1:], f[4]})
}

// hit is a group of which cues were found.
type hit struct {
	*group
	at   int // which group of the table
	n    int
	rows []string // the phrases
}

// speaksAgainst reports whether what was found makes a passage less worth keeping.
func (h *hit) speaksAgainst() bool { return h.typ == "" && h.name != "core" }

// find lists the groups of which cues stand in some words, in the order of the file.
func (t *cueTable) find(where string, words []string) []hit {
	found := map[int]*hit{}
	for i := range words {
		for _, c := range t.byWord[words[i]] {
			if t.groups[c.group].where == where && startsWith(words[i+1:], c.rest) {
				t.note(found, c)
			}
		}
	}
	return lists.Map(slices.Sorted(maps.Keys(found)), func(at int) hit { return *found[at] })
}

// note adds a cue to what was found of its group.
func (t *cueTable) note(found map[int]*hit, c cue) {
	h := found[c.group]
	if h == nil {
		h = &hit{group: &t.groups[c.group], at: c.group}
		found[c.group] = h
	}
	h.n++
	h.rows = append(h.rows, c.text)
}

func startsWith(words, with []string) bool {
	return len(words) >= len(with) && slices.Equal(words[:len(with)], with)
}

// Said reads the cues of a person's words: their signs, the type that they
// suggest, and the rows of the table.
func Said(words []string) (signs []string, typ memory.Type, rows []string) {
	for _, h := range cues().find(inUser, words) {
		signs = append(signs, h.sign())
		rows = append(rows, rowsOf(h)...)
		if h.name != "scope" {
			typ = cmp.Or(typ, h.typ)
		}
	}
	return signs, cmp.Or(typ, memory.Decision), rows
}

func rowsOf(h hit) []string {
	out := make([]string, len(h.rows))
	for i, r := range h.rows {
		out[i] = h.where + "\t" + h.name + "\t" + r
	}
	return out
}

// Hints reports whether words have a cue of one of some groups of the agent's words.
func Hints(words []string, groups ...string) bool {
	return slices.ContainsFunc(cues().find(inText, words), func(h hit) bool { return slices.Contains(groups, h.name) })
}

// explains reports whether a sentence gives a reason or a limit, or names a trap.
func explains(words []string) bool { return Hints(words, "cause", "limit", "trap", "norm") }
