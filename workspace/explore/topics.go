package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// SessionTopic is a topic with the session that it is of. As JSON it has the
// shape "topics" of docs/json.md.
type SessionTopic struct {
	Session string    `json:"session"`
	Agent   string    `json:"agent"`
	Branch  string    `json:"branch"`
	Name    string    `json:"name"`
	Summary []string  `json:"summary"` // what was asked; what came of it, if anything
	Depth   int       `json:"depth"`   // 1 for a part of the topic before it
	Line    int       `json:"line"`    // of the transcript, from 1
	Start   time.Time `json:"start"`
	Cue     string    `json:"cue"`               // opening, transition, step, pause, subject, back
	Back    int       `json:"back,omitempty"`    // line of the topic that it goes back to
	BackTo  string    `json:"back_to,omitempty"` // its name
	Open    []string  `json:"open"`              // questions that were left open
	Files   []string  `json:"files"`
}

// ErrNoSession is returned for a prefix that no session id starts with.
var ErrNoSession = errors.New("no session of that id was read")

// Topics lists what sessions were about, the newest session first: of all of
// them, or of those whose id starts with prefix. A prefix of no session is
// [ErrNoSession].
func Topics(ctx context.Context, w *workspace.Workspace, prefix string) ([]SessionTopic, error) {
	out, open := []SessionTopic{}, openQuestions(ctx, w)
	matched := prefix == ""
	sessions, err := w.Journal.Sessions(ctx, maxSessions)
	if err != nil {
		return nil, err
	}
	for _, s := range sessions {
		if !strings.HasPrefix(s.ID, prefix) {
			continue
		}
		matched = true
		for i := range s.Topics {
			out = append(out, topicOf(s, i, open[s.ID]))
		}
	}
	if !matched {
		return nil, fmt.Errorf("%q: %w", prefix, ErrNoSession)
	}
	return out, nil
}

// maxSessions is more sessions than anybody has.
const maxSessions = 1 << 20

// question is an open question, and the line of the transcript it is from, from 0.
type question struct {
	line int
	text string
}

// openQuestions are the questions that were kept and that nothing answers, by session.
func openQuestions(ctx context.Context, w *workspace.Workspace) map[string][]question {
	out := map[string][]question{}
	v, err := w.View(ctx, workspace.ViewOptions{AllBranches: true})
	if err != nil {
		return out // the topics are told without
	}
	for _, e := range v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Question}, TextLess: true}) {
		if src := e.Memory.Source; e.Open && src.Session != "" {
			out[src.Session] = append(out[src.Session], question{src.Record, e.Memory.Title})
		}
	}
	return out
}

// topicOf is one topic of a session; open are the questions of the session.
func topicOf(s *session.Session, at int, open []question) SessionTopic {
	t := &s.Topics[at]
	x := SessionTopic{
		Session: s.ID, Agent: s.Agent, Branch: s.Branch, Name: t.Name, Summary: []string{}, Depth: t.Depth,
		Line: t.Record + 1, Start: t.Start, Cue: t.Cue, Back: t.Back, Open: []string{},
		Files: append([]string{}, t.Files...),
	}
	x.Summary = append(x.Summary, lists.Without(t.Summary[:], isEmpty)...)
	for _, other := range s.Topics[:at] {
		if other.Record+1 == t.Back {
			x.BackTo = other.Name
		}
	}
	if t.Open != "" {
		x.Open = append(x.Open, t.Open)
	}
	end := math.MaxInt // the line of the next topic
	if at+1 < len(s.Topics) {
		end = s.Topics[at+1].Record
	}
	for _, q := range open {
		if t.Record <= q.line && q.line < end && q.text != t.Open {
			x.Open = append(x.Open, q.text)
		}
	}
	return x
}

func isEmpty(s string) bool { return s == "" }
