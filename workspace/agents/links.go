package agents

import (
	"context"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/relation"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
)

// resolveLinks turns what candidates say of other memories into links, and
// drops links of the session that lead nowhere. twins maps candidates that the
// view knows already to the memory they repeat.
func (x *capturer) resolveLinks(ctx context.Context, v *workspace.View, out *Captured, twins map[memory.ID]memory.ID) error {
	own := map[memory.ID]bool{}
	for _, m := range out.Memories() {
		own[m.ID] = true
	}
	for i := range out.Candidates {
		c := &out.Candidates[i]
		if c.Disposition != capture.Kept {
			continue
		}
		m := c.Memory
		links := m.Links[:0]
		for _, l := range m.Links {
			if to, ok := twins[l.To]; ok {
				l.To = to
			}
			if _, err := v.Find(ctx, string(l.To)); l.To != m.ID && (own[l.To] || err == nil) {
				links = append(links, l)
			}
		}
		m.Links = links
		for _, p := range c.Proposals {
			to, err := x.resolve(ctx, v, out, m, p)
			if err != nil {
				return err
			}
			if to != "" && !slices.ContainsFunc(m.Links, func(l memory.Link) bool { return l.To == to }) {
				m.Links = append(m.Links, memory.Link{Rel: relOf(p.Rel, c.Layer), To: to})
			}
		}
	}
	return nil
}

// Bounds of looking for kin among what is known: the Jaccard index from which on a memory
// is looked at, how many of the likeliest are read, how many of those are kept for the next
// of the session, and how many links a memory gets.
const (
	kinFrom = 0.3
	kinRead = 24
	kinKept = 512
	mostKin = 2
)

// relate links what a session taught to what other sessions taught before: what it
// answers, refines or builds on (see [relation.Between]). What a tool's error taught
// stands for itself, and a memory that states its links itself keeps those. alike are
// the memories that may be like each of the candidates.
func (x *capturer) relate(ctx context.Context, candidates []*capture.Candidate, alike [][]index.Alike, out *Captured) {
	type known struct {
		*memory.Memory
		side relation.Side
	}
	read := map[string]*known{} // by blob: what a session teaches is often like the same few
	for i, c := range candidates {
		m := c.Memory
		if c.Disposition != capture.Kept || c.Layer == session.LayerRecipe || len(m.Links) >= mostKin {
			continue
		}
		now := relation.Of(m)
		var found relation.Links
		for k := range alike[i][:min(len(alike[i]), kinRead)] {
			it := &alike[i][k].Item
			old := read[it.Blob]
			if old == nil {
				have, ok := x.w.Index.Catalog().MemoryOf(ctx, it)
				if !ok {
					continue
				}
				old = &known{have, relation.Of(have)}
				if len(read) < kinKept {
					read[it.Blob] = old
				}
			}
			if old.Source.Layer == string(session.LayerRecipe) || old.Source.Session == out.Session.ID || old.Created.After(m.Created) ||
				slices.ContainsFunc(m.Links, func(l memory.Link) bool { return l.To == old.ID }) {
				continue
			}
			rel, strength := relation.Between(&now, &old.side)
			found.Add(rel, old.ID, strength)
		}
		m.Links = append(m.Links, found.Best(mostKin-len(m.Links))...)
	}
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
		if e, err := v.Find(ctx, p.ID); err == nil && e.Memory.ID != m.ID {
			return e.Memory.ID, nil
		}
		for _, other := range out.Memories() {
			if strings.HasPrefix(string(other.ID), p.ID) && other.ID != m.ID {
				return other.ID, nil
			}
		}
		return "", nil
	}
	var fit []memory.ID
	consider := func(other *memory.Memory) {
		if other.ID != m.ID && !other.Created.After(m.Created) && meant(other, p) && !slices.Contains(fit, other.ID) {
			fit = append(fit, other.ID)
		}
	}
	words := strings.Fields(p.About)
	found, err := x.w.Index.Search(ctx, v.Index, query.Query{Words: words[:min(len(words), 24)]}, index.SearchOptions{Limit: 8})
	if err != nil {
		return "", err
	}
	for i := range found.Hits {
		consider(found.Hits[i].Memory)
	}
	for _, other := range out.Memories() {
		consider(other)
	}
	if len(fit) == 0 || len(fit) > 1 && (p.Rel == memory.Supersedes || p.Rel == memory.Contradicts) {
		return "", nil
	}
	return fit[0], nil
}

