package gitops

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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
	config   string // of the files of the configuration
	includes bool   // some of them, or the environment, include others
}

func (r *Repo) marks() repoMarks {
	m := repoMarks{head: r.headMark(), includes: ConfigIncludes(r.git.Environ)}
	sum := sha256.New()
	for _, name := range r.configFiles() {
		data, err := os.ReadFile(name)
		fmt.Fprintln(sum, name, len(data), err != nil)
		sum.Write(data)
		m.includes = m.includes || strings.Contains(strings.ToLower(string(data)), "[include")
	}
	m.config = string(sum.Sum(nil))
	return m
}

// headMark holds what the files of refs say of HEAD, or, where they do not say
// it, when they were changed.
func (r *Repo) headMark() string {
	head, err := os.ReadFile(filepath.Join(r.GitDir, "HEAD"))
	if err != nil {
		return ""
	}
	mark := string(head)
	if target, ok := strings.CutPrefix(strings.TrimSpace(mark), "ref: "); ok {
		commit, err := os.ReadFile(filepath.Join(r.CommonDir, filepath.FromSlash(target)))
		if mark += string(commit); err != nil {
			mark += fmt.Sprint(markFile(filepath.Join(r.CommonDir, "packed-refs")),
				markFile(filepath.Join(r.CommonDir, "reftable", "tables.list")), markFile(filepath.Join(r.GitDir, "reftable", "tables.list")))
		}
		return mark
	}
	return mark + r.leftBranch()
}
