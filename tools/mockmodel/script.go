package mockmodel

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Script is a list of answers. Each result of a tool is followed by the next one, and the
// last one is given again after the end.
type Script []Step

// Step is one answer: a text, the call of a tool, or both. Tokens are those that the
// request is said to have had, where that matters.
type Step struct {
	Thought string `json:"thought"` // that the model has before it answers
	Text    string `json:"text"`
	Tool    *Tool  `json:"tool"`
	Tokens  int    `json:"tokens"`
}

// Tool is the call of a tool. Kind is "shell", "agent" (a subagent), "mcp" (a tool whose
// name ends with Name), "raw" (the tool Name) or "report" (what a subagent ends with, where
// an agent has a tool for that).
type Tool struct {
	Kind   string         `json:"kind"`
	Cmd    string         `json:"cmd"`
	Prompt string         `json:"prompt"`
	Name   string         `json:"name"`
	Args   map[string]any `json:"args"`
}

const tokensAsked = 1200

// Summary is the answer to a request to sum up a session. It says what nobody said, also in
// the form in which an agent is asked to.
const Summary = "<analysis>short</analysis>\n<summary>\n1. Primary request: look into the failing import.\n" +
	"2. Decision: gauge readings are kept in a heap file, because the archive may not grow.\n\n" +
	"[MEMORY: decision] Gauge readings are kept in a heap file, because the archive may not grow.\n</summary>"

// conversation is a request in the words of no interface.
type conversation struct {
	model   string
	stream  bool
	turns   []turn
	tools   map[string]schema
	summary bool           // it asks for a summary of the conversation
	answer  map[string]any // schema that the answer is to have; nil for a text
}

// turn is a text of the user or the model, or a call of a tool or its result.
type turn struct {
	role, text string
}

const (
	userRole   = "user"
	resultRole = "result"
)

// schema is the schema of the arguments of a tool.
type schema struct {
	Properties map[string]struct {
		Type any   `json:"type"`
		Enum []any `json:"enum"`
	} `json:"properties"`
}

// saying is an answer that was chosen.
type saying struct {
	id     string
	script string
	step   int

	thought string
	text    string
	call    string // name of a tool, "" for none
	callID  string
	args    map[string]any
	tokens  int
}

// promptEnd is how many bytes at the end of a prompt may ask for a summary.
const promptEnd = 8000

// marker matches the name of a script in a prompt.
var marker = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`@@(\w+)@@`) })

