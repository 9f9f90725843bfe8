package demo

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// examples is how many notes of a trial are named.
const examples = 5

// Try reads past sessions of a repository in a throwaway clone of it, and tells what would be kept and what the next
// session would be told. The repository does not change, and the clone is gone when Try returns.
func Try(
	ctx context.Context, w *workspace.Workspace, env workspace.Env, in agents.BackfillInput,
) (out answer.Tried, err error) {
	if in.Paths, err = agents.Past(w, in); err != nil || len(in.Paths) == 0 {
		return answer.NewTried(agents.Backfilled{}, 0, answer.Brief{}, nil), err
	}
	dir, err := os.MkdirTemp("", "cortex-try-")
	if err != nil {
		return out, fmt.Errorf("making a folder for the trial: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	trial, err := workspace.Copy(ctx, w, dir, env)
	if err != nil {
		return out, err
	}
	defer func() { err = cmp.Or(err, trial.Close()) }()

	started := env.Now()
	read, err := agents.Backfill(ctx, trial, in)
	if err != nil {
		return out, err
	}
	took := env.Now().Sub(started)
	b, v, err := trial.Brief(ctx, workspace.BriefOptions{
		Door: true, Tokens: projection.DoorTokens, Bytes: projection.HookBytes,
		Told: workspace.Told{Prompts: true, Calls: true}, // as most agents are
	})
	if err != nil {
		return out, err
	}
	kept := v.Entries(ctx)
	lists.Sort(kept, func(a, b workspace.Entry) int { return cmp.Compare(b.Prior, a.Prior) })
	notes, err := trial.Journal.Notes(ctx)
	out = answer.NewTried(read, took, answer.NewBrief(b, v), kept)
	out.Notes = len(notes)
	lists.Sort(notes, func(a, b *memory.Memory) int { return cmp.Compare(b.Confidence, a.Confidence) })
	for _, note := range notes[:min(examples, len(notes))] {
		out.Examples = append(out.Examples, note.Title)
	}
	return out, err
}
