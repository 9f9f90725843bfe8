package trust

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
)

// TestStandard: what a remote of somebody else calls its default branch does not count.
func TestStandard(t *testing.T) {
	for _, c := range []struct {
		name string
		tips []gitops.Tip
		want string
	}{
		{"nothing", nil, ""},
		{"the project's own", []gitops.Tip{{Ref: "refs/heads/main"}, {Ref: "refs/remotes/alice/HEAD", Points: "refs/remotes/alice/evil"}, {Ref: "refs/remotes/origin/HEAD", Points: "refs/remotes/origin/dev/next"}}, "dev/next"},
		{"of a stranger", []gitops.Tip{{Ref: "refs/heads/evil"}, {Ref: "refs/heads/main"}, {Ref: "refs/remotes/alice/HEAD", Points: "refs/remotes/alice/evil"}}, "main"},
		{"of a stranger alone", []gitops.Tip{{Ref: "refs/heads/evil"}, {Ref: "refs/remotes/alice/HEAD", Points: "refs/remotes/alice/evil"}}, ""},
		{"that leads elsewhere", []gitops.Tip{{Ref: "refs/heads/master"}, {Ref: "refs/remotes/origin/HEAD", Points: "refs/heads/evil"}}, "master"},
	} {
		if diff := cmp.Diff(c.want, standard(c.tips)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestMatches: a setting names branches by a pattern, by their names, or all of a remote.
func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, ref string
		want         bool
	}{
		{"release/*", "refs/heads/release/1", true},
		{"release/*", "refs/heads/release/1/fix", false},
		{"release/*", "refs/heads/releases", false},
		{"release/*", "refs/remotes/origin/release/1", false},
		{"origin", "refs/remotes/origin/fix", true},
		{"origin", "refs/remotes/original/fix", false},
		{"", "refs/heads/x", false},
		{"[", "refs/heads/x", false},
	} {
		if got := matches([]string{c.pattern}, c.ref); got != c.want {
			t.Errorf("%q names %s: %v", c.pattern, c.ref, got)
		}
	}
}

// TestMergedHere: a merge is trusted as far as all that it was made of.
func TestMergedHere(t *testing.T) {
	merge := func(commit, result string, of ...gitops.ObjectID) gitops.Brought {
		return gitops.Brought{Commit: gitops.ObjectID(commit), Blob: gitops.ObjectID(result), Before: of}
	}
	left := map[gitops.ObjectID][]gitops.Brought{
		"of-known":   {merge("m1", "of-known", "known", "other")},
		"of-it":      {merge("m1", "of-it", "of-known", "")},
		"of-strange": {merge("m1", "of-strange", "known", "strange")},
		"elsewhere":  {merge("m2", "elsewhere", "known", "other")},
		"strange":    {{Commit: "c", Blob: "strange", Before: []gitops.ObjectID{""}}},
	}
	mergedHere(left, map[gitops.ObjectID]bool{"m1": true})
	var got []string
	for _, name := range []string{"elsewhere", "of-it", "of-known", "of-strange", "strange"} {
		if _, there := left[gitops.ObjectID(name)]; there {
			got = append(got, name)
		}
	}
	if diff := cmp.Diff([]string{"elsewhere", "of-strange", "strange"}, got); diff != "" {
		t.Errorf("what waits (-want +got):\n%s", diff)
	}
}

// TestProposal: what a remote keeps here is a branch of it or what a stranger proposes,
// in whatever form its setting says so.
func TestProposal(t *testing.T) {
	for _, c := range []struct {
		there, here, ref string
		want             bool
	}{
		{"refs/heads/*", "refs/remotes/origin/*", "refs/remotes/origin/fix", false},
		{"refs/*", "refs/remotes/origin/*", "refs/remotes/origin/heads/fix", false},
		{"refs/*", "refs/remotes/origin/*", "refs/remotes/origin/pull/7/head", true},
		{"refs/pull/*/head", "refs/remotes/origin/pr-*", "refs/remotes/origin/pr-7", true},
		{"refs/pull/7/head", "refs/remotes/origin/pr7", "refs/remotes/origin/pr7", true},
		{"refs/pull/7/head", "refs/remotes/origin/pr7", "refs/remotes/origin/pr77", false},
	} {
		if got := proposal(gitops.Refspec{There: c.there, Here: c.here}, c.ref); got != c.want {
			t.Errorf("%s:%s keeps a proposal at %s: %v", c.there, c.here, c.ref, got)
		}
	}
}
