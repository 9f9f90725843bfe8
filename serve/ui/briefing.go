package ui

import (
	"cmp"
	"context"
	"strings"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
)

// priced is a line of the briefing and what it costs.
type priced struct {
	Text   string
	Tokens int
}

// moment is one kind of occasion at which a hook may say something.
type moment struct{ Name, Label string }

type briefing struct {
	Brief   projection.Briefing
	Lines   []priced
	Moments []moment
	Moment  string // that is replayed
	Words   string
	Said    *agents.Recalled
}

// Hits are the memories that came into question at the moment, best first.
func (b briefing) Hits() []recall.Hit {
	const most = 20
	return b.Said.Memories[:min(len(b.Said.Memories), most)]
}

// moments that can be replayed.
func moments() []moment {
	return []moment{
		{"prompt", "a prompt"},
		{"command", "a command"},
		{"file", "a file to be read or changed"},
		{"search", "a search in the code"},
		{"question", "a question to the user"},
		{"error", "an error"},
	}
}

// briefing shows what the next session is told at its start, and what it would be
// told at a moment that the person describes.
func (v *visit) briefing(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	data := briefing{Moments: moments(), Moment: asked.Get("moment"), Words: asked.Get("q")}
	p := &page{Name: "briefing", Title: "Briefing"}
	if data.Words != "" {
		said, err := agents.Recall(ctx, v.Workspace, describe(data.Moment, data.Words))
		if err != nil {
			return nil, err
		}
		data.Said, p.JSON = said, asJSON(said)
	}
	b, view, err := v.Brief(ctx, workspace.BriefOptions{})
	if err != nil {
		return nil, err
	}
	data.Brief = b
	for line := range strings.Lines(b.Text) {
		data.Lines = append(data.Lines, priced{strings.TrimRight(line, "\n"), memory.Tokens(line)})
	}
	if p.JSON == nil {
		p.JSON = asJSON(answer.NewBrief(b, view))
	}
	p.Data = data
	return p, nil
}

// describe is a moment in the words of a person.
func describe(kind, words string) agents.Asked {
	asked := agents.Asked{Explain: true}
	field := map[string]*string{
		"command": &asked.Command, "file": &asked.File, "search": &asked.Search, "question": &asked.Question,
		"error": &asked.Error,
	}[kind]
	*cmp.Or(field, &asked.Prompt) = words
	return asked
}
