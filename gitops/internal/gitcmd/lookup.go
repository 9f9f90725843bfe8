package gitcmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// LookUp asks git for each of names, none of which may hold a line break, and
// returns its answers in their order: in the form of format where there is such
// an object, else in words.
func (g *Runner) LookUp(ctx context.Context, format string, names []string) ([]string, error) {
	if len(names) == 0 {
		return nil, nil
	}
	in := strings.NewReader(strings.Join(names, "\n") + "\n")
	out, err := g.Run(ctx, Command{Args: []string{"cat-file", "--batch-check=" + format}, Stdin: in})
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if err == nil && len(answers) != len(names) {
		err = fmt.Errorf("git gave %d answers to %d questions", len(answers), len(names))
	}
	return answers, err
}

// Ref is a ref by its full name.
type Ref struct {
	Name string
	ID   gitobject.ID
}

// Refs lists the refs below the prefixes, sorted by name.
func (g *Runner) Refs(ctx context.Context, prefixes ...string) ([]Ref, error) {
	out, err := g.Run(ctx, Command{Args: append([]string{"for-each-ref", "--format=%(objectname) %(refname)"}, prefixes...)})
	var refs []Ref
	for line := range strings.Lines(string(out)) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		refs = append(refs, Ref{name, gitobject.ID(id)})
	}
	return refs, err
}
