package purge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCommands: no command removes what only looks like a file with the text, or a file
// that is no memory.
func TestCommands(t *testing.T) {
	const month = ".cortex/memories/decision/2026-11/"
	removed := []string{month + "pump-k7q2m9x.md", month + "*-k7q2m9x.md", month + "by-hand.md"}
	kept := []string{month + "*.md", month + "pump-*.md", month + "*-hand.md", month + "pump-*x.md", ".cortex/config.yaml"}
	p := &Places{Refs: []string{"refs/heads/main"}}
	for _, path := range slices.Concat(removed, kept, []string{".cortex/decisions.md"}) {
		p.Places = append(p.Places, Place{Kind: File, Path: path})
	}
	got := map[string][]string{}
	replaces := false
	for _, step := range p.Commands() {
		for _, c := range step.Commands {
			words := strings.Split(c, "'")
			if strings.HasPrefix(c, "git rm") || strings.Contains(c, " --invert-paths ") {
				got[c[:6]] = append(got[c[:6]], words[1])
			}
			replaces = replaces || strings.Contains(c, "--replace-text")
		}
	}
	want := map[string][]string{"git rm": removed, "git fi": append(slices.Clone(removed), ".cortex/decisions.md")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is removed (-want +got):\n%s", diff)
	}
	if !replaces {
		t.Error("nothing is said of the others")
	}
	outside := &Places{Places: []Place{{Kind: Outside, Ref: "refs/heads/main"}}}
	if !slices.ContainsFunc(outside.Commands(), func(s Step) bool { return slices.Contains(s.Commands, "git gc --prune=now") }) {
		t.Error("git keeps what only files outside of .cortex held")
	}
	for _, step := range (&Places{Places: []Place{{Kind: History}}}).Commands() {
		if slices.ContainsFunc(step.Commands, func(c string) bool { return strings.Contains(c, "reflog expire") && strings.Contains(c, "--all") }) && !strings.Contains(step.What, "stash") {
			t.Errorf("%q does not say that it drops stashes", step.What)
		}
	}
}

// TestCommandsOfRemotes: what is pushed is what a remote has of the text, whatever the name
// of the remote; branches that hold none of it are left where they are.
func TestCommandsOfRemotes(t *testing.T) {
	p := &Places{
		Refs: []string{
			"refs/heads/main", "refs/heads/private/draft", "refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/it's", "refs/remotes/team/ada/feat/x",
			"refs/remotes/team/ada/main", "refs/remotes/pr/7", "refs/remotes/origin/pr/8", "refs/tags/v1",
		},
		Places: []Place{{Kind: Outside, Ref: "refs/remotes/origin/notes"}, {Kind: Remote, Ref: "refs/cortex-remotes/team/ada/journal"}},
		hosts:  []string{"origin", "team/ada", "unused"},
		others: []string{"refs/remotes/origin/pr/", "refs/remotes/team/ada/"}, // the last has branches too
	}
	var got []string
	for _, step := range p.Commands() {
		for _, c := range step.Commands {
			if !strings.HasPrefix(c, "git filter-repo") && !strings.HasPrefix(c, "git reflog") && !strings.HasPrefix(c, "git gc") && !strings.Contains(c, "commit-tree") {
				got = append(got, c)
			}
		}
	}
	want := []string{
		"cortex sync --accept-removals team/ada", "git push team/ada --delete refs/cortex/journal", "git update-ref -d refs/cortex-remotes/team/ada/journal",
		"cortex sync team/ada",
		`git show-ref -q --verify 'refs/heads/it'\''s' || git branch 'it'\''s' 'origin/it'\''s'`,
		"git show-ref -q --verify refs/heads/notes || git branch notes origin/notes",
		"git update-ref -d refs/remotes/origin/pr/8",
		"git update-ref -d refs/remotes/pr/7",
		"git show-ref -q --verify refs/heads/feat/x || git branch feat/x team/ada/feat/x",
		`git push --force origin 'refs/heads/it'\''s' refs/heads/main refs/heads/notes`,
		"git ls-remote --exit-code origin refs/tags/v1 && git push --force origin refs/tags/v1",
		"git push --force team/ada refs/heads/feat/x refs/heads/main",
		"git ls-remote --exit-code team/ada refs/tags/v1 && git push --force team/ada refs/tags/v1",
		"git ls-remote --exit-code unused refs/tags/v1 && git push --force unused refs/tags/v1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}
