package capture

import (
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
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

// addPerson adds a person, unless it is a program or an address.
func (n *names) addPerson(p string) {
	first := strings.ToLower(prose.FirstWord(p))
	isProgram := strings.ContainsAny(p, "[]@") || strings.HasSuffix(first, "bot")
	if isProgram || len(first) < leastName || slices.Contains(n.full, p) {
		return
	}
	n.full = append(n.full, p)
	if _, several := n.people[first]; several {
		p = ""
	}
	n.people[first] = p
}

// dependencyWord is how people name a dependency: the last part of its path
// that is no version.
func dependencyWord(d string) string {
	d = strings.ToLower(strings.Trim(strings.TrimSpace(d), "/@"))
	base := path.Base(d)
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		base = path.Base(path.Dir(d))
	}
	if head, tail, ok := strings.Cut(base, "."); ok && len(tail) > 1 && tail[0] == 'v' { // yaml.v3
		base = head
	}
	return base
}

// in lists the names that a text holds, each in its own spelling.
func (n *names) in(text string) []string {
	var out []string
	add := func(x string) {
		if x != "" && !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	for _, p := range n.full {
		if strings.Contains(p, " ") && strings.Contains(text, p) {
			add(p)
		}
	}
	for word := range words.Split(text, "-_.") {
		word = strings.TrimSuffix(strings.Trim(word, ".-_"), "'s")
		lower := strings.ToLower(word)
		if word != lower && strings.ToUpper(word) != word { // a name begins with a capital
			add(n.people[lower])
		}
		add(n.deps[lower])
	}
	return out
}
