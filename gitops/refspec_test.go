package gitops

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRefspecs: each form that git takes in `remote.NAME.fetch` is read as git reads it.
func TestRefspecs(t *testing.T) {
	dir := initRepo(t)
	for _, c := range [][2]string{
		{"team/ada", "+refs/heads/*:refs/remotes/x/*/tip"},
		{"team/ada", "^refs/heads/wip/*"},
		{"team/ada", "refs/pull/1/head"},
		{"origin.fetch", "refs/pull/7/head:remotes/origin/pr7"},
		{"origin.fetch", "main:refs/remotes/origin/first"},
		{"origin.fetch", "pull/8/head:refs/remotes/origin/eighth"},
	} {
		runGit(t, dir, "config", "--add", "remote."+c[0]+".fetch", c[1])
	}
	specs, err := openRepo(t, dir).Remotes().Refspecs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, ref := range []string{
		"refs/remotes/x/feat/a/tip", "refs/remotes/x//tip", "refs/remotes/x/feat", "refs/remotes/origin/pr7", "refs/remotes/origin/pr77",
		"refs/remotes/origin/first", "refs/remotes/origin/eighth",
	} {
		for _, s := range specs {
			if name, ok := s.Source(ref); ok {
				got[ref] = s.Remote + " " + name
			}
		}
	}
	want := map[string]string{
		"refs/remotes/x/feat/a/tip":  "team/ada refs/heads/feat/a",
		"refs/remotes/origin/pr7":    "origin.fetch refs/pull/7/head",
		"refs/remotes/origin/first":  "origin.fetch refs/heads/main",
		"refs/remotes/origin/eighth": "origin.fetch refs/pull/8/head",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what a remote has of refs (-want +got):\n%s", diff)
	}
}
