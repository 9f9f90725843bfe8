package fill

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"text/template/parse"
)

// pipe returns the value of a pipe, and gives it to the variables that it declares or sets.
func (s *state) pipe(dot reflect.Value, p *parse.PipeNode) reflect.Value {
	v := s.commands(dot, p)
	for _, name := range p.Decl {
		if p.IsAssign {
			s.variable(name).value = v
		} else {
			s.declare(name, v)
		}
	}
	return v
}

// commands returns the value of the last command, each being given that of the one before.
func (s *state) commands(dot reflect.Value, p *parse.PipeNode) (v reflect.Value) {
	var before []reflect.Value
	for _, c := range p.Cmds {
		v = s.command(dot, c, before)
		before = []reflect.Value{v}
	}
	return v
}

func (s *state) declare(n *parse.VariableNode, v reflect.Value) {
	s.variables = append(s.variables, variable{n.Ident[0], v})
}

// variable returns the innermost variable of a name.
func (s *state) variable(n *parse.VariableNode) *variable {
	for i := len(s.variables) - 1; i >= 0; i-- {
		if s.variables[i].name == n.Ident[0] {
			return &s.variables[i]
		}
	}
	s.fail(n, "there is no variable %s", n.Ident[0])
	return nil
}

// command returns the value of one command; last is what comes through the pipe.
func (s *state) command(dot reflect.Value, c *parse.CommandNode, last []reflect.Value) reflect.Value {
	if name, ok := c.Args[0].(*parse.IdentifierNode); ok {
		return s.call(dot, name, c.Args[1:], last)
	}
	if len(c.Args) > 1 || len(last) > 0 {
		s.fail(c.Args[0], "can't give arguments to what is no function")
	}
	return s.value(dot, c.Args[0])
}

// value returns the value of an operand.
func (s *state) value(dot reflect.Value, n parse.Node) reflect.Value {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot
	case *parse.NilNode:
		return reflect.Value{}
	case *parse.BoolNode:
		return reflect.ValueOf(n.True)
	case *parse.StringNode:
		return reflect.ValueOf(n.Text)
	case *parse.NumberNode:
		return s.number(n)
	}
	return s.found(dot, n)
}

// found returns the value of an operand that is not in the template itself.
func (s *state) found(dot reflect.Value, n parse.Node) reflect.Value {
	switch n := n.(type) {
	case *parse.FieldNode:
		return s.fields(dot, n, n.Ident)
	case *parse.VariableNode:
		return s.fields(s.variable(n).value, n, n.Ident[1:])
	case *parse.ChainNode:
		return s.fields(s.value(dot, n.Node), n, n.Field)
	case *parse.IdentifierNode:
		return s.call(dot, n, nil, nil)
	case *parse.PipeNode:
		return s.pipe(dot, n)
	}
	s.fail(n, "can't evaluate it")
	return reflect.Value{}
}

func (s *state) number(n *parse.NumberNode) reflect.Value {
	if !n.IsInt {
		s.fail(n, "only whole numbers can be written")
	}
	return reflect.ValueOf(int(n.Int64))
}

// fields follows the names of fields from a value.
func (s *state) fields(v reflect.Value, n parse.Node, names []string) reflect.Value {
	for _, name := range names {
		v = bare(v)
		if !v.IsValid() {
			s.fail(n, "nothing there to have a field %s", name)
		}
		f, ok := fieldOf(v.Type(), name)
		if !ok {
			s.fail(n, "can't evaluate field %s", name)
		}
		var err error
		if v, err = v.FieldByIndexErr(f.Index); err != nil {
			s.fail(n, "nothing there to have a field %s", name)
		}
	}
	return v
}

// fieldOf finds an exported field of a struct.
func fieldOf(t reflect.Type, name string) (reflect.StructField, bool) {
	if t.Kind() != reflect.Struct {
		return reflect.StructField{}, false
	}
	f, ok := t.FieldByName(name)
	return f, ok && f.IsExported()
}

