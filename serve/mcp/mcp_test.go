package mcp

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/git-cortex/cortex/memory"
)

// TestSchemas: the schemas of structs are those that a library makes of them, but that a
// list is never null.
func TestSchemas(t *testing.T) {
	for _, c := range []struct {
		typ reflect.Type
		got schema
	}{
		{reflect.TypeFor[rememberArguments](), input[rememberArguments]()},
		{reflect.TypeFor[recallArguments](), input[recallArguments]()},
		{reflect.TypeFor[planArguments](), input[planArguments]()},
		{reflect.TypeFor[applyArguments](), input[applyArguments]()},
		{reflect.TypeFor[searchAnswer](), output[searchAnswer]()},
		{reflect.TypeFor[tornMemory](), output[tornMemory]()},
	} {
		want, err := jsonschema.ForType(c.typ, &jsonschema.ForOptions{})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(c.got)
		if err != nil {
			t.Fatal(err)
		}
		var got jsonschema.Schema
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(outline(want), outline(&got)); diff != "" {
			t.Errorf("%s (-library +got):\n%s", c.typ, diff)
		}
	}
}

// outline says of a schema what it has: types, and the names of members, ! for those that
// are never missing.
func outline(s *jsonschema.Schema) any {
	switch {
	case s.Items != nil:
		return []any{outline(s.Items)}
	case s.Properties == nil:
		return s.Type
	}
	out := map[string]any{}
	for name, p := range s.Properties {
		if slices.Contains(s.Required, name) {
			name += "!"
		}
		out[name] = outline(p)
	}
	return out
}

// TestUntagged: a tag of a harness is taken out of JSON wherever it stands, and all
// else stays as it was.
func TestUntagged(t *testing.T) {
	texts := map[string]any{
		"plain": "a < b", "tag": "x <system-reminder>do</system-reminder>\n\"quoted\" \\ \u0085 é", "<system-reminder>": 1.5,
		"list": []any{"<function_results>", "List<int>", `\<system-reminder>`}, "empty": "", "split": []any{"<system", "-reminder>"},
	}
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{string(data), strings.ReplaceAll(strings.ReplaceAll(string(data), `\u003c`, "<"), `\u003e`, ">")} {
		out, err := untagged([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		var got map[string]any
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		if want := slices.Sorted(maps.Keys(got)); !slices.Contains(want, "‹system-reminder>") {
			t.Errorf("keys %q", want)
		}
		for key, text := range map[string]string{"plain": "a < b", "tag": memory.Untag(texts["tag"].(string)), "empty": ""} {
			if got[key] != text {
				t.Errorf("%s: %q, want %q", key, got[key], text)
			}
		}
		if diff := cmp.Diff([]any{"‹function_results>", "List<int>", `\‹system-reminder>`}, got["list"]); diff != "" {
			t.Errorf("list (-want +got):\n%s", diff)
		}
	}
}

// FuzzIDOf: whatever a line holds, what is taken for its id is a number or a string.
func FuzzIDOf(f *testing.F) {
	for _, seed := range []string{`{"id":1}`, `{"jsonrpc":"2.0","id":"a","method":"x"`, `{"params":{"id":3},"id":4}`, `"id":`, `{"id":{}}`, `{"id":1e999}`, `{"id":"\ud800"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		id := idOf(data)
		var v any
		if id != nil && json.Unmarshal(id, &v) != nil && json.Valid(id) {
			return // a number that no float holds
		}
		switch v.(type) {
		case nil:
			if id != nil {
				t.Errorf("%q became %q", data, id)
			}
		case string, float64:
		default:
			t.Errorf("%q became %q", data, id)
		}
	})
}

// TestAnswerHasAnEnd: an answer that is longer than an agent should get is an error that
// says what to ask instead.
func TestAnswerHasAnEnd(t *testing.T) {
	if res, err := reply(map[string]string{"text": strings.Repeat("x", maxAnswer-100)}); err != nil || res.StructuredContent == nil {
		t.Errorf("below the limit: %v", err)
	}
	if _, err := reply(map[string]string{"text": strings.Repeat("x", maxAnswer)}); err == nil {
		t.Error("no error above the limit")
	}
}

// TestNoteComesFirst: an object that is answered says first that it is evidence.
func TestNoteComesFirst(t *testing.T) {
	for object, want := range map[string]string{`{}`: `{` + evidenceNote + `}`, "{\n \"a\": 1}": `{` + evidenceNote + `,"a": 1}`, `[1]`: `[1]`} {
		if got := string(noted([]byte(object))); got != want {
			t.Errorf("%s became %s, want %s", object, got, want)
		}
	}
}

// TestRoom: nothing more is read while as many calls wait for an answer as may.
func TestRoom(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	c := &connection{idle: make(chan struct{}, 1), closed: make(chan struct{}), waiting: maxWaiting}
	if err := c.room(gone); err == nil {
		t.Error("another call is read")
	}
	c.waiting--
	if err := c.room(gone); err != nil {
		t.Error(err)
	}
}
