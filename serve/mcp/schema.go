package mcp

import (
	"reflect"
	"slices"
	"strings"
)

// schema is a JSON Schema.
type schema = map[string]any

// output returns the schema of an answer whose members a struct names. An answer may
// have more members than are named, and a list in it is never null.
func output[T any]() schema { return schemaOf(reflect.TypeFor[T]()) }

// input returns the schema of a tool's arguments, by the struct that they are read into.
// The tag says tells an agent what it should know of an argument.
func input[In arguments]() schema {
	out := schemaOf(reflect.TypeFor[In]())
	out["additionalProperties"] = false
	if len(out["required"].([]string)) == 0 {
		delete(out, "required")
	}
	return out
}

// schemaOf returns the schema of a type, as encoding/json writes it. A member with
// omitempty may be missing.
func schemaOf(t reflect.Type) schema {
	switch t.Kind() {
	case reflect.Struct:
		properties, required := members(t)
		return schema{"type": "object", "properties": properties, "required": required}
	case reflect.Slice:
		return schema{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Int:
		return schema{"type": "integer"}
	case reflect.Float64:
		return schema{"type": "number"}
	default: // a map: the command of the same name says what is in it
		return schema{"type": "object"}
	}
}

// members returns the schemas of a struct's members by their names, and the names of
// those that are never missing.
func members(t reflect.Type) (properties schema, required []string) {
	properties, required = schema{}, []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if slices.Contains([]string{"", "-"}, name) {
			continue // what is embedded has its members here
		}
		p := schemaOf(f.Type)
		if text := f.Tag.Get("says"); text != "" {
			p["description"] = text
		}
		if properties[name] = p; options != "omitempty" {
			required = append(required, name)
		}
	}
	return properties, required
}

// memoryHead has the members of a memory without its text.
type memoryHead struct {
	ID         string         `json:"id"`
	Ref        string         `json:"ref"`
	Type       string         `json:"type"`
	Title      string         `json:"title"`
	Status     string         `json:"status"`
	Stage      string         `json:"stage"`
	Path       string         `json:"path"`
	Created    string         `json:"created"`
	Confidence float64        `json:"confidence"`
	Effective  float64        `json:"effective"`
	Priority   int            `json:"priority"`
	Tags       []string       `json:"tags"`
	Files      []string       `json:"files"`
	Entities   []string       `json:"entities"`
	Links      []memoryLink   `json:"links"`
	Source     map[string]any `json:"source"`
	Stale      bool           `json:"stale"`
	Branch     string         `json:"branch,omitempty"`
	Gone       bool           `json:"gone,omitempty"`
	Updated    string         `json:"updated,omitempty"`
	Pinned     bool           `json:"pinned,omitempty"`
	Scope      string         `json:"scope,omitempty"`
	Hold       string         `json:"hold,omitempty"`
}

type memoryLink struct {
	Rel string `json:"rel"`
	To  string `json:"to"`
}

// wholeMemory has the members of a memory.
type wholeMemory struct {
	memoryHead
	Text string `json:"text"`
}

// viewAnswer is the state that an answer is about.
type viewAnswer struct {
	Branch  string `json:"branch"`
	Tree    string `json:"tree"`
	Landed  int    `json:"landed"`
	Pending int    `json:"pending"`
	Global  int    `json:"global"`
}
