package workspace

import (
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// Folder is the way to the files of a working tree. The error of writing below [Dir] is
// a *[NewerError] where that is of a newer format.
type Folder = folder.Folder

// Below is the path from top to path, if path is top or below it, however either is
// spelled. See [gitops.Below].
func Below(top, path string) (rel string, ok bool) { return gitops.Below(top, path) }

// Tree returns the working tree. Its error is [gitops.ErrNoWorktree] in a bare
// repository, and the Folder then is the zero one.
func (w *Workspace) Tree() (Folder, error) { return w.tree.Folder() }
