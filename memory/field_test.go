package memory

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// full is a memory in which every field says something, and something else
// than its default.
func full() *Memory {
	m := New(Decision, "Chose Bluge", "It needs no cgo.", time.Date(2026, 11, 20, 14, 3, 11, 0, time.UTC))
	m.Updated = m.Created.Add(time.Hour)
	m.Confidence, m.Priority, m.Pinned, m.Contested = 0.75, 4, true, true
	m.Tags, m.Files, m.Entities = []string{"search"}, []string{"index/search.go"}, []string{"bluge"}
	m.Links = []Link{{Supersedes, "0123456789abcdef"}}
	m.Anchors = []Anchor{{"index/search.go", "9f2c"}}
	m.Scope, m.Hold = ScopeBranch, HoldPrivate
	m.Triggers, m.Seen = []string{"command: go build"}, []string{"0b2c"}
	m.Source = Source{"claude-code", "opus-5", "0b2c", "answer", "main", "3fa9c1e", 412, "r1", OriginAgent}
	return m
}

// TestFieldsAreAll: whatever a Memory holds has its line in the table of
// fields, but for the text and for what no version knows; whatever a Source
// holds has its line in the table of source.
func TestFieldsAreAll(t *testing.T) {
	m := full()
	covered := map[any]bool{&m.Text: true, &m.Unknown: true}
	for _, f := range Fields() {
		covered[f.Of(m)] = true
	}
	for _, p := range m.Source.AppendFields(nil) {
		covered[p] = true
	}
	for _, of := range []reflect.Value{reflect.ValueOf(m).Elem(), reflect.ValueOf(&m.Source).Elem()} {
		for i := range of.NumField() {
			name := of.Type().Name() + "." + of.Type().Field(i).Name
			if of.Field(i).IsZero() && name != "Memory.Unknown" {
				t.Errorf("%s is empty in the memory of this test: give it a value in full", name)
			}
			if !covered[of.Field(i).Addr().Interface()] {
				t.Errorf("%s is not in its table", name)
			}
		}
	}
	for i, f := range sourceTable() {
		if name, _, _ := strings.Cut(reflect.TypeFor[Source]().Field(i).Tag.Get("json"), ","); name != f.key {
			t.Errorf("source has %s in its table, %s in JSON", f.key, name)
		}
	}
}

// TestEveryField shows of each line of the table that all that goes through it
// does: a field that one of them leaves out fails here.
func TestEveryField(t *testing.T) {
	for _, f := range Fields() {
		t.Run(f.Key, func(t *testing.T) {
			m, bare := full(), New(Decision, "Chose Bluge", "It needs no cgo.", full().Created)
			line := "\n" + f.Key + ": "
			if !bytes.Contains(Format(m), []byte(line)) {
				t.Error("Format does not write it")
			}
			again, err := Parse("x.md", Format(m))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f.Of(m), f.Of(again)); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
			// One side added it, and the other changed nothing.
			merged, err := Merge(bare, bare, carry(t, f, bare, m), func(_, ours, _ string) (string, bool) { return ours, true })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f.Of(m), f.Of(merged)); diff != "" {
				t.Errorf("Merge (-want +got):\n%s", diff)
			}
			value, ok := f.JSON(m)
			if !ok {
				t.Error("JSON leaves it out")
			}
			if back := carry(t, f, &Memory{}, m); !cmp.Equal(f.Of(back), f.Of(m)) {
				t.Errorf("JSON %v reads as %v", value, f.Of(back))
			}
			if v, ok := f.JSON(&Memory{}); ok || v == nil {
				t.Errorf("JSON of nothing is %v, %v", v, ok)
			}
		})
	}
}

// carry is a copy of m with one field of from.
func carry(t *testing.T, f Field, m, from *Memory) *Memory {
	t.Helper()
	out := *m
	reflect.ValueOf(f.Of(&out)).Elem().Set(reflect.ValueOf(f.Of(from)).Elem())
	return &out
}

// TestTidyFields: what a program filled in carelessly is mended, whatever the
// field.
func TestTidyFields(t *testing.T) {
	m := full()
	m.Title, m.Confidence, m.Priority = " a\nb ", 7, 99
	m.Created, m.Updated = m.Created.Add(time.Millisecond), m.Updated.In(time.FixedZone("x", 3600))
	m.Tags, m.Files, m.Entities = []string{" a ", "a", ""}, []string{"../x", "b"}, []string{"c\nd"}
	m.Links = append(m.Links, m.Links[0], Link{"knows", "0123456789abcdef"})
	m.Anchors = append(m.Anchors, Anchor{"index/search.go", "no id"})
	m.Source = Source{Agent: " a  b ", Commit: "no id", Record: -3}
	m.Tidy()
	want := full()
	want.Title, want.Confidence, want.Priority = "a b", 1, 10
	want.Tags, want.Files, want.Entities = []string{"a"}, []string{"b"}, []string{"c d"}
	want.Source = Source{Agent: "a b"}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWeakestOrigin(t *testing.T) {
	ranks := []string{OriginOutside, "", OriginAgent, OriginPerson}
	for i, a := range ranks {
		for j, b := range ranks {
			if got, want := WeakestOrigin(a, b), ranks[min(i, j)]; got != want {
				t.Errorf("WeakestOrigin(%q, %q) = %q, want %q", a, b, got, want)
			}
		}
	}
}
