package review

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// Group says what memories are shown together by.
type Group string

// The groups; "" is none.
const (
	BySession Group = "session"
	ByTopic   Group = "topic" // of a session
	ByType    Group = "type"
	ByBranch  Group = "branch"
)

// ParseGroup reads a group; "none" and "" are none.
func ParseGroup(s string) (Group, error) {
	switch g := Group(s); g {
	case BySession, ByTopic, ByType, ByBranch:
		return g, nil
	case "", "none":
		return "", nil
	}
	return "", fmt.Errorf("%s: memories are grouped by session, topic, type, branch or none", s)
}

// group gives each item its heading and brings items of one heading together.
// The order within a group, and of groups by their first item, stays.
func group(ctx context.Context, w *workspace.Workspace, items []Item, by Group) error {
	if by == "" {
		return nil
	}
	var sessions map[string]*session.Session
	if slices.Contains([]Group{BySession, ByTopic}, by) {
		var err error
		if sessions, err = sessionsOf(ctx, w, items); err != nil {
			return err
		}
	}
	at := map[string]int{}
	for i := range items {
		r := &items[i]
		switch by {
		case ByType:
			r.Group = string(r.Memory.Type)
		case ByBranch:
			r.Group = cmp.Or(r.Branch, r.Memory.Source.Branch, "no branch")
		default:
			r.Group = heading(sessions[r.Memory.Source.Session], r, by)
		}
		if _, ok := at[r.Group]; !ok {
			at[r.Group] = len(at)
		}
	}
	lists.Sort(items, func(a, b Item) int { return cmp.Or(a.tier-b.tier, at[a.Group]-at[b.Group]) })
	return nil
}

// heading names the session of an item, or the topic in it.
func heading(s *session.Session, r *Item, by Group) string {
	id := r.Memory.Source.Session
	if id == "" {
		return "outside of any session"
	}
	return strings.TrimSpace("session " + id[:min(len(id), 8)] + " " + nameOf(s, r, by))
}

// nameOf is the title of a session, or the name of the topic in it that an item is from.
func nameOf(s *session.Session, r *Item, by Group) string {
	if s == nil {
		return ""
	}
	name := s.Headline()
	for _, t := range s.Topics {
		if by == ByTopic && t.Record < max(1, r.Memory.Source.Record) {
			name = cmp.Or(t.Name, name)
		}
	}
	return name
}

// sessionsOf reads the records of the sessions that items come from. Those that
// are missing or cannot be read are left out.
func sessionsOf(ctx context.Context, w *workspace.Workspace, items []Item) (map[string]*session.Session, error) {
	want := map[string]string{} // by the name of their record
	for _, r := range items {
		if s := r.Memory.Source; s.Session != "" {
			want[path.Base((&session.Session{Agent: s.Agent, ID: s.Session}).Path())] = s.Session
		}
	}
	entries, err := w.Journal.List(ctx, "sessions")
	if err != nil {
		return nil, err
	}
	entries = lists.Without(entries, func(e gitops.Entry) bool { return want[path.Base(e.Path)] == "" })
	out := map[string]*session.Session{}
	err = w.Journal.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if s, err := session.Parse(data); err == nil {
			out[want[path.Base(e.Path)]] = s
		}
		return nil
	})
	return out, err
}
