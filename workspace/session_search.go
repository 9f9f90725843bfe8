package workspace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// SessionHit is a line of a session record that answers a query.
type SessionHit struct {
	ID      memory.ID   `json:"id,omitempty"`   // of a note
	Type    memory.Type `json:"type,omitempty"` // of a note
	Session string      `json:"session"`
	Agent   string      `json:"agent"`
	Branch  string      `json:"branch"`
	Title   string      `json:"title"`
	Start   time.Time   `json:"start"`
	Kind    string      `json:"kind"` // note, session, topic, request, finding, step, file, command
	Line    int         `json:"line"` // of the transcript, from 1; 0 when it is about the whole session
	Text    string      `json:"text"`
	Score   float64     `json:"score"` // share of the query in the text, weighted by kind
}

// Bounds of what one session contributes to an answer.
const (
	hitsPerSession   = 3
	topicsPerSession = 8   // where a query has no words
	leastShare       = 0.5 // of a query, by length, that must stand in a line
)

// searchSessions searches records: what sessions and their topics were about, what was asked,
// what was too weak to become a memory. Filters on session, branch and time hold here too.
func searchSessions(records []*session.Session, q query.Query, limit int) []SessionHit {
	out := []SessionHit{}
	words := relevance.Stems(strings.Join(q.Words, " "))
	for _, s := range records {
		if !passes(s, q.Clauses) {
			continue
		}
		if len(words) == 0 {
			out = append(out, overview(s)...)
			continue
		}
		hits := hitsIn(s, words)
		lists.Sort(hits, bestFirst)
		out = append(out, hits[:min(len(hits), hitsPerSession)]...)
	}
	if len(words) == 0 { // of the latest sessions, in the order in which they took place
		out = lists.First(out, limit)
		lists.Sort(out, func(a, b SessionHit) int { return a.Start.Compare(b.Start) })
		return out
	}
	lists.Sort(out, bestFirst)
	return lists.First(out, limit)
}

func bestFirst(a, b SessionHit) int { return cmp.Compare(b.Score, a.Score) }

// hitFinder collects the lines of one record that answer a query. One line of the transcript, or
// one text, counts once.
type hitFinder struct {
	record *session.Session
	words  []string
	seen   map[string]bool
	out    []SessionHit
}

func (f *hitFinder) add(kind string, line int, text string, weight float64) {
	share := relevance.Share(f.words, text)
	key, at := strings.ToLower(text), fmt.Sprint("line ", line)
	if text == "" || share < leastShare || f.seen[key] || f.seen[at] {
		return
	}
	f.seen[key], f.seen[at] = true, line > 0
	s := f.record
	f.out = append(f.out, SessionHit{
		Session: s.ID, Agent: s.Agent, Branch: s.Branch, Title: s.Title, Start: s.Start,
		Kind: kind, Line: line, Text: text, Score: view.Round3(share * weight),
	})
}

// overview returns what happened in a session.
func overview(s *session.Session) []SessionHit {
	f := hitFinder{record: s, seen: map[string]bool{}}
	f.add("session", 0, s.Title, 1.2)
	for i := range s.Topics[:min(len(s.Topics), topicsPerSession)] {
		t := &s.Topics[i]
		f.add("topic", t.Record+1, strings.TrimSuffix(t.Name+": "+t.Summary[1], ": "), 1)
	}
	return f.out
}

// hitsIn looks for words in the lines of one record.
func hitsIn(s *session.Session, words []string) []SessionHit {
	f := hitFinder{record: s, words: words, seen: map[string]bool{}}
	f.add("session", 0, s.Title, 1.2)
	for _, t := range s.Topics {
		f.add("topic", t.Record+1, t.Name, 1.15)
		f.add("topic", t.Record+1, t.Name+": "+strings.Join(t.Summary[:], " "), 1.1)
	}
	for _, r := range s.Requests {
		f.add("request", r.Record+1, r.Text, 1)
	}
	for _, w := range s.Weak {
		f.add("finding", w.Record+1, w.Title, 0.9)
	}
	for _, v := range s.Decided {
		if v.Is == session.Folded {
			f.add("finding", 0, v.Note, 0.9)
		}
	}
	for _, step := range s.Plan {
		f.add("step", 0, step.Text, 0.8)
	}
	for _, file := range s.Modified {
		f.add("file", 0, file, 0.8)
	}
	for _, c := range s.Commands {
		f.add("command", 0, c, 0.6)
	}
	return f.out
}

// passes applies the filters that sessions have something to say to.
// Those of one key are alternatives.
func passes(s *session.Session, clauses []query.Clause) bool {
	about := lists.Without(clauses, func(c query.Clause) bool {
		return !slices.Contains([]query.Key{query.Session, query.Branch, query.Since, query.Until}, c.Key)
	})
	return query.Meets(about, query.Facts{Session: s.ID, Branch: s.Branch, Start: s.Start, End: s.End}.Hold)
}
