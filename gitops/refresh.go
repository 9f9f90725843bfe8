package gitops

import "context"

// Refresh returns the repository as it is now: r itself while HEAD, what it
// points to, an operation that left a branch, and git's configuration are as they
// were, else a new one. To tell, it looks at a few files. It runs git after a
// change, where the configuration includes files that only git can find, and when
// it is called for the first time.
//
// Neither r nor what came from it changes. The settings that were read are kept
// until the configuration changes.
func (r *Repo) Refresh(ctx context.Context) (*Repo, error) {
	now := r.marks() // before git is asked, so that a change in between is seen by the next call
	if now == r.opened && !now.includes {
		return r, nil
	}
	fresh := r
	if now.head != r.opened.head || now.config != r.opened.config {
		var err error
		if fresh, err = Open(ctx, r.Dir, r.options); err != nil {
			return nil, err
		}
	} else {
		same := *r
		fresh, fresh.settings = &same, new(settings)
	}
	if now.config == r.opened.config && !now.includes {
		fresh.settings = r.settings
	}
	fresh.opened, fresh.setup = now, r.setup
	return fresh, nil
}

// SameSettings reports whether both have the settings of one reading.
func (r *Repo) SameSettings(other *Repo) bool { return r.settings == other.settings }

// repoMarks change with what a repository that is opened says of itself.
type repoMarks struct {
	head     string // of HEAD and what it points to
	config   string // of the configuration
	includes bool   // git may look at something else for it
}

func (r *Repo) marks() repoMarks {
	branch, head := r.Worktree().Head()
	if branch == "" {
		head += r.leftBranch()
	}
	config, ok := ConfigState(r.GitDir, r.CommonDir, r.git.Environ)
	return repoMarks{head: head, config: config, includes: !ok}
}
