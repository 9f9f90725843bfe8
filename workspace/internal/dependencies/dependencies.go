// Package dependencies holds what was decided against what a project depends on. Call
// [Unmet] with the memories in force and [Builtin], or a table that [Table.With] made of
// it. It goes by names alone, and promises to say nothing of a name that no table has.
package dependencies

import (
	"cmp"
	_ "embed" // the table
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// Table maps a technology, in lower case, to words of the packages by which a project
// uses it. A word is met where it stands in the name of a dependency by itself, figures
// at its end aside: "sqlite" in "github.com/mattn/go-sqlite3".
type Table map[string][]string

//go:embed technologies.tsv
var technologies string

// Builtin returns the table for what is used through a package and hardly ever without.
func Builtin() Table { return words.Classes(technologies) }

// usual are the names of technologies that are written in other ways too.
var usual = lazy.Value(func() map[string]string {
	return map[string]string{
		"mongo": "mongodb", "postgres": "postgresql", "elastic": "elasticsearch", "next.js": "react",
		"react.js": "react",
	}
})

// same is the usual way to write a technology.
func same(name string) string { return cmp.Or(usual()[name], name) }

// With returns the table with what a team says of more technologies, or of the same. One
// without words is not compared.
func (t Table) With(own map[string][]string) Table {
	out := maps.Clone(t)
	for name, list := range own {
		out[same(strings.ToLower(name))] = list
	}
	return out
}

// Knows reports whether a name is that of a technology of the table, in any of the ways
// to write it.
func (t Table) Knows(name string) bool {
	_, ok := t[same(strings.ToLower(name))]
	return ok
}

// Choice is a memory about something that nothing depends on.
type Choice struct {
	Memory *memory.Memory
	Name   string // as the table has it
}

// Unmet returns the memories about a technology of the table that none of the dependencies
// is for, the newest first: decisions that choose it, and what was learned of it. Dependencies is
// called where there is such a memory; nil says that they are not known.
func Unmet(live []*memory.Memory, table Table, dependencies func() []string) []Choice {
	about := lists.Where(live, func(m *memory.Memory) bool { return table.Mentioned(m.Title) })
	chosen := lists.Map(about, func(m *memory.Memory) Choice { return Choice{m, table.find(subject(m))} })
	chosen = lists.Without(chosen, func(c Choice) bool { return c.Name == "" })
	if len(chosen) == 0 {
		return nil
	}
	names := dependencies()
	if names == nil {
		return nil
	}
	have := map[string]bool{}
	for _, d := range names {
		for word := range words.Split(strings.ToLower(d), "") {
			have[word], have[strings.TrimRightFunc(word, unicode.IsDigit)] = true, true
		}
	}
	chosen = lists.Without(chosen, func(c Choice) bool {
		return slices.ContainsFunc(table[c.Name], func(word string) bool { return have[strings.ToLower(word)] })
	})
	lists.Sort(chosen, func(a, b Choice) int {
		return cmp.Or(b.Memory.Created.Compare(a.Memory.Created), cmp.Compare(a.Memory.ID, b.Memory.ID))
	})
	return chosen
}

// subject is the name of what a memory chooses, or the title of something that was learned: it begins with one.
func subject(m *memory.Memory) string {
	if slices.Contains([]memory.Type{memory.Learned, memory.Gotcha, memory.Fix}, m.Type) {
		return strings.ToLower(m.Title)
	}
	return contradiction.Of(m).For.Name
}

// find is the technology that a choice names, by all of its words or the first; "" for
// none of the table.
func (t Table) find(choice string) string {
	first, _, _ := strings.Cut(choice, " ")
	for _, name := range []string{same(choice), same(first)} {
		if len(t[name]) > 0 {
			return name
		}
	}
	return ""
}

// Mentioned reports whether a word of a title is in the table: of other memories [Unmet] says nothing.
func (t Table) Mentioned(title string) bool {
	for word := range strings.FieldsSeq(title) {
		word = strings.ToLower(strings.TrimFunc(word,
			func(r rune) bool { return !words.IsAlphanumeric(r) }))
		if len(t[same(word)]) > 0 {
			return true
		}
	}
	return false
}
