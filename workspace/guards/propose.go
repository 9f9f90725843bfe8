package guards

import (
	_ "embed"
	"errors"
	"regexp"
	"strings"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/guard"
)

//go:embed shapes.tsv
var shapes string

// ErrNoShape is a memory whose rule has no shape that can be checked at a call.
var ErrNoShape = errors.New("its words say nothing that can be checked at a call")

// Propose makes a guard of a memory, which is not in force. Where said does not say which calls it
// is about, the words of the memory do.
func Propose(m *memory.Memory, said Guard) ([]Kept, error) {
	g := said
	g.Memory, g.Rule = m.ID, memory.OneLine(memory.Clean(m.Title))
	g.Name = memory.Slug(m.Title) + "-" + m.ID.Short()
	if len(g.Command)+len(g.Path)+len(g.Text) == 0 && !shape(&g, g.Rule, m.Text) {
		return nil, ErrNoShape
	}
	_, err := g.Encode()
	return []Kept{{Guard: &g, Path: guard.Path(g.Name)}}, err
}

// shape fills in a guard what the first shape says that one of some texts has, and reports whether
// one has any.
func shape(g *Guard, texts ...string) bool {
	for _, text := range texts {
		text = strings.NewReplacer("`", "", `"`, "", "’", "'", "**", "").Replace(text)
		for cells := range words.Rows(shapes, 2) {
			expression := regexp.MustCompile("(?i)" + cells[0])
			if found := expression.FindStringSubmatchIndex(text); found != nil {
				fill(g, cells[1:], func(template string) string {
					return string(expression.ExpandString(nil, template, text, found))
				})
				return true
			}
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
	for _, cell := range cells {
		key, template, _ := strings.Cut(cell, "=")
		value := expand(template)
		if list := lists[key]; list != nil {
			*list = strings.FieldsFunc(value, func(r rune) bool { return r == ',' })
		} else if g.Remedy == "" {
			g.Remedy = value
		}
	}
}
