package workspace

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// MuteSetting is the setting of the clone that holds the ids of memories that no session
// is told, with spaces between them.
const MuteSetting = "cortex.mute"

// Muted returns the ids of memories that no session of a clone is told. They are found by a
// search all the same.
func Muted(ctx context.Context, repo *gitops.Repo) []memory.ID {
	settings, err := repo.Settings(ctx)
	if err != nil {
		return nil
	}
	var out []memory.ID
	for id := range strings.FieldsSeq(settings.Value(MuteSetting)) {
		out = append(out, memory.ID(id))
	}
	return out
}
