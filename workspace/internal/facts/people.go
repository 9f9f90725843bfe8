package facts

import (
	"context"
	"net/url"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
)

// authorsRead is how many commits are looked at for the names of people.
const authorsRead = 300

// People are those who wrote the newest commits of HEAD. Git is asked once for a commit
// that is checked out.
func People(ctx context.Context, repo *gitops.Repo) []string {
	if repo.Head == "" {
		return nil
	}
	var out []string
	if words := Read(repo, Authors); len(words) > 0 && words[0] == repo.Head {
		for _, word := range words[1:] {
			if name, err := url.QueryUnescape(word); err == nil {
				out = append(out, name)
			}
		}
		return out
	}
	commits, _ := repo.History().Log(ctx, repo.Head, nil, authorsRead) // else nobody is known
	out = lists.Unique(lists.Map(commits, func(c gitops.Commit) string { return c.Author }))
	if len(out) > 0 {
		Write(repo, Authors, append([]string{repo.Head}, lists.Map(out, url.QueryEscape)...))
	}
	return out
}
