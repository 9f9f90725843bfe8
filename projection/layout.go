package projection

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"text/template/parse"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/fill"
)

// Limits of a template. Steps are nodes that are carried out, so that a long template
// goes over fewer elements.
const (
	MaxTemplate = 16 << 10
	maxOutput   = 8 << 20
	maxSteps    = 1_000_000
)

// customLayout is a template by which a team lays out a page or a briefing, and that was found to be harmless:
// it is in the syntax of text/template without what could do harm, because a repository brings it and
// nobody may have read it. It has a closed set of functions, no templates within it, no numbers to count
// to, a bounded text and a bounded number of steps. The same template and data give the same bytes, or the
// same error, on every machine: nothing depends on time.
type customLayout struct {
	template *fill.Template
	nodes    int
}

// parseLayout reads a template. The error names the line.
func parseLayout(name, text string) (*customLayout, error) {
	if len(text) > MaxTemplate {
		return nil, fmt.Errorf("%s: %d bytes is over the limit of %d", name, len(text), MaxTemplate)
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%s: it is not UTF-8", name)
	}
	if strings.Contains(text, reserved) {
		return nil, fmt.Errorf("%s: %q begins what cortex alone writes", name, reserved)
	}
	t, err := fill.Parse(name, text, (&layoutRun{}).functions())
	if err != nil {
		return nil, explained(err)
	}
	t.Print = write
	if len(t.Trees) != 1 || t.Trees[name] == nil {
		return nil, fmt.Errorf("%s: a template within it, or nothing at all", name)
	}
	l := &customLayout{template: t}
	if err := l.check(t.Trees[name].Root); err != nil {
		return nil, err
	}
	return l, nil
}

// explained adds which functions there are to the error of one that is not.
func explained(err error) error {
	if strings.HasSuffix(err.Error(), "not defined") {
		return fmt.Errorf("%w; the functions are and, or, not, eq, ne, upper and lower", err)
	}
	return err
}

// write refuses all but texts: a list or an entry would be written with the addresses at
// which it is in memory, which are others each time.
func write(value any) (string, error) {
	switch value.(type) {
	case string, bool:
		return fmt.Sprint(value), nil
	}
	return "", errors.New("can't print what is not a text")
}

// reserved begins the comments of a page that are read again.
const reserved = "<!-- cortex:"

// check refuses what a template has no need of.
func (l *customLayout) check(n parse.Node) error {
	l.nodes++
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return nil
		}
		return l.checkAll(n.Nodes)
	case *parse.TextNode, *parse.FieldNode,
		*parse.VariableNode, *parse.DotNode, *parse.StringNode, *parse.BoolNode, *parse.IdentifierNode:
		return nil
	case *parse.PipeNode:
		return l.pipe(n)
	case *parse.ActionNode:
		return l.pipe(n.Pipe)
	case *parse.IfNode:
		return l.branch(&n.BranchNode)
	case *parse.WithNode:
		return l.branch(&n.BranchNode)
	case *parse.RangeNode:
		if !isField(n.Pipe) {
			return l.refuse(n, "only a list of the data can be gone over")
		}
		return l.branch(&n.BranchNode)
	}
	return l.refuse(n, "this cannot stand in a template of cortex")
}

func (l *customLayout) checkAll(nodes []parse.Node) error {
	for _, n := range nodes {
		if err := l.check(n); err != nil {
			return err
		}
	}
	return nil
}

func (l *customLayout) branch(n *parse.BranchNode) error {
	return errors.Join(l.pipe(n.Pipe), l.check(n.List), l.check(n.ElseList))
}

// isField reports whether a pipe is one field of the data, so that it is no number.
func isField(p *parse.PipeNode) bool {
	if len(p.Cmds) != 1 || len(p.Cmds[0].Args) != 1 {
		return false
	}
	switch a := p.Cmds[0].Args[0].(type) {
	case *parse.FieldNode:
		return true
	case *parse.VariableNode:
		return len(a.Ident) > 1
	}
	return false
}

func (l *customLayout) pipe(p *parse.PipeNode) error {
	for _, c := range p.Cmds {
		if err := l.checkAll(c.Args); err != nil {
			return err
		}
	}
	return nil
}

func (l *customLayout) refuse(n parse.Node, why string) error {
	where, context := l.template.Trees[l.template.Name].ErrorContext(n)
	return fmt.Errorf("%s: %s: %s", where, context, why)
}

// layoutRun is one rendering, which the lists of its data take part in. The zero value is for
// data that no template sees.
type layoutRun struct {
	left  int // elements that may be gone over
	cased int // bytes that were given to upper and lower
}

func (r *layoutRun) functions() fill.Functions {
	return fill.Functions{"upper": r.counted(strings.ToUpper), "lower": r.counted(strings.ToLower)}
}

// counted is upper or lower within the bounds of a run: how long either takes depends on
// the text, not on the template.
func (r *layoutRun) counted(convert func(string) string) func(string) (string, error) {
	return func(s string) (string, error) {
		if r.cased += len(s); r.cased > maxOutput {
			return "", fmt.Errorf("upper and lower are given more than %d bytes", maxOutput)
		}
		return convert(s), nil
	}
}

// each is a list as a template may go over it; nil, which is false in a condition, for an
// empty one.
func each[T any](r *layoutRun, list []T) any {
	if len(list) == 0 {
		return nil
	}
	return iter.Seq[T](func(yield func(T) bool) {
		for _, v := range list {
			if r.left--; r.left < 0 || !yield(v) {
				return
			}
		}
	})
}

// render renders data that was made for the run. What comes out has no carriage returns,
// which an action can write: nothing that is looked for in it can be split by them. With
// an error the text is not whole.
func (l *customLayout) render(r *layoutRun, data any) (string, error) {
	r.left, r.cased = maxSteps/max(1, l.nodes), 0
	t := *l.template
	t.Functions = r.functions()
	var out bounded
	err := t.Fill(&out, t.Name, data)
	if r.left < 0 {
		err = fmt.Errorf("%s: it goes over more elements than %d", t.Name, maxSteps/max(1, l.nodes))
	}
	return strings.ReplaceAll(out.text.String(), "\r", ""), err
}

// bounded is a text of bounded length.
type bounded struct{ text strings.Builder }

func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > maxOutput {
		return 0, fmt.Errorf("the result is over %d bytes", maxOutput)
	}
	return b.text.Write(p)
}
