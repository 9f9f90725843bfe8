package facts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
)

// Learned is a file as it was when something was learned about it.
type Learned struct {
	Path, Blob string // the blob may be abbreviated
	At         time.Time
}

// Question asks about files and about the commits of others; see [ChangesSince].
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
)

// ErrLate is returned to a hook or a server where git takes longer than these wait.
var ErrLate = errors.New("finding out which commits changed a file takes longer than a hook may")

// keptAnswer is the note of an answer.
type keptAnswer struct {
	Answer Answer
	Late   bool // it took longer than [patience]
}

// ChangesSince answers a question about what HEAD holds. It costs at most two git processes, and
// none while neither the commit that is checked out nor the question has changed. Nothing of a commit
// but its id and its time is passed on: whoever proposes a branch also words its commits. A context
// with a deadline is that of a hook or a server, which waits for [patience], once for a question.
func ChangesSince(ctx context.Context, repo *gitops.Repo, q Question) (Answer, error) {
	a := Answer{Files: make([]Commits, len(q.Files))}
	if q.isIdle(repo.Head) {
		return a, nil
	}
	key := q.key(repo.Head)
	_, limited := ctx.Deadline()
	kept, ok := Kept[keptAnswer](repo, Since, key)
	switch {
	case ok && !kept.Late:
		return kept.Answer, nil
	case ok && limited:
		return a, ErrLate
	}
	asking, cancel := patient(ctx)
	defer cancel()
	err := a.ask(asking, repo, q)
	switch {
	case err == nil:
		Keep(repo, Since, key, keptAnswer{Answer: a})
	case limited && asking.Err() != nil:
		Keep(repo, Since, key, keptAnswer{Late: true})
		err = ErrLate
	}
	return a, err
}

// isIdle reports whether git has nothing to say to a question.
func (q *Question) isIdle(head string) bool {
	return head == "" || len(q.Files) == 0 && !q.asksForOthers(head)
}

func (q *Question) asksForOthers(head string) bool { return q.From != "" && q.From != head }

// patient is a context for git, which ends after [patience] for a hook or a server.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, limited := ctx.Deadline(); limited {
		return context.WithTimeout(ctx, patience)
	}
	return ctx, func() {}
}

func (a *Answer) ask(ctx context.Context, repo *gitops.Repo, q Question) error {
	if len(q.Files) > 0 {
		if err := a.files(ctx, repo, q.Files); err != nil {
			return err
		}
	}
	if !q.asksForOthers(repo.Head) {
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
	paths := lists.Map(files, func(f Learned) string { return f.Path })
	slices.Sort(paths)
	touches, err := repo.History().Touching(ctx, "HEAD", slices.Compact(paths), mostCommits)
	if err != nil {
		return err
	}
	for i, f := range files {
		a.Files[i] = f.changes(touches)
	}
	return nil
}

// changes counts the commits that changed a file since it was as it was learned. Of what was
// never committed time decides.
func (f *Learned) changes(touches []gitops.Step) Commits {
	var since, later Commits
	for i := range touches {
		t := &touches[i]
		at := slices.IndexFunc(t.Changes, func(d gitops.Difference) bool { return d.Path == f.Path })
		if at < 0 {
			continue
		}
		if strings.HasPrefix(string(t.Changes[at].New), f.Blob) {
			since.Known = true
			return since
		}
		since.add(t)
		if !t.Time.Before(f.At) {
			later.add(t)
		}
	}
	return later
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
