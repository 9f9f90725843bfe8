package explore

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/workspace"
)

// SessionTopic is a topic with the session that it is of. As JSON it has the
// shape "topics" of FORMAT.md, "JSON".
type SessionTopic struct {
	Session string    `json:"session"`
	Agent   string    `json:"agent"`
	Branch  string    `json:"branch"`
	Name    string    `json:"name"`
	Summary []string  `json:"summary"` // what was asked; what came of it, if anything
	Depth   int       `json:"depth"`   // 1 for a part of the topic before it
	Line    int       `json:"line"`    // of the transcript, from 1
	Start   time.Time `json:"start"`
	Cue     string    `json:"cue"` // opening, transition, step, pause, subject
	Files   []string  `json:"files"`
}

// ErrNoSession is returned for a prefix that no session id starts with.
var ErrNoSession = errors.New("no session of that id was read")

// Topics lists what sessions were about, the newest session first: of all of
// them, or of those whose id starts with prefix. A prefix of no session is
// [ErrNoSession].
func Topics(ctx context.Context, w *workspace.Workspace, prefix string) ([]SessionTopic, error) {
	out := []SessionTopic{}
	matched := prefix == ""
	for _, s := range w.Sessions(ctx, maxSessions) {
		if !strings.HasPrefix(s.ID, prefix) {
			continue
		}
		matched = true
		for _, t := range s.Topics {
			out = append(out, topicOf(s, t))
		}
	}
	if !matched {
		return nil, fmt.Errorf("%q: %w", prefix, ErrNoSession)
	}
	return out, nil
}

// maxSessions is more sessions than anybody has.
const maxSessions = 1 << 20

func topicOf(s *session.Session, t session.Topic) SessionTopic {
	x := SessionTopic{
		Session: s.ID, Agent: s.Agent, Branch: s.Branch, Name: t.Name, Summary: []string{}, Depth: t.Depth,
		Line: t.Record + 1, Start: t.Start, Cue: t.Cue, Files: append([]string{}, t.Files...),
	}
	for _, line := range t.Summary {
		if line != "" {
			x.Summary = append(x.Summary, line)
		}
	}
	return x
}
