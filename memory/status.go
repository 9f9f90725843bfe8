package memory

import "slices"

// Status is what the links of others, and time, have made of a memory. It is
// derived at reading time and never written to a file.
type Status string

// The statuses of DESIGN §2, in the order in which they win.
const (
	StatusContested  Status = "contested"
	StatusSuperseded Status = "superseded"
	StatusArchived   Status = "archived"
	StatusActive     Status = "active"
)

// Node is what [Statuses] needs of a memory.
type Node struct {
	ID         ID
	Contested  bool
	Supersedes []ID
}

// NodeOf takes the part of m that decides statuses.
func NodeOf(m *Memory) Node {
	return Node{ID: m.ID, Contested: m.Contested, Supersedes: m.Linked(Supersedes)}
}

// Statuses derives which memories of a view are superseded or contested; the
// others are not in the map, and are active or, by [Decay.Archived], archived.
//
// A memory is superseded when one in the view links supersedes to it. Two live
// memories that supersede the same one contest each other, and so do the
// members of a circle of supersedes links: neither side wins silently.
func Statuses(view []Node) map[ID]Status {
	out := map[ID]Status{}
	by := map[ID][]ID{} // id → those that supersede it
	for _, n := range view {
		for _, old := range n.Supersedes {
			if old != n.ID && !slices.Contains(by[old], n.ID) {
				by[old] = append(by[old], n.ID)
			}
		}
	}
	for _, n := range view {
		if n.Contested || circular(n.ID, by) {
			out[n.ID] = StatusContested
		} else if len(by[n.ID]) > 0 {
			out[n.ID] = StatusSuperseded
		}
	}
	for _, rivals := range by {
		var live []ID
		for _, id := range rivals {
			if out[id] != StatusSuperseded {
				live = append(live, id)
			}
		}
		if len(live) > 1 {
			for _, id := range live {
				out[id] = StatusContested
			}
		}
	}
	return out
}

// circular reports whether following "is superseded by" from id leads back.
func circular(id ID, by map[ID][]ID) bool {
	seen := map[ID]bool{}
	stack := append([]ID(nil), by[id]...)
	for len(stack) > 0 {
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if next == id {
			return true
		}
		if !seen[next] {
			seen[next] = true
			stack = append(stack, by[next]...)
		}
	}
	return false
}
