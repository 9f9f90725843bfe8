package entry

import (
	"reflect"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

// TestEveryKind: a new key of any kind has a place in the catalog.
func TestEveryKind(t *testing.T) {
	text, number, flag, fraction, moment := "t", 41, true, 0.85, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	list, links, anchors := []string{"a", ""}, []memory.Link{{Rel: memory.Refines, To: "0123456789abcdef"}}, []memory.Anchor{{Path: "p", Blob: "9f2c"}}
	source := memory.Source{Agent: "a", Record: 3}
	for _, field := range []any{&text, &number, &flag, &fraction, &moment, &list, &links, &anchors, &source} {
		data := appendValue(nil, field)
		got := reflect.New(reflect.TypeOf(field).Elem())
		r := cachefile.Reader{Rest: string(data)}
		readValue(&r, got.Interface())
		if diff := cmp.Diff(field, got.Interface()); diff != "" || r.Rest != "" || r.Err != nil {
			t.Errorf("%T: %v, %q left (-want +got):\n%s", field, r.Err, r.Rest, diff)
		}
	}
	var m memory.Memory
	for _, f := range memory.Fields() {
		if !inHead(f.Key) {
			appendValue(nil, f.Of(&m)) // which panics at what it does not know
		}
	}
}
