package gitops

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// gitVersion is the version of the git binary.
type gitVersion struct {
	major, minor int
	text         string // "2.39.5"
}

func (v gitVersion) atLeast(major, minor int) bool {
	return v.major > major || v.major == major && v.minor >= minor
}

// oldest is the git from which on everything is there that is used:
// `config --show-scope` came last.
const oldestMajor, oldestMinor = 2, 26

// OldGitError says that the git binary lacks what cortex needs.
type OldGitError struct{ Version string }

func (e *OldGitError) Error() string {
	return fmt.Sprintf("git %s is too old: cortex needs git %d.%d or later", e.Version, oldestMajor, oldestMinor)
}

// version asks git for its version. [*OldGitError] is one that will not do.
func (g *runner) version(ctx context.Context) (gitVersion, error) {
	out, err := g.run(ctx, command{args: []string{"version"}})
	if err != nil {
		return gitVersion{}, fmt.Errorf("asking git for its version: %w", err)
	}
	v, ok := parseVersion(string(out))
	if !ok {
		return v, fmt.Errorf("asking git for its version: it answered %q", strings.TrimSpace(string(out)))
	}
	if !v.atLeast(oldestMajor, oldestMinor) {
		return v, &OldGitError{v.text}
	}
	return v, nil
}

// parseVersion reads "git version 2.39.5 (Apple Git-154)", "2.54.0.windows.1",
// "2.55.GIT".
func parseVersion(out string) (v gitVersion, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(out), "git version ")
	v.text, _, _ = strings.Cut(text, " ")
	parts := strings.SplitN(v.text, ".", 3)
	if !ok || len(parts) < 2 {
		return v, false
	}
	var err1, err2 error
	v.major, err1 = strconv.Atoi(parts[0])
	minor, _, _ := strings.Cut(parts[1], "-")
	v.minor, err2 = strconv.Atoi(minor)
	return v, err1 == nil && err2 == nil
}
