package journal

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// secretKey is the setting, as often as wanted, that describes a secret of the
// user's own: an RE2 expression. It is read from git's configuration only, so
// that no repository can switch anything off or on.
const secretKey = "cortex.secret"

// Secrets finds what must not be written anywhere. It is safe for concurrent use.
type Secrets struct {
	repo    *gitops.Repo
	notices *notices.List

	mu   sync.Mutex
	made *redact.Redactor // with the user's own patterns; nil before they were read
}

// NewSecrets returns the finder of secrets of a repository.
func NewSecrets(repo *gitops.Repo, notices *notices.List) *Secrets {
	return &Secrets{repo: repo, notices: notices}
}

// Redactor returns the finder, with the user's own patterns in it. The first use costs the git process that
// reads the settings, if nothing has read them before.
func (s *Secrets) Redactor(ctx context.Context) *redact.Redactor {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made != nil {
		return s.made
	}
	patterns, err := s.Own(ctx)
	made, bad := redact.New(patterns)
	for _, err := range bad {
		s.notices.Add("%s: %v; it is left out", secretKey, err)
	}
	if err == nil { // else it is asked for the user's patterns again
		s.made = made
	}
	return made
}

// Own returns the user's own patterns.
func (s *Secrets) Own(ctx context.Context) ([]string, error) {
	settings, err := s.repo.Settings(ctx)
	if err != nil {
		return nil, err
	}
	own := lists.Where(settings.Settings(secretKey), func(s gitops.Setting) bool { return s.Key == secretKey })
	return lists.Map(own, func(s gitops.Setting) string { return s.Value }), nil
}

// Without returns text as it may be written anywhere.
func (s *Secrets) Without(ctx context.Context, text string) string {
	text, _ = s.Redactor(ctx).Redact(text)
	return text
}

// Branch returns the name of a branch as it is written everywhere: in the folder of its
// pending memories, in messages, trailers and records. It is the branch's own name with
// secrets taken out; branches whose names differ only in a secret share what is pending.
func (s *Secrets) Branch(ctx context.Context, name string) string { return s.Without(ctx, name) }

// BranchIn is [Secrets.Branch] for reading, which must not cost a git process: the user's
// own patterns only matter when the journal holds a folder whose name one of
// them has changed.
func (s *Secrets) BranchIn(ctx context.Context, snap *gitops.Snapshot, name string) string {
	folders, err := snap.Folders(ctx, "pending")
	custom := err != nil || slices.ContainsFunc(folders, func(f string) bool {
		name, ok := gitops.DecodeBranch(f)
		return ok && strings.Contains(name, "[redacted: custom]")
	})
	if custom {
		return s.Branch(ctx, name)
	}
	name, _ = redact.String(name)
	return name
}

// Of returns the likely secrets in any part of a memory.
func (s *Secrets) Of(ctx context.Context, m *memory.Memory) []redact.Secret {
	parts := slices.Concat([]string{m.Title, m.Text, m.Source.Branch, m.Unknown}, m.Tags, m.Files, m.Entities)
	_, found := s.Redactor(ctx).Redact(strings.Join(parts, "\n"))
	return found
}

// Kept returns the finder of all that is not kept of what somebody said: secrets, and
// people's data if that is the policy on them.
func (s *Secrets) Kept(ctx context.Context, pii string) *redact.Redactor {
	r := s.Redactor(ctx)
	switch pii {
	case "redact":
		return r.WithPersonal()
	case "keep":
		return r.Keeping()
	}
	return r
}
