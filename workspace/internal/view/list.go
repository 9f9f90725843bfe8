package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// ListOptions choose what [View.List] returns. The zero value is every
// memory, whole.
type ListOptions struct {
	Types    []memory.Type // only these; none means all
	Stage    string        // only this one; "" means all
	Limit    int           // at most so many; 0 means all
	TextLess bool          // texts are not wanted, which is cheaper
	Code     bool          // whether the code that each is about has changed is wanted

	Of func(Entry) bool // only those, by what their files say; nil means all

	after memory.ID // only those that follow it
}

// Entries are the whole memories of a view, newest first; of one second, by id.
func (v *View) Entries(ctx context.Context) []Entry { return v.List(ctx, ListOptions{}) }

// List is the memories of a view that opt asks for, newest first; of one second,
// by id. Only those are read.
func (v *View) List(ctx context.Context, opt ListOptions) []Entry {
	found := v.datedItems(opt)
	lists.Sort(found, v.newestFirst)
	if opt.after != "" {
		at := slices.IndexFunc(found, func(d dated) bool { return v.ID(d.at) == opt.after })
		found = found[at+1:] // from the beginning, if what it names is not of the list
	}
	if opt.Of == nil {
		found = lists.First(found, opt.Limit)
	}
	items := make([]index.Item, len(found))
	for i, f := range found {
		items[i] = v.Items[f.at]
	}
	entries := v.Read(ctx, items, !opt.TextLess)
	if opt.Of != nil {
		entries = lists.First(lists.Where(entries, opt.Of), opt.Limit)
	}
	if opt.Code {
		v.markChanged(ctx, entries)
	}
	return entries
}

// dated is the place of an item in a view, and when its memory was made.
type dated struct {
	at      int
	created time.Time
}

// datedItems are the items that opt asks for.
func (v *View) datedItems(opt ListOptions) []dated {
	var found []dated
	var m memory.Memory
	for i := range v.Items {
		v.Index.Fill(i, &m)
		if opt.wants(m.Type, v.Items[i].Stage) {
			found = append(found, dated{i, m.Created})
		}
	}
	return found
}

func (o *ListOptions) wants(t memory.Type, stage index.Stage) bool {
	if len(o.Types) > 0 && !slices.Contains(o.Types, t) {
		return false
	}
	return o.Stage == "" || o.Stage == string(stage)
}

// newestFirst orders items; of one second, what is pending for a branch that is gone comes last.
func (v *View) newestFirst(a, b dated) int {
	return cmp.Or(
		b.created.Compare(a.created),
		cmp.Compare(v.Items[a.at].Far, v.Items[b.at].Far),
		cmp.Compare(v.ID(a.at), v.ID(b.at)))
}

// Page is [View.List] from behind the memory whose id begins with after, "" for the
// beginning, and the id to go on after; "" when nothing follows.
func (v *View) Page(ctx context.Context, opt ListOptions, after string) (entries []Entry, next memory.ID, err error) {
	limit := opt.Limit
	if opt.after, err = v.position(ctx, after); err != nil {
		return nil, "", err
	}
	if limit > 0 {
		opt.Limit++
	}
	entries = v.List(ctx, opt)
	if limit > 0 && len(entries) > limit {
		entries = entries[:limit]
		next = entries[limit-1].Memory.ID
	}
	return entries, next, nil
}

// position is the whole id of the memory whose id begins with prefix.
func (v *View) position(ctx context.Context, prefix string) (memory.ID, error) {
	if prefix == "" {
		return "", nil
	}
	e, err := v.Find(ctx, prefix)
	if err != nil {
		return "", err
	}
	return e.Memory.ID, nil
}

// markChanged fills in which entries are about code that has changed, and which the latest sessions
// did not use.
func (v *View) markChanged(ctx context.Context, entries []Entry) {
	v.code.moves.Learn(ctx, Memories(entries)...)
	since := v.horizon(ctx)
	for i := range entries {
		entries[i].Unused = entries[i].UnusedSince(since)
		entries[i].Stale = v.code.changed(ctx, entries[i].Memory)
	}
	v.code.known.Keep()
}

// Memories are the memories of entries.
func Memories(entries []Entry) []*memory.Memory {
	out := make([]*memory.Memory, len(entries))
	for i := range entries {
		out[i] = entries[i].Memory
	}
	return out
}

// Read joins items with their memories, in their order, with or without their texts; what
// cannot be read is left out.
func (v *View) Read(ctx context.Context, items []index.Item, text bool) []Entry {
	out := make([]Entry, 0, len(items))
	for i, m := range v.catalog.Memories(ctx, items, text) {
		if m != nil {
			out = append(out, v.entryOf(items[i], m))
		}
	}
	return out
}

func (v *View) entryOf(it index.Item, m *memory.Memory) Entry {
	use := v.derived.uses[m.ID]
	return Entry{Item: it, Memory: m, Recalls: use.Recalls, Recalled: use.Last, Centrality: v.Centrality(m.ID)}
}

// Found joins an item of the view with its memory, which was read before, and looks at the
// code that it is about.
func (v *View) Found(ctx context.Context, it index.Item, m *memory.Memory) Entry {
	e := v.entryOf(it, m)
	e.Stale = v.code.changed(ctx, m)
	return e
}

// Errors of [View.Find].
var (
	ErrNotFound  = errors.New("no such memory")
	ErrAmbiguous = errors.New("the id is ambiguous")
)

// Find returns the one item whose id begins with prefix.
func (v *View) Find(ctx context.Context, prefix string) (Entry, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	if !memory.IsIDPrefix(prefix) {
		return Entry{}, fmt.Errorf("%q is not an id or the beginning of one: %w", prefix, ErrNotFound)
	}
	var found []index.Item
	for i := range v.Items {
		if strings.HasPrefix(string(v.Index.ID(i)), prefix) {
			found = append(found, v.Items[i])
		}
	}
	switch len(found) {
	case 0:
		return Entry{}, fmt.Errorf("%s: %w in this view", prefix, ErrNotFound)
	case 1:
		return v.Entry(ctx, found[0])
	}
	return Entry{}, fmt.Errorf("%s: %w: type more of it: %s", prefix, ErrAmbiguous, v.candidates(ctx, found))
}

// candidates names the first items by their ids and types; what they say stands in no error.
func (v *View) candidates(ctx context.Context, at []index.Item) string {
	const most = 8
	out := lists.Map(v.Read(ctx, at[:min(len(at), most)], false), func(e Entry) string {
		return e.Memory.ID.Short() + " (" + string(e.Memory.Type) + ")"
	})
	return strings.Join(out, ", ")
}

// Entry joins an item of the view with its whole memory, and looks at the code
// that it is about.
func (v *View) Entry(ctx context.Context, it index.Item) (Entry, error) {
	m, ok := v.catalog.MemoryOf(ctx, &it)
	if !ok {
		return Entry{}, fmt.Errorf("%s: %w: its text cannot be read", it.Path, ErrNotFound)
	}
	return v.Found(ctx, it, m), nil
}

// Sources are the heads of the memories of the view that can be read.
func (v *View) Sources(ctx context.Context) []*memory.Memory {
	return lists.Without(v.catalog.Memories(ctx, v.Items, false), func(m *memory.Memory) bool { return m == nil })
}
