package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
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
	}
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
		"codex/SessionStart":          claudeLike("SessionStart"), "codex/UserPromptSubmit": claudeLike("UserPromptSubmit"),
		"codex/PreToolUse": claudeLike("PreToolUse"), "codex/PostToolUse": claudeLike("PostToolUse"),
		"gemini-cli/SessionStart": claudeLike("SessionStart"), "gemini-cli/BeforeAgent": claudeLike("BeforeAgent"),
		"gemini-cli/AfterTool":              claudeLike("AfterTool"),
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
