package answer

import (
	"fmt"
	"path/filepath"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/merging"
)

// Paired returns the error of a merge at path that says which two memories met, and how to keep both. What it says
// to type writes a file that is not there, or is that memory already.
func Paired(path string, p *merging.Paired) error {
	side := "theirs"
	if p.OtherOurs {
		side = "ours"
	}
	folder := ""
	if dir := filepath.Dir(p.OtherPath); dir != filepath.Dir(path) {
		folder = "mkdir -p " + workspace.Quote(filepath.ToSlash(dir)) + " && "
	}
	add := workspace.Quote(path)
	if p.KeptPath != path {
		add += " " + workspace.Quote(p.KeptPath)
	}
	return WithHint(
		fmt.Errorf("merging %s: two different memories met in one file", path),
		fmt.Sprintf("the file keeps %s %q\n%s has %s %q\nkeep both: %sgit cat-file blob %s >%s\n"+
			"then: git add %s %s, and see: cortex verify-merge",
			p.Kept.ID.Short(), p.Kept.Title, side, p.Other.ID.Short(), p.Other.Title, folder, p.OtherBlob[:12],
			workspace.Quote(p.OtherPath), add, workspace.Quote(p.OtherPath)))
}
