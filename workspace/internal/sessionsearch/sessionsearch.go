// Package sessionsearch finds in session records what was asked, done and seen in sessions:
// [Search].
//
// The promise: a line of a record is found once, and only if at least half of what was
// asked for, by length, stands in it.
package sessionsearch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
)

// Hit is a line of a session record that answers a query.
type Hit struct {
	Session string    `json:"session"`
	Agent   string    `json:"agent"`
	Branch  string    `json:"branch"`
	Title   string    `json:"title"`
	Start   time.Time `json:"start"`
	Kind    string    `json:"kind"` // session, topic, request, finding, step, file, command
	Line    int       `json:"line"` // of the transcript, from 1; 0 when it is about the whole session
	Text    string    `json:"text"`
	Score   float64   `json:"score"` // share of the query in the text, weighted by kind
}

// hitsPerSession bounds what one session contributes to an answer, and topicsPerSession
// its topics where a query has no words.
const (
	hitsPerSession   = 3
	topicsPerSession = 8
)

// Search searches records: what sessions and their topics were about, what was asked,
// what was too weak to become a memory. At least half of the query's words, by length,
// must stand in a line. Filters on session, branch and time hold here too.
func Search(records []*session.Session, q query.Query, limit int) []Hit {
	out := []Hit{}
	words := relevance.Stems(strings.Join(q.Words, " "))
	for _, s := range records {
		if !passes(s, q.Clauses) {
			continue
		}
		hits := hitsIn(s, words)
		if len(words) == 0 { // the newest session first, and its topics in order
			out = append(out, hits...)
			continue
		}
		slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
		out = append(out, hits[:min(len(hits), hitsPerSession)]...)
	}
	if len(words) > 0 {
		slices.SortStableFunc(out, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	}
	if limit > 0 {
		out = out[:min(len(out), limit)]
	}
	return out
}

// hitsIn looks for words in the lines of one record; without words the session
// itself is the hit. One line of the transcript, or one text, counts once.
func hitsIn(s *session.Session, words []string) []Hit {
	var out []Hit
	seen := map[string]bool{}
	add := func(kind string, line int, text string, weight float64) {
		share := relevance.Share(words, text)
		key := strings.ToLower(text)
		at := fmt.Sprint(line)
		if text == "" || share < 0.5 || seen[key] || line > 0 && seen[at] {
			return
		}
		seen[key], seen[at] = true, true
		out = append(out, Hit{s.ID, s.Agent, s.Branch, s.Title, s.Start, kind, line, text, float64(int(share*weight*1000+0.5)) / 1000})
	}
	add("session", 0, s.Title, 1.2)
	if len(words) == 0 { // what happened in it
		for i := range s.Topics[:min(len(s.Topics), topicsPerSession)] {
			t := &s.Topics[i]
			text := t.Name
			if t.Summary[1] != "" {
				text += ": " + t.Summary[1]
			}
			add("topic", t.Record+1, text, 1)
		}
		return out
	}
	for _, t := range s.Topics {
		add("topic", t.Record+1, t.Name, 1.15)
		add("topic", t.Record+1, t.Name+": "+strings.Join(t.Summary[:], " "), 1.1)
	}
	for _, r := range s.Requests {
		add("request", r.Record+1, r.Text, 1)
	}
	for _, f := range s.Weak {
		add("finding", f.Record+1, f.Title, 0.9)
	}
	for _, v := range s.Decided {
		if v.Is == session.Folded {
			add("finding", 0, v.Note, 0.9)
		}
	}
	for _, step := range s.Plan {
		add("step", 0, step.Text, 0.8)
	}
	for _, f := range s.Modified {
		add("file", 0, f, 0.8)
	}
	for _, c := range s.Commands {
		add("command", 0, c, 0.6)
	}
	return out
}

// passes applies the filters that sessions have something to say to.
// Those of one key are alternatives.
func passes(s *session.Session, clauses []query.Clause) bool {
	about := slices.DeleteFunc(slices.Clone(clauses), func(c query.Clause) bool {
		return !slices.Contains([]query.Key{query.Session, query.Branch, query.Since, query.Until}, c.Key)
	})
	return query.Meets(about, func(c query.Clause) bool {
		switch c.Key {
		case query.Session:
			return strings.HasPrefix(s.ID, c.Value)
		case query.Branch:
			return s.Branch == c.Value
		case query.Since:
			return !s.End.Before(c.Time)
		default:
			return s.Start.Before(c.Time)
		}
	})
}
