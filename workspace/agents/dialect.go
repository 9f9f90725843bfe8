package agents

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
)

// Moments beside those of [recall.Kind]: a session begins, and a subagent does.
const (
	atStart recall.Kind = "start"
	atTask  recall.Kind = "task"
)

// Say returns what a hook prints to tell an agent a text when a session starts.
func Say(agent, text string) ([]byte, error) {
	return say(&HookPayload{Agent: agent}, atStart, text)
}

// say returns what a hook prints to tell an agent a text at a moment, nil where the
// agent takes no text then. Agents refuse an object with other members.
func say(p *HookPayload, k recall.Kind, text string) ([]byte, error) {
	if !listens(p, k) {
		return nil, nil
	}
	switch {
	case p.Agent == transcript.Copilot && k == recall.Prompt:
		return jsontext.Encode(map[string]string{"modifiedTransformedPrompt": p.Sent + "\n\n" + text})
	case p.Agent == transcript.Copilot:
		return jsontext.Encode(map[string]string{"additionalContext": text})
	case p.Agent == transcript.Cursor:
		return jsontext.Encode(map[string]string{"additional_context": text})
	}
	return jsontext.Encode(map[string]any{
		"hookSpecificOutput": map[string]string{"hookEventName": eventName(p.Agent, k), "additionalContext": text},
	})
}

// sentSize is the size of a prompt from which a hook does not hand it back with what
// it has to add: its output is bounded.
const sentSize = 3 << 10

// moment tells a moment of a session from others, however often it is reported.
func (p *HookPayload) moment(k recall.Kind) string {
	if p.CallID != "" {
		return string(k) + " " + p.CallID
	}
	sum := sha256.Sum256([]byte(p.Source + "\x00" + p.Prompt + "\x00" + string(p.ToolInput)))
	return string(k) + " " + hex.EncodeToString(sum[:8])
}

// listens reports whether an agent takes a text at a moment.
func listens(p *HookPayload, k recall.Kind) bool {
	if p.Agent == transcript.Copilot && k == recall.Prompt && (p.Sent == "" || len(p.Sent) > sentSize) {
		return false
	}
	return eventName(p.Agent, k) != ""
}

// told says at which moments the agent of a hook is told of memories; OpenCode is at no call before it is made.
func (h *hooks) told(p *HookPayload) workspace.Told {
	tells := func(k recall.Kind) bool {
		return p.Agent != transcript.OpenCode && listens(p, k) && h.w.Config.Recalls(string(k))
	}
	return workspace.Told{Prompts: tells(recall.Prompt), Calls: tells(recall.Command)}
}

// eventNames are an agent's names for the events at which it takes a text; "" for those
// at which it takes none.
type eventNames struct{ start, prompt, call, failure, task string }

func eventNamesOf(agent string) eventNames {
	of := map[string]eventNames{
		// It reports all calls in one event.
		transcript.Codex:   {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"},
		transcript.Gemini:  {"SessionStart", "BeforeAgent", "", "AfterTool", ""},
		transcript.Copilot: {"sessionStart", "userPromptTransformed", "preToolUse", "postToolUse", "subagentStart"},
		transcript.Cursor:  {"sessionStart", "", "", "postToolUse", ""},
	}
	usual := eventNames{"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "SubagentStart"}
	return cmp.Or(of[agent], usual)
}

// eventName returns an agent's name for the event of a moment at which it takes a
// text, and "" for other moments.
func eventName(agent string, k recall.Kind) string {
	names := eventNamesOf(agent)
	return map[recall.Kind]string{
		atStart: names.start, atTask: names.task, recall.Prompt: names.prompt, recall.Error: names.failure,
		recall.Command: names.call, recall.File: names.call, recall.Search: names.call, recall.Question: names.call,
	}[k]
}

// Bounds of the output of a call that is looked at for an error.
const (
	outputSize  = 64 << 10
	outputLines = 40 // of its beginning and of its end
)

// failed is the error in the output of a call whose agent does not say whether it
// failed: the lines that look like one, "" if none does.
func (p *HookPayload) failed() string {
	if len(p.Output) > outputSize {
		return ""
	}
	if p.Agent == transcript.Copilot {
		return copilotFailure(p.Output)
	}
	var text string
	if json.Unmarshal(p.Output, &text) == nil {
		return wrongLines(text)
	}
	var said output
	_ = json.Unmarshal(p.Output, &said)
	if said.Error.Message != "" {
		return said.Error.Message
	}
	text = cmp.Or(textOf(said.Output), textOf(said.Content))
	if cmp.Or(said.Metadata.ExitCode, said.ExitCode) != 0 || exitedWrong().MatchString(text) {
		return text
	}
	return wrongLines(text)
}

// output holds the result of a call, in the words of whichever agent.
type output struct {
	Output   json.RawMessage `json:"output"`
	Content  json.RawMessage `json:"llmContent"`
	Metadata struct {
		ExitCode int `json:"exit_code"`
	} `json:"metadata"`
	ExitCode int `json:"exitCode"`
	Error    struct {
		Message string `json:"message"`
	} `json:"error"`
}

// wrongLines are the lines of an output, of its beginning and its end, that look like
// errors.
func wrongLines(text string) string {
	lines := slices.Collect(strings.Lines(text))
	if len(lines) > 2*outputLines {
		lines = slices.Concat(lines[:outputLines], lines[len(lines)-outputLines:])
	}
	wrong := lists.Without(lines, func(line string) bool { return !looksWrong(line) })
	return strings.TrimSpace(strings.Join(wrong, ""))
}

// copilotFailure returns the output of a call that failed, "" of another: Copilot CLI calls
// a command a success that ran and ended with a status other than 0.
func copilotFailure(output json.RawMessage) string {
	var said struct {
		Type string `json:"resultType"`
		Text string `json:"textResultForLlm"`
	}
	_ = json.Unmarshal(output, &said)
	if said.Type == "failure" || copilotStatus().MatchString(said.Text) {
		return said.Text
	}
	return ""
}

// copilotStatus matches the end of an output in which Copilot CLI says that a command ended
// with a status other than 0.
var copilotStatus = lazy.Pattern(`exit code [1-9][0-9]*>?\s*$`)

// exitedWrong matches an output that says that its command failed.
var exitedWrong = lazy.Pattern(`Exit Code: [1-9]`)

// looksWrong reports whether a line of output is one that programs print when they
// cannot go on.
func looksWrong(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{
		"error:", "fatal:", "command not found", "not recognized as", "no such file", "permission denied", "cannot ",
		"can't ", "exception", "unknown option", "unrecognized ", "is not installed", "module not found",
		"no module named", "refused",
		"verification failed",
	}, func(words string) bool { return strings.Contains(line, words) })
}
