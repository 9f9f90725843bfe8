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

// redactor is what finds secrets in this workspace. The first use costs the
// git process that reads the settings, if nothing has read them before.
func (w *Workspace) redactor() *redact.Redactor {
	if w.redact != nil {
		return w.redact
	}
	var patterns []string
	if settings, err := w.Repo.Settings(); err == nil {
		for _, s := range settings.Settings(secretKey) {
			if s.Key == secretKey {
				patterns = append(patterns, s.Value)
			}
		}
	}
	made, bad := redact.New(patterns)
	for _, err := range bad {
		w.notice("%s: %v; it is left out", secretKey, err)
	}
	w.redact = made
	return made
}

// withoutSecrets is s as it may be written anywhere.
func (w *Workspace) withoutSecrets(s string) string {
	s, _ = w.redactor().Redact(s)
	return s
}

// journalBranch names a branch in everything that is written: the folder of
// its pending memories, messages, trailers and records. It is the branch's own
// name unless there is a secret in that; branches that differ in their secret
// alone share what is pending.
func (w *Workspace) journalBranch(branch string) string { return w.withoutSecrets(branch) }

// journalBranchFor is journalBranch for reading, which must not cost a git
// process: the user's own patterns only matter when the journal holds a
// folder whose name one of them has changed.
func (w *Workspace) journalBranchFor(ctx context.Context, snap *gitops.Snapshot, branch string) string {
	folders, err := snap.Folders(ctx, "pending")
	custom := err != nil || slices.ContainsFunc(folders, func(f string) bool {
		name, ok := gitops.DecodeBranch(f)
		return ok && strings.Contains(name, "[redacted: custom]")
	})
	if custom {
		return w.journalBranch(branch)
	}
	branch, _ = redact.String(branch)
	return branch
}

// secretsOf finds what looks like a secret in any part of a memory.
func (w *Workspace) secretsOf(m *memory.Memory) []redact.Secret {
	parts := []string{m.Title, m.Text, strings.Join(m.Tags, "\n"), strings.Join(m.Files, "\n"), strings.Join(m.Entities, "\n"), m.Source.Branch, m.Unknown}
	_, found := w.redactor().Redact(strings.Join(parts, "\n"))
	return found
}
