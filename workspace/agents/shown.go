package agents

import (
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Moments by their names in the record of what was shown.
const (
	momentFile  = string(recall.File)
	momentError = string(recall.Error)
)

// begun notes that a session begins, or goes on after its context was summarised.
func (h *hooks) begun(p *HookPayload) error {
	if p.Source == "compact" {
		return h.w.Diary.Compacted(p.SessionID)
	}
	return h.w.Diary.Begun(p.SessionID)
}

// note notes a moment of a session: what was said then, or that nothing was.
func (h *hooks) note(p *HookPayload, moment string, tokens int, items []diary.Item) error {
	return noteIn(h.w.Diary, p, moment, tokens, items)
}

func noteIn(d *diary.Diary, p *HookPayload, moment string, tokens int, items []diary.Item) error {
	s := diary.Showing{Moment: moment, Tokens: tokens, Items: items}
	if len(items) > 0 {
		s.Offset, s.Call, s.Key = sizeOf(p.TranscriptPath), p.CallID, p.key()
		inUse(d, moment, items)
	}
	return d.NoteShown(p.SessionID, s)
}

// inUse notes that memories are in use, which keeps them from folding and revives
// them, but for those that are shown again and again and never help. The briefing
// shows whatever there is, which says nothing.
func inUse(d *diary.Diary, moment string, items []diary.Item) {
	if moment == diary.StartMoment {
		return
	}
	seen := d.Seen()
	var ids []memory.ID
	for _, it := range items {
		if !it.Note && !seen(it.ID).Idle() {
			ids = append(ids, it.ID)
		}
	}
	d.NoteLooked(ids)
}

// key tells the call that a hook is about from others; "" for none.
func (p *HookPayload) key() string {
	call := callOf(p.ToolInput)
	return callKey(call.Command, call.File, call.Old)
}

// options returns the recall options of a session: which memories it was given already, and
// the factor by which the score of each memory is multiplied. Nothing is read before
// something was found. What the briefing names in a short line may be said at a moment that
// calls for it.
func (t *teller) options(session string, k recall.Kind) recall.Options {
	shown := lazy.Value(func() diary.Shown { return t.diary.Shown(session) })
	seen := t.diary.Seen()
	return recall.Options{
		Session: session,
		Given:   func(id memory.ID) bool { return shown().Now[id] },
		Again:   func(id memory.ID) bool { return shown().Before[id] },
		Boost: func(id memory.ID) float64 {
			factor := seen(id).Factor(k != recall.Error) // a trap is met when it is met
			if near, ok := t.near[id]; ok {
				factor *= near
			}
			return factor
		},
	}
}
