// Package agents connects coding agents with the memories of a project.
// Call [Hook] for an event that an agent reports: it hands over the briefing or the
// memories that concern a prompt, or reads on in the session's transcript. [Capture]
// reads one transcript, and [Backfill] those of the past. It promises that a
// transcript which is read again, or whose reading was killed, adds each memory
// once: how far it was read is written in one commit with what was found.
package agents

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/guard"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// HookPayload is the JSON object that an agent writes to the standard input of a
// hook, as far as cortex reads it. Unknown keys are passed over.
type HookPayload struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	Cwd            string `json:"cwd"`
	Event          string `json:"hook_event_name"`
	Source         string `json:"source"` // of session-start: startup, resume, clear, compact
	Prompt         string `json:"prompt"`
	LastMessage    string `json:"last_assistant_message"` // of subagent-stop: the subagent's
	Subagent       string `json:"agent_id"`               // that an event is about
	SubagentPath   string `json:"agent_transcript_path"`  // of subagent-stop

	ToolName  string          `json:"tool_name"` // of pre-tool-use and post-tool-use-failure
	ToolInput json.RawMessage `json:"tool_input"`
	CallID    string          `json:"tool_use_id"`
	Error     json.RawMessage `json:"error"`         // of a failed call
	Output    json.RawMessage `json:"tool_response"` // of post-tool-use

	Trigger string `json:"trigger"` // of pre-compact: manual, auto

	Sessions []listed `json:"sessions"` // of session-start of OpenCode: others of this project
	Updated  int64    `json:"updated"`  // of stop of OpenCode: when the session was changed last
	Past     bool     `json:"past"`     // of stop of OpenCode: the session is not the one that runs

	Agent  string           `json:"-"` // who reports the event
	Sent   string           `json:"-"` // the prompt as the model gets it, where a hook may change that
	Nested bool             `json:"-"` // it is about a subagent, whose words are in the session's transcript
	Stores transcript.Homes `json:"-"` // where agents keep their sessions
}

// ParseHookPayload reads the payload. Anything but a JSON object is an error.
func ParseHookPayload(data []byte) (HookPayload, error) {
	var p HookPayload
	if len(strings.TrimSpace(string(data))) == 0 {
		return p, errors.New("the payload is empty")
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return p, fmt.Errorf("reading the payload: %w", err)
	}
	return p, nil
}

// Hook does what an event asks for and returns what to print, nothing or
// one JSON object that the agent understands, and how it ended. The caller exits with 0
// whatever that is.
func Hook(ctx context.Context, w *workspace.Workspace, event, agent string, p HookPayload) ([]byte, Outcome) {
	h := &hooks{w: w, capturer: newCapturer(w)}
	p.Agent = cmp.Or(p.Agent, agent)
	p.Prompt, _ = redact.Private(transcript.WithoutBriefing(p.Prompt)) // Copilot CLI has it in a subagent's
	enabled, err := w.Enabled(ctx)
	if err != nil {
		return nil, CannotTell(err)
	}
	if enabled {
		return h.run(ctx, event, p)
	}
	if event == "session-start" {
		out, err := h.introduce(ctx, p.Agent)
		return out, outcome.Because(outcome.NotSetUp, err)
	}
	return nil, Outcome{Kind: outcome.NotSetUp}
}

// hooks does what agents' events ask for.
type hooks struct {
	w        *workspace.Workspace
	capturer *capturer
	near     map[memory.ID]float64 // what is similar to the prompt, nil for none
	first    []telling             // what the prompt goes against
	lead     lead                  // the briefing, where it is said with the prompt
}

func (h *hooks) run(ctx context.Context, event string, p HookPayload) ([]byte, Outcome) {
	if err := h.w.JoinPages(ctx); err != nil {
		h.w.Notice("the pages that a merge left: %v", err)
	}
	switch event {
	case "session-start":
		guard.Notice(ctx, h.w)
		return told(h.start(ctx, p))
	case "user-prompt-submit":
		_, _ = guard.Guards(ctx, h.w) // else those of before are in force
		return told(h.promptSubmitted(ctx, p))
	case "pre-tool-use", "post-tool-use", "post-tool-use-failure":
		return told(h.toolUsed(ctx, event, p))
	case "pre-compact":
		return nil, h.compacts(ctx, p)
	case "stop", "session-end":
		return nil, h.stop(ctx, p)
	case "subagent-start":
		return told(h.subagentStarts(ctx, p))
	case "subagent-stop":
		return nil, h.subagentStopped(ctx, p)
	}
	return nil,
		Refuse(fmt.Errorf("unknown hook event %q (one of %s)", event, strings.Join(workspace.HookEvents(), ", ")))
}
