package agents

import (
	"context"
	"slices"
	"strconv"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// compacts reads a session before its context is summarised, notes that, and makes the briefing
// anew: the session is given it when it goes on.
func (h *hooks) compacts(ctx context.Context, p HookPayload) Outcome {
	if p.onlyAsks() {
		return outcome.Of(outcome.Nothing, noteShrunk(h.w.Diary, &p))
	}
	o := h.captureNew(ctx, p).And(h.w.Diary.Compacted(p.SessionID))
	_, _, err := h.renew(ctx, &p)
	return o.And(err)
}

// onlyAsks reports whether an agent says before every request to its model that it may
// sum up the session, which it then hardly ever does: only its transcript tells.
func (p *HookPayload) onlyAsks() bool {
	return p.Agent == transcript.Gemini && p.Trigger != "manual"
}

// noteShrunk notes that the context of a session was summarised, where its transcript
// alone says so and has a summary that is new.
func noteShrunk(d *diary.Diary, p *HookPayload) error {
	if p.Agent != transcript.Gemini {
		return nil
	}
	return d.CompactedBy(p.SessionID, func() string { return transcript.Snapshot(p.TranscriptPath) })
}

// lead holds what is said ahead of all that a prompt calls for: the briefing, or nothing.
type lead struct {
	text string
	note diary.Showing // that it was said
}

// atPrompt is the key of a briefing that came with a prompt.
const atPrompt = "prompt"

// unbriefed reports whether a session is to be given the briefing with a prompt. Gemini CLI
// always is: it drops the first prompt when it resumes a session, if a hook has said
// something before it, and keeps what is said with one. Copilot CLI begins no session anew
// when it has summarised one.
func (h *hooks) unbriefed(p *HookPayload) bool {
	if p.Nested || !slices.Contains([]string{transcript.Gemini, transcript.Copilot}, p.Agent) {
		return false
	}
	return h.w.Config.Recalls("start") && h.w.Diary.Unbriefed(p.SessionID)
}

// leading returns the briefing where a session is to be given it with a prompt.
func (h *hooks) leading(ctx context.Context, p *HookPayload) (lead, error) {
	if err := noteShrunk(h.w.Diary, p); err != nil || !h.unbriefed(p) {
		return lead{}, err
	}
	b, v, err := h.door(ctx, p, projection.HookBytes-len(strconv.Quote(p.Sent)))
	if err != nil {
		return lead{}, err
	}
	items := itemsIn(ctx, h.w, v, b.Shown)
	return lead{b.Text, diary.Showing{Moment: diary.StartMoment, Key: atPrompt, Tokens: b.Tokens, Items: items}}, nil
}
