package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// agentCommands are commands for hooks of agents.
func agentCommands() map[string]scriptCommand {
	return map[string]scriptCommand{
		// expand FILE…: $CWD and $WORK in JSON become these folders.
		"expand": cmdExpand,
		// answer FILE SHAPE: the file is one JSON object of a shape that an agent takes, see [answerShapes].
		"answer": cmdAnswer,
		// replay RECORDING FILE: runs the hooks of a recorded session in the current folder, each
		// with what it was told then. FILE gets what they say, each after its event.
		"replay": cmdReplay,
	}
}

// recorded is a line of a recording: the payload of a hook with how many lines the transcript
// had then, or a file of the agent with its path.
type recorded struct {
	Event   string          `json:"event"`
	Lines   int             `json:"lines"`
	Payload json.RawMessage `json:"payload"`
	File    string          `json:"file"`
	Path    string          `json:"path"`
}

// cmdReplay stands for an agent: tools/realagents recorded sessions to capture/testdata/recorded.
func cmdReplay(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "replay RECORDING FILE")
	client, name, _ := strings.Cut(args[0], "-")
	dirs, err := filepath.Glob(filepath.Join(recordings(), client+"-*-"+name))
	ts.Check(err)
	if len(dirs) != 1 {
		ts.Fatalf("%d recordings %s", len(dirs), args[0])
	}
	here := strings.NewReplacer("$REPO", filepath.ToSlash(ts.MkAbs(".")), "$HOME", filepath.ToSlash(ts.Getenv("HOME")),
		"$TMP", filepath.ToSlash(filepath.Join(ts.Getenv("WORK"), "tmp")), "$CLIENTS", "/none")
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dirs[0], name))
		ts.Check(err)
		return here.Replace(string(data))
	}
	var said strings.Builder
	files := map[string]string{} // texts by path
	for text := range strings.Lines(read("hooks.jsonl")) {
		var line recorded
		ts.Check(json.Unmarshal([]byte(text), &line))
		if line.File != "" {
			files[line.Path] = read(line.File)
			continue
		}
		for path, text := range files {
			of := filepath.Base(filepath.Dir(path)) // the session, where Copilot CLI names no transcript
			if strings.Contains(string(line.Payload), `"`+path+`"`) || strings.Contains(string(line.Payload), `"`+of+`"`) {
				ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
				ts.Check(os.WriteFile(path, []byte(firstLines(text, line.Lines)), 0o666))
			}
		}
		out := runHook(ts, line.Event, agentOf(client), line.Payload)
		if out != "" && !isAnswer(agentOf(client), out) {
			ts.Fatalf("hook %s: %s takes no such answer: %s", line.Event, client, out)
		}
		said.WriteString(line.Event + ": " + out + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(said.String()), 0o666))
}

// isAnswer reports whether a text is an object of one of the shapes that an agent takes.
func isAnswer(agent, text string) bool {
	var got any
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		return false
	}
	for name, shape := range answerShapes() {
		if strings.HasPrefix(name, agent+"/") && fits(got, shape) == nil {
			return true
		}
	}
	return false
}

// recordings is the folder of the recorded sessions.
func recordings() string { return filepath.Join("..", "..", "capture", "testdata", "recorded") }

// firstLines is the beginning of a text, or all of it where no number is given.
func firstLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if n == 0 {
		return text
	}
	return strings.Join(lines[:min(n, len(lines))], "")
}

// agentOf returns the name that cortex has for the agent of a recording.
func agentOf(client string) string {
	if long := map[string]string{"claude": "claude-code", "gemini": "gemini-cli", "copilot": "copilot-cli"}[client]; long != "" {
		return long
	}
	return client
}

// runHook runs a hook, which must end well and write nothing to its standard error.
func runHook(ts *testscript.TestScript, event, agent string, payload []byte) string {
	path, err := exec.LookPath("cortex")
	ts.Check(err)
	cmd := exec.Command(path, "hook", event, "--agent", agent)
	var errs bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stderr = ts.MkAbs("."), environOf(ts), bytes.NewReader(payload), &errs
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		ts.Fatalf("hook %s: %v\n%s", event, err, errs.Bytes())
	}
	return strings.TrimSpace(string(out))
}

