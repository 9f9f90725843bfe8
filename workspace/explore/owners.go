package explore

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// owned is a line of CODEOWNERS: whose the files are that match.
type owned struct {
	files  *regexp.Regexp
	owners []string // in lower case; none takes files away from those of earlier lines
}

// OwnedBy returns which memories name a file that CODEOWNERS of the working tree gives to an owner:
// "@name", "@org/team", an address, or "me", whom git's user.email names. As hosts read it, the last
// line that matches a file says whose it is. That there is no CODEOWNERS is an error.
func OwnedBy(ctx context.Context, w *workspace.Workspace, owner string) (func(workspace.Entry) bool, error) {
	tree, err := w.Tree()
	if err != nil {
		return nil, err
	}
	text := ""
	for _, at := range []string{".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS"} {
		data, _, _ := tree.Read(at)
		text = cmp.Or(text, string(data))
	}
	if text == "" {
		return nil, fmt.Errorf("there is no CODEOWNERS in .github, .gitlab, docs or the root of %s", w.Repo.Root)
	}
	names := []string{strings.ToLower(owner)}
	if owner == "me" {
		address, err := w.Repo.AsUser(ctx, "config", "user.email")
		if err != nil {
			return nil, fmt.Errorf("git does not know who you are (git config user.email): %w", err)
		}
		names = policy.Names(strings.ToLower(address))
	}
	lines := ownersIn(text)
	return func(e workspace.Entry) bool {
		return slices.ContainsFunc(e.Memory.Files, func(file string) bool { return isOwned(lines, file, names) })
	}, nil
}

// ownersIn reads the lines of CODEOWNERS, the last one first. Headings of sections are passed over.
func ownersIn(text string) (out []owned) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "#")
		words := strings.Fields(line)
		if len(words) > 0 && !strings.HasPrefix(strings.TrimPrefix(words[0], "^"), "[") {
			out = append(out, owned{ownedFiles(words[0]), strings.Fields(strings.ToLower(line))[1:]})
		}
	}
	slices.Reverse(out)
	return out
}

// isOwned reports whether the first of some lines that matches a file names one of its owners.
func isOwned(lines []owned, file string, names []string) bool {
	i := slices.IndexFunc(lines, func(l owned) bool { return l.files.MatchString(file) })
	return i >= 0 && slices.ContainsFunc(lines[i].owners, func(o string) bool { return slices.Contains(names, o) })
}

// ownedFiles matches the files that a pattern of CODEOWNERS means: one with a slash before its end is
// of the root, any other of every folder, and what names a folder means all below it.
func ownedFiles(pattern string) *regexp.Regexp {
	head, tail := `^(?:.*/)?`, `(?:/.*)?$`
	if strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		head = "^"
	}
	if strings.HasSuffix(pattern, "/*") {
		tail = "$" // not what lies deeper
	}
	wild := strings.NewReplacer(`\*\*/`, `(?:.*/)?`, `\*\*`, `.*`, `\*`, `[^/]*`, `\?`, `[^/]`)
	return regexp.MustCompile(head + wild.Replace(regexp.QuoteMeta(strings.Trim(pattern, "/"))) + tail)
}
