// Package churn says what commits did since something was learned: [Ask].
//
// It costs at most two git processes, and none while neither the commit that is checked
// out nor the question has changed. The promise is that nothing of a commit but its id and its time is
// passed on: whoever proposes a branch also words its commits.
package churn

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// Learned is a file as it was when something was learned about it.
type Learned struct {
	Path, Blob string // the blob may be abbreviated
	At         time.Time
}

// Question asks about files and about the commits of others; see [Ask].
type Question struct {
	Files []Learned
	From  string // a commit; "" asks for no commits of others
}

// Answer counts commits.
type Answer struct {
	Files   []Commits // as [Question.Files]
	Others  Commits   // since the commit that was named, by others than whoever commits here
	Authors int       // of those
}

// Commits are the commits that changed something.
type Commits struct {
	Number int
	Last   gitops.ObjectID // the newest; "" for none
	Time   time.Time       // of that
	Known  bool            // a commit has the file as it was learned
}

// Bounds of what is looked at. With fewer commits than mostCommits that changed a file, git
// goes through the whole history, which takes long in a large repository.
const (
	mostCommits = 200
	patience    = 2 * time.Second // of a hook or a server
	late        = "late"          // is noted where that did not do
)

// ErrLate is returned to a hook or a server where git takes longer than these wait.
var ErrLate = errors.New("finding out which commits changed a file takes longer than a hook may")

// Ask answers a question about what HEAD holds. A context with a deadline is that of a hook
// or a server, which waits for [patience], once for a question.
func Ask(ctx context.Context, repo *gitops.Repo, q Question) (Answer, error) {
	a := Answer{Files: make([]Commits, len(q.Files))}
	if repo.Head == "" || len(q.Files) == 0 && (q.From == "" || q.From == repo.Head) {
		return a, nil
	}
	key := q.key(repo.Head)
	_, limited := ctx.Deadline()
	if words := facts.Read(repo, facts.Since); len(words) == 2 && words[0] == key {
		if limited && words[1] == late {
			return a, ErrLate
		}
		var kept Answer
		if data, err := url.QueryUnescape(words[1]); err == nil && json.Unmarshal([]byte(data), &kept) == nil && len(kept.Files) == len(q.Files) {
			return kept, nil
		}
	}
	asking, cancel := ctx, func() {}
	if limited {
		asking, cancel = context.WithTimeout(ctx, patience)
	}
	defer cancel()
	if err := a.ask(asking, repo, q); err != nil {
		if limited && asking.Err() != nil {
			facts.Write(repo, facts.Since, []string{key, late})
			err = ErrLate
		}
		return a, err
	}
	if data, err := json.Marshal(a); err == nil {
		facts.Write(repo, facts.Since, []string{key, url.QueryEscape(string(data))})
	}
	return a, nil
}

func (a *Answer) ask(ctx context.Context, repo *gitops.Repo, q Question) error {
	if len(q.Files) > 0 {
		if err := a.files(ctx, repo, q.Files); err != nil {
			return err
		}
	}
	if q.From == "" || q.From == repo.Head {
		return nil
	}
	return a.others(ctx, repo, q.From)
}

func (q *Question) key(head string) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s %s %q", head, q.From, q.Files)
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

func (a *Answer) files(ctx context.Context, repo *gitops.Repo, files []Learned) error {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	touches, err := repo.History().Touching(ctx, "HEAD", slices.Compact(paths), mostCommits)
	if err != nil {
		return err
	}
	for i, f := range files {
		var changed []*gitops.Step
		known := false
		for n := range touches {
			at := slices.IndexFunc(touches[n].Changes, func(d gitops.Difference) bool { return d.Path == f.Path })
			if at < 0 {
				continue
			}
			if known = strings.HasPrefix(string(touches[n].Changes[at].New), f.Blob); known {
				break
			}
			changed = append(changed, &touches[n])
		}
		a.Files[i].Known = known
		for _, t := range changed {
			if known || !t.Time.Before(f.At) { // of what was never committed time decides
				a.Files[i].add(t)
			}
		}
	}
	return nil
}

func (a *Answer) others(ctx context.Context, repo *gitops.Repo, from string) error {
	touches, err := repo.History().Touching(ctx, from+"..HEAD", nil, mostCommits)
	if err != nil || len(touches) == 0 {
		return err
	}
	own, authors := repo.History().Committer(ctx), map[string]bool{}
	if own == "" {
		return ctx.Err() // nobody can say whose they are
	}
	for _, t := range touches {
		if t.Mail != own {
			a.Others.add(&t)
			authors[t.Mail] = true
		}
	}
	a.Authors = len(authors)
	return nil
}

func (c *Commits) add(t *gitops.Step) {
	if c.Number++; c.Last == "" {
		c.Last, c.Time = t.ID, t.Time
	}
}
