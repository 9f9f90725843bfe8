package setup

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// surfaceFiles are the files of instructions that the chosen agents read, those that are there if
// any is: none is made beside another. Without an agent it is the one that most read.
func surfaceFiles(ctx context.Context, w *workspace.Workspace, t workspace.Folder, opt Options) ([]managed, error) {
	if !opt.Surface {
		return nil, nil
	}
	body, err := workspace.Surface(ctx, w)
	if err != nil {
		return nil, err
	}
	var read []string
	for _, agent := range append(slices.Clone(opt.Agents), "")[:max(1, len(opt.Agents))] {
		read = append(read, pages.SurfaceFile(t, agent))
	}
	if there := lists.Where(read, t.Exists); len(there) > 0 {
		read = there
	}
	return lists.Map(lists.Unique(read), func(name string) managed { return surfaceFile(t, name, body) }), nil
}

// everSurface are all files that may have a surface.
func everSurface(t workspace.Folder) []managed {
	return lists.Map(pages.SurfaceFiles(), func(name string) managed {
		m := surfaceFile(t, name, nil)
		m.shared = true
		return m
	})
}

// surfaceFile is a file with a surface. One that was edited by hand stays as it is.
func surfaceFile(t workspace.Folder, name string, body []byte) managed {
	m := blockFile(name, "what holds for every session", pages.SurfaceBlock(body))
	insert := m.add
	m.add = func(old []byte, exists bool) ([]byte, error) {
		edited, _ := pages.EditedSurfaces(t)
		if slices.ContainsFunc(edited, func(s pages.Surface) bool { return s.Path == name }) {
			return old, nil
		}
		return insert(old, exists)
	}
	return m
}

// surfaceAttributes are the lines of .gitattributes by which git merges files with a surface; none
// where there is no such file, and none is asked for.
func surfaceAttributes(w *workspace.Workspace, opt Options) string {
	if t, _ := w.Tree(); !opt.Surface && len(pages.Surfaces(t)) == 0 {
		return ""
	}
	const by = " merge=cortex-memory\n"
	return "/" + strings.Join(pages.SurfaceFiles(), by+"/") + by
}
