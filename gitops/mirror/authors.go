package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/lists"
)

// Authors are the names and addresses of those who wrote a version of each memory file in the history of a commit,
// by its path. Blobs are not needed, and nothing is fetched.
func (m *Mirror) Authors(ctx context.Context, repo, commit string) (map[string][]string, error) {
	if !gitobject.IsID(commit) {
		return nil, fmt.Errorf("%q is no object id", commit)
	}
	args := []string{
		"log", "-z", "--format=%x01%an%x01%ae", "--name-only", "--no-renames", "--diff-filter=AM", "--full-history",
		commit, "--", Folder + "/",
	}
	out, err := m.in(repo).Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		return nil, localError(ctx, "reading the history of mirror "+repo, err)
	}
	authors := map[string][]string{}
	var who []string
	for _, part := range gitcmd.Parts(string(out)) {
		if head, ok := strings.CutPrefix(part, "\x01"); ok {
			head, rest, _ := strings.Cut(head, "\n") // the first path may follow in the same part
			who = strings.Split(strings.TrimSpace(head), "\x01")
			part = rest
		}
		path := strings.TrimPrefix(part, "\n")
		if path == "" {
			continue
		}
		for _, one := range who {
			if one != "" && !slices.Contains(authors[path], one) {
				authors[path] = append(authors[path], one)
			}
		}
	}
	return authors, nil
}

// Held are those of some blobs that the mirror has. The remote is not asked.
func (m *Mirror) Held(ctx context.Context, repo string, oids []string) ([]string, error) {
	missing, err := m.missing(ctx, repo, oids)
	if err != nil {
		return nil, err
	}
	return lists.Without(oids, func(oid string) bool { return slices.Contains(missing, oid) }), nil
}
