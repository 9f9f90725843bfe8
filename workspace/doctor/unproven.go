package doctor

import (
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/hearsay"
)

// Unproven is a memory that nobody here is known to have said. It is no finding: it may be
// right, and it does not land by itself.
type Unproven struct {
	ID      memory.ID `json:"id"`
	Path    string    `json:"path"`
	Origin  string    `json:"origin"` // outside, or none
	Reason  string    `json:"reason"`
	Pending bool      `json:"pending"`
}

// unprovenOf returns the memories that nobody is known to have said, without those that
// found already says it of.
func unprovenOf(entries []workspace.Entry, found []Finding) []Unproven {
	origins := lists.Where(found, func(f Finding) bool { return f.Rule == "origin" })
	named := lists.SetOf(origins, func(f Finding) string { return f.Path })
	out := []Unproven{}
	for _, e := range entries {
		if reason := hearsay.Waits(e.Memory); reason != "" && !named[e.Path] {
			out = append(out, Unproven{e.Memory.ID, e.Path, e.Memory.Source.Origin, reason, e.Stage == index.Pending})
		}
	}
	return out
}
