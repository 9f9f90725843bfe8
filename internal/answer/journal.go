package answer

import (
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/exchange"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/imports"
)

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Captured is the result of reading one transcript: the memories that were added or
// withdrawn, and all candidates.
type Captured struct {
	Added      []memory.ID      `json:"added"`
	Agent      string           `json:"agent"`
	Branch     string           `json:"branch"`
	Candidates []map[string]any `json:"candidates"`
	Session    string           `json:"session"`
	Skipped    skipped          `json:"skipped"`
	Subagents  []Captured       `json:"subagents,omitempty"`
	Turns      int              `json:"turns"`
	Withdrawn  int              `json:"withdrawn"`
}

// skipped counts the parts of a transcript that could not be read, by reason.
type skipped struct {
	Broken  int            `json:"broken"`
	TooLong int            `json:"too_long"`
	Unknown map[string]int `json:"unknown"`
}

// NewCaptured returns c as it is shown, under the policy of the project.
func NewCaptured(c *agents.Captured, policy *workspace.Config) Captured {
	out := Captured{
		Added: []memory.ID{}, Agent: c.Session.Agent, Branch: c.Branch, Candidates: []map[string]any{},
		Session: c.Session.ID, Turns: c.Turns, Withdrawn: c.Gone,
		Skipped: skipped{c.Session.Skipped.Broken, c.Session.Skipped.TooLong, c.Session.Skipped.Unknown},
	}
	if out.Skipped.Unknown == nil {
		out.Skipped.Unknown = map[string]int{}
	}
	for _, m := range c.Added {
		out.Added = append(out.Added, m.ID)
	}
	for _, each := range c.Candidates {
		shape := candidate(&each)
		shape["lands"] = policy.Land == "commit" && each.Disposition == capture.Kept && policy.Sure(each.Memory)
		out.Candidates = append(out.Candidates, shape)
	}
	for _, sub := range c.Subagents {
		out.Subagents = append(out.Subagents, NewCaptured(sub, policy))
	}
	return out
}

// candidate has the fields of the memory that a candidate would become, but for
// those that only the journal fills, and what is known of how it was found.
func candidate(c *capture.Candidate) map[string]any {
	shape := map[string]any{
		"text": c.Memory.Text, "class": c.Class, "layer": c.Layer, "record": c.Record, "span": c.Span, "cue": c.Cue,
		"disposition": c.Disposition, "reason": c.Reason,
	}
	for _, f := range memory.Fields() {
		switch f.Key {
		case "updated", "anchors", "source", "pinned", "contested":
		case "triggers", "seen", "scope", "hold":
			if value, ok := f.JSON(c.Memory); ok {
				shape[f.Key] = value
			}
		default:
			shape[f.Key], _ = f.JSON(c.Memory)
		}
	}
	shape["confidence"] = c.Confidence
	return shape
}

// Backfilled counts the past sessions that were read and the memories that they
// added, and lists the transcripts that could not be read.
type Backfilled struct {
	Added    int      `json:"added"`
	Bytes    int64    `json:"bytes"`
	Files    int      `json:"files"`
	Notes    int      `json:"notes"` // what only a search finds
	Sessions int      `json:"sessions"`
	Skipped  []string `json:"skipped"` // transcripts that could not be read, and why
	TookMS   float64  `json:"took_ms"`
}

// NewBackfilled returns b, which took so long, as it is shown.
func NewBackfilled(b agents.Backfilled, took time.Duration) Backfilled {
	return Backfilled{
		Added: b.Added, Bytes: b.Bytes, Files: b.Files, Notes: b.Notes, Sessions: b.Sessions,
		Skipped: list(b.Skipped), TookMS: milliseconds(took),
	}
}

// Tried counts the past sessions that were read in a throwaway clone, and has the memories that they left there, the
// best first, and the briefing that the next session would get.
type Tried struct {
	Backfilled
	Brief    Brief             `json:"brief"`
	Memories []workspace.Entry `json:"memories"`
	Examples []string          `json:"examples"` // titles of the surest notes
}

// NewTried returns what a trial read, which took so long, and left, as it is shown.
func NewTried(read agents.Backfilled, took time.Duration, brief Brief, memories []workspace.Entry) Tried {
	brief.Shown = list(brief.Shown)
	return Tried{Backfilled: NewBackfilled(read, took), Brief: brief, Memories: list(memories), Examples: []string{}}
}

// Found lists what can be imported.
type Found struct {
	Sources []imports.Found `json:"sources"`
}

