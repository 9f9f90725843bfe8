package imports

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// engramEntry is an observation of engram, as its export has it.
type engramEntry struct {
	ID      int64  `json:"id"`
	Session string `json:"session_id"`
	Type    string `json:"type"`
	Title   string `json:"title"`
	Content string `json:"content"`
	Project string `json:"project"`
	Scope   string `json:"scope"`
	Topic   string `json:"topic_key"`
	Created string `json:"created_at"`
	Deleted string `json:"deleted_at"`
}

// engramSession is a session of engram. What was said of it at its end is worth a memory.
type engramSession struct {
	ID      string `json:"id"`
	Project string `json:"project"`
	Started string `json:"started_at"`
	Summary string `json:"summary"`
}

// engramStore reads the observations of engram and the summaries of its sessions.
func engramStore(ctx context.Context, db *sqliteDB) *stream {
	entries := rows(ctx, db, "observations", func(row sqliteRow) record {
		id, _ := strconv.ParseInt(row.Text("id"), 10, 64)
		return engramEntry{
			id, row.Text("session_id"), row.Text("type"), row.Text("title"), row.Text("content"),
			row.Text("project"), row.Text("scope"), row.Text("topic_key"), row.Text("created_at"),
			row.Text("deleted_at"),
		}.record()
	})
	sessions := rows(ctx, db, "sessions", func(row sqliteRow) record {
		return engramSession{row.Text("id"), row.Text("project"), row.Text("started_at"), row.Text("summary")}.record()
	})
	return &stream{each: func(yield func(record) error) error {
		err := entries(yield)
		if err != nil || !db.Has("sessions", "id", "summary") {
			return err
		}
		return sessions(yield)
	}}
}

// record makes a record of an observation. A title that engram cut from the text is made anew.
func (o engramEntry) record() record {
	ref := "engram:" + strconv.FormatInt(o.ID, 10)
	r := named(ref, o.Title, o.Content)
	if cut, ok := strings.CutSuffix(o.Title, "..."); ok && strings.HasPrefix(o.Content, cut) {
		r = said(ref, o.Content)
	}
	r.Type, r.Date, r.session, r.project = observed(o.Type), dateOf(o.Created), o.Session, o.Project
	r.tags, r.gone = words(o.Topic), o.Deleted != "" || o.Title+o.Content == ""
	if o.Scope == "personal" {
		r.tags = append(r.tags, o.Scope)
	}
	if _, where, ok := strings.Cut(o.Content, "**Where**:"); ok { // the form that engram asks agents for
		where, _, _ = strings.Cut(where, "\n")
		r.files = lists.Where(words(strings.ReplaceAll(where, "`", "")), isPath)
	}
	return r
}

// isPath reports whether a word names a file: the last part of it has an ending.
func isPath(word string) bool { return path.Ext(word) != "" && !strings.Contains(word, " ") }

// record makes a record of what was said at the end of a session.
func (s engramSession) record() record {
	r := said("engram:session-"+s.ID, s.Summary)
	r.Type, r.Date, r.session, r.project = string(memory.Context), dateOf(s.Started), s.ID, s.Project
	r.tags, r.gone = []string{"session-summary"}, strings.TrimSpace(s.Summary) == ""
	return r
}
