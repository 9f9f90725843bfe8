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
	buf           bytes.Buffer
	tasks         int // how many tasks there are
}

func newTranscript(session, root string) *transcript {
	return &transcript{session: session, root: root, at: time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)}
}

// record adds one line; the fields every record has are filled in.
func (t *transcript) record(kind string, fields map[string]any) {
	t.n++
	t.at = t.at.Add(7 * time.Second)
	uuid := fmt.Sprintf("00000000-0000-4000-8000-%012d", t.n)
	r := map[string]any{
		"parentUuid": t.parent, "isSidechain": false, "userType": "external", "cwd": t.root,
		"sessionId": t.session, "version": "2.1.219", "gitBranch": "main", "type": kind,
		"uuid": uuid, "timestamp": t.at.Format("2006-01-02T15:04:05.000Z"),
	}
	if parent, own, found := strings.Cut(t.session, "/"); found {
		r["sessionId"], r["agentId"], r["isSidechain"] = parent, own, true
	}
	for key, value := range fields {
		r[key] = value
	}
	t.parent = uuid
	line, _ := json.Marshal(r) // strings, numbers, maps and lists only
	t.buf.Write(append(line, '\n'))
}

func (t *transcript) user(text string) {
	t.record("user", map[string]any{"message": map[string]any{"role": "user", "content": text}})
}

func (t *transcript) assistant(block map[string]any) {
	t.record("assistant", map[string]any{
		"message": map[string]any{
			"model": "claude-sonnet-4-6", "id": fmt.Sprintf("msg_%04d", t.n), "type": "message", "role": "assistant",
			"content": []any{block}, "stop_reason": nil, "stop_sequence": nil,
			"usage": map[string]any{"input_tokens": 6, "output_tokens": 40},
		},
		"requestId": fmt.Sprintf("req_%04d", t.n),
	})
}

func (t *transcript) agent(text string) { t.assistant(map[string]any{"type": "text", "text": text}) }

func (t *transcript) tool(name string, input map[string]any, result string, details any) {
	id := fmt.Sprintf("toolu_%04d", t.n)
	t.assistant(map[string]any{"type": "tool_use", "id": id, "name": name, "input": input})
	t.record("user", map[string]any{
		"message": map[string]any{"role": "user", "content": []any{
			map[string]any{"tool_use_id": id, "type": "tool_result", "content": result},
		}},
		"toolUseResult": details,
	})
}

// ask is a question to the user with its options and the chosen one.
func (t *transcript) ask(header, question, options, answer string) {
	var opts []any
	for o := range strings.SplitSeq(options, ";") {
		label, description, _ := strings.Cut(strings.TrimSpace(o), ":")
		opts = append(opts, map[string]any{"label": label, "description": strings.TrimSpace(description)})
	}
	questions := []any{map[string]any{"question": question, "header": header, "options": opts, "multiSelect": false}}
	t.tool("AskUserQuestion", map[string]any{"questions": questions},
		fmt.Sprintf("User has answered your questions: %q=%q. You can now continue with the user's answers in mind.", question, answer),
		map[string]any{"questions": questions, "answers": map[string]any{question: answer}})
}

func (t *transcript) writeFile(name string) {
	path := t.root + "/" + name
	t.tool("Write", map[string]any{"file_path": path, "content": "package x\n"}, "File created successfully at: "+path,
		map[string]any{"type": "create", "filePath": path, "content": "package x\n", "structuredPatch": []any{}})
}

// todo is a to-do list: what is done has "x " before it, what is in progress "> ".
func (t *transcript) todo(list string) {
	var todos []any
	for s := range strings.SplitSeq(list, "; ") {
		status := "pending"
		if text, ok := strings.CutPrefix(s, "x "); ok {
			s, status = text, "completed"
		} else if text, ok := strings.CutPrefix(s, "> "); ok {
			s, status = text, "in_progress"
		}
		todos = append(todos, map[string]any{"content": s, "status": status, "activeForm": s})
	}
	t.tool("TodoWrite", map[string]any{"todos": todos}, "Todos have been modified successfully.", map[string]any{"newTodos": todos})
}

// sessionFrom makes a transcript of lines; that of a subagent where the session's name
// is PARENT/OWN:
//
//	user TEXT                                        a prompt; \n breaks lines
//	agent TEXT                                       the agent's words
//	report TEXT                                      what a subagent hands back
//	ask HEADER | QUESTION | A: why; B: why | ANSWER  a question to the user
//	file PATH                                        the agent writes a file
//	run COMMAND | RESULT                             the agent runs a command
//	todo x DONE; > CURRENT; OPEN                     the agent writes its to-do list
//	tasknew TEXT                                     the agent adds a task to its list
//	taskset N STATUS                                 the agent says how task N stands
//	plan TEXT                                        a plan that the user approves
//	after DURATION                                   time passes, such as 90m
func sessionFrom(spec, session, root string) ([]byte, error) {
	t := newTranscript(session, root)
	for line := range strings.Lines(spec) {
		line = strings.TrimSpace(line)
		kind, text, _ := strings.Cut(line, " ")
		text = strings.ReplaceAll(text, `\n`, "\n")
		switch kind {
		case "", "#":
		case "user":
			t.user(text)
		case "agent":
			t.agent(text)
		case "report":
			t.tool("Task", map[string]any{"prompt": "Look at it"}, "done", map[string]any{
				"status": "completed", "agentId": "a1", "totalDurationMs": 12, "content": []any{map[string]any{"type": "text", "text": text}},
			})
		case "file":
			t.writeFile(text)
		case "todo":
			t.todo(text)
		case "tasknew":
			t.tasks++
			t.tool("TaskCreate", map[string]any{"subject": text, "description": text, "activeForm": text}, fmt.Sprintf("Task #%d created successfully: %s", t.tasks, text),
				map[string]any{"task": map[string]any{"id": fmt.Sprint(t.tasks), "subject": text}})
		case "taskset":
			id, status, _ := strings.Cut(text, " ")
			t.tool("TaskUpdate", map[string]any{"taskId": id, "status": status}, "Updated task #"+id+" status", map[string]any{"success": true, "taskId": id})
		case "plan":
			t.tool("ExitPlanMode", map[string]any{"plan": text}, "User has approved your plan. You can now start coding.", map[string]any{"plan": text, "isAgent": false})
		case "run":
			command, result, _ := strings.Cut(text, " | ")
			t.tool("Bash", map[string]any{"command": command}, result, map[string]any{"stdout": result, "stderr": "", "interrupted": false})
		case "after":
			d, err := time.ParseDuration(text)
			if err != nil {
				return nil, err
			}
			t.at = t.at.Add(d)
		case "ask":
			parts := strings.Split(text, " | ")
			if len(parts) != 4 {
				return nil, fmt.Errorf("ask has four parts: %s", line)
			}
			t.ask(parts[0], parts[1], parts[2], parts[3])
		default:
			return nil, fmt.Errorf("unknown line: %s", line)
		}
	}
	return t.buf.Bytes(), nil
}
