package staging

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// proposalPrefix is where is kept what was proposed, by the name of the branch.
const proposalPrefix = "refs/cortex/proposals/"

// Proposal is a branch that was made to have files reviewed. Its commit is kept, whatever becomes of the branch.
type Proposal struct {
	Branch string
	Commit gitobject.ID
}

// Propose makes a branch with one commit on base, which adds files and changes nothing else. HEAD, the index and the
// working tree stay as they are, and no branch that is there is moved: where there is one of that name, or was one
// in an earlier proposal, the new one has a number behind it.
func (x *Area) Propose(ctx context.Context, base gitobject.ID, name string, files []File, message string) (Proposal,
	error,
) {
	const doing = "making a proposal"
	author, err := x.Git.Ask(ctx, doing, "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		return Proposal{}, err
	}
	branch, err := x.freeProposal(ctx, name)
	if err != nil {
		return Proposal{}, err
	}
	var in strings.Builder
	fmt.Fprintf(&in, "feature done\ncommit refs/heads/%s\nmark :1\ncommitter %s\ndata %d\n%s\nfrom %s\n",
		branch, strings.TrimSpace(author), len(message), message, base)
	for _, f := range files {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", f.Path, len(f.Data), f.Data)
	}
	fmt.Fprintf(&in, "reset %s%s\nfrom :1\n\nget-mark :1\ndone\n", proposalPrefix, branch)
	out, err := x.Git.Text(ctx, gitcmd.Command{
		Doing: doing, Stdin: strings.NewReader(in.String()),
		Args: []string{"-c", "core.hooksPath=" + os.DevNull, "fast-import", "--quiet"},
	})
	return Proposal{branch, gitobject.ID(strings.TrimSpace(out))}, err
}

// freeProposal is name, or name with a number where a branch or a proposal has it, here or at a remote.
func (x *Area) freeProposal(ctx context.Context, name string) (string, error) {
	refs, err := x.Git.Refs(ctx, "listing proposals", "refs/heads/"+name+"*", "refs/remotes/*/"+name+"*",
		proposalPrefix+name+"*")
	free := name
	taken := func(ref gitcmd.Ref) bool { return strings.HasSuffix(ref.Name, "/"+free) }
	for n := 2; slices.ContainsFunc(refs, taken); n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	return free, err
}

// Proposals are those that were made in this clone, by name.
func (x *Area) Proposals(ctx context.Context) ([]Proposal, error) {
	refs, err := x.Git.Refs(ctx, "listing proposals", proposalPrefix)
	out := make([]Proposal, len(refs))
	for i, ref := range refs {
		out[i] = Proposal{strings.TrimPrefix(ref.Name, proposalPrefix), ref.ID}
	}
	return out, err
}
