package memory_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

func TestStatuses(t *testing.T) {
	const superseded, contested = memory.StatusSuperseded, memory.StatusContested
	node := func(id memory.ID, supersedes ...memory.ID) memory.Node {
		return memory.Node{ID: id, Supersedes: supersedes}
	}
	marked := func(n memory.Node) memory.Node {
		n.Contested = true
		return n
	}
	for name, tt := range map[string]struct {
		view []memory.Node
		want map[memory.ID]memory.Status
	}{
		"nothing":            {nil, map[memory.ID]memory.Status{}},
		"active":             {[]memory.Node{node("a"), node("b")}, map[memory.ID]memory.Status{}},
		"superseded":         {[]memory.Node{node("a"), node("b", "a")}, map[memory.ID]memory.Status{"a": superseded}},
		"a chain":            {[]memory.Node{node("a"), node("b", "a"), node("c", "b")}, map[memory.ID]memory.Status{"a": superseded, "b": superseded}},
		"itself":             {[]memory.Node{node("a", "a")}, map[memory.ID]memory.Status{}},
		"marked":             {[]memory.Node{marked(node("a"))}, map[memory.ID]memory.Status{"a": contested}},
		"marked and settled": {[]memory.Node{marked(node("a")), node("b", "a")}, map[memory.ID]memory.Status{"a": superseded}},
		"rivals": {
			[]memory.Node{node("a"), node("b", "a"), node("c", "a")},
			map[memory.ID]memory.Status{"a": superseded, "b": contested, "c": contested},
		},
		"rivals about what is gone": {
			[]memory.Node{node("b", "a"), node("c", "a")},
			map[memory.ID]memory.Status{"b": contested, "c": contested},
		},
		"rivals, settled by a third": {
			[]memory.Node{node("a"), node("b", "a"), node("c", "a"), node("d", "b", "c")},
			map[memory.ID]memory.Status{"a": superseded, "b": superseded, "c": superseded},
		},
		"rivals, settled by one of them": {
			[]memory.Node{node("a"), node("b", "a"), node("c", "a", "b")},
			map[memory.ID]memory.Status{"a": superseded, "b": superseded},
		},
		"a circle of two": {
			[]memory.Node{node("a", "b"), node("b", "a")},
			map[memory.ID]memory.Status{"a": contested, "b": contested},
		},
		"a circle of three and what it supersedes": {
			[]memory.Node{node("a", "b", "x"), node("b", "c"), node("c", "a"), node("x")},
			map[memory.ID]memory.Status{"a": contested, "b": contested, "c": contested, "x": superseded},
		},
		"a circle, settled": {
			[]memory.Node{node("a", "b"), node("b", "a"), node("c", "a", "b")},
			map[memory.ID]memory.Status{"a": superseded, "b": superseded},
		},
		"two circles": {
			[]memory.Node{node("a", "b"), node("b", "a"), node("c", "d"), node("d", "c", "a")},
			map[memory.ID]memory.Status{"a": superseded, "b": contested, "c": contested, "d": contested},
		},
		"the same memory twice": {
			[]memory.Node{marked(node("a")), node("a"), node("b", "a"), node("b", "a")},
			map[memory.ID]memory.Status{"a": superseded},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 2 {
				if diff := cmp.Diff(tt.want, memory.Statuses(tt.view)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
				slices.Reverse(tt.view) // the order must not matter
			}
		})
	}
}
