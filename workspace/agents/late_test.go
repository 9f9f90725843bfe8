package agents

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
)

// TestAwaitEnd: a session whose transcript is written when its agent exits is read once the
// end of it is there, and not by the end that it had before it was resumed.
func TestAwaitEnd(t *testing.T) {
	r := Reporter{Agent: transcript.Copilot, Home: t.TempDir()}
	file := filepath.Join(r.Home, ".copilot", "session-state", "s-1", "events.jsonl")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	const begun = `{"type":"session.start","data":{"sessionId":"s-1"}}` + "\n"
	const ended = `{"type":"session.shutdown","data":{}}` + "\n"
	over, cancel := context.WithCancel(t.Context())
	cancel() // it looks once
	for _, c := range []struct {
		text string
		from int64
		want bool
	}{
		{begun, 0, false},
		{begun + ended, 0, true},
		{begun + ended, int64(len(begun)), true},
		{begun + ended, int64(len(begun + ended)), false},
		{begun + ended + begun, int64(len(begun + ended)), false},
		{begun + ended + begun + ended, int64(len(begun + ended)), true},
		{begun + ended[:len(ended)-1], 0, false},
		{"", 0, false},
		{"\n", 0, false},
	} {
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		p, whole := Unwritten{Session: "s-1", From: c.from}.Await(over, r)
		if whole != c.want || whole && p.TranscriptPath != file {
			t.Errorf("%q from %d: %v, %s", c.text, c.from, whole, p.TranscriptPath)
		}
	}
	if _, whole := (Unwritten{Session: "s-2"}).Await(over, r); whole {
		t.Error("a session that there is not")
	}
	soon := make(chan bool)
	os.Remove(file)
	go func() {
		_, whole := Unwritten{Session: "s-1"}.Await(t.Context(), r)
		soon <- whole
	}()
	if err := os.WriteFile(file, []byte(begun+ended), 0o600); err != nil {
		t.Fatal(err)
	}
	if !<-soon {
		t.Error("it was not waited for")
	}
}

// TestEndsLate: only the end of a session itself of Copilot CLI is waited for.
func TestEndsLate(t *testing.T) {
	p := HookPayload{Agent: transcript.Copilot, SessionID: "s-1"}
	nested, other := p, p
	nested.Nested, other.Agent = true, transcript.ClaudeCode
	if !EndsLate("session-end", p) || EndsLate("stop", p) || EndsLate("session-end", nested) || EndsLate("session-end", other) {
		t.Error("another session is waited for")
	}
}
