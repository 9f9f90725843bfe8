package gitcmd

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Version is the version of the git binary.
type Version struct {
	major, minor int
	Text         string // "2.39.5"
}

// AtLeast reports whether v is this version or a later one.
func (v Version) AtLeast(major, minor int) bool {
	return v.major > major || v.major == major && v.minor >= minor
}

// oldest is the git from which on everything is there that is used:
// `config --show-scope` came last.
const oldestMajor, oldestMinor = 2, 26

// OldError says that the git binary lacks what cortex needs.
type OldError struct{ Version string }

func (e *OldError) Error() string {
	return fmt.Sprintf("git %s is too old: cortex needs git %d.%d or later", e.Version, oldestMajor, oldestMinor)
}

// Asked keeps the version of a git binary until its file changes. The zero value is
// ready, and safe for concurrent use.
type Asked struct {
	mu      sync.Mutex
	binary  string // its path, size and time of change
	version Version
}

// Version asks git for its version, once as long as its file stays as it is if the runner has a
// place to keep it. [*OldError] is one that will not do.
func (g *Runner) Version(ctx context.Context) (Version, error) {
	info, err := os.Stat(g.Binary)
	if g.Asked == nil || err != nil {
		return g.version(ctx)
	}
	a, binary := g.Asked, fmt.Sprint(g.Binary, info.Size(), info.ModTime().UnixNano())
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.binary == binary {
		return a.version, nil
	}
	v, err := g.version(ctx)
	if err == nil {
		a.binary, a.version = binary, v
	}
	return v, err
}

func (g *Runner) version(ctx context.Context) (Version, error) {
	out, err := g.Run(ctx, Command{Args: []string{"version"}})
	if err != nil {
		return Version{}, fmt.Errorf("asking git for its version: %w", err)
	}
	v, ok := parseVersion(string(out))
	if !ok {
		return v, fmt.Errorf("asking git for its version: it answered %q", strings.TrimSpace(string(out)))
	}
	if !v.AtLeast(oldestMajor, oldestMinor) {
		return v, &OldError{v.Text}
	}
	return v, nil
}

// parseVersion reads "git version 2.39.5 (Apple Git-154)", "2.54.0.windows.1",
// "2.55.GIT".
func parseVersion(out string) (v Version, ok bool) {
	text, ok := strings.CutPrefix(strings.TrimSpace(out), "git version ")
	v.Text, _, _ = strings.Cut(text, " ")
	parts := strings.SplitN(v.Text, ".", 3)
	if !ok || len(parts) < 2 {
		return v, false
	}
	var err1, err2 error
	v.major, err1 = strconv.Atoi(parts[0])
	minor, _, _ := strings.Cut(parts[1], "-")
	v.minor, err2 = strconv.Atoi(minor)
	return v, err1 == nil && err2 == nil
}
