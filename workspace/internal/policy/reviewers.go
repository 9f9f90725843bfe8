package policy

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// At reads the policy of a commit. Without a file, or with one that cannot be used, and of
// "", it is the default.
func At(ctx context.Context, repo *gitops.Repo, commit gitops.ObjectID) (Config, error) {
	c := Default()
	if commit == "" {
		return c, nil
	}
	blobs, err := repo.PathsAt(ctx, string(commit), []string{hookstate.ConfigPath})
	if err != nil {
		return c, err
	}
	files := slices.Collect(maps.Values(blobs)) // none, or one
	err = repo.Blobs(ctx, files, maxConfig, func(_ gitops.ObjectID, data []byte) error {
		c, _ = Parse(data)
		return nil
	})
	return c, err
}

// Reviews reports whether one of some mail addresses is a reviewer's. Where none are named
// everybody is one.
func (c *Config) Reviews(addresses ...string) bool {
	return len(c.Reviewers) == 0 || slices.ContainsFunc(addresses, func(address string) bool {
		return slices.ContainsFunc(Names(address), func(name string) bool {
			return slices.ContainsFunc(c.Reviewers, func(r string) bool { return strings.EqualFold(r, name) })
		})
	})
}

// Names are an address, and the name at its host that one of GitHub's for commits tells.
func Names(address string) []string {
	handle, private := strings.CutSuffix(strings.ToLower(address), "@users.noreply.github.com")
	if !private {
		return []string{address}
	}
	return []string{address, "@" + handle[strings.IndexByte(handle, '+')+1:]}
}
