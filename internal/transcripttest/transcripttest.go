// Package transcripttest writes transcripts as Claude Code does, for tests and for tools that
// measure. Set the fields of a [Transcript], say what happens, and take [Transcript.Bytes].
package transcripttest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Transcript is a session that is being written. Each record is one line of JSON, and the
// child of the one before it.
type Transcript struct {
	Session string        // its id; PARENT/OWN for a subagent's
	Root    string        // the folder in which it runs
	At      time.Time     // of the last record
	Step    time.Duration // between two records
	Records int           // written so far

	parent any
	out    bytes.Buffer
}

// Bytes returns the records that were written.
func (t *Transcript) Bytes() []byte { return t.out.Bytes() }

// User writes a prompt.
func (t *Transcript) User(text string) {
	t.record("user", map[string]any{"message": map[string]any{"role": "user", "content": text}})
}

// Agent writes the agent's words.
func (t *Transcript) Agent(text string) {
	t.assistant(map[string]any{"type": "text", "text": text})
}

// Tool writes a call of a tool, the result that the agent reads, and the details that
// Claude Code keeps of it.
func (t *Transcript) Tool(name string, input map[string]any, result string, details any, failed bool) {
	id := fmt.Sprintf("toolu_%04d", t.Records)
	t.assistant(map[string]any{"type": "tool_use", "id": id, "name": name, "input": input})
	answer := map[string]any{"tool_use_id": id, "type": "tool_result", "content": result}
	if failed {
		answer["is_error"] = true
	}
	t.record("user", map[string]any{
		"message":       map[string]any{"role": "user", "content": []any{answer}},
		"toolUseResult": details,
	})
}

// Run writes a command that worked, and what it printed.
func (t *Transcript) Run(command, printed string) {
	t.Tool("Bash", map[string]any{"command": command}, printed,
		map[string]any{"stdout": printed, "stderr": "", "interrupted": false}, false)
}

// Create writes that the agent makes a file, named from the root.
func (t *Transcript) Create(name, content string) {
	path := t.Root + "/" + name
	t.Tool("Write", map[string]any{"file_path": path, "content": content}, "File created successfully at: "+path,
		map[string]any{"type": "create", "filePath": path, "content": content, "structuredPatch": []any{}}, false)
}

// Ask writes a question to the user, its options ("A: why; B: why") and the answer.
func (t *Transcript) Ask(header, question, options, answer string) {
	var choices []any
	for o := range strings.SplitSeq(options, ";") {
		label, why, _ := strings.Cut(strings.TrimSpace(o), ":")
		choices = append(choices, map[string]any{"label": label, "description": strings.TrimSpace(why)})
	}
	questions := []any{map[string]any{"question": question, "header": header, "options": choices, "multiSelect": false}}
	t.Tool("AskUserQuestion", map[string]any{"questions": questions},
		fmt.Sprintf("User has answered your questions: %q=%q. You can now continue with the user's answers in mind.",
			question, answer),
		map[string]any{"questions": questions, "answers": map[string]any{question: answer}}, false)
}

func (t *Transcript) assistant(block map[string]any) {
	t.record("assistant", map[string]any{
		"message": map[string]any{
			"model": "claude-sonnet-4-6", "id": fmt.Sprintf("msg_%04d", t.Records), "type": "message",
			"role":    "assistant",
			"content": []any{block}, "stop_reason": nil, "stop_sequence": nil,
			"usage": map[string]any{"input_tokens": 6, "output_tokens": 40},
		},
		"requestId": fmt.Sprintf("req_%04d", t.Records),
	})
}

// record adds a line; the fields that every record has are filled in.
func (t *Transcript) record(kind string, fields map[string]any) {
	t.Records++
	t.At = t.At.Add(t.Step)
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", t.Records)
	r := map[string]any{
		"parentUuid": t.parent, "isSidechain": false, "userType": "external", "cwd": t.Root,
		"sessionId": t.Session, "version": "2.1.219", "gitBranch": "main", "type": kind,
		"uuid": id, "timestamp": t.At.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	if parent, own, found := strings.Cut(t.Session, "/"); found {
		r["sessionId"], r["agentId"], r["isSidechain"] = parent, own, true
	}
	for key, value := range fields {
		r[key] = value
	}
	t.parent = id
	line, _ := json.Marshal(r) // strings, numbers, maps and lists only
	t.out.Write(append(line, '\n'))
}
