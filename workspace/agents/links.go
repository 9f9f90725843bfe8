package agents

import (
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/relation"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// resolveLinks turns what candidates say of other memories into links, and drops links of
// the session that lead nowhere. same maps candidates that are known already to the
// memories they repeat.
func (x *capturer) resolveLinks(ctx context.Context, v *workspace.View, out *Captured, same map[memory.ID]memory.ID) error {
	own := map[memory.ID]bool{}
	for _, m := range out.Memories() {
		own[m.ID] = true
	}
	for _, c := range out.kept() {
		m := c.Memory
		links := m.Links[:0]
		for _, l := range m.Links {
			if to, ok := same[l.To]; ok {
				l.To = to
			}
			if _, err := v.Find(ctx, string(l.To)); l.To != m.ID && (own[l.To] || err == nil) {
				links = append(links, l)
			}
		}
		m.Links = links
		if err := x.addProposed(ctx, v, out, c); err != nil {
			return err
		}
	}
	return nil
}

// addProposed links a candidate to the memories that its words mean.
func (x *capturer) addProposed(ctx context.Context, v *workspace.View, out *Captured, c *capture.Candidate) error {
	for _, p := range c.Proposals {
		to, err := x.resolve(ctx, v, out, c.Memory, p)
		if err != nil {
			return err
		}
		if to == "" || to == c.Memory.ID {
			continue
		}
		if !linksTo(c.Memory, to) {
			link := memory.Link{Rel: relOf(p.Rel, c.Layer), To: to}
			c.Memory.Links = append(c.Memory.Links, link)
		}
	}
	return nil
}

func linksTo(m *memory.Memory, id memory.ID) bool {
	return slices.ContainsFunc(m.Links, func(l memory.Link) bool { return l.To == id })
}

// Bounds of looking for kin among what is known: how many of the likeliest memories are
// read, and how many links a memory gets.
const (
	kinRead = 24
	mostKin = 2
)

// kin is a known memory as it is compared.
type kin struct {
	*memory.Memory
	side relation.Side
}

// relate links what a session taught to what other sessions taught before: what it
// answers, refines or builds on (see [relation.Between]). What a tool's error taught
// stands for itself, and a memory that states its links itself keeps those. alike are
// the memories that may be like each of the candidates.
func (x *capturer) relate(ctx context.Context, candidates []*capture.Candidate, alike [][]index.Alike, out *Captured) {
	read := map[string]*kin{} // by blob: what a session teaches is often like the same few
	for i, c := range candidates {
		m := c.Memory
		if c.Disposition != capture.Kept || c.Layer == session.LayerRecipe || len(m.Links) >= mostKin {
			continue
		}
		now := relation.Of(m)
		var found relation.Links
		for k := range alike[i][:min(len(alike[i]), kinRead)] {
			old := x.kinOf(ctx, &alike[i][k].Item, read)
			if old == nil || !mayBuildOn(m, old.Memory, out.Session.ID) {
				continue
			}
			rel, strength := relation.Between(&now, &old.side)
			found.Add(rel, old.ID, strength)
		}
		m.Links = append(m.Links, found.Best(mostKin-len(m.Links))...)
	}
}

// kinOf reads a known memory, once; nil for one that cannot be read.
func (x *capturer) kinOf(ctx context.Context, it *index.Item, read map[string]*kin) *kin {
	if old := read[it.Blob]; old != nil {
		return old
	}
	have, ok := x.w.Index.Catalog().MemoryOf(ctx, it)
	if !ok {
		return nil
	}
	read[it.Blob] = &kin{have, relation.Of(have)}
	return read[it.Blob]
}

// mayBuildOn reports whether m, of a session, may go on from what is known.
func mayBuildOn(m, old *memory.Memory, of string) bool {
	if old.Source.Layer == string(session.LayerRecipe) || old.Source.Session == of {
		return false
	}
	return !old.Created.After(m.Created) && !linksTo(m, old.ID)
}

// relOf is the relation that a proposal becomes: only what somebody says outright
// supersedes; what reads like it contradicts, and review asks.
func relOf(rel memory.Rel, layer session.Layer) memory.Rel {
	switch layer {
	case session.LayerTag, session.LayerAnswer, session.LayerUser:
		return rel
	}
	if rel == memory.Supersedes {
		return memory.Contradicts
	}
	return rel
}

// resolve finds the one memory that a proposal means, "" when there is none,
// or when a link that changes a status could mean several.
func (x *capturer) resolve(ctx context.Context, v *workspace.View, out *Captured, m *memory.Memory, p capture.Proposal) (memory.ID, error) {
	if p.ID != "" {
		return named(ctx, v, out, p.ID), nil
	}
	others, err := x.about(ctx, v, p.About)
	if err != nil {
		return "", err
	}
	fit := meantBy(p, m, append(others, out.Memories()...))
	changesStatus := p.Rel == memory.Supersedes || p.Rel == memory.Contradicts
	switch len(fit) {
	case 0:
		return "", nil
	case 1:
		return fit[0], nil
	}
	if changesStatus {
		return "", nil
	}
	return fit[0], nil
}

// meantBy are the ids of those memories, no later than m, that a proposal of m may mean.
func meantBy(p capture.Proposal, m *memory.Memory, others []*memory.Memory) []memory.ID {
	var fit []memory.ID
	for _, other := range others {
		if precedes(other, m) && meant(other, p) && !slices.Contains(fit, other.ID) {
			fit = append(fit, other.ID)
		}
	}
	return fit
}

// precedes reports whether a memory is another one than m, and no later.
func precedes(other, m *memory.Memory) bool {
	return other.ID != m.ID && !other.Created.After(m.Created)
}

// about are the memories of a view that speak of something.
func (x *capturer) about(ctx context.Context, v *workspace.View, what string) ([]*memory.Memory, error) {
	words := strings.Fields(what)
	found, err := x.w.Index.Search(ctx, v.Index, query.Query{Words: words[:min(len(words), 24)]}, index.SearchOptions{Limit: 8})
	if err != nil {
		return nil, err
	}
	var out []*memory.Memory
	for i := range found.Hits {
		out = append(out, found.Hits[i].Memory)
	}
	return out, nil
}

// named is the memory that an id, or the beginning of one, names; "" for none.
func named(ctx context.Context, v *workspace.View, out *Captured, id string) memory.ID {
	if e, err := v.Find(ctx, id); err == nil {
		return e.Memory.ID
	}
	for _, m := range out.Memories() {
		if strings.HasPrefix(string(m.ID), id) {
			return m.ID
		}
	}
	return ""
}

// meant reports whether a memory has every word that a proposal insists on, in its own
// words, and is of a type that can be meant.
func meant(m *memory.Memory, p capture.Proposal) bool {
	if !canMean(m.Type, p.Rel) {
		return false
	}
	have := sameness.Signature(m.Title, m.Text, strings.Join(m.Entities, " "), strings.Join(m.Tags, " "))
	return sameness.Inside(sameness.Signature(p.About), have) == 1
}

// canMean reports whether a relation may lead to a memory of a type: answers lead to
// questions, and other relations to what is so.
func canMean(typ memory.Type, rel memory.Rel) bool {
	switch typ {
	case memory.Question, memory.Problem:
		return rel == memory.Answers
	case memory.Progress, memory.Context:
		return false
	}
	return rel != memory.Answers
}
