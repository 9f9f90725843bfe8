package doctor

import (
	"context"
	"go/version"
	"regexp"
	"strings"

	"github.com/git-cortex/cortex/gitops/user"
)

// Releases is the repository whose tags are the releases of Cortex.
const Releases = "https://github.com/git-cortex/cortex"

// NewerRelease asks [Releases], over the network, for the newest release after the version of this
// program: "" if there is none. A version that ends in -dev comes before the release of its numbers,
// and a tag with anything behind its numbers is no release.
func NewerRelease(ctx context.Context, environ []string, own string) (newer string, err error) {
	git, err := user.Open(environ)
	if err != nil {
		return "", err
	}
	tags, err := git.Tags(ctx, Releases)
	if err != nil {
		return "", err
	}
	best, before := own, strings.HasSuffix(own, "-dev")
	for _, tag := range regexp.MustCompile(`(?m)refs/tags/v(\d+\.\d+\.\d+)$`).FindAllStringSubmatch(tags, -1) {
		// Versions of Go have the same form.
		if c := version.Compare("go"+tag[1], "go"+best); c > 0 || c == 0 && before {
			best, newer, before = tag[1], tag[1], false
		}
	}
	return newer, nil
}