// Imported counts the documents of an import, and lists those that were skipped or
// changed.
type Imported struct {
	Added     int             `json:"added"` // memories
	Documents int             `json:"documents"`
	Known     int             `json:"known"`
	Notes     []index.Problem `json:"notes"`
	Redacted  int             `json:"redacted"`
	Skipped   []index.Problem `json:"skipped"`
	TookMS    float64         `json:"took_ms"`
	Waiting   int             `json:"waiting,omitempty"` // pending, because an agent ran the import
}

// NewImported returns r, which took so long, as it is shown.
func NewImported(r imports.Result, took time.Duration) Imported {
	return Imported{
		Added: r.Added, Documents: r.Documents, Known: r.Known, Notes: list(r.Notes), Redacted: r.Redacted,
		Skipped: list(r.Skipped), TookMS: milliseconds(took), Waiting: r.Waiting,
	}
}

// Sessions are the agent sessions that were read.
type Sessions struct {
	Sessions []sessionShape `json:"sessions"`
}

type sessionShape struct {
	Agent    string    `json:"agent"`
	Branch   string    `json:"branch"`
	Commands []string  `json:"commands"`
	End      time.Time `json:"end"`
	Errors   int       `json:"errors"`
	// NotEnglish counts messages that the English patterns did not read.
	NotEnglish int       `json:"not_english,omitempty"`
	Found      int       `json:"found"`
	Head       string    `json:"head"`
	HeadNow    string    `json:"head_now"`
	ID         string    `json:"id"`
	Modified   []string  `json:"modified"`
	Read       []string  `json:"read"`
	Start      time.Time `json:"start"`
	Title      string    `json:"title"`
	Topics     int       `json:"topics"`
	Turns      int       `json:"turns"`
	Weak       int       `json:"weak"`
}

// NewSessions returns sessions as they are shown.
func NewSessions(sessions []*session.Session) Sessions {
	out := Sessions{Sessions: []sessionShape{}}
	for _, s := range sessions {
		out.Sessions = append(out.Sessions, sessionShape{
			Agent: s.Agent, Branch: s.Branch, Commands: list(s.Commands), End: s.End, Errors: s.Errors,
			NotEnglish: s.NotEnglish, Found: len(s.Found),
			Head: s.Head, HeadNow: s.HeadNow, ID: s.ID, Modified: list(s.Modified), Read: list(s.Read), Start: s.Start,
			Title: s.Title, Topics: len(s.Topics), Turns: s.Turns, Weak: len(s.Weak),
		})
	}
	return out
}

// Topics lists the topics of agent sessions.
type Topics struct {
	Topics []explore.SessionTopic `json:"topics"`
}

// NewTopics returns topics as they are shown.
func NewTopics(topics []explore.SessionTopic) Topics { return Topics{list(topics)} }

// Refusal is a path that was not taken, and why.
type Refusal struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

func refusals(refused []gitops.Refusal) []Refusal {
	out := []Refusal{}
	for _, r := range refused {
		out = append(out, Refusal{Path: r.Path, Reason: r.Reason})
	}
	return out
}

// Landing lists the memories and pages that were copied into the working tree and
// staged, and says why others were not.
type Landing struct {
	Blocked string            `json:"blocked"`
	Landed  []workspace.Entry `json:"landed"`
	Pages   []string          `json:"pages"`
	Refused []Refusal         `json:"refused"`
	Waiting int               `json:"waiting"`
}

// NewLanding returns l as it is shown.
func NewLanding(l *workspace.Landing) Landing {
	return Landing{
		Blocked: l.Blocked, Landed: list(l.Landed), Pages: list(l.Pages), Refused: refusals(l.Refused),
		Waiting: l.Waiting,
	}
}

// Synced is the result of an exchange with a remote; of a dry run, the result that the
// exchange would have.
type Synced struct {
	Asks     string              `json:"asks"` // of a dry run: what would be asked first
	DryRun   bool                `json:"dry_run"`
	HeldBack []exchange.HeldBack `json:"held_back"` // not sent: they hold what looks like a secret
	New      bool                `json:"new"`
	Received exchange.Tally      `json:"received"`
	Refused  []Refusal           `json:"refused"`
	Remote   string              `json:"remote"`
	Retries  int                 `json:"retries"`
	Rewound  bool                `json:"rewound"`
	Sent     exchange.Tally      `json:"sent"`
}

// NewSynced returns r as it is shown.
func NewSynced(r *exchange.Result, dryRun bool) Synced {
	return Synced{
		Asks: r.Asks, DryRun: dryRun, HeldBack: list(r.HeldBack), New: r.New, Received: r.Received,
		Refused: refusals(r.Refused), Remote: r.Remote, Retries: r.Retries, Rewound: r.Rewound, Sent: r.Sent,
	}
}
