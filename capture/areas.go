package capture

import (
	_ "embed" // the areas
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

// mostAreas bounds how many areas of work a memory is tagged with.
const mostAreas = 2

//go:embed areas.tsv
var areaFile string

// area is a row of the table of areas of work. The table is closed, so that a filter such as
// tag:testing finds all there is. A word stands in it only if hardly any title says it of
// something else.
type area struct {
	tag          string
	words, paths []string
}

var areas = lazy.Value(func() []area {
	var out []area
	for row := range words.Rows(areaFile, 3) {
		out = append(out, area{row[0], strings.Split(row[1], "|"), strings.Split(row[2], "|")})
	}
	return out
})

// holds reports whether an area has one of some words of a title, or one of some files.
func (a *area) holds(words, files []string) bool {
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(a.words, w) }) {
		return true
	}
	return slices.ContainsFunc(files, func(f string) bool {
		return slices.ContainsFunc(a.paths,
			func(part string) bool { return part != "" && inArea(strings.ToLower(f), part) })
	})
}

// areasOf are the areas of work that a memory is about, by the words of its title and
// the files that it names: at most two, in alphabetical order.
func areasOf(title string, files []string) []string {
	words := prose.Words(strings.ReplaceAll(title, "`", " "))
	var out []string
	add := func(words, files []string) {
		for _, a := range areas() {
			if a.holds(words, files) {
				out = addNew(out, a.tag, mostAreas)
			}
		}
	}
	add(words, nil) // what the title says comes first
	add(nil, files)
	slices.Sort(out)
	return out
}

func inArea(file, part string) bool {
	switch {
	case strings.HasSuffix(part, "/"):
		return strings.HasPrefix(file, part) || strings.Contains(file, "/"+part)
	case part[0] == '*':
		return strings.HasSuffix(file, part[1:])
	}
	return path.Base(file) == part
}
