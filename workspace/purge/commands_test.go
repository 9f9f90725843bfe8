package purge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
)

// TestCommands: no command removes what only looks like a file with the text, or a file
// that is no memory, and none names the slug of one.
func TestCommands(t *testing.T) {
	const month = ".cortex/memories/decision/2026-11/"
	removed := []string{month + "pump-k7q2m9x.md", month + "*-k7q2m9x.md", month + "by-hand.md"}
	kept := []string{
		month + "*.md", month + "pump-*.md", month + "*-hand.md", month + "pump-*x.md",
		".cortex/config.yaml",
	}
	p := &Places{Refs: []string{"refs/heads/main"}}
	for _, path := range slices.Concat(removed, kept, []string{".cortex/decisions.md"}) {
		p.Places = append(p.Places, Place{Kind: File, Path: path})
	}
	var got []string
	for _, step := range p.Commands() {
		for _, c := range step.Commands {
			if file, ok := strings.CutPrefix(c, "git rm -q -f --ignore-unmatch -- "); ok {
				got = append(got, strings.Trim(file, "'"))
			}
		}
	}
	byID := ":(glob).cortex/memories/**/*-k7q2m9x*.md"
	if diff := cmp.Diff([]string{byID, byID, month + "by-hand.md"}, got); diff != "" {
		t.Errorf("what is removed (-want +got):\n%s", diff)
	}
	outside := &Places{Places: []Place{{Kind: Outside, Ref: "refs/heads/main"}}}
	if !slices.ContainsFunc(outside.Commands(),
		func(s Step) bool { return slices.Contains(s.Commands, "git gc --prune=now") }) {
		t.Error("git keeps what only files outside of .cortex held")
	}
	for _, step := range (&Places{Places: []Place{{Kind: History}}}).Commands() {
		if slices.ContainsFunc(step.Commands,
			func(c string) bool { return strings.Contains(c, "reflog expire") && strings.Contains(c, "--all") }) &&
			!strings.Contains(step.What, "stash") {
			t.Errorf("%q does not say that it drops stashes", step.What)
		}
	}
}

// TestCommandsOfRemotes: what is pushed is what a remote has of the text, whatever the name
// of the remote and the place of its branches, each to where it came from; branches that
// hold none of it are left where they are, and what a remote deleted stays deleted.
func TestCommandsOfRemotes(t *testing.T) {
	spec := func(remote, there, here string) gitops.Refspec {
		return gitops.Refspec{Remote: remote, There: there, Here: here}
	}
	p := &Places{
		Refs: []string{
			"refs/heads/main", "refs/heads/private/draft", "refs/remotes/origin/HEAD", "refs/remotes/origin/main",
			"refs/remotes/origin/it's", "refs/remotes/team/ada/feat/x",
			"refs/remotes/team/ada/main", "refs/remotes/pr/7", "refs/remotes/origin/pr/8", "refs/remotes/origin/pr9",
			"refs/remotes/x/feat/end", "refs/remotes/shared/main", "refs/tags/v1",
		},
		Places: []Place{
			{Kind: Outside, Ref: "refs/remotes/origin/notes"},
			{Kind: Remote, Ref: "refs/cortex-remotes/team/ada/journal"},
		},
		hosts: []string{"odd", "one", "origin", "team/ada", "two", "unused"},
		specs: []gitops.Refspec{
			spec("origin", "refs/heads/*", "refs/remotes/origin/*"),
			spec("origin", "refs/pull/*/head", "refs/remotes/origin/pr/*"),
			spec("origin", "refs/pull/9/head", "refs/remotes/origin/pr9"),
			spec("team/ada", "refs/heads/*", "refs/remotes/team/ada/*"),
			spec("team/ada", "refs/pull/*/head", "refs/remotes/team/ada/*"),
			spec("odd", "refs/heads/*-end", "refs/remotes/x/*/end"),
			spec("one", "refs/heads/*", "refs/remotes/shared/*"), spec("two", "refs/heads/*", "refs/remotes/shared/*"),
		},
	}
	var got []string
	for _, step := range p.Commands() {
		for _, c := range step.Commands {
			if !strings.Contains(c, "git filter-repo") && !strings.HasPrefix(c, "rm -r") &&
				!strings.Contains(c, " reflog ") && !strings.HasPrefix(c, "git gc") &&
				!strings.Contains(c, "commit-tree") {
				got = append(got, c)
			}
		}
	}
	want := []string{
		"cortex sync --accept-removals team/ada", "git push team/ada --delete refs/cortex/journal",
		"git update-ref -d refs/cortex-remotes/team/ada/journal", "git update-ref -d refs/cortex/safe",
		"cortex sync team/ada",
		"git fetch odd", "git fetch origin", "git fetch team/ada",
		"git ls-remote --exit-code odd refs/heads/feat-end && git push --force odd" +
			" refs/remotes/x/feat/end:refs/heads/feat-end",
		"git ls-remote --exit-code odd refs/tags/v1 && git push --force odd refs/tags/v1",
		"git ls-remote --exit-code one refs/tags/v1 && git push --force one refs/tags/v1",
		`git ls-remote --exit-code origin 'refs/heads/it'\''s' && ` +
			`git push --force origin 'refs/remotes/origin/it'\''s:refs/heads/it'\''s'`,
		"git ls-remote --exit-code origin refs/heads/main && git push --force origin" +
			" refs/remotes/origin/main:refs/heads/main",
		"git ls-remote --exit-code origin refs/heads/notes && git push --force origin" +
			" refs/remotes/origin/notes:refs/heads/notes",
		"git ls-remote --exit-code origin refs/tags/v1 && git push --force origin refs/tags/v1",
		"git ls-remote --exit-code team/ada refs/heads/feat/x && git push --force team/ada" +
			" refs/remotes/team/ada/feat/x:refs/heads/feat/x",
		"git ls-remote --exit-code team/ada refs/heads/main && git push --force team/ada" +
			" refs/remotes/team/ada/main:refs/heads/main",
		"git ls-remote --exit-code team/ada refs/tags/v1 && git push --force team/ada refs/tags/v1",
		"git ls-remote --exit-code two refs/tags/v1 && git push --force two refs/tags/v1",
		"git ls-remote --exit-code unused refs/tags/v1 && git push --force unused refs/tags/v1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}
