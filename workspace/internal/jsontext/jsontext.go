// Package jsontext writes JSON for people's terminals and for programs, without the
// escapes that matter in HTML alone. [Encode] writes a value, [In] begins an object
// whose members stay in order. It promises that both write a value alike.
package jsontext

import (
	"bytes"
	"encoding/json"
	"errors"
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

// Add adds a member. The key is written as it is.
func (o *Object) Add(key string, value any) {
	if o.b.Len() > o.start {
		o.b.WriteByte(',')
	}
	o.b.WriteByte('"')
	o.b.WriteString(key)
	o.b.WriteString(`":`)
	switch v := value.(type) {
	case string:
		o.text(v)
	case memory.ID:
		o.text(string(v))
	case memory.Type:
		o.text(string(v))
	case bool:
		o.b.Write(strconv.AppendBool(o.b.AvailableBuffer(), v))
	case int:
		o.b.Write(strconv.AppendInt(o.b.AvailableBuffer(), int64(v), 10))
	case []string:
		o.texts(v)
	default:
		o.encode(v)
	}
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
