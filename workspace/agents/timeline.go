package agents

import (
	"context"
	"slices"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// timeline says what was true when a session that is over took place. It is for any
// number of goroutines, and asks git once.
type timeline struct {
	repo  *gitops.Repo
	heads func() []gitops.Commit // of the working tree, newest first
}

func newTimeline(ctx context.Context, repo *gitops.Repo) *timeline {
	return &timeline{repo: repo, heads: lazy.Value(func() []gitops.Commit {
		heads, err := repo.History().Heads(context.WithoutCancel(ctx))
		if err != nil {
			return nil // what cannot be known is left out
		}
		return heads
	})}
}

// commit is the commit that was HEAD at a time: by git's log of HEAD for a session
// of this working tree, else by the history of the branch that the session was on;
// "" if neither goes back so far.
func (p *timeline) commit(ctx context.Context, here bool, branch string, at time.Time) string {
	if at.IsZero() {
		return ""
	}
	if here {
		heads := p.heads()
		if i := slices.IndexFunc(heads, func(head gitops.Commit) bool { return !head.Time.After(at) }); i >= 0 {
			return string(heads[i].ID)
		}
	}
	if branch == "" {
		return ""
	}
	id, err := p.repo.History().Before(ctx, "refs/heads/"+branch, at)
	if err != nil {
		return ""
	}
	return string(id)
}

// anchors returns an anchor for each of the files that a commit has: its path, and its
// blob in that commit.
func (p *timeline) anchors(ctx context.Context, commit string, files []string) []memory.Anchor {
	blobs, _ := p.repo.PathsAt(ctx, commit, files) // what cannot be known is left out
	have := lists.Where(files, func(f string) bool { return blobs[f] != "" })
	return lists.Map(have, func(f string) memory.Anchor { return memory.Anchor{Path: f, Blob: string(blobs[f])} })
}

// source gives the memories of a past session the branch that its transcript names,
// and the commit and files of their time. What has the time of now has none of its
// own.
func (p *timeline) source(ctx context.Context, r *capture.Result, here bool, now time.Time) {
	s := r.Session
	now = now.Truncate(time.Second)
	if s.Head == "" && s.Start.Before(now) {
		s.Head = p.commit(ctx, here, s.Branch, s.Start)
	}
	if s.HeadNow == "" && s.End.Before(now) {
		s.HeadNow = p.commit(ctx, here, s.Branch, s.End)
	}
	for i := range r.Candidates {
		c := &r.Candidates[i]
		m := c.Memory
		if c.Disposition != capture.Kept {
			continue
		}
		commit := ""
		if m.Created.Before(now) {
			commit = p.commit(ctx, here, m.Source.Branch, m.Created)
		}
		m.Source.Commit, m.Anchors = workspace.Abbrev(commit), p.anchors(ctx, commit, c.About())
	}
}

// EarlierSessions are past sessions of a repository that were not read.
type EarlierSessions struct {
	Sessions int   `json:"sessions"`
	Bytes    int64 `json:"bytes"`
}

// Earlier counts the sessions that [Backfill] would find below home, and reads only
// where each took place. Those that were read to their end are left out.
func Earlier(w *workspace.Workspace, home string) (EarlierSessions, error) {
	var out EarlierSessions
	files, err := newCapturer(w).transcripts(BackfillInput{Home: home})
	read := w.Diary.Read()
	for _, f := range files {
		if read[f.path] == f.size {
			continue
		}
		if out.Bytes += f.size; !f.subagent {
			out.Sessions++
		}
	}
	return out, err
}

// isHere reports whether a transcript was recorded in this repository: folder
// names of agents collide, so what the records say decides.
func (x *capturer) isHere(path string) bool {
	id := transcript.IdentifyFile(path)
	return id.Cwd != "" && x.tree.Holds(id.Cwd)
}
