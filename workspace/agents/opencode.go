package agents

import (
	"cmp"
	"encoding/json"
	"errors"
	"time"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
)

// listed is a session of OpenCode, which keeps its sessions in a database: only its plugin
// reads them, and names those there are when a session starts.
type listed struct {
	ID      string `json:"id"`
	Updated int64  `json:"updated"` // in milliseconds since 1970
}

// noteBriefing notes that a session was given the briefing. OpenCode and Copilot CLI have it
// at the beginning of every request to their model and not in what they keep of a session, so
// its words are kept here, to be the same when the session is resumed.
func (h *hooks) noteBriefing(p *HookPayload, b projection.Briefing, items []diary.Item) error {
	if p.Agent != transcript.OpenCode && p.Agent != transcript.Copilot {
		return h.note(p, diary.StartMoment, b.Tokens, items)
	}
	s := diary.Showing{Moment: diary.StartMoment, Tokens: b.Tokens, Items: items, Text: b.Text}
	return h.w.Diary.NoteShown(p.SessionID, s)
}

// briefed returns the briefing that a session of OpenCode or Copilot CLI that goes on in a new
// process was given, and "" where it is to be made, or not to be said.
func (h *hooks) briefed(p *HookPayload) string {
	goesOn := p.Agent == transcript.OpenCode || p.Agent == transcript.Copilot && p.Source == "resume"
	if !goesOn || !h.w.Config.Recalls("start") {
		return ""
	}
	return h.w.Diary.Briefed(p.SessionID).Text
}

// repeat hands over a briefing that the session was given before. OpenCode has one hook of
// ours, and may ask again within seconds.
func (h *hooks) repeat(p *HookPayload, text string) ([]byte, error) {
	out, err := Say(p.Agent, text)
	if p.Agent == transcript.OpenCode {
		return out, err
	}
	if !h.w.Diary.Speaks(p.SessionID, p.moment(atStart)) {
		return nil, err
	}
	s := diary.Showing{Moment: diary.StartMoment, Tokens: memory.Tokens(text), Text: text}
	return out, errors.Join(err, h.w.Diary.NoteShown(p.SessionID, s))
}

// unreadListed are the newest of the sessions listed that were changed since they were read.
// Old ones are left out as in [capturer.unreadOf].
func unreadListed(all []listed, read map[string]int64) []string {
	var newest int64
	for _, s := range all {
		newest = max(newest, s.Updated)
	}
	unread := lists.Without(all, func(s listed) bool {
		age := time.Duration(newest-s.Updated) * time.Millisecond
		return s.ID == "" || read[s.ID] >= s.Updated || age > catchUpAge
	})
	lists.Sort(unread, func(a, b listed) int { return cmp.Compare(b.Updated, a.Updated) })
	return lists.Map(unread[:min(len(unread), catchUpFiles)], func(s listed) string { return s.ID })
}

// withUnread adds to what is said at the start of a session of OpenCode which others its plugin
// is to hand over.
func (h *hooks) withUnread(out []byte, p *HookPayload) ([]byte, error) {
	ids := unreadListed(p.Sessions, h.w.Diary.Handed())
	if p.Agent != transcript.OpenCode || len(ids) == 0 {
		return out, nil
	}
	said := struct {
		Output map[string]any `json:"hookSpecificOutput"`
	}{map[string]any{}}
	if len(out) > 0 {
		if err := json.Unmarshal(out, &said); err != nil {
			return out, err
		}
	}
	said.Output["unread"] = ids
	return jsontext.Encode(said)
}

// noteHanded notes that a session of OpenCode was read as it was handed over.
func (h *hooks) noteHanded(p *HookPayload, o Outcome) Outcome {
	if p.Agent != transcript.OpenCode || p.Updated == 0 || o.Err != nil && !errors.Is(o.Err, ErrTranscript) {
		return o
	}
	return o.And(h.w.Diary.NoteHanded(p.SessionID, p.Updated))
}
