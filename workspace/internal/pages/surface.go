package pages

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/markers"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// sharedSurface is the file of instructions that most agents read.
const sharedSurface = "AGENTS.md"

// SurfaceFiles are the files of instructions that may hold a surface between markers. There is one
// where somebody asked for it: no file that lacks the markers is changed here.
func SurfaceFiles() []string { return gitops.InstructionFiles() }

// SurfaceFile is the file of instructions that an agent reads as a session begins: that of most
// agents too where the agent's own file leads to it.
func SurfaceFile(t folder.Folder, agent string) string {
	own := cmp.Or(map[string]string{
		transcript.ClaudeCode: "CLAUDE.md", transcript.Gemini: "GEMINI.md",
	}[agent], sharedSurface)
	data, _, _ := t.Read(own)
	link, _ := os.Readlink(t.Path(own))
	if link == sharedSurface || bytes.Contains(data, []byte("@"+sharedSurface)) {
		return sharedSurface
	}
	return own
}

// SurfaceBlock is a surface with the markers around it.
func SurfaceBlock(body []byte) markers.Block {
	return markers.Block{Name: "surface", Open: "<!--", Close: "-->", Body: string(body)}
}

// surfaceMark begins the line before a surface.
const surfaceMark = "<!-- >>> cortex surface"

// Surface is a file of the working tree with a surface.
type Surface struct {
	Path   string
	Body   string // what stands between the markers
	Edited bool   // by hand, or the markers were: it is not replaced
	data   []byte
}

// Surfaces are the files of the working tree that have one.
func Surfaces(t folder.Folder) (out []Surface) {
	for _, path := range SurfaceFiles() {
		if s := surfaceAt(t, path); bytes.Contains(s.data, []byte(surfaceMark)) {
			out = append(out, s)
		}
	}
	return out
}

// surfaceAt reads a file that may have a surface.
func surfaceAt(t folder.Folder, path string) Surface {
	data, _, _ := t.ReadCapped(path, memory.MaxFile) // nil of a link and of what is too large
	body, _ := markers.Body(data, SurfaceBlock(nil)) // none where the markers are damaged
	return Surface{path, body, !IsRendering(projection.Surface, []byte(body)), data}
}

// SurfaceOf returns the lines of the surface that an agent reads as a session begins; "" for none.
func SurfaceOf(t folder.Folder, agent string) string { return surfaceAt(t, SurfaceFile(t, agent)).Body }

// EditedSurfaces are those that were edited by hand, and what to do about them.
func EditedSurfaces(t folder.Folder) (edited []Surface, remedy string) {
	edited = lists.Where(Surfaces(t), func(s Surface) bool { return s.Edited })
	return edited, "move what you wrote out of the markers, then cortex project --force"
}

// Says says of a surface that it was edited by hand.
func (s Surface) Says() string {
	return s.Path + ": the lines between the markers of cortex were edited by hand; they stay, and are not renewed"
}

// with is the file with another surface.
func (s *Surface) with(body []byte) []byte {
	now, _ := markers.Insert(s.data, SurfaceBlock(body)) // as it is where the markers are damaged
	return now
}

// kinds are the pages that a commit has to have in step, with the surface where there is one.
func (p *Set) kinds() []projection.Kind {
	kinds := projection.Kinds()
	if t, _ := p.Folder(); len(Surfaces(t)) > 0 { // none without a working tree
		kinds = append(kinds, projection.Surface)
	}
	return kinds
}

// surfacesOf brings the surfaces of the working tree in step with a rendering. Files that git
// tracks and that have no changes of the user are returned, to be staged; one with changes
// waits for the commit that brings them. One that git does not track is written at once.
func (p *Set) surfacesOf(ctx context.Context, r *rendering) (out []gitops.File, err error) {
	t, _ := p.Folder()
	staged, err := p.Repo.StagingArea().Staged(ctx, SurfaceFiles()...)
	if err != nil {
		return nil, err
	}
	for _, s := range Surfaces(t) {
		now := s.with(r.page(ctx, projection.Surface))
		i := slices.IndexFunc(staged, func(e gitops.Entry) bool { return e.Path == s.Path })
		switch {
		case s.Edited || bytes.Equal(now, s.data):
		case i < 0:
			_, err = t.Write(s.Path, now)
		case p.Repo.Hash(NormalEOL(s.data)) == staged[i].Blob:
			ours := func(have []byte) bool { return bytes.Equal(have, s.data) }
			out = append(out, gitops.File{
				Path: s.Path, Data: NormalEOL(now), Generated: true, Staged: staged[i].Blob, Ours: ours,
			})
		}
	}
	return out, err
}

// RenderSurface renders the lines between the markers from the memories of the working tree.
func (p *Set) RenderSurface(ctx context.Context) ([]byte, error) {
	items, problems, err := p.landed(ctx)
	if err = cmp.Or(err, unread(problems)); err != nil {
		return nil, err
	}
	return p.rendering([]projection.Kind{projection.Surface}, items, nil, nil).page(ctx, projection.Surface), nil
}

// ProjectSurfaces writes those surfaces of the working tree that are out of date, unless check is
// set, and those that were edited by hand if force is.
func (p *Set) ProjectSurfaces(ctx context.Context, check, force bool) ([]Page, error) {
	t, _ := p.Folder()
	body, err := p.RenderSurface(ctx)
	if err != nil {
		return nil, err
	}
	var out []Page
	for _, s := range Surfaces(t) {
		page := Page{
			Kind: projection.Surface, Path: s.Path, Current: s.Body == string(body), Edited: s.Edited && !force,
		}
		if !check && !page.Edited {
			var failed error
			page.Written, failed = t.Write(s.Path, s.with(body))
			err = errors.Join(err, failed)
		}
		out = append(out, page)
	}
	return out, err
}
