package workspace

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/plans"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// KindNote is the kind of a [SessionHit] that is a note.
const KindNote = "note"

// noteHits bounds how many notes stand below the memories of an answer.
const noteHits = 3

// Note is the note with an id, or the beginning of one. The error is [ErrNotFound] or
// [ErrAmbiguous].
func (w *Workspace) Note(ctx context.Context, prefix string) (*memory.Memory, error) {
	prefix = strings.ToLower(strings.TrimSpace(prefix))
	if !memory.IsIDPrefix(prefix) {
		return nil, fmt.Errorf("%q is not an id or the beginning of one: %w", prefix, ErrNotFound)
	}
	found, err := w.Journal.Note(ctx, prefix)
	if err != nil {
		return nil, err
	}
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("%s: %w in this view", prefix, ErrNotFound)
	case 1:
		return found[0], nil
	}
	return nil, fmt.Errorf("%s: %w: type more of it", prefix, ErrAmbiguous)
}

// NoteEntry is a note in the shape of a memory, so that it can be shown as one.
func NoteEntry(m *memory.Memory) Entry {
	return Entry{Item: index.Item{Stage: index.Note, Status: memory.StatusActive, Branch: m.Source.Branch}, Memory: m}
}

// NotedPlan is the plan that is active on the branch of a view without being a memory, with its steps; see
// [plans.Noted]. A view of the past has none.
func NotedPlan(ctx context.Context, j *journal.Journal, v *View) []*memory.Memory {
	if _, past := v.Then(); past {
		return nil
	}
	return plans.Noted(j.Planned(ctx, v.Branch, ""))
}

// searchNotes looks for the words of a query in notes that are no memory of the view: what
// holds most of them comes first, and of equals the newest. A view of the past has none.
func (s *searcher) searchNotes(ctx context.Context, v *View, q query.Query, limit int) []SessionHit {
	stems := relevance.Stems(strings.Join(q.Words, " "))
	if _, past := v.Then(); past || len(stems) == 0 {
		return nil
	}
	notes, err := s.journal.Notes(ctx)
	if err != nil {
		s.notices.Add("the notes of sessions cannot be read: %v", err)
	}
	var out []SessionHit
	for _, m := range notes {
		share := relevance.Share(stems, m.Title+" "+m.Text)
		if share < leastShare || !notePasses(m, q.Clauses) {
			continue
		}
		out = append(out, SessionHit{
			ID: m.ID, Type: m.Type, Session: m.Source.Session, Agent: m.Source.Agent, Branch: m.Source.Branch,
			Title: m.Title,
			Start: m.Created, Kind: KindNote, Line: m.Source.Record, Text: m.Quote(m.Title), Score: view.Round3(share),
		})
	}
	lists.Sort(out, bestFirst)
	return firstUnknown(ctx, v, out, limit)
}

// firstUnknown are the first notes that are no memory of a view, all where the limit is none.
func firstUnknown(ctx context.Context, v *View, notes []SessionHit, limit int) []SessionHit {
	var out []SessionHit
	for _, hit := range notes {
		if limit > 0 && len(out) == limit {
			break
		}
		if _, err := v.Find(ctx, string(hit.ID)); err != nil {
			out = append(out, hit)
		}
	}
	return out
}

// notePasses applies the filters that a note has something to say to. It fails all others.
func notePasses(m *memory.Memory, clauses []query.Clause) bool {
	return query.Meets(clauses, query.Facts{
		Type: string(m.Type), Session: m.Source.Session, Branch: m.Source.Branch, Start: m.Created, End: m.Created,
	}.Hold)
}
