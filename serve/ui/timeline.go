package ui

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/explore"
)

// sessionsShown is how many sessions stand on one page of the timeline.
const sessionsShown = 20

// spanned is a session and what it was about.
type spanned struct {
	*session.Session
	Topics []explore.SessionTopic
	Kept   []session.Finding
}

type timeline struct {
	Sessions []spanned
	Of       string // the beginning of an id: only these
	Older    int    // how many sessions newer than the next page there are, 0 for no next page
}

// timeline shows sessions, newest first, each with its topics and what was kept.
func (v *visit) timeline(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	data := timeline{Of: asked.Get("session")}
	topics, err := explore.Topics(ctx, v.Workspace, data.Of)
	if err != nil {
		return nil, err
	}
	of := map[string][]explore.SessionTopic{}
	for _, t := range topics {
		of[t.Session] = append(of[t.Session], t)
	}
	skip, _ := strconv.Atoi(asked.Get("after"))
	all, err := v.Journal.Sessions(ctx, math.MaxInt)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, s := range all {
		if data.Of != "" && !strings.HasPrefix(s.ID, data.Of) {
			continue
		}
		if n++; n <= skip {
			continue
		}
		if len(data.Sessions) == sessionsShown {
			data.Older = skip + sessionsShown
			break
		}
		data.Sessions = append(data.Sessions, spanned{s, of[s.ID], kept(s)})
	}
	return &page{Name: "timeline", Title: "Timeline", Data: data, JSON: asJSON(answer.NewTopics(topics))}, nil
}

// kept returns the findings that became memories.
func kept(s *session.Session) []session.Finding {
	out := lists.Where(s.Found, func(f session.Finding) bool { return f.ID != "" })
	return out
}
