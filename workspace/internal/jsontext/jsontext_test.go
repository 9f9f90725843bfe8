package jsontext_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
)

// TestObject: a member is as the encoder would write it.
func TestObject(t *testing.T) {
	for _, v := range []any{
		"plain text", "", "a \"b\" \\", "é\u2028\x7f\x00\n\t", "\xff<&>", memory.ID("0123456789abcdef"), memory.Fix,
		true, false, -3, 0.1, 1e-9,
		[]string{"a", "é\""},
		[]string{},
		[]string(nil),
		[]memory.Link{},
		[]memory.Link(nil),
		[]memory.Link{{}},
		memory.Source{Agent: "a"},
		memory.Source{},
		memory.Source{
			Agent: "a", Model: "é\"", Session: "c", Layer: "d", Branch: "e<", Commit: "f", Record: 7,
			Ref: "h",
		},
		memory.StatusActive, 0.0, math.Copysign(0, -1), 1.0, -0.75, 1e20, 1e21, -1e-6, 9e-7, 1.0 / 3, math.MaxFloat64,
		math.SmallestNonzeroFloat64,
		index.Pending, nil,
	} {
		want, err := jsontext.Encode(map[string]any{"key": v})
		if err != nil {
			t.Fatal(err)
		}
		o := jsontext.In(&bytes.Buffer{})
		o.Add("key", v)
		if got, err := o.End(); err != nil || string(got) != string(want) {
			t.Errorf("%v: %s, want %s, %v", v, got, want, err)
		}
	}
	o := jsontext.In(&bytes.Buffer{})
	o.Add("key", func() {})
	if _, err := o.End(); err == nil {
		t.Error("a function was written")
	}
}
