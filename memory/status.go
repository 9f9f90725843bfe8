package memory

import (
	"maps"
	"slices"
)

// Status follows from the links of other memories and from time. It is computed
// at reading time and never written to a file.
type Status string

// The statuses of docs/behaviour.md, "Status and decay".
const (
	StatusActive     Status = "active"
	StatusSuperseded Status = "superseded"
	StatusContested  Status = "contested"
	StatusArchived   Status = "archived"
)

// StatusOf is the status of a memory of which no other one says anything.
func StatusOf(archived bool) Status {
	if archived {
		return StatusArchived
	}
	return StatusActive
}

// Node is the input of [Statuses] for one memory.
type Node struct {
	ID         ID
	Contested  bool
	Supersedes []ID
}

// Statuses returns which memories of a view are superseded or contested. All
// others are not in the map: they are active or, by [Decay.Archived], archived.
// A memory that is in the view twice counts once.
//
// A memory is superseded if one in the view links supersedes to it, even if it
// was contested. A memory that is not superseded is contested if its file says
// so, or if another one that is not superseded supersedes the same memory. In a
// cycle of supersedes links every member is contested, unless a memory outside
// of the cycle supersedes it, so that no side wins unnoticed. It takes time in
// proportion to the number of links.
func Statuses(view []Node) map[ID]Status {
	by := newerOf(view)
	circle := circles(view, by)
	out := map[ID]Status{}
	for _, n := range view {
		outside := func(newer ID) bool { return circle[newer] == 0 || circle[newer] != circle[n.ID] }
		if slices.ContainsFunc(by[n.ID], outside) {
			out[n.ID] = StatusSuperseded
		}
	}
	for _, id := range contests(view, by, circle, out) {
		if out[id] != StatusSuperseded {
			out[id] = StatusContested
		}
	}
	return out
}

// contests lists what is contested where nothing supersedes it: what says so, what is on a
// cycle, and what supersedes a memory that another one supersedes too.
func contests(view []Node, by map[ID][]ID, circle map[ID]int, status map[ID]Status) []ID {
	var out []ID
	for _, n := range view {
		if n.Contested || circle[n.ID] > 0 {
			out = append(out, n.ID)
		}
	}
	for _, rivals := range by {
		live := slices.DeleteFunc(slices.Clone(rivals), func(id ID) bool { return status[id] == StatusSuperseded })
		if len(live) > 1 {
			out = append(out, live...)
		}
	}
	return out
}

// newerOf maps an id to those that supersede it, each once.
func newerOf(view []Node) map[ID][]ID {
	by := map[ID][]ID{}
	for _, n := range view {
		for _, old := range n.Supersedes {
			if old != n.ID {
				by[old] = append(by[old], n.ID)
			}
		}
	}
	for old, ids := range by {
		slices.Sort(ids)
		by[old] = slices.Compact(ids)
	}
	return by
}

// circles numbers the cycles of "is superseded by" from 1 and maps each id to
// the cycle that it is in. They are the strongly connected components with more
// than one member, found by Tarjan's algorithm. Its recursion may be deep,
// which Go's growing stacks allow.
func circles(view []Node, by map[ID][]ID) map[ID]int {
	const alone = -1
	circle := map[ID]int{}
	seen := map[ID]int{} // id → when it was first visited, from 1
	var stack []ID
	var visit func(ID) int
	visit = func(id ID) int {
		seen[id] = len(seen) + 1
		at, low := seen[id], seen[id]
		stack = append(stack, id)
		for _, newer := range by[id] {
			switch {
			case seen[newer] == 0:
				low = min(low, visit(newer))
			case circle[newer] == 0:
				low = min(low, seen[newer])
			}
		}
		if low == at {
			i := len(stack) - 1
			for ; stack[i] != id; i-- {
				circle[stack[i]] = at
			}
			circle[id] = at
			if i == len(stack)-1 {
				circle[id] = alone
			}
			stack = stack[:i]
		}
		return low
	}
	for _, n := range view {
		if seen[n.ID] == 0 && len(by[n.ID]) > 0 {
			visit(n.ID)
		}
	}
	maps.DeleteFunc(circle, func(_ ID, n int) bool { return n == alone })
	return circle
}
