package workspace

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// BriefingTemplate is the path of the template by which a team may lay out the briefing.
const BriefingTemplate = TemplatesDir + "/briefing.md"

// layout is the template of the briefing in the working tree; "" for none. One that came
// with a branch of somebody else is not used before this clone trusts what the commit
// that is checked out has there: it would change what an agent is told.
func (b *briefer) layout(ctx context.Context) (text, refused string) {
	if b.trust == nil {
		return "", ""
	}
	data, ok, err := pages.ReadTemplate(ctx, b.trust.Repo, b.tree.Files(), BriefingTemplate)
	if err != nil {
		b.notices.Add("%v; the briefing has the layout of cortex until that is mended", err)
		return "", ""
	}
	if !ok {
		return "", ""
	}
	if trusted, err := b.trusts(ctx, BriefingTemplate); err != nil || !trusted {
		return "", BriefingTemplate + " came with a branch that is not trusted here, and is not used."
	}
	return string(data), ""
}

// trusts reports whether this clone trusts what the commit that is checked out has at a path.
func (b *briefer) trusts(ctx context.Context, path string) (bool, error) {
	waits, err := b.trust.Unreviewed(ctx)
	if err != nil || len(waits) == 0 {
		return err == nil, err
	}
	at, err := b.trust.Committed(ctx)
	return !slices.ContainsFunc(at.At(path), func(blob string) bool { return waits[blob] }), err
}