// bare returns the value that an interface holds or a pointer points to; the zero value for nil.
func bare(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

// held returns the value in an interface.
func held(v reflect.Value) reflect.Value {
	if v.Kind() == reflect.Interface {
		return v.Elem()
	}
	return v
}

// plain returns a value without reflection; nil for none.
func plain(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	return v.Interface()
}

// truth reports whether a value is neither nil, nor empty, nor false or zero. Every struct
// is true.
func truth(v reflect.Value) bool {
	v = held(v)
	switch v.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Slice, reflect.Map:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}

// builtins are the functions of every template, but for and and or, which do not look at
// what can no longer matter.
func builtins() map[string]func(args []reflect.Value) (reflect.Value, error) {
	return map[string]func([]reflect.Value) (reflect.Value, error){
		"and": nil, "or": nil,
		"not": func(args []reflect.Value) (reflect.Value, error) {
			if len(args) != 1 {
				return reflect.Value{}, errors.New("not takes one value")
			}
			return reflect.ValueOf(!truth(args[0])), nil
		},
		"eq": equalsAny,
		"ne": func(args []reflect.Value) (reflect.Value, error) {
			if len(args) != 2 {
				return reflect.Value{}, errors.New("ne takes two values")
			}
			same, err := equal(args[0], args[1])
			return reflect.ValueOf(!same), err
		},
	}
}

// equalsAny reports whether the first value is one of the others.
func equalsAny(args []reflect.Value) (reflect.Value, error) {
	if len(args) < 2 {
		return reflect.Value{}, errors.New("eq takes two values or more")
	}
	for _, other := range args[1:] {
		if same, err := equal(args[0], other); same || err != nil {
			return reflect.ValueOf(same), err
		}
	}
	return reflect.ValueOf(false), nil
}

func equal(a, b reflect.Value) (bool, error) {
	x, y := simple(a), simple(b)
	if x == nil || reflect.TypeOf(x) != reflect.TypeOf(y) {
		return false, errors.New("only texts, whole numbers and truths can be compared")
	}
	return x == y, nil
}

// simple returns a value that can be compared; nil for any other.
func simple(v reflect.Value) any {
	v = held(v)
	switch {
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.CanInt():
		return v.Int()
	}
	return nil
}

// call returns what a function returns for its arguments and for what comes through the pipe.
func (s *state) call(dot reflect.Value, name *parse.IdentifierNode, nodes []parse.Node,
	last []reflect.Value,
) reflect.Value {
	if slices.Contains([]string{"and", "or"}, name.Ident) {
		return s.first(dot, name, nodes, last)
	}
	var args []reflect.Value
	for _, n := range nodes {
		args = append(args, s.value(dot, n))
	}
	args = append(args, last...)
	var out reflect.Value
	var err error
	if builtin := builtins()[name.Ident]; builtin != nil {
		out, err = builtin(args)
	} else {
		out, err = apply(s.template.Functions[name.Ident], args)
	}
	if err != nil {
		s.fail(name, "calling %s: %w", name.Ident, err)
	}
	return out
}

// first returns the first false value for and, the first true one for or; else the last.
func (s *state) first(dot reflect.Value, name *parse.IdentifierNode, nodes []parse.Node,
	last []reflect.Value,
) (v reflect.Value) {
	if len(nodes)+len(last) == 0 {
		s.fail(name, "%s takes a value or more", name.Ident)
	}
	wanted := name.Ident == "or"
	for _, n := range nodes {
		if v = s.value(dot, n); truth(v) == wanted {
			return v
		}
	}
	if len(last) > 0 {
		v = last[0]
	}
	return v
}

// apply calls a function of Go.
func apply(function any, args []reflect.Value) (reflect.Value, error) {
	f := reflect.ValueOf(function)
	if f.Kind() != reflect.Func || f.Type().NumIn() != len(args) {
		return reflect.Value{}, fmt.Errorf("it does not take %d values", len(args))
	}
	given := make([]reflect.Value, len(args))
	for i, v := range args {
		var ok bool
		if given[i], ok = argument(v, f.Type().In(i)); !ok {
			return reflect.Value{}, fmt.Errorf("value %d is of another kind than it takes", i+1)
		}
	}
	out := f.Call(given)
	if err, failed := out[len(out)-1].Interface().(error); failed {
		return reflect.Value{}, err
	}
	return out[0], nil
}

// argument returns a value as a function takes it: nil as the nil of an interface.
func argument(v reflect.Value, want reflect.Type) (reflect.Value, bool) {
	v = held(v)
	if !v.IsValid() {
		return reflect.Zero(want), want.Kind() == reflect.Interface
	}
	return v, v.Type().AssignableTo(want)
}
