package gitops

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// History reads what commits of this repository say: what they changed, what they
// descend from. It is for any number of goroutines.
type History struct{ git *runner }

// History returns the repository's history. It costs nothing.
func (r *Repo) History() History { return History{r.git} }

// Commit is one entry of a history.
type Commit struct {
	ID      ObjectID
	Time    time.Time // of the author, UTC
	Author  string
	Subject string
}

// Log lists the newest commits of rev that touch a path matching one of the
// glob patterns (none: any path), newest first, at most limit. Renames are not
// followed. A missing revision has no history.
func (h History) Log(ctx context.Context, rev string, patterns []string, limit int) ([]Commit, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%s: %w", rev, ErrNoRevision)
	}
	args := []string{"-c", "log.showSignature=false", "log", "--no-color", "--no-show-signature", "-n", strconv.Itoa(limit), "--format=%H%x00%at%x00%an%x00%s%x00", rev, "--"}
	for _, p := range patterns {
		args = append(args, ":(top,glob)"+p)
	}
	out, err := h.git.run(ctx, command{args: args})
	if err != nil {
		if exitCode(err) == 128 {
			return nil, nil
		}
		return nil, fmt.Errorf("reading the history of %s: %w", rev, err)
	}
	fields := strings.Split(string(out), "\x00")
	var commits []Commit
	for i := 0; i+3 < len(fields); i += 4 {
		seconds, _ := strconv.ParseInt(fields[i+1], 10, 64)
		commits = append(commits, Commit{
			ID: ObjectID(strings.TrimSpace(fields[i])), Time: time.Unix(seconds, 0).UTC(), Author: fields[i+2], Subject: fields[i+3],
		})
	}
	return commits, nil
}
