package agents

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/relation"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// resolveLinks turns what candidates say of other memories into links, and drops links of
// the session that lead nowhere. same maps candidates that are known already to the
// memories they repeat.
func resolveLinks(ctx context.Context, v *workspace.View, out *Captured, same map[memory.ID]memory.ID) {
	own := lists.SetOf(out.Memories(), func(m *memory.Memory) memory.ID { return m.ID })
	isKnown := func(id memory.ID) bool {
		_, err := v.Find(ctx, string(id))
		return own[id] || err == nil
	}
	for _, c := range out.kept() {
		m := c.Memory
		links := lists.Map(m.Links, func(l memory.Link) memory.Link {
			return memory.Link{Rel: l.Rel, To: cmp.Or(same[l.To], l.To)}
		})
		m.Links = lists.Where(links, func(l memory.Link) bool { return l.To != m.ID && isKnown(l.To) })
		addProposed(ctx, v, out, c)
	}
}

// addProposed links a candidate to the memories that its words name.
func addProposed(ctx context.Context, v *workspace.View, out *Captured, c *capture.Candidate) {
	for _, p := range c.Proposals {
		to := named(ctx, v, out, p.ID)
		if to == "" || to == c.Memory.ID {
			continue
		}
		if !linksTo(c.Memory, to) {
			link := memory.Link{Rel: relOf(p.Rel, c.Layer), To: to}
			c.Memory.Links = append(c.Memory.Links, link)
		}
	}
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