// meant holds for memories that have every word a proposal insists on, in
// their own words, and are of a type that can be meant.
func meant(m *memory.Memory, p capture.Proposal) bool {
	question := m.Type == memory.Question || m.Type == memory.Problem
	if question != (p.Rel == memory.Answers) || m.Type == memory.Progress || m.Type == memory.Context {
		return false
	}
	have := memory.Signature(m.Title, m.Text, strings.Join(m.Entities, " "), strings.Join(m.Tags, " "))
	return relevance.ContainsAll(have, memory.Signature(p.Must)) && (!p.Change || changes(m, have, p))
}

// changes reports whether what a proposal says was changed is what a memory is about:
// both name it, or the memory chooses what is said to hold no longer.
func changes(m *memory.Memory, have []uint32, p capture.Proposal) bool {
	must := memory.Signature(p.Must)
	subject := slices.DeleteFunc(memory.Signature(p.Subject), func(w uint32) bool { return slices.Contains(must, w) })
	if named := memory.Shared(subject, have); named > 0 && 2*named >= len(subject) {
		return true
	}
	chosen := contradiction.Of(m)
	return slices.ContainsFunc(chosen.For, func(c contradiction.Choice) bool {
		return slices.Equal(memory.Signature(c.Name), must)
	})
}

// authorsRead is how many commits are looked at for the names of people.
const authorsRead = 300

// manyUnread is how much new transcript, in bytes, most likely has a memory in it.
const manyUnread = 32 << 10

// peopleAhead is people as a function. When much of the transcript is unread
// git is asked for them already while it is read. No process outlives stop.
func (x *capturer) peopleAhead(ctx context.Context, transcript *os.File, previous *session.Session) (names func() []string, stop func()) {
	names = sync.OnceValue(func() []string { return people(ctx, x.w.Repo) })
	unread := int64(0)
	if info, err := transcript.Stat(); err == nil {
		unread = info.Size()
	}
	if previous != nil {
		unread -= previous.Cursor.Offset
	}
	if unread < manyUnread {
		return names, func() {}
	}
	var ahead sync.WaitGroup
	ahead.Go(func() { names() })
	return names, ahead.Wait
}

// people are those who wrote the newest commits, and the user.
func people(ctx context.Context, repo *gitops.Repo) []string {
	var out []string
	if settings, err := repo.Settings(ctx); err == nil {
		if name, _ := settings.User(); name != "" {
			out = append(out, name)
		}
	}
	for _, name := range authors(ctx, repo) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// authors are those who wrote the newest commits of HEAD. Git is asked once for a
// commit that is checked out.
func authors(ctx context.Context, repo *gitops.Repo) []string {
	if repo.Head == "" {
		return nil
	}
	var out []string
	if words := facts.Read(repo, facts.Authors); len(words) > 0 && words[0] == repo.Head {
		for _, word := range words[1:] {
			if name, err := url.QueryUnescape(word); err == nil {
				out = append(out, name)
			}
		}
		return out
	}
	commits, err := repo.History().Log(ctx, repo.Head, nil, authorsRead)
	if err != nil {
		return nil
	}
	words := []string{repo.Head}
	for _, c := range commits {
		if !slices.Contains(out, c.Author) {
			out, words = append(out, c.Author), append(words, url.QueryEscape(c.Author))
		}
	}
	if len(commits) > 0 {
		facts.Write(repo, facts.Authors, words)
	}
	return out
}
