package workspace

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// secretKey is the setting, as often as wanted, that describes a secret of the
// user's own: an RE2 expression. It is read from git's configuration only, so
// that no repository can switch anything off or on.
const secretKey = "cortex.secret"

// secrets finds what must not be written anywhere. It is for any number of
// goroutines.
type secrets struct {
	repo    *gitops.Repo
	notices *notices

	mu   sync.Mutex
	made *redact.Redactor // with the user's own patterns; nil before they were read
}

// redactor is the finder of secrets. The first use costs the git process that
// reads the settings, if nothing has read them before.
func (s *secrets) redactor(ctx context.Context) *redact.Redactor {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made != nil {
		return s.made
	}
	var patterns []string
	settings, err := s.repo.Settings(ctx)
	if err == nil {
		for _, line := range settings.Settings(secretKey) {
			if line.Key == secretKey {
				patterns = append(patterns, line.Value)
			}
		}
	}
	made, bad := redact.New(patterns)
	for _, err := range bad {
		s.notices.add("%s: %v; it is left out", secretKey, err)
	}
	if err == nil { // else it is asked for the user's patterns again
		s.made = made
	}
	return made
}

// without is text as it may be written anywhere.
func (s *secrets) without(ctx context.Context, text string) string {
	text, _ = s.redactor(ctx).Redact(text)
	return text
}

// branch is the name of a branch for the journal, see [Workspace.JournalBranch].
func (s *secrets) branch(ctx context.Context, name string) string { return s.without(ctx, name) }

// branchIn is branch for reading, which must not cost a git process: the user's
// own patterns only matter when the journal holds a folder whose name one of
// them has changed.
func (s *secrets) branchIn(ctx context.Context, snap *gitops.Snapshot, name string) string {
	folders, err := snap.Folders(ctx, "pending")
	custom := err != nil || slices.ContainsFunc(folders, func(f string) bool {
		name, ok := gitops.DecodeBranch(f)
		return ok && strings.Contains(name, "[redacted: custom]")
	})
	if custom {
		return s.branch(ctx, name)
	}
	name, _ = redact.String(name)
	return name
}

// of returns the likely secrets in any part of a memory.
func (s *secrets) of(ctx context.Context, m *memory.Memory) []redact.Secret {
	parts := []string{m.Title, m.Text, strings.Join(m.Tags, "\n"), strings.Join(m.Files, "\n"), strings.Join(m.Entities, "\n"), m.Source.Branch, m.Unknown}
	_, found := s.redactor(ctx).Redact(strings.Join(parts, "\n"))
	return found
}

// Redactor returns the finder of secrets, with the user's own patterns in it.
func (w *Workspace) Redactor(ctx context.Context) *redact.Redactor { return w.secrets.redactor(ctx) }

// CaptureRedactor returns the finder of all that is not kept of what somebody said:
// secrets, and people's data if that is the team's policy.
func (w *Workspace) CaptureRedactor(ctx context.Context) *redact.Redactor {
	return w.secrets.kept(ctx, w.Config.PII)
}

// kept is the redactor by a policy on people's data.
func (s *secrets) kept(ctx context.Context, pii string) *redact.Redactor {
	r := s.redactor(ctx)
	switch pii {
	case "redact":
		return r.WithPersonal()
	case "keep":
		return r.Keeping()
	}
	return r
}

// JournalBranch returns the name of a branch as it is written everywhere: in the
// folder of its pending memories, in messages, trailers and records. It is the
// branch's own name with secrets taken out; branches whose names differ only in
// a secret share what is pending.
func (w *Workspace) JournalBranch(ctx context.Context, branch string) string {
	return w.secrets.branch(ctx, branch)
}

// SecretsOf returns what looks like a secret in any part of a memory.
func (w *Workspace) SecretsOf(ctx context.Context, m *memory.Memory) []redact.Secret {
	return w.secrets.of(ctx, m)
}
