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

// KindOfTemplate is the kind of the page whose template is at a path; "" for another file.
func KindOfTemplate(name string) projection.Kind {
	if kind, ok := projection.KindOf(name); ok && path.Dir(name) == TemplatesDir {
		return kind
	}
	return ""
}

// templatesHere reads the templates of the working tree, and those that a sparse checkout
// leaves out of it.
func (p *Set) templatesHere(ctx context.Context, t folder.Folder) templates {
	by := templates{}
	for _, kind := range projection.Kinds() {
		text, _, err := ReadTemplate(ctx, p.Repo, t, Template(kind))
		by[kind] = p.usable(text, err)
	}
	return by
}

// templatesOf reads templates that git has.
func (p *Set) templatesOf(ctx context.Context, blobs map[projection.Kind]gitops.ObjectID) templates {
	by := templates{}
	for kind, blob := range blobs {
		by[kind] = p.usable(TemplateOf(ctx, p.Repo, Template(kind), blob))
	}
	return by
}

// usable is the text of a template. One that cannot be read is as none, and a notice.
func (p *Set) usable(text []byte, err error) string {
	if err != nil {
		p.Notice("%v; the page has the layout of cortex until that is mended", err)
	}
	return string(text)
}

// TemplateOf reads the template that git has as a blob; none for no blob.
func TemplateOf(ctx context.Context, repo *gitops.Repo, name string, blob gitops.ObjectID) (text []byte, err error) {
	if blob == "" {
		return nil, nil
	}
	err = repo.Blobs(ctx, []gitops.ObjectID{blob}, projection.MaxTemplate, func(_ gitops.ObjectID, got []byte) error {
		if text = got; text == nil {
			return fmt.Errorf("%s: over the limit of %d bytes, or not in this clone", name, projection.MaxTemplate)
		}
		return nil
	})
	return text, err
}

// ReadTemplate reads a template of the working tree, or as the index has it where a sparse
// checkout leaves it out; ok is false where there is none.
func ReadTemplate(ctx context.Context, repo *gitops.Repo, t folder.Folder, name string) (data []byte, ok bool,
	err error,
) {
	data, ok, err = t.ReadCapped(name, projection.MaxTemplate)
	if ok || err != nil {
		return data, ok, err
	}
	skipped, err := repo.StagingArea().Skipped(ctx, name)
	if err != nil || len(skipped) != 1 {
		return nil, false, err
	}
	data, err = TemplateOf(ctx, repo, name, skipped[0].Blob)
	return data, err == nil, err
}
