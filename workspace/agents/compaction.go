package agents

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// compacts reads a session before its context is summarised, and notes that.
func (h *hooks) compacts(ctx context.Context, p HookPayload) Outcome {
	if p.onlyAsks() {
		return outcome.Of(outcome.Nothing, noteShrunk(h.w.Diary, &p))
	}
	return h.captureNew(ctx, p).And(h.w.Diary.Compacted(p.SessionID))
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

// unbriefed reports whether an agent has lost the briefing, because it does not begin a
// session anew when it has summarised one, and takes the briefing with a prompt.
func (h *hooks) unbriefed(p *HookPayload) bool {
	if p.Agent != transcript.Copilot || p.Nested || !listens(p, recall.Prompt) {
		return false
	}
	return h.w.Config.Recalls("start") && h.w.Diary.Unbriefed(p.SessionID)
}

// briefAgain hands the briefing over with a prompt.
func (h *hooks) briefAgain(ctx context.Context, p HookPayload) ([]byte, error) {
	sent, err := json.Marshal(p.Sent)
	if err != nil {
		return nil, err
	}
	b, v, err := h.w.Brief(ctx, workspace.BriefOptions{
		View: workspace.ViewOptions{Soon: true}, Door: true, Tokens: min(h.w.Config.BriefTokens, projection.DoorTokens),
		Bytes: projection.HookBytes - len(sent),
	})
	if err != nil || b.Text == "" || !h.w.Diary.Speaks(p.SessionID, p.moment(recall.Prompt)) {
		return nil, err
	}
	out, err := say(&p, recall.Prompt, b.Text)
	return out, errors.Join(err, h.note(&p, diary.StartMoment, b.Tokens, itemsIn(ctx, h.w, v, b.Shown)))
}
