package history

import (
	"context"
	"slices"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// RefsWith lists the refs below some prefixes that hold one of some commits, or with none
// all of them, in their order.
func (h Reader) RefsWith(ctx context.Context, commits []gitobject.ID, prefixes ...string) ([]string, error) {
	named := []string{"for-each-ref", "--format=%(refname)"}
	if len(commits) == 0 {
		return h.lines(ctx, "", append(named, prefixes...)...)
	}
	var refs []string
	for part := range slices.Chunk(commits, maxContained) {
		args := slices.Clone(named)
		for _, id := range part {
			args = append(args, "--contains="+string(id))
		}
		some, err := h.lines(ctx, "", append(args, prefixes...)...)
		if err != nil {
			return nil, err
		}
		refs = append(refs, some...)
	}
	slices.Sort(refs)
	return slices.Compact(refs), nil
}

// maxContained bounds the commits that are named to git at once.
const maxContained = 500

// Names lists all refs with the object that each names, by their names.
func (h Reader) Names(ctx context.Context) (map[string]gitobject.ID, error) {
	refs, err := h.git.Refs(ctx, "listing refs")
	names := map[string]gitobject.ID{}
	for _, ref := range refs {
		names[ref.Name] = ref.ID
	}
	return names, err
}
