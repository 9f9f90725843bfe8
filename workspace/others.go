package workspace

import (
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Other is a memory of another repository that briefings name for [OthersTime].
type Other = diary.Other

// OthersTime is how long what was pulled is told.
const OthersTime = diary.OthersTime

// UsesOf returns the names of what a working tree depends on, as its manifests say.
func UsesOf(w *Workspace) []string { return w.tree.Files().AllDependencies() }

// others are the lines of a briefing about other repositories; none where nothing was pulled, or long ago.
func (b *briefer) others(muted []memory.ID) (lines []string) {
	for _, one := range b.diary.Others() {
		if !slices.Contains(muted, one.ID) {
			lines = append(lines, fmt.Sprintf("%s: %s (%s, %s, `cortex show --hub %s`)", one.Type,
				memory.Cut(one.Title, maxOther), one.Repository, one.Created.UTC().Format("2 Jan 2006"), one.ID.Short()))
		}
	}
	return lines
}

// maxOther is how many characters of a title are told.
const maxOther = 120
