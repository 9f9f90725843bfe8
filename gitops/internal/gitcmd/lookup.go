package gitcmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// LookUp asks git for each of names, none of which may hold a line break, and
// returns its answers in their order: in the form of format where there is such
// an object, else in words. Doing begins the text of an error.
func (g *Runner) LookUp(ctx context.Context, doing, format string, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	in := strings.NewReader(strings.Join(names, "\n") + "\n")
	out, err := g.Text(ctx, Command{Doing: doing, Args: []string{"cat-file", "--batch-check=" + format}, Stdin: in})
	answers := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if err == nil && len(answers) != len(names) {
		err = fmt.Errorf("%s: git gave %d answers to %d questions", doing, len(answers), len(names))
	}
	return answers, err
}

// Ref is a ref by its full name.
type Ref struct {
	Name string
	ID   gitobject.ID
}

// Refs lists the refs below the prefixes, sorted by name. Doing begins the text of an error.
func (g *Runner) Refs(ctx context.Context, doing string, prefixes ...string) ([]Ref, error) {
	args := append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, prefixes...)
	out, err := g.Ask(ctx, doing, args...)
	var refs []Ref
	for line := range strings.Lines(out) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		refs = append(refs, Ref{name, gitobject.ID(id)})
	}
	return refs, err
}
