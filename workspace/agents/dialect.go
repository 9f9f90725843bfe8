package agents

import (
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
	name := eventName(p.Agent, k)
	if name == "" {
		return nil, nil
	}
	return jsontext.Encode(map[string]any{
		"hookSpecificOutput": map[string]string{"hookEventName": name, "additionalContext": text},
	})
}

// moment tells a moment of a session from others, however often it is reported.
func (p *HookPayload) moment(k recall.Kind) string {
	if p.CallID != "" {
		return string(k) + " " + p.CallID
	}
	sum := sha256.Sum256([]byte(p.Source + "\x00" + p.Prompt + "\x00" + p.key()))
	return string(k) + " " + hex.EncodeToString(sum[:8])
}

// listens reports whether an agent takes a text at a moment.
func listens(p *HookPayload, k recall.Kind) bool { return eventName(p.Agent, k) != "" }

// eventName returns an agent's name for the event of a moment at which it takes a
// text, and "" for other moments.
func eventName(agent string, k recall.Kind) string {
	names := map[recall.Kind]string{
		atStart: "SessionStart", recall.Prompt: "UserPromptSubmit",
		recall.Command: "PreToolUse", recall.File: "PreToolUse", recall.Error: "PostToolUseFailure",
	}
	if agent == transcript.Codex {
		names[recall.Error] = "PostToolUse" // it reports all calls in one event
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
	if json.Unmarshal(p.Output, &text) != nil {
		var said struct {
			Output   string `json:"output"`
			Metadata struct {
				ExitCode int `json:"exit_code"`
			} `json:"metadata"`
		}
		if json.Unmarshal(p.Output, &said) != nil {
			return ""
		}
		if said.Metadata.ExitCode != 0 {
			return said.Output
		}
		text = said.Output
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
