package agents

import (
	"context"
	"time"

	"github.com/git-cortex/cortex/capture/transcript"
)

// lateEvery is how often it is looked whether the end of a transcript was written.
const lateEvery = 100 * time.Millisecond

// EndsLate reports whether the transcript of a session that ends is written only after the hook
// that says so: Copilot CLI writes most of it when it exits.
func EndsLate(event string, p HookPayload) bool {
	isLate := event == "session-end" && p.Agent == transcript.Copilot
	return isLate && p.SessionID != "" && !p.Nested
}

// Unwritten is a session whose transcript is to be read once the agent has written its end.
type Unwritten struct {
	Session string
	Cwd     string
	From    int64 // size of the transcript when its last hook ran
}

// UnwrittenOf returns the session of an event of which [EndsLate] is true.
func UnwrittenOf(p HookPayload) Unwritten {
	return Unwritten{Session: p.SessionID, Cwd: p.Cwd, From: sizeOf(p.TranscriptPath)}
}

// Await waits until the transcript is whole, and returns what a hook would be told of it. It
// leaves off when ctx is done.
func (u Unwritten) Await(ctx context.Context, r Reporter) (p HookPayload, whole bool) {
	p = HookPayload{Agent: r.Agent, SessionID: u.Session, Cwd: u.Cwd, Stores: r.homes()}
	tick := time.NewTicker(lateEvery)
	defer tick.Stop()
	for {
		p.TranscriptPath = r.transcript(&p)
		if sizeOf(p.TranscriptPath) > u.From && transcript.Closed(p.TranscriptPath) {
			return p, true
		}
		select {
		case <-ctx.Done():
			return p, false
		case <-tick.C:
		}
	}
}
