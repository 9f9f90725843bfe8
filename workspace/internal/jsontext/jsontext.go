// Package jsontext writes JSON for people's terminals and for programs, without the
// escapes that matter in HTML alone. [Encode] writes a value, [In] begins an object
// whose members stay in order. It promises that both write a value alike.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Encode returns v as JSON without escaping <, > and &, which matters in HTML
// alone.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Object writes a JSON object whose members are in the order in which they are
// added, as [Encode] would. [In] begins one.
type Object struct {
	b     *bytes.Buffer
	enc   *json.Encoder // for what is not written here; nil before there is any
	start int
	err   error
}

// In begins an object at the end of b.
func In(b *bytes.Buffer) *Object {
	o := &Object{b: b}
	b.WriteByte('{')
	o.start = b.Len()
	return o
}

// key begins a member.
func (o *Object) key(key string) {
	if o.b.Len() > o.start {
		o.b.WriteByte(',')
	}
	o.b.WriteByte('"')
	o.b.WriteString(key)
	o.b.WriteString(`":`)
}

// AddField adds a field of a memory, as [Object.Add] adds what [memory.Field.JSON]
// returns, without a copy of it.
func (o *Object) AddField(f *memory.Field, m *memory.Memory) {
	switch p := f.Of(m).(type) {
	case *memory.ID:
		o.key(f.Key)
		o.text(string(*p))
	case *memory.Type:
		o.key(f.Key)
		o.text(string(*p))
	case *string:
		o.key(f.Key)
		o.text(*p)
	case *float64:
		o.key(f.Key)
		o.float(*p)
	case *memory.Source:
		o.key(f.Key)
		o.source(p)
	case *[]string:
		o.key(f.Key)
		if *p == nil {
			o.b.WriteString("[]")
			return
		}
		o.texts(*p)
	default:
		value, _ := f.JSON(m)
		o.Add(f.Key, value)
	}
}

// Add adds a member. The key is written as it is.
func (o *Object) Add(key string, value any) {
	o.key(key)
	if text, ok := textOf(value); ok {
		o.text(text)
		return
	}
	switch v := value.(type) {
	case bool:
		o.b.Write(strconv.AppendBool(o.b.AvailableBuffer(), v))
	case int:
		o.b.Write(strconv.AppendInt(o.b.AvailableBuffer(), int64(v), 10))
	case float64:
		o.float(v)
	case []string:
		o.texts(v)
	case []memory.Link:
		o.list(v, v != nil && len(v) == 0)
	case memory.Source:
		o.source(&v)
	default:
		o.encode(v)
	}
}

// textOf is a value that is a text, or a name of a memory's.
func textOf(value any) (text string, ok bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case memory.ID:
		return string(v), true
	case memory.Type:
		return string(v), true
	case memory.Status:
		return string(v), true
	}
	return "", false
}

// float writes a number, without an exponent where the encoder writes none.
func (o *Object) float(f float64) {
	if f == 0 && !math.Signbit(f) || math.Abs(f) >= 1e-6 && math.Abs(f) < 1e21 {
		o.b.Write(strconv.AppendFloat(o.b.AvailableBuffer(), f, 'f', -1, 64))
		return
	}
	o.encode(f)
}

// list writes a list, which mostly is empty.
func (o *Object) list(v any, empty bool) {
	if empty {
		o.b.WriteString("[]")
		return
	}
	o.encode(v)
}

// source writes what has a value of a source, as its tags say.
func (o *Object) source(s *memory.Source) {
	in := In(o.b)
	in.AddIf(s.Agent != "", "agent", s.Agent)
	in.AddIf(s.Model != "", "model", s.Model)
	in.AddIf(s.Session != "", "session", s.Session)
	in.AddIf(s.Layer != "", "layer", s.Layer)
	in.AddIf(s.Branch != "", "branch", s.Branch)
	in.AddIf(s.Commit != "", "commit", s.Commit)
	in.AddIf(s.Record != 0, "record", s.Record)
	in.AddIf(s.Ref != "", "ref", s.Ref)
	in.AddIf(s.Origin != "", "origin", s.Origin)
	_, err := in.End()
	o.err = errors.Join(o.err, err)
}

func (o *Object) encode(value any) {
	if o.enc == nil {
		o.enc = json.NewEncoder(o.b)
		o.enc.SetEscapeHTML(false)
	}
	if err := o.enc.Encode(value); err != nil {
		o.err = errors.Join(o.err, err)
		return
	}
	o.b.Truncate(o.b.Len() - 1) // the end of a line
}

// text writes a string: most need no escapes, and no encoder.
func (o *Object) text(s string) {
	if !memory.Printable(s) || strings.IndexByte(s, '"') >= 0 || strings.IndexByte(s, '\\') >= 0 {
		o.encode(s)
		return
	}
	o.b.WriteByte('"')
	o.b.WriteString(s)
	o.b.WriteByte('"')
}

func (o *Object) texts(list []string) {
	if list == nil {
		o.b.WriteString("null")
		return
	}
	o.b.WriteByte('[')
	for i, s := range list {
		if i > 0 {
			o.b.WriteByte(',')
		}
		o.text(s)
	}
	o.b.WriteByte(']')
}

// AddIf adds a member that is left out otherwise.
func (o *Object) AddIf(ok bool, key string, value any) {
	if ok {
		o.Add(key, value)
	}
}

// End closes the object and returns it.
func (o *Object) End() ([]byte, error) {
	o.b.WriteByte('}')
	return o.b.Bytes(), o.err
}
