// Package plainyaml reads settings that are written as plainly as the file that
// `cortex init` makes, thirty times as fast as a YAML library: every command reads them
// before anything else. What it reads is what YAML means by it; what is written in any
// other way it leaves to the library.
package plainyaml

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Decode reads text over the struct that into points to, by the tags that the YAML
// library goes by, and reports whether it could. If not, what into holds then means
// nothing.
//
// It knows keys with a word, a number, a list of words or a map of numbers on one line,
// structs of these, either on one line or indented by two blanks, and comments.
func Decode(text string, into any) bool {
	if strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) {
		return false
	}
	d := decoder{seen: map[string]bool{}}
	top := reflect.ValueOf(into).Elem()
	var inner reflect.Value // the struct whose lines follow
	section, empty := "", false
	for line := range strings.Lines(text) {
		rest := strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
		if rest == "" || rest[0] == '#' {
			continue
		}
		key, value, ok := strings.Cut(rest, ":")
		if !ok || value != "" && value[0] != ' ' {
			return false
		}
		value = uncommented(value)
		switch indent := len(strings.TrimSuffix(line, "\n")) - len(rest); {
		case indent == 2 && inner.IsValid() && value != "":
			ok, empty = d.key(inner, section, key, value), false
		case indent != 0 || empty:
			return false
		case value == "":
			section, empty = key+".", true
			inner, ok = d.field(top, "", key)
			ok = ok && inner.Kind() == reflect.Struct
		default:
			inner = reflect.Value{}
			ok = d.key(top, "", key, value)
		}
		if !ok {
			return false
		}
	}
	return !empty
}

// uncommented returns the value of a line without the comment after it.
func uncommented(value string) string {
	if i := strings.Index(value, " #"); i >= 0 {
		value = value[:i]
	}
	return strings.Trim(value, " ")
}

type decoder struct {
	seen map[string]bool // keys, with those they are below
}

// key sets the field of a key to a value on the same line.
func (d *decoder) key(in reflect.Value, above, key, value string) bool {
	f, ok := d.field(in, above, key)
	if !ok {
		return false
	}
	if list, ok := inside(value, "[", "]"); ok {
		return words(f, list)
	}
	pairs, ok := inside(value, "{", "}")
	if !ok {
		return scalar(f, value)
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, ": ")
		if !ok || !d.pair(f, above+key+".", name, strings.Trim(value, " ")) {
			return false
		}
	}
	return true
}

// pair sets what a map or a struct on one line holds.
func (d *decoder) pair(f reflect.Value, above, name, value string) bool {
	if f.Kind() != reflect.Map {
		into, ok := d.field(f, above, name)
		return ok && scalar(into, value)
	}
	if !word(name) || !d.first(above+name) || f.Type().Key().Kind() != reflect.String {
		return false
	}
	if f.IsNil() {
		f.Set(reflect.MakeMap(f.Type()))
	}
	v := reflect.New(f.Type().Elem()).Elem()
	if !scalar(v, value) {
		return false
	}
	f.SetMapIndex(reflect.ValueOf(name).Convert(f.Type().Key()), v)
	return true
}

// first reports whether a key was not there before.
func (d *decoder) first(key string) bool {
	if d.seen[key] {
		return false
	}
	d.seen[key] = true
	return true
}

// field is the field of a struct with a key as its tag.
func (d *decoder) field(in reflect.Value, above, key string) (reflect.Value, bool) {
	if in.Kind() != reflect.Struct {
		return in, false
	}
	for i := range in.NumField() {
		tag := in.Type().Field(i).Tag.Get("yaml")
		if tag == ",inline" {
			if f, ok := d.field(in.Field(i), above, key); ok {
				return f, true
			}
		} else if tag == key && key != "" {
			return in.Field(i), d.first(above + key)
		}
	}
	return in, false
}

// inside are the values between two brackets.
func inside(value, open, end string) ([]string, bool) {
	value, ok := strings.CutPrefix(value, open)
	if !ok {
		return nil, false
	}
	if value, ok = strings.CutSuffix(value, end); !ok {
		return nil, false
	}
	list := strings.Split(value, ",")
	for i, v := range list {
		list[i] = strings.Trim(v, " ")
	}
	return list, true
}

func words(f reflect.Value, list []string) bool {
	if f.Type() != reflect.TypeFor[[]string]() || slices.ContainsFunc(list, func(w string) bool { return !word(w) }) {
		return false
	}
	f.Set(reflect.ValueOf(list))
	return true
}

// word reports whether a value is a string in YAML without being quoted.
func word(s string) bool {
	switch s {
	case "", "null", "true", "false", "yes", "no", "on", "y", "n":
		return false
	}
	return s[0] != '-' && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz-_") == ""
}

func scalar(f reflect.Value, value string) bool {
	whole, part, decimal := strings.Cut(value, ".")
	switch f.Kind() {
	case reflect.String:
		if !word(value) {
			return false
		}
		f.SetString(value)
	case reflect.Int:
		if decimal || !digits(whole) || len(whole) > 1 && whole[0] == '0' {
			return false
		}
		n, _ := strconv.Atoi(whole)
		f.SetInt(int64(n))
	case reflect.Float64:
		if !digits(whole) || decimal && !digits(part) || len(whole) > 1 && whole[0] == '0' {
			return false
		}
		n, _ := strconv.ParseFloat(value, 64)
		f.SetFloat(n)
	default:
		return false
	}
	return true
}

func digits(s string) bool {
	return s != "" && len(s) < 10 && strings.Trim(s, "0123456789") == ""
}
