package gitops

import (
	"context"
	"strings"
)

// RemoteHead is the branch that the remote's HEAD pointed to when it was last
// fetched, by its short name; "" when that is not known.
func (r *Repo) RemoteHead(ctx context.Context, remote string) string {
	out, err := r.run(ctx, command{args: []string{"symbolic-ref", "-q", "refs/remotes/" + remote + "/HEAD"}})
	if err != nil {
		return ""
	}
	name, ok := strings.CutPrefix(strings.TrimSpace(string(out)), "refs/remotes/"+remote+"/")
	if !ok {
		return ""
	}
	return name
}
