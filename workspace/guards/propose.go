package guards

import (
	"cmp"
	_ "embed"
	"errors"
	"regexp"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/guard"
)

//go:embed shapes.tsv
var shapes string

// ErrNoShape is a memory whose rule has no shape that can be checked at a call.
var ErrNoShape = errors.New("its words say nothing that can be checked at a call, or under a condition that cannot")

// Propose makes a guard of a memory, which is not in force. Where said does not say which calls it
// is about, a sentence of the memory does, and is its rule; where said names no action, it denies, or
// asks if that sentence says so.
func Propose(m *memory.Memory, said Guard) ([]Kept, error) {
	g := said
	g.Memory, g.Rule = m.ID, memory.OneLine(memory.Clean(m.Title))
	g.Name = memory.Slug(m.Title) + "-" + m.ID.Short()
	texts := append([]string{g.Rule}, strings.Split(memory.Clean(m.Text), "\n\n")...)
	if !calls(&g) && !shape(&g, texts) {
		return nil, ErrNoShape
	}
	g.Action = cmp.Or(said.Action, g.Action, guard.Deny)
	_, err := g.Encode()
	return []Kept{{Guard: &g, Path: guard.Path(g.Name)}}, err
}

// unchecked stands in the table of shapes for the action of a rule under a condition that no call shows.
const unchecked = "unchecked"

// calls reports whether it is said which calls a guard is about.
func calls(g *Guard) bool { return len(g.Command)+len(g.Path)+len(g.Text) > 0 }

// shape fills in a guard what the first sentence of some texts says that has a shape, and reports whether
// one has any.
func shape(g *Guard, texts []string) bool {
	plain := strings.NewReplacer("`", "", `"`, "", "’", "'", "**", "")
	for _, text := range texts {
		for _, sentence := range prose.Sentences(memory.OneLine(text)) {
			if says(g, plain.Replace(sentence)) {
				g.Rule = sentence
				return true
			}
		}
	}
	return false
}

// says fills in a guard what the first shape says that a sentence has, and reports whether it has any.
func says(g *Guard, sentence string) bool {
	made := *g
	made.Action = ""
	for cells := range words.Rows(shapes, 2) {
		expression := regexp.MustCompile("(?i)" + cells[0])
		if found := expression.FindStringSubmatchIndex(sentence); found != nil {
			fill(&made, cells[1:], func(template string) string {
				return string(expression.ExpandString(nil, template, sentence, found))
			})
		}
		if calls(&made) && made.Action != unchecked {
			*g = made
			return true
		}
	}
	return false
}

// fill fills in a guard what cells such as "command=git push,git commit" say.
func fill(g *Guard, cells []string, expand func(template string) string) {
	lists := map[string]*[]string{
		"command": &g.Command, "with": &g.With, "branch": &g.Branch, "needs": &g.Needs, "path": &g.Path,
		"text": &g.Text,
	}
	lines := map[string]*string{"action": &g.Action, "remedy": &g.Remedy}
	for _, cell := range cells {
		key, template, _ := strings.Cut(cell, "=")
		value := expand(template)
		if list := lists[key]; list != nil {
			*list = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		} else {
			*lines[key] = cmp.Or(*lines[key], value)
		}
	}
}
