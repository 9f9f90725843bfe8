// Package jsontext writes JSON for people's terminals and for programs, without the
// escapes that matter in HTML alone. [Encode] writes a value, [In] begins an object
// whose members stay in order. It promises that both write a value alike.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
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

// Add adds a member. The key is written as it is.
func (o *Object) Add(key string, value any) {
	o.key(key)
	if text := reflect.ValueOf(value); text.Kind() == reflect.String && isPlain(text.String()) {
		o.b.WriteString(`"` + text.String() + `"`) // most need no encoder
		return
	}
	o.encode(value)
}

// isPlain reports whether a text needs no escapes.
func isPlain(s string) bool { return memory.Printable(s) && !strings.ContainsAny(s, `"\\`) }

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
