// Package fill writes templates in the syntax of text/template, without the calls of
// methods by name that keep every exported method in a program. Call [Parse], and then
// [Template.Fill] with data.
//
// A template has texts, fields of structs, variables, conditions, loops over lists,
// templates within it, and functions. Methods, maps, channels, break and continue are unknown to it.
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
func (t *Template) Fill(out io.Writer, name string, data any) (err error) {
	tree := t.Trees[name]
	if tree == nil {
		return fmt.Errorf("there is no template %q", name)
	}
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.err
		default: // in a function, or in what goes over a list
			err = fmt.Errorf("%s: %v", name, p)
		}
	}()
	dot := reflect.ValueOf(data)
	s := &state{template: t, tree: tree, out: out, variables: []variable{{"$", dot}}}
	s.list(dot, tree.Root)
	return nil
}

// state is one template that is being written. Its methods panic with a [failure] where
// they cannot go on, as those of text/template do.
type state struct {
	template  *Template
	tree      *parse.Tree
	out       io.Writer
	variables []variable // the innermost last
}

// failure ends the writing of a template.
type failure struct{ err error }

type variable struct {
	name  string
	value reflect.Value // the zero value is nil
}

// fail ends the writing with an error that names the place of a node.
func (s *state) fail(n parse.Node, format string, args ...any) {
	where, context := s.tree.ErrorContext(n)
	panic(failure{fmt.Errorf("%s: at <%s>: %w", where, context, fmt.Errorf(format, args...))})
}

func (s *state) write(text string) {
	if _, err := io.WriteString(s.out, text); err != nil {
		panic(failure{err})
	}
}

// node writes one node of a template.
func (s *state) node(dot reflect.Value, n parse.Node) {
	switch n := n.(type) {
	case *parse.TextNode:
		s.write(string(n.Text))
	case *parse.ActionNode:
		s.action(dot, n)
	case *parse.IfNode:
		s.branch(dot, &n.BranchNode)
	case *parse.WithNode:
		s.branch(dot, &n.BranchNode)
	case *parse.RangeNode:
		s.loop(dot, n)
	case *parse.TemplateNode:
		s.nested(dot, n)
	default:
		s.fail(n, "this cannot stand in a template")
	}
}

func (s *state) list(dot reflect.Value, list *parse.ListNode) {
	if list == nil {
		return
	}
	for _, n := range list.Nodes {
		s.node(dot, n)
	}
}

// action writes the value of a pipe, unless it is given to a variable.
func (s *state) action(dot reflect.Value, n *parse.ActionNode) {
	v := s.pipe(dot, n.Pipe)
	if len(n.Pipe.Decl) > 0 {
		return
	}
	text, err := s.template.Print(plain(v))
	if err != nil {
		s.fail(n, "%w", err)
	}
	s.write(text)
}

// branch writes one of the two lists of an if or a with, which makes its value the dot.
// Variables end with it.
func (s *state) branch(dot reflect.Value, n *parse.BranchNode) {
	defer s.scope()()
	v, list := s.pipe(dot, n.Pipe), n.List
	switch {
	case !truth(v):
		list = n.ElseList
	case n.NodeType == parse.NodeWith:
		dot = v
	}
	s.list(dot, list)
}

// scope returns a function that ends the variables declared from here on.
func (s *state) scope() (end func()) {
	n := len(s.variables)
	return func() { s.variables = s.variables[:n] }
}

// loop writes a list once for each element.
func (s *state) loop(dot reflect.Value, n *parse.RangeNode) {
	defer s.scope()()
	all, counted := elements(s.commands(dot, n.Pipe))
	switch {
	case all == nil:
		s.fail(n.Pipe, "can't iterate over it")
	case n.Pipe.IsAssign:
		s.fail(n.Pipe, "a loop declares its variables with :=")
	case !counted && len(n.Pipe.Decl) > 1:
		s.fail(n.Pipe, "can't use it to iterate over more than one variable")
	}
	i := 0
	for e := range all {
		s.pass(n, i, e)
		i++
	}
	if i == 0 {
		s.list(dot, n.ElseList)
	}
}

// pass writes the list of a loop for one element.
func (s *state) pass(n *parse.RangeNode, i int, e reflect.Value) {
	defer s.scope()()
	switch names := n.Pipe.Decl; len(names) {
	case 1:
		s.declare(names[0], e)
	case 2:
		s.declare(names[0], reflect.ValueOf(i))
		s.declare(names[1], e)
	}
	s.list(e, n.List)
}

// elements returns what a loop goes over; nil for what is no list. Counted reports whether
// the numbers of elements mean something.
func elements(v reflect.Value) (all iter.Seq[reflect.Value], counted bool) {
	v = bare(v)
	switch {
	case !v.IsValid():
		return func(func(reflect.Value) bool) {}, true
	case v.Kind() == reflect.Slice:
		return inSlice(v), true
	case v.Kind() == reflect.Func && v.Type().CanSeq():
		return v.Seq(), false
	}
	return nil, false
}

func inSlice(v reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		for i := 0; i < v.Len() && yield(v.Index(i)); {
			i++
		}
	}
}

// nested writes another template, to which the value of the pipe is the data.
func (s *state) nested(dot reflect.Value, n *parse.TemplateNode) {
	tree := s.template.Trees[n.Name]
	if tree == nil {
		s.fail(n, "there is no template %q", n.Name)
		return
	}
	var data reflect.Value
	if n.Pipe != nil {
		data = s.pipe(dot, n.Pipe)
	}
	inner := &state{template: s.template, tree: tree, out: s.out, variables: []variable{{"$", data}}}
	inner.list(data, tree.Root)
}
