// Package consolidate brings together memories that say much the same. Call
// [Propose] for the groups that there are, each with a draft of the one memory that
// could stand for it, [Apply] to write the drafts of some of them, and [Answer] with
// what a reader worded instead.
//
// It promises that nothing is lost: a draft has every detail of the memories it
// stands for, an answer that leaves one out is refused, the old memories stay where
// they are, superseded by a link, and everything is in a snapshot before.
// It implements the section "Consolidation" of docs/behaviour.md.
package consolidate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// Group is memories of one type that say much the same.
type Group struct {
	ID      string // follows from its members as they are
	Members []Member
	Draft   Draft
}

// Type is that of all members.
func (g *Group) Type() memory.Type { return g.Members[0].Entry.Memory.Type }

// Member is a memory of a group.
type Member struct {
	Entry workspace.Entry
	Alike float64 // to the first member, the Jaccard index of their words; 1 for that itself
}

// Draft is the text of a memory that could stand for a group.
type Draft struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Proposal lists the groups of a view, the largest first.
type Proposal struct {
	Groups []Group
	More   int // groups that were left out
	Since  workspace.Unconsolidated
}

// Limit leaves at most n groups in a proposal; 0 means all.
func (p *Proposal) Limit(n int) {
	if n > 0 && n < len(p.Groups) {
		p.More += len(p.Groups) - n
		p.Groups = p.Groups[:n]
	}
}

// Pick leaves the groups whose ids begin as given; none given leaves all.
func (p *Proposal) Pick(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	var out []Group
	for _, id := range ids {
		g, err := p.find(id)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(out, func(x Group) bool { return x.ID == g.ID }) {
			out = append(out, *g)
		}
	}
	p.Groups, p.More = out, p.More+len(p.Groups)-len(out)
	return nil
}

// ErrNoGroup is returned for an id of no group, because its memories have changed or
// because it never was one.
var ErrNoGroup = errors.New("there is no such group, or its memories have changed since")

func (p *Proposal) find(id string) (*Group, error) {
	id = strings.ToLower(strings.TrimSpace(id))
	isMeant := func(g Group) bool { return strings.HasPrefix(g.ID, id) }
	at := slices.IndexFunc(p.Groups, isMeant)
	if at < 0 || len(id) < shortestID {
		return nil, fmt.Errorf("group %s: %w", id, ErrNoGroup)
	}
	if slices.ContainsFunc(p.Groups[at+1:], isMeant) {
		return nil, fmt.Errorf("group %s: %w: type more of it", id, workspace.ErrAmbiguous)
	}
	return &p.Groups[at], nil
}

// Propose finds the groups among the memories of the current view that are in force.
// Left out are memories of the user's own store, pinned and held ones, those that came
// from a remote and were accepted by nobody, plans and their steps, and code.
func Propose(ctx context.Context, w *workspace.Workspace) (*Proposal, error) {
	v, err := w.View(ctx, workspace.ViewOptions{Local: true})
	if err != nil {
		return nil, err
	}
	p := &Proposal{Since: w.Unconsolidated(v)}
	byType := map[memory.Type][]*candidate{}
	marks := w.Journal.Marks(ctx)
	for _, e := range v.Entries(ctx) {
		if e.Received(marks) {
			continue
		}
		if c := newCandidate(v, e); c != nil {
			byType[e.Memory.Type] = append(byType[e.Memory.Type], c)
		}
	}
	for _, t := range memory.Types() {
		p.Groups = append(p.Groups, lists.Map(grouped(w.Index, byType[t], w.Config.Consolidate.Alike), newGroup)...)
	}
	lists.Sort(p.Groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(len(b.Members), len(a.Members)), cmp.Compare(b.Members[1].Alike, a.Members[1].Alike),
			strings.Compare(a.ID, b.ID))
	})
	return p, nil
}

// newCandidate returns a memory as it is compared, nil for one that stays by itself.
func newCandidate(v *workspace.View, e workspace.Entry) *candidate {
	m := e.Memory
	switch {
	case e.Status != memory.StatusActive, e.Stage == index.Global, m.Pinned, m.Hold != "", m.OfPlan(),
		m.Type == memory.Code,
		v.Presumes(m.ID):
		return nil
	}
	said := m.Title + "\n" + m.Text
	return &candidate{
		entry: e, words: sameness.Signature(said), stems: contradiction.Stems(said),
		details:   [2][]uint32{contradiction.Stems(join(numbers(said))), contradiction.Stems(join(files(said)))},
		statement: sameness.StatementOf(said),
	}
}

func newGroup(members []Member) Group {
	sum := sha256.New()
	ids := lists.Map(members, func(m Member) string { return string(m.Entry.Memory.ID) + " " + m.Entry.Blob + "\n" })
	slices.Sort(ids)
	for _, id := range ids {
		_, _ = sum.Write([]byte(id)) // a hash takes everything
	}
	return Group{ID: hex.EncodeToString(sum.Sum(nil))[:10], Members: members, Draft: draftOf(members)}
}
