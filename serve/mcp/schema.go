package mcp

import "strings"

// schema is a JSON Schema.
type schema = map[string]any

// object is the schema of an object with the members that fields names, each as
// name:type. A type is one of JSON, [T] for a list of it, or the name of one of
// parts; a name that ends in ? may be missing. An answer may have more members than
// are named, and a list in it is never null.
func object(fields string, parts map[string]schema) schema {
	properties, required := schema{}, []string{}
	for field := range strings.FieldsSeq(fields) {
		name, typ, _ := strings.Cut(field, ":")
		if bare, optional := strings.CutSuffix(name, "?"); optional {
			name = bare
		} else {
			required = append(required, name)
		}
		properties[name] = typed(typ, parts)
	}
	return schema{"type": "object", "properties": properties, "required": required}
}

func typed(name string, parts map[string]schema) schema {
	if inner, ok := strings.CutPrefix(name, "["); ok {
		return schema{"type": "array", "items": typed(strings.TrimSuffix(inner, "]"), parts)}
	}
	if part, ok := parts[name]; ok {
		return part
	}
	return schema{"type": name}
}

// input is the schema of a tool's arguments: those that fields names, as for [object],
// and those that every tool takes. Behind = stands what an agent should know of one,
// with _ for a space.
func input(fields string) schema {
	said := map[string]string{}
	var bare []string
	for field := range strings.FieldsSeq(fields + " branch?:string all_branches?:boolean root?:string") {
		field, text, _ := strings.Cut(field, "=")
		name, _, _ := strings.Cut(field, ":")
		said[strings.TrimSuffix(name, "?")] = strings.ReplaceAll(text, "_", " ")
		bare = append(bare, field)
	}
	out := object(strings.Join(bare, " "), nil)
	out["additionalProperties"] = false
	for name, p := range out["properties"].(schema) {
		if said[name] != "" {
			p.(schema)["description"] = said[name]
		}
	}
	if len(out["required"].([]string)) == 0 {
		delete(out, "required")
	}
	return out
}

// Members of a memory, with and without its text.
const (
	headFields = "id:string ref:string type:string title:string status:string stage:string path:string created:string " +
		"confidence:number effective:number priority:integer tags:[string] files:[string] entities:[string] links:[link] source:object stale:boolean " +
		"branch?:string gone?:boolean updated?:string pinned?:boolean scope?:string hold?:string"
	memoryFields = headFields + " text:string"
)

// parts are the schemas that answers have in common.
func parts() map[string]schema {
	p := map[string]schema{
		"link": object("rel:string to:string", nil),
		"view": object("branch:string tree:string landed:integer pending:integer global:integer", nil),
		"line": object("path:string line:integer text:string", nil),
	}
	p["memory"] = object(memoryFields, p)
	return p
}
