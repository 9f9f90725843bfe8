package workspace

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// secretKey is the setting, as often as wanted, that describes a secret of the
// user's own: an RE2 expression. It is read from git's configuration only, so
// that no repository can switch anything off or on.
const secretKey = "cortex.secret"

// Redactor returns the finder of secrets, with the user's own patterns in it.
// The first use costs the git process that reads the settings, if nothing has
// read them before.
func (w *Workspace) Redactor(ctx context.Context) *redact.Redactor {
	if w.redact != nil {
		return w.redact
	}
	var patterns []string
	settings, err := w.Repo.Settings(ctx)
	if err == nil {
		for _, s := range settings.Settings(secretKey) {
			if s.Key == secretKey {
				patterns = append(patterns, s.Value)
			}
		}
	}
	made, bad := redact.New(patterns)
	for _, err := range bad {
		w.Notice("%s: %v; it is left out", secretKey, err)
	}
	if err == nil { // else it is asked for the user's patterns again
		w.redact = made
	}
	return made
}

// withoutSecrets returns s as it may be written anywhere.
func (w *Workspace) withoutSecrets(ctx context.Context, s string) string {
	s, _ = w.Redactor(ctx).Redact(s)
	return s
}

// JournalBranch returns the name of a branch as it is written everywhere: in the
// folder of its pending memories, in messages, trailers and records. It is the
// branch's own name with secrets taken out; branches whose names differ only in
// a secret share what is pending.
func (w *Workspace) JournalBranch(ctx context.Context, branch string) string {
	return w.withoutSecrets(ctx, branch)
}

// journalBranchFor is [Workspace.JournalBranch] for reading, which must not cost a git
// process: the user's own patterns only matter when the journal holds a
// folder whose name one of them has changed.
func (w *Workspace) journalBranchFor(ctx context.Context, snap *gitops.Snapshot, branch string) string {
	folders, err := snap.Folders(ctx, "pending")
	custom := err != nil || slices.ContainsFunc(folders, func(f string) bool {
		name, ok := gitops.DecodeBranch(f)
		return ok && strings.Contains(name, "[redacted: custom]")
	})
	if custom {
		return w.JournalBranch(ctx, branch)
	}
	branch, _ = redact.String(branch)
	return branch
}

// SecretsOf returns what looks like a secret in any part of a memory.
func (w *Workspace) SecretsOf(ctx context.Context, m *memory.Memory) []redact.Secret {
	parts := []string{m.Title, m.Text, strings.Join(m.Tags, "\n"), strings.Join(m.Files, "\n"), strings.Join(m.Entities, "\n"), m.Source.Branch, m.Unknown}
	_, found := w.Redactor(ctx).Redact(strings.Join(parts, "\n"))
	return found
}
