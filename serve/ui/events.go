package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// looks is how often a page that is open has its repository looked at.
const looks = 250 * time.Millisecond

// pulse is the state of a repository, as far as an open page tells of it at once: its journal, HEAD, and the hook that
// ran last.
type pulse struct {
	journal, head, hook string
	words               string // how that hook ended
}

// event tells an open page of a change.
type event struct {
	Waits int    `json:"waits"`
	What  string `json:"what,omitempty"` // happened; "" for the first one
}

// events tells a page what happens, until it is closed.
func (s *server) events(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("repo"))
	if err != nil || n < 0 || n >= len(s.host.Dirs) {
		s.fail(w, r, errNoRepository)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	_ = out.SetWriteDeadline(time.Time{})
	tick := time.NewTicker(looks)
	defer tick.Stop()
	var last pulse
	for r.Context().Err() == nil {
		last = s.look(r.Context(), s.host.Dirs[n], last, func(e event) {
			data, _ := json.Marshal(e)
			_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
			_ = out.Flush()
		})
		select {
		case <-r.Context().Done():
		case <-tick.C:
		}
	}
}

// look tells of what has changed since a state, and returns the one that is now. What cannot be read has not changed.
func (s *server) look(ctx context.Context, dir string, last pulse, tell func(event)) pulse {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return last
	}
	w, done, err := s.projects.Use(ctx, dir)
	if err != nil {
		return last
	}
	defer done()
	snap, err := w.Journal.Snapshot(ctx)
	if err != nil {
		return last
	}
	now := pulse{journal: fmt.Sprint(snap.Commit(), snap.Spooled()), head: w.Repo.Head}
	for name, b := range w.Diary.Heartbeat() {
		if ran := fmt.Sprint(b.Time, name, b.N); ran > now.hook {
			now.hook, now.words = ran, name+": "+b.Words()
		}
	}
	if now == last {
		return now
	}
	e := event{What: happened(ctx, w, last, now)}
	if view, err := w.View(ctx, workspace.ViewOptions{}); err == nil {
		for i := range view.Items {
			if view.Items[i].Stage == index.Pending {
				e.Waits++
			}
		}
	}
	tell(e)
	return now
}

// happened says in a line what led from one state to another.
func happened(ctx context.Context, w *workspace.Workspace, was, is pulse) string {
	switch {
	case was == pulse{}:
		return ""
	case is.head != was.head:
		return "a commit was made"
	case is.journal == was.journal:
		return is.words
	}
	log, _, err := explore.Log(ctx, w, "", 1)
	if err != nil || len(log) == 0 {
		return is.words
	}
	return log[0].Subject
}
