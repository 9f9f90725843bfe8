package ui

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/explore"
)

// Bounds of a page of the timeline. Branches beyond the last lane share it.
const (
	sessionsShown = 20
	lanesShown    = 5
)

// spanned is a session and what came of it.
type spanned struct {
	*session.Session
	Headline string // templates read fields alone
	Kept     []session.Finding
	Day      string // where another one begins
	Lane     int    // of its branch
}

type timeline struct {
	Sessions []spanned
	Of       string // the beginning of an id: only these
	Older    int    // how many sessions newer than the next page there are, 0 for no next page
}

// timeline shows what was done in sessions, the newest first, day by day.
func (v *visit) timeline(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	data := timeline{Of: asked.Get("session")}
	p := &page{Name: "timeline", Title: "Timeline"}
	topics, err := explore.Topics(ctx, v.Workspace, data.Of)
	if err != nil {
		return nil, err
	}
	p.JSON = asJSON(answer.NewTopics(topics))
	all, err := v.Journal.Sessions(ctx, math.MaxInt)
	if err != nil {
		return nil, err
	}
	all = lists.Where(all, func(s *session.Session) bool { return strings.HasPrefix(s.ID, data.Of) })
	skip, _ := strconv.Atoi(asked.Get("after"))
	all = all[min(max(skip, 0), len(all)):]
	if len(all) > sessionsShown {
		all, data.Older = all[:sessionsShown], skip+sessionsShown
	}
	data.Sessions = lists.Map(all, span)
	begun := days(v.server.host.Now(), len(all), func(i int) time.Time { return all[i].Start })
	lanes := map[string]int{}
	for i, s := range all {
		if _, known := lanes[s.Branch]; !known {
			lanes[s.Branch] = min(len(lanes), lanesShown-1)
		}
		data.Sessions[i].Day, data.Sessions[i].Lane = begun[i], lanes[s.Branch]
	}
	p.Data = data
	return p, nil
}

// span is a session as pages show it.
func span(s *session.Session) spanned {
	return spanned{
		Session: s, Headline: s.Headline(),
		Kept: lists.Where(s.Found, func(f session.Finding) bool { return f.ID != "" }),
	}
}
