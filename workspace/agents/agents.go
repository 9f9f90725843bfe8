// Package agents connects coding agents with the memories of a project.
// Call [Hook] for an event that an agent reports: it hands over the briefing or the
// memories that concern a prompt, or reads on in the session's transcript. [Capture]
// reads one transcript, and [Backfill] those of the past. It promises that a
// transcript which is read again, or whose reading was killed, adds each memory
// once: how far it was read is written in one commit with what was found.
package agents

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
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
	if p.Agent == "" {
		p.Agent = agent
	}
	agent = p.Agent
	p.Prompt, _ = redact.Private(p.Prompt)
	enabled, err := w.Enabled(ctx)
	if err != nil {
		return nil, CannotTell(err)
	}
	if enabled {
		return h.run(ctx, event, agent, p)
	}
	if event == "session-start" {
		out, err := h.introduce(ctx, agent)
		return out, outcome.Because(outcome.NotSetUp, err)
	}
	return nil, Outcome{Kind: outcome.NotSetUp}
}

// hooks does what agents' events ask for.
type hooks struct {
	w        *workspace.Workspace
	capturer *capturer
	near     map[memory.ID]float64 // what is similar to the prompt, nil for none
	first    []projection.Recalled // what the prompt goes against
}

func (h *hooks) run(ctx context.Context, event, agent string, p HookPayload) ([]byte, Outcome) {
	if err := workspace.JoinPages(ctx, h.w); err != nil {
		h.w.Notice("the pages that a merge left: %v", err)
	}
	switch event {
	case "session-start":
		out, err := h.sessionStart(ctx, agent, p)
		out, failed := h.withUnread(out, &p)
		return told(out, errors.Join(err, failed))
	case "user-prompt-submit":
		if h.unbriefed(&p) {
			return told(h.briefAgain(ctx, p))
		}
		if !h.w.Config.Recalls(string(recall.Prompt)) || !listens(&p, recall.Prompt) {
			return told(nil, nil)
		}
		return told(h.promptSubmitted(ctx, p))
	case "pre-tool-use", "post-tool-use", "post-tool-use-failure":
		return told(h.toolUsed(ctx, event, p))
	case "pre-compact":
		if p.onlyAsks() {
			return nil, outcome.Of(outcome.Nothing, noteShrunk(h.w.Diary, &p))
		}
		return nil, h.capture(ctx, agent, p).And(h.w.Diary.Compacted(p.SessionID))
	case "stop", "session-end":
		return nil, h.ended(ctx, agent, p)
	case "subagent-stop":
		return nil, h.subagentStopped(ctx, agent, p)
	}
	return nil, Refuse(fmt.Errorf("unknown hook event %q (one of %s)", event, strings.Join(workspace.HookEvents(), ", ")))
}

// introduce speaks for a repository whose clone has not been set up: one line
// with a count, and no text of the repository's.
func (h *hooks) introduce(ctx context.Context, agent string) ([]byte, error) {
	if !h.capturer.tree.Exists(workspace.MemoriesDir) {
		return nil, nil
	}
	tree, err := h.w.Index.Scan(ctx, h.capturer.tree.Path(workspace.MemoriesDir))
	if err != nil || len(tree.Items) == 0 {
		return nil, err
	}
	return Say(agent, fmt.Sprintf(
		"This repository holds %s in .cortex/. They are not shown before `cortex init` has been run in this clone; `cortex search` works already.",
		workspace.CountMemories(len(tree.Items))))
}

// capture reads what is new in the session's own transcript, and in those of its
// subagents.
func (h *hooks) capture(ctx context.Context, agent string, p HookPayload) Outcome {
	if p.TranscriptPath == "" && derives(agent) {
		return Outcome{Kind: outcome.Nothing} // the session has none yet
	}
	if p.TranscriptPath == "" {
		return Refuse(errors.New("the payload names no transcript"))
	}
	if !filepath.IsAbs(p.TranscriptPath) {
		return Refuse(fmt.Errorf("the transcript path %q is not absolute", p.TranscriptPath))
	}
	if elsewhere(h.capturer.tree, p) {
		h.w.Notice("%s was recorded in another folder, and is left alone; cortex capture reads it all the same", p.TranscriptPath)
		return Outcome{Kind: outcome.Elsewhere}
	}
	if _, err := os.Stat(p.TranscriptPath); derives(agent) && errors.Is(err, fs.ErrNotExist) {
		return Outcome{Kind: outcome.Nothing} // it is written later, and caught up with
	}
	out, err := h.capturer.captureFamily(ctx, CaptureInput{Path: p.TranscriptPath, Likely: agent, Session: p.SessionID, LastMessage: p.LastMessage, Past: p.Past})
	return h.read(out, err)
}

