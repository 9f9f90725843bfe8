package agents

import (
	"context"
	"os"
	"sync"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// manyUnread is how much new transcript, in bytes, most likely has a memory in it.
const manyUnread = 32 << 10

// peopleAhead is people as a function. When much of the transcript is unread
// git is asked for them already while it is read. No process outlives stop.
func (x *capturer) peopleAhead(ctx context.Context, transcript *os.File,
	previous *session.Session,
) (names func() []string, stop func()) {
	names = lazy.Value(func() []string { return people(ctx, x.w.Repo) })
	unread := int64(0)
	if info, err := transcript.Stat(); err == nil {
		unread = info.Size()
	}
	if previous != nil {
		unread -= previous.Cursor.Offset
	}
	if unread < manyUnread {
		return names, func() {}
	}
	var ahead sync.WaitGroup
	ahead.Go(func() { names() })
	return names, ahead.Wait
}

// people are those who wrote the newest commits, and the user.
func people(ctx context.Context, repo *gitops.Repo) []string {
	var out []string
	if settings, err := repo.Settings(ctx); err == nil {
		if name, _ := settings.User(); name != "" {
			out = append(out, name)
		}
	}
	return lists.Unique(out, facts.People(ctx, repo))
}
