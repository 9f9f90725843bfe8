package consolidate

import (
	"cmp"
	"context"
	_ "embed" // the schema of an answer
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Bounds of an answer.
const (
	AnswerBytes = 256 << 10
	maxGroups   = 50
	maxTitle    = 120 // characters
	maxText     = 6000
)

// reply is the answer of a reader to a proposal.
type reply struct {
	Groups []reworded `json:"groups"` // those that it does not name stay as they are
}

// reworded is one memory in the reader's words.
type reworded struct {
	Group string   `json:"group"`
	From  []string `json:"from"` // ids of the members that it stands for; none means all
	Title string   `json:"title"`
	Text  string   `json:"text"`
}

// RefusedError says why an answer was not used at all.
type RefusedError = grounding.RefusedError

// Answer checks what a reader worded for groups of the current proposal, and writes what
// passes as [Apply] does. Each group is judged by itself: a text that names what no member
// says, or that leaves out a name, number, path or quotation of one, is refused with the
// reason. An answer that cannot be used at all is a [*RefusedError].
func Answer(ctx context.Context, w *workspace.Workspace, data []byte) (*Outcome, error) {
	r, err := parse(data)
	if err != nil {
		return nil, err
	}
	p, err := Propose(ctx, w)
	if err != nil {
		return nil, err
	}
	out := new(Outcome)
	redactor := w.Secrets.Redactor(ctx)
	var pieces []piece
	used := map[string]bool{}
	for _, x := range r.Groups {
		next, err := x.checked(p, used, redactor)
		if err != nil {
			out.Refused = append(out.Refused, Refused{grounding.Line(x.Group, 40), err.Error()})
			continue
		}
		pieces = append(pieces, next)
	}
	return out, out.write(ctx, w, pieces)
}

// checked returns the memory that a reader worded, or why it does not pass.
func (x *reworded) checked(p *Proposal, used map[string]bool, redactor *redact.Redactor) (next piece, err error) {
	g, err := p.find(x.Group)
	if err != nil {
		return next, err
	}
	if used[g.ID] {
		return next, errors.New("it is named twice")
	}
	used[g.ID] = true
	if next, err = x.piece(g); err != nil {
		return next, err
	}
	claim := next.claim()
	claim.Redactor = redactor
	return next, cmp.Or(claim.Check(), next.complete())
}

func parse(data []byte) (*reply, error) {
	var r reply
	if err := grounding.Decode(data, AnswerBytes, &r); err != nil {
		return nil, err
	}
	if len(r.Groups) > maxGroups {
		return nil, grounding.Refuse("it has more than %d groups", maxGroups)
	}
	return &r, nil
}

// piece returns a text within its limits, with the members of a group that it is for.
func (x *reworded) piece(g *Group) (piece, error) {
	title, text := strings.TrimSpace(x.Title), strings.TrimSpace(x.Text)
	switch n := utf8.RuneCountInString(title); {
	case n > maxTitle || strings.ContainsAny(title, "\r\n"):
		return piece{}, fmt.Errorf("the title is not one line of at most %d characters", maxTitle)
	case len(text) > maxText:
		return piece{}, fmt.Errorf("the text is over %d bytes", maxText)
	}
	members, err := x.members(g)
	if err != nil {
		return piece{}, err
	}
	p := piece{Draft{title, text}, members}
	for i, m := range members {
		switch {
		case slices.ContainsFunc(members[:i], func(o Member) bool { return o.Entry.Memory.ID == m.Entry.Memory.ID }):
			return p, fmt.Errorf("%s is named twice", m.Entry.Memory.ID.Short())
		case memory.NewID(g.Type(), memory.OneLine(title), text) == m.Entry.Memory.ID:
			return p, fmt.Errorf("it is what %s says, word by word", m.Entry.Memory.ID.Short())
		}
	}
	if len(members) < 2 {
		return p, errors.New("it stands for fewer than two memories")
	}
	return p, nil
}

// members are the memories of a group that a text stands for: those that it names, or all.
func (x *reworded) members(g *Group) ([]Member, error) {
	if len(x.From) == 0 {
		return g.Members, nil
	}
	var members []Member
	for _, id := range x.From {
		id = strings.Trim(strings.ToLower(strings.TrimSpace(id)), "[]")
		i := slices.IndexFunc(g.Members,
			func(m Member) bool { return strings.HasPrefix(string(m.Entry.Memory.ID), id) })
		if i < 0 || len(id) < shortestID {
			return nil, fmt.Errorf("%s is no memory of the group", grounding.Line(id, 20))
		}
		members = append(members, g.Members[i])
	}
	return members, nil
}

// shortestID is how much of an id names a memory or a group.
const shortestID = 4

// claim returns the text together with all that its members say.
func (p *piece) claim() *grounding.Claim {
	c := &grounding.Claim{Title: p.draft.Title, Text: p.draft.Text}
	var all strings.Builder
	for _, m := range p.members {
		old := m.Entry.Memory
		all.WriteString(old.Title + "\n" + old.Text + "\n")
		c.Known = append(c.Known, old.Files...)
	}
	c.Evidence = grounding.Fold(all.String())
	return c
}

// complete returns an error that names what a text leaves out of its members.
func (p *piece) complete() error {
	said := p.draft.Title + "\n" + p.draft.Text
	for _, m := range p.members {
		old := m.Entry.Memory
		if lost := grounding.Lost(old.Title+"\n"+old.Text, said); len(lost) > 0 {
			return fmt.Errorf("it leaves out %s, which %s names", grounding.Line(strings.Join(lost, ", "), 120),
				old.ID.Short())
		}
	}
	return nil
}

//go:embed schema.json
var schema []byte

// Schema is the JSON schema of an answer.
func Schema() []byte { return schema }