// indexedAtStart bounds what a hook does about memories that the index lacks, as
// after a clone of many: each adds a slice, and answers from what is there.
const indexedAtStart = 5000

// sessionStart refreshes the briefing and hands it over, except on resume,
// where the agent still has it.
func (h *hooks) sessionStart(ctx context.Context, agent string, p HookPayload) ([]byte, error) {
	missed := h.capturer.catchUp(ctx, agent, &p)
	if text := h.briefed(&p); text != "" {
		out, err := Say(agent, text)
		return out, errors.Join(missed, err)
	}
	state := h.w.RecallState()
	b, v, err := h.w.Brief(ctx, workspace.BriefOptions{
		View: workspace.ViewOptions{Soon: true}, Bytes: projection.HookBytes, Said: h.unhooked(ctx),
	})
	if err != nil {
		return nil, err
	}
	err = errors.Join(missed, h.writeBriefing(b))
	if _, e := h.w.Index.Advance(ctx, v.Index, indexedAtStart); e != nil {
		err = errors.Join(err, e)
	}
	if root := h.w.Repo.Root; root != "" && hookstate.HeavyWith(root, v.Files()) { // its tool calls do not make the table
		table, e := h.table(ctx, v, state)
		err = errors.Join(err, e, table.Close())
	}
	if p.Source == "resume" || !h.w.Config.Recalls("start") || b.Text != "" && !h.w.Diary.Speaks(p.SessionID, p.moment(atStart)) {
		return nil, err
	}
	err = errors.Join(err, h.begun(&p))
	if b.Text == "" {
		return nil, errors.Join(err, h.note(&p, diary.StartMoment, 0, nil))
	}
	out, e := Say(agent, b.Text)
	return out, errors.Join(err, e, h.noteBriefing(&p, b, itemsIn(ctx, h.w, v, b.Shown)))
}

// writeBriefing keeps a copy where the agent finds it when it opens .cortex.
// It is only loaded then: at session start the hook hands the text over.
func (h *hooks) writeBriefing(b projection.Briefing) error {
	t, err := h.w.Tree()
	if err != nil || !t.Exists(".claude") {
		return err
	}
	head := "---\ndescription: Cortex briefing, generated\npaths:\n  - \".cortex/**\"\n---\n"
	_, err = t.Disposable().Write(workspace.BriefingFile, []byte(head+b.Text))
	return err
}

// promptSubmitted adds the few memories that a prompt calls for, none of which
// this session has been shown.
func (h *hooks) promptSubmitted(ctx context.Context, p HookPayload) ([]byte, error) {
	words, said := relevance.Words(p.Prompt), choicesIn(p.Prompt)
	if len(words) < relevance.LeastWords && len(said) == 0 {
		return nil, h.note(&p, string(recall.Prompt), 0, nil)
	}
	state := h.w.RecallState()
	v, err := h.w.View(ctx, workspace.ViewOptions{Soon: true})
	if err != nil {
		return nil, err
	}
	h.first = h.against(ctx, v, said, p.SessionID)
	h.near = h.similar(ctx, v, query.Query{Text: p.Prompt, Words: words})
	return h.recall(ctx, v, momentOf("user-prompt-submit", &p, ""), &p, state)
}

// similarLooked is how many memories are looked at that are similar in meaning to a
// prompt.
const similarLooked = 12

// similar are the memories that are nearest to a prompt in meaning, where the user
// has vectors made, with a factor for the score of each.
func (h *hooks) similar(ctx context.Context, v *workspace.View, q query.Query) map[memory.ID]float64 {
	if settings, err := h.w.Repo.Settings(ctx); err != nil || settings.Value("cortex.embed") == "" {
		return nil
	}
	answer, err := h.w.SearchIn(ctx, v, q, workspace.SearchOptions{Limit: similarLooked, Alone: true, AsTyped: true, Hook: true})
	if err != nil || !answer.Meaning { // words are counted already
		return nil
	}
	out := map[memory.ID]float64{}
	for i, f := range answer.Results {
		out[f.Entry.Memory.ID] = 1 + 0.5/float64(1+i)
	}
	return out
}
