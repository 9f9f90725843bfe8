package mirror

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// Scratch makes a repository of some files in a new folder, for demonstrations, and returns the address by which it
// can be mirrored with the protocol file.
func (m *Mirror) Scratch(ctx context.Context, dir string, files map[string][]byte) (address string, err error) {
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = atomicfile.WritePath(path, data, atomicfile.Options{})
		}
		if err != nil {
			return "", fmt.Errorf("making a repository: %w", err)
		}
	}
	git := *m.git
	git.Dir = dir
	for _, args := range [][]string{
		{"-c", "init.defaultBranch=main", "init", "--quiet", "--template="},
		{"config", "uploadpack.allowFilter", "true"},
		{"config", "uploadpack.allowAnySHA1InWant", "true"},
		{"add", "--all"},
		{
			"-c", "user.name=cortex", "-c", "user.email=cortex@localhost", "-c", "commit.gpgSign=false", "commit",
			"--quiet", "--message=memories",
		},
	} {
		if _, err := git.Run(ctx, gitcmd.Command{Args: args}); err != nil {
			return "", fmt.Errorf("making a repository: %w", err)
		}
	}
	at := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(dir), "/")}
	return at.String(), nil
}
