package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/relevance"
)

// HookEvents are the events an agent can report.
func HookEvents() []string {
	return []string{"session-start", "user-prompt-submit", "stop", "pre-compact", "session-end", "subagent-stop"}
}

// HookPayload is what an agent writes to the standard input of a hook, as far
// as cortex reads it. Unknown keys are passed over.
type HookPayload struct {
	SessionID      string `json:"session_id"`
	TranscriptPath string `json:"transcript_path"`
	Cwd            string `json:"cwd"`
	Event          string `json:"hook_event_name"`
	Source         string `json:"source"` // of session-start: startup, resume, clear, compact
	Prompt         string `json:"prompt"`
	LastMessage    string `json:"last_assistant_message"`
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

// AgentHook does what an event asks for and returns what to print: nothing, or
// one JSON object that the agent understands. The caller exits with 0 whatever
// the error.
func (w *Workspace) AgentHook(ctx context.Context, event, agent string, p HookPayload) ([]byte, error) {
	if w.Enabled(ctx) {
		return w.hooks.run(ctx, event, agent, p)
	}
	if event == "session-start" {
		return w.hooks.introduce(ctx)
	}
	return nil, nil
}

// hooks does what agents' events ask for.
type hooks struct {
	index    *index.Index
	tree     *worktree
	journal  *journal
	views    *viewer
	capturer *capturer
	briefer  *briefer
	searcher *searcher
	diary    *diary.Diary
	notices  *notices
}

func (h *hooks) run(ctx context.Context, event, agent string, p HookPayload) ([]byte, error) {
	switch event {
	case "session-start":
		return h.sessionStart(ctx, agent, p)
	case "user-prompt-submit":
		return h.promptSubmitted(ctx, p)
	case "stop", "pre-compact", "subagent-stop":
		return nil, h.capture(ctx, agent, p)
	case "session-end":
		h.diary.ForgetShown(p.SessionID)
		return nil, h.capture(ctx, agent, p)
	}
	return nil, fmt.Errorf("unknown hook event %q (one of %s)", event, strings.Join(HookEvents(), ", "))
}

// introduce speaks for a repository whose clone has not been set up: one line
// with a count, and no text of the repository's.
func (h *hooks) introduce(ctx context.Context) ([]byte, error) {
	if !h.tree.exists(MemoriesDir) {
		return nil, nil
	}
	tree, err := h.index.Scan(ctx, h.tree.abs(MemoriesDir))
	if err != nil || len(tree.Items) == 0 {
		return nil, err
	}
	return contextJSON("SessionStart", fmt.Sprintf(
		"This repository holds %s in .cortex/. They are not shown before `cortex init` has been run in this clone; `cortex search` works already.",
		CountMemories(len(tree.Items))))
}

// capture reads what is new in the session's own transcript. Those of
// sub-agents are left alone: their prompts are an agent's words, and what
// matters of their answers stands in the main one.
func (h *hooks) capture(ctx context.Context, agent string, p HookPayload) error {
	if p.TranscriptPath == "" {
		return errors.New("the payload names no transcript")
	}
	if !filepath.IsAbs(p.TranscriptPath) {
		return fmt.Errorf("the transcript path %q is not absolute", p.TranscriptPath)
	}
	if elsewhere(h.tree, p) {
		h.notices.add("%s was recorded in another folder, and is left alone; cortex capture reads it all the same", p.TranscriptPath)
		return nil
	}
	_, err := h.capturer.capture(ctx, CaptureInput{Path: p.TranscriptPath, Likely: agent, Session: p.SessionID, LastMessage: p.LastMessage})
	return err
}

// sessionStart refreshes the briefing and hands it over, except on resume,
// where the agent still has it.
func (h *hooks) sessionStart(ctx context.Context, agent string, p HookPayload) ([]byte, error) {
	missed := h.capturer.catchUp(ctx, agent, p.TranscriptPath)
	b, v, err := h.briefer.brief(ctx, BriefOptions{Chars: projection.HookChars})
	if err != nil {
		return nil, err
	}
	err = errors.Join(missed, h.writeBriefing(b), h.diary.AddShown(p.SessionID, b.Shown, p.Source != "resume"))
	if _, e := h.index.Update(ctx, v.index); e != nil {
		err = errors.Join(err, e)
	}
	if b.Text == "" || p.Source == "resume" {
		return nil, err
	}
	out, e := contextJSON("SessionStart", b.Text)
	return out, errors.Join(err, e)
}

// writeBriefing keeps a copy where the agent finds it when it opens .cortex.
// It is only loaded then: at session start the hook hands the text over.
func (h *hooks) writeBriefing(b projection.Briefing) error {
	t, err := h.tree.folder()
	if err != nil || !h.tree.exists(".claude") {
		return err
	}
	t.disposable = true // the next session makes it again
	head := "---\ndescription: Cortex briefing, generated\npaths:\n  - \".cortex/**\"\n---\n"
	_, err = t.Write(BriefingFile, []byte(head+b.Text))
	return err
}

// promptSubmitted adds the few memories that concern a prompt, none of which
// this session has been shown.
func (h *hooks) promptSubmitted(ctx context.Context, p HookPayload) ([]byte, error) {
	words := relevance.Words(p.Prompt)
	if len(words) < relevance.LeastWords {
		return nil, nil
	}
	v, err := h.views.view(ctx, ViewOptions{})
	if err != nil {
		return nil, err
	}
	answer, err := h.searcher.answer(ctx, v, query.Query{Text: p.Prompt, Words: words}, SearchOptions{Limit: 3 * projection.PromptItems, Alone: true})
	if err != nil {
		return nil, err
	}
	shown := h.diary.Shown(p.SessionID)
	in := projection.PromptInput{Fence: fence(v), Chars: projection.HookChars}
	marks := h.journal.marks(ctx)
	for _, f := range answer.Results {
		m := f.Entry.Memory
		if marks.Entry(&f.Entry) || len(in.Items) == projection.PromptItems || shown[m.ID] ||
			f.Entry.Status == memory.StatusSuperseded || f.Entry.Status == memory.StatusArchived || !relevance.Concerns(words, m) {
			continue
		}
		in.Items = append(in.Items, briefItem(v, &f.Entry, nil, false))
	}
	if len(in.Items) == 0 {
		return nil, nil
	}
	b := projection.PromptContext(in)
	if b.Text == "" {
		return nil, nil
	}
	h.diary.NoteRecalls(b.Shown)
	err = h.diary.AddShown(p.SessionID, b.Shown, false)
	out, e := contextJSON("UserPromptSubmit", b.Text)
	return out, errors.Join(err, e)
}

// contextJSON is the one shape in which a hook speaks to the agent.
func contextJSON(event, text string) ([]byte, error) {
	return EncodeJSON(map[string]any{
		"hookSpecificOutput": map[string]string{"hookEventName": event, "additionalContext": text},
	})
}
