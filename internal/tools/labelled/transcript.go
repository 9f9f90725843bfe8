package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// transcript writes a session in the record format of Claude Code.
type transcript struct {
	session, root string
	parent        any
	n             int
	at            time.Time
	out           bytes.Buffer
}

// transcript returns the records of a session that begins at a time in a folder, and the
// record at which each line begins, from 0.
func (s *session) transcript(root string, begins time.Time) (data []byte, at []int) {
	t := &transcript{session: "labelled-" + s.name, root: root, at: begins}
	for _, l := range s.lines {
		at = append(at, t.n)
		switch l.kind {
		case "user":
			t.user(l.text)
		case "agent":
			t.assistant(map[string]any{"type": "text", "text": l.text})
		case "run":
			command, result, _ := strings.Cut(l.text, " | ")
			t.run(command, result)
		case "file":
			name := root + "/" + l.text
			t.tool("Write", map[string]any{"file_path": name, "content": "x\n"}, "File created successfully at: "+name, map[string]any{"type": "create", "filePath": name, "content": "x\n"}, false)
		case "ask":
			at[len(at)-1]++ // the answer is what counts
			t.ask(l.text)
		}
	}
	return t.out.Bytes(), at
}

func (t *transcript) record(kind string, fields map[string]any) {
	t.n++
	t.at = t.at.Add(40 * time.Second)
	id := fmt.Sprintf("00000000-0000-4000-8000-%012d", t.n)
	r := map[string]any{
		"parentUuid": t.parent, "isSidechain": false, "userType": "external", "cwd": t.root, "sessionId": t.session,
		"version": "2.1.219", "gitBranch": "main", "type": kind, "uuid": id, "timestamp": t.at.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	for k, v := range fields {
		r[k] = v
	}
	t.parent = id
	line, _ := json.Marshal(r) // strings, numbers, maps and lists only
	t.out.Write(append(line, '\n'))
}

func (t *transcript) user(text string) {
	t.record("user", map[string]any{"message": map[string]any{"role": "user", "content": text}})
}

func (t *transcript) assistant(block map[string]any) {
	t.record("assistant", map[string]any{"message": map[string]any{
		"model": "claude-sonnet-4-6", "id": fmt.Sprintf("msg_%04d", t.n), "type": "message", "role": "assistant", "content": []any{block},
	}})
}

func (t *transcript) tool(name string, input map[string]any, result string, details any, failed bool) {
	id := fmt.Sprintf("toolu_%04d", t.n)
	t.assistant(map[string]any{"type": "tool_use", "id": id, "name": name, "input": input})
	answer := map[string]any{"tool_use_id": id, "type": "tool_result", "content": result}
	if failed {
		answer["is_error"] = true
	}
	t.record("user", map[string]any{"message": map[string]any{"role": "user", "content": []any{answer}}, "toolUseResult": details})
}

// run is a command. One whose result names an error failed.
func (t *transcript) run(command, result string) {
	failed := strings.Contains(result, "Error:") || strings.Contains(result, "FAIL") || strings.Contains(result, "undefined:")
	if failed {
		t.tool("Bash", map[string]any{"command": command}, "Exit code 1\n"+result, "Error: Exit code 1\n"+result, true)
		return
	}
	t.tool("Bash", map[string]any{"command": command}, result, map[string]any{"stdout": result, "stderr": "", "interrupted": false}, false)
}

// ask is a question to the user with its options and the chosen one.
func (t *transcript) ask(text string) {
	parts := strings.Split(text, " | ")
	var options []any
	for o := range strings.SplitSeq(parts[2], ";") {
		label, why, _ := strings.Cut(strings.TrimSpace(o), ":")
		options = append(options, map[string]any{"label": label, "description": strings.TrimSpace(why)})
	}
	questions := []any{map[string]any{"question": parts[1], "header": parts[0], "options": options, "multiSelect": false}}
	t.tool("AskUserQuestion", map[string]any{"questions": questions},
		fmt.Sprintf("User has answered your questions: %q=%q. You can now continue with the user's answers in mind.", parts[1], parts[3]),
		map[string]any{"questions": questions, "answers": map[string]any{parts[1]: parts[3]}}, false)
}