// answerShapes are the objects that agents take from a hook, by agent and event: every
// member is there and has the value, or the kind of value, and there is no other. So
// strict is Codex with unknown members; the others pass over them without a word.
func answerShapes() map[string]any {
	claudeLike := func(event string) any {
		return map[string]any{"hookSpecificOutput": map[string]any{"hookEventName": "=" + event, "additionalContext": "text"}}
	}
	decides := map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": "=PreToolUse", "permissionDecision": "=deny", "permissionDecisionReason": "text",
	}}
	return map[string]any{
		"claude-code/PreToolUse-deny": decides, "codex/PreToolUse-deny": decides, "opencode/PreToolUse-deny": decides,
		"gemini-cli/BeforeTool":       map[string]any{"decision": "=deny", "reason": "text"},
		"copilot-cli/preToolUse-deny": map[string]any{"permissionDecision": "=deny", "permissionDecisionReason": "text"},
		"cursor/preToolUse":           map[string]any{"permission": "=deny", "agent_message": "text", "user_message": "text"},
		"claude-code/SessionStart":    claudeLike("SessionStart"), "claude-code/UserPromptSubmit": claudeLike("UserPromptSubmit"),
		"claude-code/PreToolUse": claudeLike("PreToolUse"), "claude-code/PostToolUseFailure": claudeLike("PostToolUseFailure"),
		"opencode/SessionStart": claudeLike("SessionStart"), "opencode/UserPromptSubmit": claudeLike("UserPromptSubmit"),
		"opencode/PostToolUseFailure": claudeLike("PostToolUseFailure"),
		"codex/SessionStart":          claudeLike("SessionStart"), "codex/UserPromptSubmit": claudeLike("UserPromptSubmit"),
		"codex/PreToolUse": claudeLike("PreToolUse"), "codex/PostToolUse": claudeLike("PostToolUse"),
		"gemini-cli/SessionStart": claudeLike("SessionStart"), "gemini-cli/BeforeAgent": claudeLike("BeforeAgent"),
		"gemini-cli/AfterTool":      claudeLike("AfterTool"),
		"claude-code/SubagentStart": claudeLike("SubagentStart"), "codex/SubagentStart": claudeLike("SubagentStart"),
		"opencode/SubagentStart":            claudeLike("SubagentStart"),
		"copilot-cli/subagentStart":         map[string]any{"additionalContext": "text"},
		"cursor/sessionStart":               map[string]any{"additional_context": "text"},
		"cursor/postToolUse":                map[string]any{"additional_context": "text"},
		"copilot-cli/sessionStart":          map[string]any{"additionalContext": "text"},
		"copilot-cli/userPromptTransformed": map[string]any{"modifiedTransformedPrompt": "text"},
		"copilot-cli/postToolUseFailure":    map[string]any{"additionalContext": "text"},
		"copilot-cli/preToolUse":            map[string]any{"additionalContext": "text"},
		"copilot-cli/postToolUse":           map[string]any{"additionalContext": "text"},
	}
}

func cmdExpand(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) > 0, "expand FILE...")
	inJSON := func(dir string) string {
		quoted, err := json.Marshal(dir)
		ts.Check(err)
		return string(quoted[1 : len(quoted)-1])
	}
	for _, file := range args {
		text := strings.NewReplacer("$CWD", inJSON(ts.MkAbs(".")), "$WORK", inJSON(ts.Getenv("WORK"))).Replace(ts.ReadFile(file))
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o666))
	}
}

func cmdAnswer(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "answer FILE SHAPE")
	want, ok := answerShapes()[args[1]]
	if !ok {
		ts.Fatalf("no shape %q: there are %v", args[1], slices.Sorted(maps.Keys(answerShapes())))
	}
	var got any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &got); err != nil {
		ts.Fatalf("not one JSON value: %v", err)
	}
	if err := fits(got, want); err != nil {
		ts.Fatalf("not what %s takes: %v", args[1], err)
	}
}

// fits is nil if a value has a shape: "text", "=" and a text, or an object of shapes.
func fits(got, want any) error {
	if members, ok := want.(map[string]any); ok {
		object, ok := got.(map[string]any)
		if !ok || !slices.Equal(slices.Sorted(maps.Keys(object)), slices.Sorted(maps.Keys(members))) {
			return fmt.Errorf("%v does not have the members %v", got, slices.Sorted(maps.Keys(members)))
		}
		for name, shape := range members {
			if err := fits(object[name], shape); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	}
	text, ok := got.(string)
	if value, fixed := strings.CutPrefix(want.(string), "="); !ok || text == "" || fixed && text != value {
		return fmt.Errorf("%v is not %v", got, want)
	}
	return nil
}
