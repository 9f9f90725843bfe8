package history

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// Merged lists the local branches whose tips are reachable from rev. A missing
// revision has none.
func (h Reader) Merged(ctx context.Context, rev string) ([]string, error) {
	return h.lines(ctx, rev, "for-each-ref", "--format=%(refname:lstrip=2)", "--merged="+rev, "refs/heads/")
}

// Lacking lists the newest commits that are reachable from a branch and not from
// rev, at most limit. A missing revision has none.
func (h Reader) Lacking(ctx context.Context, rev, branch string, limit int) ([]string, error) {
	return h.lines(ctx, rev, "rev-list", most(limit), "refs/heads/"+branch, "^"+rev, "--")
}

func (h Reader) lines(ctx context.Context, rev string, args ...string) ([]string, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	out, err := h.askOf(ctx, fmt.Sprintf("looking for what %s holds", rev), args...)
	return strings.Fields(out), err
}

// Upstream is the remote-tracking branch that a branch follows, as a full name of a
// ref, if it is there; "" for none.
func (h Reader) Upstream(ctx context.Context, branch string) (string, error) {
	lines, err := h.lines(ctx, branch, "for-each-ref", "--format=%(upstream)", "refs/heads/"+branch)
	if err != nil || len(lines) != 1 {
		return "", err
	}
	if _, err := h.Commit(ctx, lines[0]); err != nil {
		return "", nil
	}
	return lines[0], nil
}

// Tip is a branch, local or of a remote, and its commit.
type Tip struct {
	Ref      string // its full name
	Commit   gitobject.ID
	Upstream string // of a local branch: the ref of a remote that it follows, "" for none
	Remote   string // and that remote
	Points   string // of a symbolic ref: the full name of the ref that it stands for
}

// Tips lists the branches here and those of remotes, as they were last seen.
func (h Reader) Tips(ctx context.Context) ([]Tip, error) {
	out, err := h.git.Ask(ctx, "listing branches", "for-each-ref",
		"--format=%(refname) %(objectname) %(objecttype) %(upstream) %(upstream:remotename) %(symref)",
		"refs/heads/", "refs/remotes/")
	var tips []Tip
	for line := range strings.Lines(out) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(words) == 6 && words[2] == "commit" && gitobject.IsID(words[1]) {
			tips = append(tips, Tip{
				Ref: words[0], Commit: gitobject.ID(words[1]), Upstream: words[3],
				Remote: words[4], Points: words[5],
			})
		}
	}
	return tips, err
}

// Committer is the mail address of whoever makes commits here, by git's settings and
// the environment; "" where git knows none.
func (h Reader) Committer(ctx context.Context) string {
	out, err := h.git.Ask(ctx, "", "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		return ""
	}
	_, mail, _ := strings.Cut(out, "<")
	mail, _, _ = strings.Cut(mail, ">")
	return mail
}
