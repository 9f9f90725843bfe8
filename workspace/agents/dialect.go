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
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
)

// atStart is the moment at which a session begins, beside those of [recall.Kind].
const atStart recall.Kind = "start"

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
	sum := sha256.Sum256([]byte(p.Source + "\x00" + p.Prompt + "\x00" + p.key()))
	return string(k) + " " + hex.EncodeToString(sum[:8])
}

// listens reports whether an agent takes a text at a moment.
func listens(p *HookPayload, k recall.Kind) bool {
	if p.Agent == transcript.Copilot && k == recall.Prompt && (p.Sent == "" || len(p.Sent) > sentSize) {
		return false
	}
	return eventName(p.Agent, k) != ""
}

// eventName returns an agent's name for the event of a moment at which it takes a
// text, and "" for other moments.
func eventName(agent string, k recall.Kind) string {
	names := map[recall.Kind]string{
		atStart: "SessionStart", recall.Prompt: "UserPromptSubmit",
		recall.Command: "PreToolUse", recall.File: "PreToolUse", recall.Search: "PreToolUse", recall.Question: "PreToolUse",
		recall.Error: "PostToolUseFailure",
	}
	switch agent {
	case transcript.Codex:
		names[recall.Error] = "PostToolUse" // it reports all calls in one event
	case transcript.Gemini:
		names = map[recall.Kind]string{atStart: "SessionStart", recall.Prompt: "BeforeAgent", recall.Error: "AfterTool"}
	case transcript.Copilot:
		names = map[recall.Kind]string{
			atStart: "sessionStart", recall.Prompt: "userPromptTransformed",
			recall.Command: "preToolUse", recall.File: "preToolUse", recall.Search: "preToolUse", recall.Question: "preToolUse",
			recall.Error: "postToolUse",
		}
	case transcript.Cursor:
		names = map[recall.Kind]string{atStart: "sessionStart", recall.Error: "postToolUse"}
	}
	return names[k]
}

// Bounds of the output of a call that is looked at for an error.
const (
	outputSize  = 64 << 10
	outputLines = 40 // of its beginning and of its end
)

// failed is the error in the output of a call whose agent does not say whether it
// failed: the lines that look like one, "" if none does.
func (p *HookPayload) failed() string {
	var text string
	if len(p.Output) > outputSize {
		return ""
	}
	if p.Agent == transcript.Copilot {
		return copilotFailure(p.Output)
	}
	if json.Unmarshal(p.Output, &text) != nil {
		var said struct {
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
		if json.Unmarshal(p.Output, &said) != nil {
			return ""
		}
		text = cmp.Or(textOf(said.Output), textOf(said.Content))
		switch {
		case said.Error.Message != "":
			return said.Error.Message
		case said.Metadata.ExitCode != 0, said.ExitCode != 0, exitedWrong(text):
			return text
		}
	}
	lines := slices.Collect(strings.Lines(text))
	if len(lines) > 2*outputLines {
		lines = slices.Concat(lines[:outputLines], lines[len(lines)-outputLines:])
	}
	var out strings.Builder
	for _, line := range lines {
		if looksWrong(line) {
			out.WriteString(line)
		}
	}
	return strings.TrimSpace(out.String())
}

// copilotFailure returns the output of a call that failed, "" of another: Copilot CLI calls
// a command a success that ran and ended with a status other than 0.
func copilotFailure(output json.RawMessage) string {
	var said struct {
		Type string `json:"resultType"`
		Text string `json:"textResultForLlm"`
	}
	if json.Unmarshal(output, &said) != nil {
		return ""
	}
	at := strings.LastIndex(said.Text, "exit code ")
	code := strings.TrimPrefix(said.Text[max(0, at):], "exit code ")
	if said.Type == "failure" || at >= 0 && len(said.Text)-at < 40 && code[0] >= '1' && code[0] <= '9' {
		return said.Text
	}
	return ""
}

// exitedWrong reports whether the output of a command says that it failed.
func exitedWrong(text string) bool {
	_, code, ok := strings.Cut(text, "Exit Code: ")
	return ok && code != "" && code[0] >= '1' && code[0] <= '9'
}

// looksWrong reports whether a line of output is one that programs print when they
// cannot go on.
func looksWrong(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{
		"error:", "fatal:", "command not found", "not recognized as", "no such file", "permission denied", "cannot ", "can't ",
		"exception", "unknown option", "unrecognized ", "is not installed", "module not found", "no module named", "refused",
		"verification failed",
	}, func(words string) bool { return strings.Contains(line, words) })
}
