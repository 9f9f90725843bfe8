package merging

import (
	"context"
	"errors"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/markers"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// errOwnMerge leaves a file with a surface to git, which shows what is in conflict.
var errOwnMerge = errors.New("the lines between the markers are missing or edited, or the text around is in conflict")

// surface merges a file with a surface: the lines between the markers as a page, and what the user
// wrote around them as text.
func surface(ctx context.Context, repo *gitops.Repo, sides [3][]byte) ([]byte, error) {
	block := pages.SurfaceBlock(nil)
	var bodies [3][]byte
	for i, side := range sides {
		body, _ := markers.Body(side, block)
		if bodies[i] = []byte(body); i > 0 && !workspace.IsRendering(projection.Surface, bodies[i]) {
			return nil, errOwnMerge
		}
	}
	body, err := page(ctx, repo, projection.Surface, bodies[0], bodies[1], bodies[2])
	if err != nil {
		return nil, err
	}
	block.Body = string(body)
	var with [3]string
	for i, side := range sides {
		text, _ := markers.Insert(side, block) // as it is if the markers of the base are damaged
		with[i] = string(text)
	}
	merged, clean := workspace.TextMerge(ctx, repo)(with[0], with[1], with[2])
	if !clean {
		return nil, errOwnMerge
	}
	return []byte(merged), nil
}
