package agents

import (
	"context"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
)

// Asked is a moment that somebody describes by hand, see [Moments]. Exactly one of
// Prompt, Command, File, Search and Question says what it is, or Error, beside which
// Command or File is the call that failed.
type Asked struct {
	Prompt   string `json:"prompt,omitempty"`
	Command  string `json:"command,omitempty"`
	File     string `json:"file,omitempty"`     // absolute, or relative to the top of the working tree
	Search   string `json:"search,omitempty"`   // a pattern that the agent is about to look for
	Question string `json:"question,omitempty"` // that the agent is about to ask
	Error    string `json:"error,omitempty"`

	Session string                `json:"-"` // as for this session: without what it taught, or was given; "" for none
	Explain bool                  `json:"-"` // also what a hook would not say
	View    workspace.ViewOptions `json:"-"`
}

// Recalled lists the memories that a hook would say at a moment, with the settings
// and counts behind the choice. As JSON it has the shape "recall" of docs/json.md.
type Recalled struct {
	Moment    recall.Kind         `json:"moment"`
	Threshold float64             `json:"threshold"` // from which a memory is said
	Limit     int                 `json:"limit"`     // memories that are said at most
	Off       bool                `json:"off"`       // the team has hooks keep quiet at such moments
	Spent     bool                `json:"spent"`     // the session was told so much that it is told no more
	Memories  []recall.Hit        `json:"memories"`  // best first
	Left      LeftOut             `json:"left_out"`
	View      workspace.ViewShape `json:"view"`
}

// LeftOut counts memories of the view that no hook ever says.
type LeftOut struct {
	Superseded int `json:"superseded"`
	Received   int `json:"received"` // came from a remote, and nobody here accepted them
}

// moment is the moment that was described; root is the top of the working tree.
func (a *Asked) moment(root string) recall.Moment {
	if a.Prompt != "" {
		return recall.Moment{Kind: recall.Prompt, Prompt: a.Prompt}
	}
	tool := "Bash"
	if a.Command == "" && a.File != "" {
		tool = "Edit"
	}
	m := momentOfCall(toolCall{Command: a.Command, File: a.File, Pattern: a.Search, Questions: a.Question}, root)
	if a.Error != "" {
		m.Kind, m.Error = recall.Error, a.Error
	}
	m.Triggers = triggersOf(tool, &m)
	return m
}

// Recall ranks the memories for a moment as hooks do, and notes nothing. A moment that
// is not described as [Asked.Check] wants it is an error.
func Recall(ctx context.Context, w *workspace.Workspace, a Asked) (*Recalled, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	v, err := w.View(ctx, a.View)
	if err != nil {
		return nil, err
	}
	h := &hooks{w: w}
	m := a.moment(w.Repo.Root)
	if m.Kind == recall.Prompt {
		h.near = h.similar(ctx, v, query.Query{Text: a.Prompt, Words: relevance.Words(a.Prompt)})
	}
	table, err := w.RecallTable(ctx, v)
	if err != nil {
		return nil, err
	}
	defer table.Close()
	_ = h.keepNotes(ctx) // without them nothing is quoted
	t := &teller{diary: w.Diary, table: table, former: h.former, near: h.near}
	opt := t.options(a.Session, m.Kind)
	opt.All = a.Explain
	purse := w.Diary.Purse(a.Session)
	out := &Recalled{
		Moment: m.Kind, Threshold: recall.Threshold(m.Kind), Limit: recall.Limit(m.Kind),
		Off: !w.Config.Recalls(string(m.Kind)), Spent: purse.Empty(string(m.Kind)),
		Memories: append([]recall.Hit{}, t.hits(m, opt)...), View: v.Shape(),
	}
	for i := range v.Items {
		switch {
		case v.Items[i].Status == memory.StatusSuperseded:
			out.Left.Superseded++
		case !v.Accepted(i):
			out.Left.Received++
		}
	}
	return out, nil
}
