package fill

import (
	"errors"
	"fmt"
	"reflect"
	"text/template/parse"
)

// pipe returns the value of a pipe, and gives it to the variables that it declares or sets.
func (s *state) pipe(dot reflect.Value, p *parse.PipeNode) (reflect.Value, error) {
	v, err := s.commands(dot, p)
	if err != nil {
		return v, err
	}
	for _, name := range p.Decl {
		if !p.IsAssign {
			s.declare(name, v)
		} else if to := s.variable(name.Ident[0]); to != nil {
			to.value = v
		}
	}
	return v, nil
}

// commands returns the value of the last command, each being given that of the one before.
func (s *state) commands(dot reflect.Value, p *parse.PipeNode) (v reflect.Value, err error) {
	var before []reflect.Value
	for _, c := range p.Cmds {
		if v, err = s.command(dot, c, before); err != nil {
			return v, err
		}
		before = []reflect.Value{v}
	}
	return v, nil
}

func (s *state) declare(n *parse.VariableNode, v reflect.Value) {
	s.variables = append(s.variables, variable{n.Ident[0], v})
}

// variable returns the innermost variable of a name; nil where there is none.
func (s *state) variable(name string) *variable {
	for i := len(s.variables) - 1; i >= 0; i-- {
		if s.variables[i].name == name {
			return &s.variables[i]
		}
	}
	return nil
}

// command returns the value of one command; last is what comes through the pipe.
func (s *state) command(dot reflect.Value, c *parse.CommandNode, last []reflect.Value) (reflect.Value, error) {
	if name, ok := c.Args[0].(*parse.IdentifierNode); ok {
		return s.call(dot, name, c.Args[1:], last)
	}
	if len(c.Args) > 1 || len(last) > 0 {
		return reflect.Value{}, s.fault(c.Args[0], "can't give arguments to what is no function")
	}
	return s.value(dot, c.Args[0])
}

// value returns the value of an operand.
func (s *state) value(dot reflect.Value, n parse.Node) (reflect.Value, error) {
	switch n := n.(type) {
	case *parse.DotNode:
		return dot, nil
	case *parse.NilNode:
		return reflect.Value{}, nil
	case *parse.BoolNode:
		return reflect.ValueOf(n.True), nil
	case *parse.StringNode:
		return reflect.ValueOf(n.Text), nil
	case *parse.NumberNode:
		return s.number(n)
	case *parse.FieldNode:
		return s.fields(dot, n, n.Ident)
	case *parse.VariableNode:
		v := s.variable(n.Ident[0])
		if v == nil {
			return dot, s.fault(n, "there is no variable %s", n.Ident[0])
		}
		return s.fields(v.value, n, n.Ident[1:])
	case *parse.IdentifierNode:
		return s.call(dot, n, nil, nil)
	case *parse.PipeNode:
		return s.pipe(dot, n)
	case *parse.ChainNode:
		v, err := s.value(dot, n.Node)
		if err != nil {
			return v, err
		}
		return s.fields(v, n, n.Field)
	}
	return reflect.Value{}, s.fault(n, "can't evaluate it")
}

func (s *state) number(n *parse.NumberNode) (reflect.Value, error) {
	if !n.IsInt {
		return reflect.Value{}, s.fault(n, "only whole numbers can be written")
	}
	return reflect.ValueOf(int(n.Int64)), nil
}

// fields follows the names of fields from a value.
func (s *state) fields(v reflect.Value, n parse.Node, names []string) (reflect.Value, error) {
	for _, name := range names {
		v = bare(v)
		if !v.IsValid() {
			return v, s.fault(n, "nothing there to have a field %s", name)
		}
		if v.Kind() != reflect.Struct {
			return v, s.fault(n, "can't evaluate field %s", name)
		}
		f, ok := v.Type().FieldByName(name)
		if !ok || !f.IsExported() {
			return v, s.fault(n, "can't evaluate field %s", name)
		}
		var err error
		if v, err = v.FieldByIndexErr(f.Index); err != nil {
			return v, s.fault(n, "nothing there to have a field %s", name)
		}
	}
	return v, nil
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
	a, b = held(a), held(b)
	switch {
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		return a.String() == b.String(), nil
	case a.Kind() == reflect.Bool && b.Kind() == reflect.Bool:
		return a.Bool() == b.Bool(), nil
	case a.CanInt() && b.CanInt():
		return a.Int() == b.Int(), nil
	}
	return false, errors.New("only texts, whole numbers and truths can be compared")
}

// call returns what a function returns for its arguments and for what comes through the pipe.
func (s *state) call(dot reflect.Value, name *parse.IdentifierNode, nodes []parse.Node, last []reflect.Value) (reflect.Value, error) {
	if name.Ident == "and" || name.Ident == "or" {
		return s.first(dot, name, nodes, last)
	}
	var args []reflect.Value
	for _, n := range nodes {
		v, err := s.value(dot, n)
		if err != nil {
			return v, err
		}
		args = append(args, v)
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
		return out, s.fault(name, "calling %s: %w", name.Ident, err)
	}
	return out, nil
}

// first returns the first false value for and, the first true one for or; else the last.
func (s *state) first(dot reflect.Value, name *parse.IdentifierNode, nodes []parse.Node, last []reflect.Value) (v reflect.Value, err error) {
	if len(nodes)+len(last) == 0 {
		return v, s.fault(name, "%s takes a value or more", name.Ident)
	}
	wanted := name.Ident == "or"
	for _, n := range nodes {
		if v, err = s.value(dot, n); err != nil || truth(v) == wanted {
			return v, err
		}
	}
	if len(last) > 0 {
		v = last[0]
	}
	return v, nil
}

// apply calls a function of Go.
func apply(function any, args []reflect.Value) (reflect.Value, error) {
	f := reflect.ValueOf(function)
	if f.Kind() != reflect.Func || f.Type().NumIn() != len(args) {
		return reflect.Value{}, fmt.Errorf("it does not take %d values", len(args))
	}
	given := make([]reflect.Value, len(args))
	for i, v := range args {
		want := f.Type().In(i)
		if v = held(v); !v.IsValid() && want.Kind() == reflect.Interface {
			v = reflect.Zero(want)
		}
		if !v.IsValid() || !v.Type().AssignableTo(want) {
			return reflect.Value{}, fmt.Errorf("value %d is of another kind than it takes", i+1)
		}
		given[i] = v
	}
	out := f.Call(given)
	if err, failed := out[len(out)-1].Interface().(error); failed {
		return reflect.Value{}, err
	}
	return out[0], nil
}
