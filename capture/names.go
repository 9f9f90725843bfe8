package capture

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

// names are the people and dependencies of a repository, found in a text by
// their own words.
type names struct {
	people map[string]string // first word, lower case: the full name, "" when several have it
	full   []string
	deps   map[string]string // the word that stands for a dependency, lower case: its name
}

func newNames(people, dependencies []string) *names {
	n := &names{people: map[string]string{}, deps: map[string]string{}}
	for _, p := range people {
		n.addPerson(oneLine(p))
	}
	for _, d := range dependencies {
		if word := dependencyWord(d); len(word) >= leastName && !is("plain package", word) {
			n.deps[word] = word
		}
	}
	return n
}

// leastName is how long a name is at least, in bytes, that is looked for.
const leastName = 3

// addPerson adds a person.
func (n *names) addPerson(p string) {
	first := strings.ToLower(prose.FirstWord(p))
	if isProgram(p, first) || len(first) < leastName || slices.Contains(n.full, p) {
		return
	}
	n.full = append(n.full, p)
	if _, several := n.people[first]; several {
		p = ""
	}
	n.people[first] = p
}

// isProgram reports whether the name of an author is that of a program, or an address.
func isProgram(name, first string) bool {
	return strings.ContainsAny(name, "[]@") || strings.HasSuffix(first, "bot")
}

// versionPart matches the version at the end of the path of a dependency: "mod/v2", "yaml.v3".
var versionPart = lazy.Pattern(`(/v\d+|\.v.+)$`)

// dependencyWord is how people name a dependency: the last part of its path
// that is no version.
func dependencyWord(d string) string {
	d = strings.ToLower(strings.Trim(strings.TrimSpace(d), "/@"))
	return path.Base(versionPart().ReplaceAllString(d, ""))
}

// in lists the names that a text holds, each in its own spelling.
func (n *names) in(text string) []string {
	out := lists.Where(n.full, func(p string) bool { return strings.Contains(p, " ") && strings.Contains(text, p) })
	before := "" // a word with a capital
	for word := range words.Split(text, "-_.") {
		word = strings.TrimSuffix(strings.Trim(word, ".-_"), "'s")
		lower := strings.ToLower(word)
		out = addNew(out, n.deps[lower], math.MaxInt)
		if !isCapitalised(word) {
			lower = ""
		}
		out = addNew(out, n.people[lower], math.MaxInt)
		out = addNew(out, n.deps[before+"-"+lower], math.MaxInt) // "React Router" is react-router
		before = lower
	}
	return out
}

// isCapitalised reports whether a word has a capital, and is not written in capitals alone.
func isCapitalised(word string) bool {
	return word != strings.ToLower(word) && word != strings.ToUpper(word)
}
