package remotes

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Refspec is a setting of a remote that says what a fetch keeps, and where: one value of
// `remote.NAME.fetch`.
type Refspec struct {
	Remote      string
	There, Here string // whole names of refs, or patterns with one *
}

// branches is below what each branch of a repository is.
const branches = "refs/heads/"

// Refspecs are those of all remotes, in the order of git's configuration. Values that
// keep nothing, as exceptions, are left out.
func (m *Remotes) Refspecs(ctx context.Context) ([]Refspec, error) {
	out, err := m.Git.Text(ctx, gitcmd.Command{
		Doing: "reading git's configuration", None: []int{1}, // 1: there is none
		Args: []string{"config", "-z", "--get-regexp", `^remote\..*\.fetch$`},
	})
	var specs []Refspec
	for line := range strings.SplitSeq(out, "\x00") {
		name, value, _ := strings.Cut(line, "\n")
		there, here, ok := strings.Cut(strings.TrimPrefix(value, "+"), ":")
		if !ok || here == "" {
			continue
		}
		remote := strings.TrimSuffix(strings.TrimPrefix(name, "remote."), ".fetch")
		specs = append(specs, Refspec{Remote: remote, There: wholeRef(there), Here: wholeRef(here)})
	}
	return specs, err
}

// wholeRef returns the full name of a ref, as git completes it. A name with slashes that
// does not say heads is no branch: a stranger may have proposed it.
func wholeRef(name string) string {
	switch family, more, _ := strings.Cut(name, "/"); {
	case family == "refs":
		return name
	case more == "":
		return branches + name
	}
	return "refs/" + name
}

// Source is the name that a ref of this clone has at the remote. It reports false where
// the setting is about other refs.
func (s Refspec) Source(ref string) (string, bool) {
	before, after, pattern := strings.Cut(s.Here, "*")
	if !pattern {
		return s.There, ref == s.Here
	}
	name, ok := strings.CutPrefix(ref, before)
	if !ok {
		return "", false
	}
	if name, ok = strings.CutSuffix(name, after); !ok || name == "" {
		return "", false
	}
	return strings.Replace(s.There, "*", name, 1), true
}

// Branch is the branch of the remote that a ref of this clone stands for; ok is false
// where it stands for none, or for something else, as a proposal of a stranger.
func (s Refspec) Branch(ref string) (name string, ok bool) {
	from, ok := s.Source(ref)
	if !ok {
		return "", false
	}
	return strings.CutPrefix(from, branches)
}
