package agents

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
)

// Reporter is an agent that calls a hook.
type Reporter struct {
	Agent  string              // as the line of its settings names it
	Home   string              // the user's home, below which it keeps its sessions
	Getenv func(string) string // nil is an empty environment
}

// aliases are members of payloads that stand for those of [HookPayload]. A value of another
// type than it should be is passed over.
type aliases struct {
	Session      json.RawMessage `json:"sessionId"`
	Conversation json.RawMessage `json:"conversation_id"`
	Transcript   json.RawMessage `json:"transcriptPath"`
	Tool         json.RawMessage `json:"toolName"`
	Args         json.RawMessage `json:"toolArgs"`
	Roots        json.RawMessage `json:"workspace_roots"`
	Failure      json.RawMessage `json:"error_message"`
	Output       json.RawMessage `json:"tool_output"`
	Answer       json.RawMessage `json:"prompt_response"`
	Result       json.RawMessage `json:"toolResult"`
	Subagent     json.RawMessage `json:"agentId"`
	Sent         json.RawMessage `json:"transformedPrompt"`
	Timestamp    json.RawMessage `json:"timestamp"`
	Cursor       json.RawMessage `json:"cursor_version"`
}

// Read reads the payload of an event. Anything but a JSON object is an error. An
// agent that runs the hooks of another one is told from it.
func (r Reporter) Read(data []byte) (HookPayload, error) {
	p, err := ParseHookPayload(data)
	if err != nil {
		return p, err
	}
	var a aliases
	_ = json.Unmarshal(data, &a) // an object, as was just read
	p.Agent, p.Stores = a.agentOf(r.Agent), r.homes()
	if slices.Contains([]string{transcript.ClaudeCode, transcript.Codex}, p.Agent) {
		return p, nil
	}
	a.into(&p)
	p.Subagent = cmp.Or(p.Subagent, textOf(a.Subagent))
	p.Nested = p.Agent == transcript.Copilot && p.Subagent != ""
	if own := transcript.SessionAt(p.Agent, p.TranscriptPath); own != "" {
		p.SessionID = own // that of a subagent names none that there is
	}
	p.TranscriptPath = cmp.Or(p.TranscriptPath, r.transcript(&p))
	return p, nil
}

// agentOf is the agent that sent a payload to the hook of an agent: Cursor and Copilot CLI
// run those of Claude Code too.
func (a *aliases) agentOf(hook string) string {
	switch {
	case hook != transcript.ClaudeCode:
		return hook
	case a.Cursor != nil:
		return transcript.Cursor
	case a.Session != nil || a.Timestamp != nil:
		return transcript.Copilot
	}
	return hook
}

// into fills in what p lacks.
func (a *aliases) into(p *HookPayload) {
	p.SessionID = cmp.Or(p.SessionID, textOf(a.Session), textOf(a.Conversation))
	p.TranscriptPath = cmp.Or(p.TranscriptPath, textOf(a.Transcript))
	p.ToolName = cmp.Or(p.ToolName, textOf(a.Tool))
	p.LastMessage = cmp.Or(p.LastMessage, textOf(a.Answer))
	p.Sent = textOf(a.Sent)
	p.ToolInput = objectIn(firstRaw(p.ToolInput, a.Args))
	p.Error = firstRaw(p.Error, a.Failure)
	p.Output = objectIn(firstRaw(p.Output, a.Output, a.Result))
	var roots []string
	if p.Cwd == "" && json.Unmarshal(a.Roots, &roots) == nil && len(roots) > 0 {
		p.Cwd = roots[0]
	}
}

// firstRaw is the first value that there is; nil for none.
func firstRaw(values ...json.RawMessage) json.RawMessage {
	i := slices.IndexFunc(values, func(v json.RawMessage) bool { return v != nil })
	if i < 0 {
		return nil
	}
	return values[i]
}

// objectIn is the JSON object that a string holds, and any other value as it is.
func objectIn(raw json.RawMessage) json.RawMessage {
	if text := textOf(raw); strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return raw
}

// textOf is the text of a JSON string, and "" for any other value.
func textOf(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// derives reports whether payloads of an agent may lack the transcript although there
// is one, see [Reporter.Read].
func derives(agent string) bool {
	return slices.Contains([]string{transcript.Copilot, transcript.Cursor}, agent)
}

// transcript is where an agent that does not say so keeps its session; "" if there
// is none.
func (r Reporter) transcript(p *HookPayload) string {
	isName := p.SessionID == filepath.Base(p.SessionID)
	if !isName || r.Home == "" || !derives(p.Agent) {
		return ""
	}
	files := transcript.Session(p.Agent, p.Stores, p.Cwd, p.SessionID)
	if i := slices.IndexFunc(files, isRegular); i >= 0 {
		return files[i]
	}
	return ""
}

func isRegular(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular()
}

// homes are the folders below which the agents of the user keep their sessions.
func (r Reporter) homes() transcript.Homes {
	return transcript.Homes{User: r.Home, Copilot: r.env("COPILOT_HOME"), Codex: r.env("CODEX_HOME")}
}

func (r Reporter) env(name string) string {
	if r.Getenv == nil {
		return ""
	}
	return r.Getenv(name)
}
