package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// jsonPath finds the values at a path in a JSON text:
//
//	.view.branch        a member of a member
//	.results[0].title   an element
//	.memories[].type    of every element; the path then has many values
//	.memories.length    how many members or elements there are (a script takes what
//	                    follows # for a comment)
func jsonPath(text, path string) ([]any, error) {
	var root any
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		return nil, fmt.Errorf("reading JSON: %w", err)
	}
	if dec.More() {
		return nil, fmt.Errorf("more than one JSON value")
	}
	if strings.HasSuffix(path, ".") && path != "." {
		return nil, fmt.Errorf("the path %s ends in a dot", path)
	}
	at := []any{root}
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.ReplaceAll(path, "[", ".["), "."), ".") {
		var next []any
		for _, v := range at {
			next = append(next, jsonStep(v, part)...)
		}
		at = next
	}
	return at, nil
}

func jsonStep(v any, part string) []any {
	list, isList := v.([]any)
	object, isObject := v.(map[string]any)
	switch {
	case part == "":
		return []any{v}
	case part == "length" && isList:
		return []any{json.Number(strconv.Itoa(len(list)))}
	case part == "length" && isObject:
		return []any{json.Number(strconv.Itoa(len(object)))}
	case part == "[]" && isList:
		return list
	case strings.HasPrefix(part, "[") && isList:
		n, err := strconv.Atoi(strings.Trim(part, "[]"))
		if err == nil && n < len(list) {
			return []any{list[n]}
		}
	case isObject:
		if v, ok := object[part]; ok {
			return []any{v}
		}
	}
	return nil
}

// plain is a JSON value as a script writes it: strings without quotes.
func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, _ := json.Marshal(v)
	return string(data)
}

// cmdJSONHas checks that some value at PATH is there, or compares: OP is =, ~
// (a regular expression), <, >, and may be left out before a plain value.
func cmdJSONHas(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, false, len(args) >= 2 && len(args) <= 4, "jsonhas FILE PATH [[OP] VALUE]")
	values, err := jsonPath(ts.ReadFile(args[0]), args[1])
	ts.Check(err)
	test := func(any) bool { return true }
	switch {
	case len(args) == 3:
		test = func(v any) bool { return plain(v) == args[2] }
	case len(args) == 4 && args[2] == "=":
		test = func(v any) bool { return plain(v) == args[3] }
	case len(args) == 4 && args[2] == "~":
		re, err := regexp.Compile(args[3])
		ts.Check(err)
		test = func(v any) bool { return re.MatchString(plain(v)) }
	case len(args) == 4:
		want, err := strconv.ParseFloat(args[3], 64)
		ts.Check(err)
		test = func(v any) bool {
			got, err := strconv.ParseFloat(plain(v), 64)
			return err == nil && (args[2] == "<" && got < want || args[2] == ">" && got > want)
		}
	}
	if slices.ContainsFunc(values, test) == neg {
		ts.Fatalf("%s has at %s: %v", args[0], args[1], values)
	}
}

func cmdJSONKeys(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) >= 3, "jsonkeys FILE PATH KEY...")
	values, err := jsonPath(ts.ReadFile(args[0]), args[1])
	ts.Check(err)
	if len(values) == 0 {
		ts.Fatalf("%s has nothing at %s", args[0], args[1])
	}
	for _, v := range values {
		object, ok := v.(map[string]any)
		if !ok {
			ts.Fatalf("%s is not an object: %s", args[1], plain(v))
		}
		for _, key := range args[2:] {
			if _, ok := object[key]; !ok {
				ts.Fatalf("%s lacks %q: it has %v", args[1], key, slices.Sorted(maps.Keys(object)))
			}
		}
	}
}

func cmdJSONGet(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 3, "jsonget VAR FILE PATH")
	values, err := jsonPath(ts.ReadFile(args[1]), args[2])
	ts.Check(err)
	if len(values) == 0 {
		ts.Fatalf("%s has nothing at %s", args[1], args[2])
	}
	ts.Setenv(args[0], plain(values[0]))
}
