package workspace

import "github.com/git-cortex/cortex/workspace/internal/diary"

// Other is a memory of another repository that briefings name for [OthersTime].
type Other = diary.Other

// OthersTime is how long what was pulled is told.
const OthersTime = diary.OthersTime

// UsesOf returns the names of what a working tree depends on, as its manifests say.
func UsesOf(w *Workspace) []string {
	names, _ := w.tree.Files().AllDependencies()
	return names
}