// sumUp matches what agents ask for when they sum up a session.
var sumUp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)detailed summary of (the|our|this) conversation|CONTEXT CHECKPOINT COMPACTION|` +
		`state_snapshot|summar(y|ize) (of )?(the|our) conversation|detailed prompt for continuing|` +
		`anchored summary|<summary>`)
})

// choose returns the next step of the script that the last prompt names.
func (c conversation) choose(scripts map[string]Script, prompts map[string]string) saying {
	if c.summary || sumUp().MatchString(c.lastPrompt()) {
		text := Summary
		if strings.Contains(c.lastPrompt(), "<state_snapshot>") {
			text = "<state_snapshot>\n" + Summary + "\n</state_snapshot>"
		}
		return saying{script: "summary", text: text, tokens: tokensAsked}
	}
	if c.answer != nil {
		text, _ := json.Marshal(example(c.answer))
		return saying{script: "json", text: string(text), tokens: tokensAsked}
	}
	name, step := c.place(prompts)
	script := scripts[name]
	if len(c.tools) == 0 || len(script) == 0 {
		return saying{text: "The import of gauges", tokens: tokensAsked}
	}
	now := script[min(step, len(script)-1)]
	said := saying{script: name, step: step, thought: now.Thought, text: now.Text, tokens: max(now.Tokens, tokensAsked)}
	if now.Tool == nil {
		return said
	}
	if now.Tool.Kind == "report" {
		return said.reported(c.tools)
	}
	if said.call, said.args = now.Tool.among(c.tools); said.call == "" {
		names := slices.Sorted(maps.Keys(c.tools))
		said.text = fmt.Sprintf("%s [no tool for %s among %s]", said.text, now.Tool.Kind, names)
	}
	return said
}

// reported is an answer as the report of a subagent.
func (s saying) reported(tools map[string]schema) saying {
	if s.call = firstOf(tools, "complete_task"); s.call != "" {
		s.args = map[string]any{"result": map[string]any{"response": s.text}}
	}
	return s
}

// place returns the script that the last prompt names, by a marker or by what it says, and how
// many calls have had their results since.
func (c conversation) place(prompts map[string]string) (script string, step int) {
	for _, t := range c.turns {
		switch t.role {
		case resultRole:
			step++
		case userRole:
			if strings.HasPrefix(t.text, "<hook_context>") {
				continue // of no user
			}
			if found := marker().FindAllStringSubmatch(t.text, -1); found != nil {
				script, step = found[len(found)-1][1], 0
			}
			for prompt, name := range prompts {
				if strings.Contains(t.text, prompt) {
					script, step = name, 0
				}
			}
		}
	}
	return script, step
}

// lastPrompt is the end of the last text of the user.
func (c conversation) lastPrompt() string {
	for _, t := range slices.Backward(c.turns) {
		if t.role == userRole {
			return t.text[max(0, len(t.text)-promptEnd):]
		}
	}
	return ""
}

// among returns the name and the arguments of the tool that an agent has for a call, ""
// where it has none.
func (t *Tool) among(tools map[string]schema) (string, map[string]any) {
	switch t.Kind {
	case "shell":
		name := firstOf(tools, "Bash", "bash", "run_shell_command", "shell_command", "exec_command")
		return name, tools[name].fill(map[string]any{
			"command": t.Cmd, "cmd": t.Cmd, "description": "Run it", "is_background": false,
		})
	case "agent":
		name := firstOf(tools, "Agent", "Task", "task", "spawn_agent", "collaboration.spawn_agent", "invoke_agent")
		return name, tools[name].fill(map[string]any{
			"prompt": t.Prompt, "message": t.Prompt, "description": "Look at the archive", "name": "archive-look",
			"subagent_type": t.kindFor(tools[name], "subagent_type"),
			"agent_type":    t.kindFor(tools[name], "agent_type"),
			"agent_name":    "generalist", "task_name": "archive_look", "fork_turns": "none", "mode": "sync",
			"run_in_background": false,
		})
	case "mcp":
		for _, name := range slices.Sorted(maps.Keys(tools)) {
			if strings.HasSuffix(name, t.Name) {
				return name, t.Args
			}
		}
	case "raw":
		return firstOf(tools, t.Name), t.Args
	}
	return "", nil
}

// kindFor is the kind of subagent that is asked for.
func (t *Tool) kindFor(s schema, property string) any {
	if kind := t.Args[property]; kind != nil {
		return kind
	}
	if kinds := s.Properties[property].Enum; len(kinds) > 0 {
		return kinds[0]
	}
	return "general-purpose"
}

// fill returns those of some values that the schema names.
func (s schema) fill(values map[string]any) map[string]any {
	out := map[string]any{}
	for name := range s.Properties {
		if value, ok := values[name]; ok {
			out[name] = value
		}
	}
	return out
}

// firstOf returns the first of some names that an agent has a tool of, "" for none.
func firstOf(tools map[string]schema, names ...string) string {
	for _, name := range names {
		if _, ok := tools[name]; ok {
			return name
		}
	}
	return ""
}

// example returns a value that a JSON schema allows.
func example(schema map[string]any) any {
	if values, ok := schema["enum"].([]any); ok && len(values) > 0 {
		return values[0]
	}
	kind, _ := schema["type"].(string)
	switch strings.ToLower(kind) {
	case "object":
		out := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for name, of := range properties {
			inner, _ := of.(map[string]any)
			out[name] = example(inner)
		}
		return out
	case "array":
		return []any{}
	case "number", "integer":
		return 50
	case "boolean":
		return true
	}
	return "mock"
}

// textOf is the text in a value that is a text, a list of parts, or a part.
func textOf(raw json.RawMessage) string {
	var text string
	if len(raw) == 0 || json.Unmarshal(raw, &text) == nil {
		return text
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) == nil {
		texts := make([]string, 0, len(parts))
		for _, p := range parts {
			texts = append(texts, textOf(p))
		}
		return strings.Join(texts, "\n")
	}
	var part struct {
		Text    string          `json:"text"`
		Sealed  string          `json:"encrypted_content"` // here nobody seals it
		Output  json.RawMessage `json:"output"`
		Content json.RawMessage `json:"content"`
	}
	if json.Unmarshal(raw, &part) != nil {
		return ""
	}
	return part.Text + part.Sealed + textOf(part.Output) + textOf(part.Content)
}
