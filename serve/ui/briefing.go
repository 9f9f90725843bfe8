package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/review"
)

// priced is a line of a briefing and what it costs.
type priced struct {
	Text   string
	Tokens int
	ID     memory.ID // of the memory that it tells of; "" for none
}

// moment is one kind of occasion at which a hook may say something.
type moment struct{ Name, Label string }

type briefing struct {
	Start, Digest projection.Briefing
	Lines, All    []priced // of them
	Muted         []workspace.Entry
	Moments       []moment
	Moment        string // that is replayed
	Words         string
	Said          *agents.Recalled
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

// briefing shows what the next session is told at its start, what cortex brief tells who asks,
// and what would be told at a moment that the person describes.
func (v *visit) briefing(ctx context.Context) (*page, error) {
	asked := v.req.URL.Query()
	data := briefing{
		Moments: moments(), Moment: asked.Get("moment"), Words: asked.Get("q"), Muted: review.Muted(ctx, v.Workspace),
	}
	p := &page{Name: "briefing", Title: "Briefing"}
	digest, view, err := v.Brief(ctx, workspace.BriefOptions{})
	if err != nil {
		return nil, err
	}
	p.JSON = asJSON(answer.NewBrief(digest, view))
	if data.Words != "" {
		if data.Said, err = agents.Recall(ctx, v.Workspace, describe(data.Moment, data.Words)); err != nil {
			return nil, err
		}
		p.JSON = asJSON(data.Said)
	}
	if data.Start, err = agents.Opening(ctx, v.Workspace); err != nil {
		return nil, err
	}
	data.Digest, data.Lines, data.All = digest, price(data.Start), price(digest)
	p.Data = data
	return p, nil
}

// price parts a briefing into lines. Empty ones are left out, and so are those that only mark where it begins and ends.
func price(b projection.Briefing) []priced {
	var out []priced
	for line := range strings.Lines(b.Text) {
		text := strings.TrimSpace(line)
		if text == "" || strings.HasPrefix(text, "<!--") {
			continue
		}
		p := priced{Text: text, Tokens: memory.Tokens(line)}
		at := slices.IndexFunc(b.Shown, func(id memory.ID) bool { return strings.Contains(text, "("+id.Short()) })
		if at >= 0 {
			p.ID = b.Shown[at]
		}
		out = append(out, p)
	}
	return out
}

// mute has no session of this clone told of a memory any more.
func (v *visit) mute(ctx context.Context) (string, error) {
	return v.tell(ctx, "Muted in this clone", true)
}

// unmute has sessions told of it again.
func (v *visit) unmute(ctx context.Context) (string, error) { return v.tell(ctx, "Told again", false) }

// tell mutes a memory or has it told again, and says what that comes to for the next session.
func (v *visit) tell(ctx context.Context, verb string, mute bool) (string, error) {
	before, err := agents.Opening(ctx, v.Workspace)
	if err != nil {
		return "", err
	}
	found, err := review.Mute(ctx, v.Workspace, []string{v.req.PostFormValue("id")}, !mute)
	if err != nil {
		return "", err
	}
	after, err := agents.Opening(ctx, v.Workspace)
	if err != nil {
		return "", err
	}
	what := fmt.Sprintf("%s: “%s”.", verb, found[0].Memory.Title)
	v.server.undo.say(v.Repo.Root,
		fmt.Sprintf("%s A session began with %d tokens before, and does with %d now.", what, before.Tokens,
			after.Tokens))
	return "briefing", nil
}

// describe is a moment in the words of a person; a prompt unless it is another kind.
func describe(kind, words string) agents.Asked {
	asked := agents.Asked{Explain: true}
	field := map[string]*string{
		"command": &asked.Command, "file": &asked.File, "search": &asked.Search, "question": &asked.Question,
		"error": &asked.Error,
	}[kind]
	*cmp.Or(field, &asked.Prompt) = words
	return asked
}
