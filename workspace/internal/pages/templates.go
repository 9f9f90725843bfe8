package pages

import (
	"context"
	"fmt"
	"path"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// TemplatesDir is the folder of the templates by which a team lays out pages and
// briefings: docs/behaviour.md, "Templates".
const TemplatesDir = folder.Dir + "/templates"

// Template is the path of the template of a page.
func Template(kind projection.Kind) string { return TemplatesDir + "/" + kind.File() }

// templates are those of pages. A page without one has the layout of cortex.
type templates map[projection.Kind]string

// kindOfTemplate is the kind of the page whose template is at a path; "" for another file.
func kindOfTemplate(name string) projection.Kind {
	if kind, ok := projection.KindOf(name); ok && path.Dir(name) == TemplatesDir {
		return kind
	}
	return ""
}

// templatesHere reads the templates of the working tree, and those that a sparse checkout
// leaves out of it. One that cannot be read is as none, and a notice.
func (p *Set) templatesHere(ctx context.Context, t folder.Folder, skipped map[string]gitops.ObjectID,
) (templates, error) {
	by, err := p.templatesOf(ctx, skippedTemplates(t, skipped))
	if err != nil || !t.Exists(TemplatesDir) {
		return by, err
	}
	for _, kind := range projection.Kinds() {
		data, ok, err := t.ReadCapped(Template(kind), projection.MaxTemplate)
		if err != nil {
			p.Notice("%v; the page has the layout of cortex until that is mended", err)
		} else if ok {
			by[kind] = string(data)
		}
	}
	return by, nil
}

// skippedTemplates are the templates that a sparse checkout leaves out of the working tree.
func skippedTemplates(t folder.Folder, skipped map[string]gitops.ObjectID) map[projection.Kind]gitops.ObjectID {
	left := map[projection.Kind]gitops.ObjectID{}
	for _, kind := range projection.Kinds() {
		blob, ok := skipped[Template(kind)]
		if ok && !t.Exists(Template(kind)) {
			left[kind] = blob
		}
	}
	return left
}

// templatesOf reads templates that git has. One that cannot be read is as none, and a
// notice.
func (p *Set) templatesOf(ctx context.Context, blobs map[projection.Kind]gitops.ObjectID) (templates, error) {
	by := templates{}
	for kind, blob := range blobs {
		blobs := []gitops.ObjectID{blob}
		err := p.Repo.Blobs(ctx, blobs, projection.MaxTemplate, func(_ gitops.ObjectID, data []byte) error {
			if data == nil {
				p.Notice("%s: over the limit of %d bytes, or not in this clone; the page has the layout of cortex "+
					"until that is mended", Template(kind), projection.MaxTemplate)
			} else {
				by[kind] = string(data)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return by, nil
}

// ReadTemplate reads a template of the working tree, or as the index has it where a sparse
// checkout leaves it out; ok is false where there is none.
func ReadTemplate(ctx context.Context, repo *gitops.Repo, t folder.Folder, name string) (data []byte, ok bool,
	err error,
) {
	if t.Exists(name) {
		return t.ReadCapped(name, projection.MaxTemplate)
	}
	skipped, err := repo.StagingArea().Skipped(ctx, name)
	if err != nil || len(skipped) != 1 {
		return nil, false, err
	}
	blobs := []gitops.ObjectID{skipped[0].Blob}
	err = repo.Blobs(ctx, blobs, projection.MaxTemplate, func(_ gitops.ObjectID, got []byte) error {
		if data = got; data == nil {
			return fmt.Errorf("%s: over the limit of %d bytes, or not in this clone", name, projection.MaxTemplate)
		}
		return nil
	})
	return data, err == nil, err
}
