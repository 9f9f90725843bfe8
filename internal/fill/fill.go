// Package fill writes templates in the syntax of text/template, without the calls of
// methods by name that keep every exported method in a program. Call [Parse], and then
// [Template.Fill] with data.
//
// A template has texts, fields of structs, variables, conditions, loops over lists,
// templates within it, and functions. Methods, maps and channels are unknown to it.
// It promises that what it writes depends on the template and the data alone, and that
// each value goes through [Template.Print].
package fill

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strings"
	"text/template/parse"
)

// Functions holds the functions that a template may call beside and, or, not, eq and ne.
// Each has a fixed number of parameters, and returns a value, or a value and an error.
type Functions map[string]any

// Template is a parsed template. It is safe for concurrent use once it is made.
type Template struct {
	Name      string
	Trees     map[string]*parse.Tree // by name: it, and those that are defined in it
	Functions Functions
	// Print makes the text that is written of a value.
	Print func(value any) (string, error)
}

// Parse reads a template of that name. The error names the line.
func Parse(name, text string, functions Functions) (*Template, error) {
	known := map[string]any{}
	for builtin := range builtins() {
		known[builtin] = true
	}
	trees, err := parse.Parse(name, text, "", "", known, functions)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	return &Template{Name: name, Trees: trees, Functions: functions}, nil
}

// Fill writes the template of that name with data. What was written before an error stays.
func (t *Template) Fill(out io.Writer, name string, data any) error {
	tree := t.Trees[name]
	if tree == nil {
		return fmt.Errorf("there is no template %q", name)
	}
	dot := reflect.ValueOf(data)
	s := &state{template: t, tree: tree, out: out, variables: []variable{{"$", dot}}}
	return s.walk(dot, tree.Root)
}

// state is one template that is being written.
type state struct {
	template  *Template
	tree      *parse.Tree
	out       io.Writer
	variables []variable // the innermost last
}

type variable struct {
	name  string
	value reflect.Value // the zero value is nil
}

// Ways out of a loop.
var (
	errBreak    = errors.New("break")
	errContinue = errors.New("continue")
)

// fault is an error that names the place of a node.
func (s *state) fault(n parse.Node, format string, args ...any) error {
	where, context := s.tree.ErrorContext(n)
	return fmt.Errorf("%s: at <%s>: %w", where, context, fmt.Errorf(format, args...))
}

func (s *state) walk(dot reflect.Value, n parse.Node) error {
	switch n := n.(type) {
	case *parse.ListNode:
		return s.list(dot, n)
	case *parse.TextNode:
		_, err := s.out.Write(n.Text)
		return err
	case *parse.CommentNode:
		return nil
	case *parse.ActionNode:
		return s.action(dot, n)
	case *parse.IfNode:
		return s.branch(dot, &n.BranchNode)
	case *parse.WithNode:
		return s.branch(dot, &n.BranchNode)
	case *parse.RangeNode:
		return s.loop(dot, n)
	case *parse.TemplateNode:
		return s.nested(dot, n)
	case *parse.BreakNode:
		return errBreak
	case *parse.ContinueNode:
		return errContinue
	}
	return s.fault(n, "this cannot stand in a template")
}

func (s *state) list(dot reflect.Value, list *parse.ListNode) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		if err := s.walk(dot, n); err != nil {
			return err
		}
	}
	return nil
}

// action writes the value of a pipe, unless it is given to a variable.
func (s *state) action(dot reflect.Value, n *parse.ActionNode) error {
	v, err := s.pipe(dot, n.Pipe)
	if err != nil || len(n.Pipe.Decl) > 0 {
		return err
	}
	text, err := s.template.Print(plain(v))
	if err != nil {
		return s.fault(n, "%w", err)
	}
	_, err = io.WriteString(s.out, text)
	return err
}

// branch writes one of the two lists of an if or a with, which makes its value the dot.
// Variables end with it.
func (s *state) branch(dot reflect.Value, n *parse.BranchNode) error {
	defer s.scope()()
	v, err := s.pipe(dot, n.Pipe)
	switch {
	case err != nil:
		return err
	case !truth(v):
		return s.list(dot, n.ElseList)
	case n.NodeType == parse.NodeWith:
		dot = v
	}
	return s.list(dot, n.List)
}

// scope returns a function that ends the variables declared from here on.
func (s *state) scope() (end func()) {
	n := len(s.variables)
	return func() { s.variables = s.variables[:n] }
}

// loop writes a list once for each element.
func (s *state) loop(dot reflect.Value, n *parse.RangeNode) error {
	defer s.scope()()
	v, err := s.commands(dot, n.Pipe)
	if err != nil {
		return err
	}
	all, counted := elements(v)
	switch {
	case all == nil:
		return s.fault(n.Pipe, "can't iterate over it")
	case n.Pipe.IsAssign:
		return s.fault(n.Pipe, "a loop declares its variables with :=")
	case !counted && len(n.Pipe.Decl) > 1:
		return s.fault(n.Pipe, "can't use it to iterate over more than one variable")
	}
	empty := true
	for i, e := range all {
		empty = false
		switch err := s.pass(n, i, e); {
		case errors.Is(err, errBreak):
			return nil
		case err != nil && !errors.Is(err, errContinue):
			return err
		}
	}
	if empty {
		return s.list(dot, n.ElseList)
	}
	return nil
}

// pass writes the list of a loop for one element.
func (s *state) pass(n *parse.RangeNode, i int, e reflect.Value) error {
	defer s.scope()()
	switch names := n.Pipe.Decl; len(names) {
	case 1:
		s.declare(names[0], e)
	case 2:
		s.declare(names[0], reflect.ValueOf(i))
		s.declare(names[1], e)
	}
	return s.list(e, n.List)
}

// elements returns what a loop goes over; nil for what is no list. Counted reports whether
// the numbers of elements mean something.
func elements(v reflect.Value) (all iter.Seq2[int, reflect.Value], counted bool) {
	v = bare(v)
	switch {
	case !v.IsValid():
		return func(func(int, reflect.Value) bool) {}, true
	case v.Kind() == reflect.Slice:
		return func(yield func(int, reflect.Value) bool) {
			for i := range v.Len() {
				if !yield(i, v.Index(i)) {
					return
				}
			}
		}, true
	case v.Kind() == reflect.Func && v.Type().CanSeq():
		return func(yield func(int, reflect.Value) bool) {
			for e := range v.Seq() {
				if !yield(0, e) {
					return
				}
			}
		}, false
	}
	return nil, false
}

// nested writes another template, to which the value of the pipe is the data.
func (s *state) nested(dot reflect.Value, n *parse.TemplateNode) error {
	tree := s.template.Trees[n.Name]
	if tree == nil {
		return s.fault(n, "there is no template %q", n.Name)
	}
	var data reflect.Value
	if n.Pipe != nil {
		var err error
		if data, err = s.pipe(dot, n.Pipe); err != nil {
			return err
		}
	}
	inner := &state{template: s.template, tree: tree, out: s.out, variables: []variable{{"$", data}}}
	return inner.walk(data, tree.Root)
}
