package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/transcripttest"
)

// transcript is a session of Claude Code that is being written.
type transcript struct {
	transcripttest.Transcript
	tasks int // how many tasks there are
}

func newTranscript(session, root string) *transcript {
	return &transcript{Transcript: transcripttest.Transcript{
		Session: session, Root: root, At: time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC), Step: 7 * time.Second,
	}}
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
	t.Tool("TodoWrite", map[string]any{"todos": todos}, "Todos have been modified successfully.", map[string]any{"newTodos": todos}, false)
}

// sessionFrom makes a transcript of lines; that of a subagent where the session's name
// is PARENT/OWN:
//
//	user TEXT                                        a prompt; \n breaks lines
//	agent TEXT                                       the agent's words
//	report TEXT                                      what a subagent hands back
//	ask HEADER | QUESTION | A: why; B: why | ANSWER  a question to the user
//	file PATH                                        the agent writes a file
//	read PATH                                        the agent reads a file
//	run COMMAND | RESULT                             the agent runs a command
//	fail COMMAND | ERROR                             the agent runs a command that fails
//	stop                                             the user stops the agent
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
			t.User(text)
		case "agent":
			t.Agent(text)
		case "report":
			t.Tool("Task", map[string]any{"prompt": "Look at it"}, "done", map[string]any{
				"status": "completed", "agentId": "a1", "totalDurationMs": 12, "content": []any{map[string]any{"type": "text", "text": text}},
			}, false)
		case "file":
			t.Create(text, "package x\n")
		case "todo":
			t.todo(text)
		case "tasknew":
			t.tasks++
			t.Tool("TaskCreate", map[string]any{"subject": text, "description": text, "activeForm": text}, fmt.Sprintf("Task #%d created successfully: %s", t.tasks, text),
				map[string]any{"task": map[string]any{"id": fmt.Sprint(t.tasks), "subject": text}}, false)
		case "taskset":
			id, status, _ := strings.Cut(text, " ")
			t.Tool("TaskUpdate", map[string]any{"taskId": id, "status": status}, "Updated task #"+id+" status", map[string]any{"success": true, "taskId": id}, false)
		case "plan":
			t.Tool("ExitPlanMode", map[string]any{"plan": text}, "User has approved your plan. You can now start coding.", map[string]any{"plan": text, "isAgent": false}, false)
		case "run":
			command, result, _ := strings.Cut(text, " | ")
			t.Run(command, result)
		case "read":
			t.Tool("Read", map[string]any{"file_path": t.Root + "/" + text}, "package x", nil, false)
		case "fail":
			command, said, _ := strings.Cut(text, " | ")
			t.Tool("Bash", map[string]any{"command": command}, said, nil, true)
		case "stop":
			t.User("[Request interrupted by user]")
		case "after":
			d, err := time.ParseDuration(text)
			if err != nil {
				return nil, err
			}
			t.At = t.At.Add(d)
		case "ask":
			parts := strings.Split(text, " | ")
			if len(parts) != 4 {
				return nil, fmt.Errorf("ask has four parts: %s", line)
			}
			t.Ask(parts[0], parts[1], parts[2], parts[3])
		default:
			return nil, fmt.Errorf("unknown line: %s", line)
		}
	}
	return t.Bytes(), nil
}
