package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// scene is a session in the words of a test, to be written in the format of any agent.
type scene []beat

// beat is one thing that happens in a scene.
type beat struct {
	kind beatKind
	name string // of a file that is read, a page, a command, a tool of a server
	text string
}

type beatKind int

const (
	userSays beatKind = iota
	agentSays
	fileRead
	pageRead
	shellRan
	shellFailed
	serverAnswered // a tool of an MCP server
	helperReported // a subagent
	summarised     // a compaction
	attached       // what the harness put beside the prompt
)

// tool is the name and the input of the call of a beat, as most agents have it.
func (b beat) tool() (name string, input map[string]any) {
	switch b.kind {
	case fileRead:
		return "Read", map[string]any{"file_path": b.name}
	case pageRead:
		return "WebFetch", map[string]any{"url": b.name, "prompt": "Summarise it."}
	case serverAnswered:
		return "mcp__tracker__" + b.name, map[string]any{"number": 4}
	case helperReported:
		return "Task", map[string]any{"prompt": "Look into " + b.name}
	}
	return "Bash", map[string]any{"command": b.name}
}

// sceneFormats writes a scene as the transcript of each agent; the ending of its file's
// name is the agent's.
func sceneFormats() map[string]func(sceneAt, scene) []byte {
	return map[string]func(sceneAt, scene) []byte{
		"claude-code": claudeScene, "codex": codexScene, "copilot-cli": copilotScene,
		"gemini-cli": geminiScene, "opencode": opencodeScene, "cursor": cursorScene,
	}
}

// sceneAt is where and when a scene plays.
type sceneAt struct{ session, cwd string }

func (sceneAt) time(n int) string { return fmt.Sprintf("2026-11-03T09:%02d:%02d.000Z", n/60, n%60) }

func jsonLine(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b) + "\n"
}

type object = map[string]any

func claudeScene(at sceneAt, s scene) []byte {
	var out strings.Builder
	line := func(typ string, n int, more object) {
		rec := object{
			"type": typ, "uuid": fmt.Sprintf("u%d-%s", n, typ), "parentUuid": nil, "isSidechain": false, "userType": "external",
			"sessionId": at.session, "cwd": at.cwd, "timestamp": at.time(n), "version": "2.1.330",
		}
		for k, v := range more {
			rec[k] = v
		}
		out.WriteString(jsonLine(rec))
	}
	said := func(role string, content any) object {
		return object{"message": object{"role": role, "content": content}}
	}
	for n, b := range s {
		id := fmt.Sprintf("toolu_%d", n)
		switch b.kind {
		case userSays:
			line("user", n, said("user", b.text))
		case agentSays:
			line("assistant", n, said("assistant", []any{object{"type": "text", "text": b.text}}))
		case summarised:
			more := said("user", b.text)
			more["isCompactSummary"], more["isVisibleInTranscriptOnly"] = true, true
			line("user", n, more)
		case attached:
			line("attachment", n, object{"attachment": object{"type": "file", "filename": b.name, "content": object{"type": "text", "file": object{"content": b.text}}}})
		default:
			name, input := b.tool()
			line("assistant", n, said("assistant", []any{object{"type": "tool_use", "id": id, "name": name, "input": input}}))
			more := said("user", []any{object{"type": "tool_result", "tool_use_id": id, "content": b.text, "is_error": b.kind == shellFailed}})
			if b.kind == helperReported {
				more["toolUseResult"] = object{"agentId": "a1", "totalDurationMs": 4, "content": []any{object{"type": "text", "text": b.text}}}
			}
			line("user", n, more)
		}
	}
	return []byte(out.String())
}

func codexScene(at sceneAt, s scene) []byte {
	var out strings.Builder
	line := func(typ string, n int, payload object) {
		out.WriteString(jsonLine(object{"timestamp": at.time(n), "type": typ, "payload": payload}))
	}
	line("session_meta", 0, object{"id": at.session, "cwd": at.cwd, "originator": "codex_exec", "cli_version": "0.169.0", "source": "exec"})
	line("turn_context", 0, object{"cwd": at.cwd, "model": "gpt-5.5"})
	for n, b := range s {
		id := fmt.Sprintf("call_%d", n)
		switch b.kind {
		case userSays:
			line("response_item", n, object{"type": "message", "role": "user", "content": []any{object{"type": "input_text", "text": b.text}}})
			line("event_msg", n, object{"type": "user_message", "message": b.text})
		case agentSays:
			line("event_msg", n, object{"type": "agent_message", "message": b.text})
			line("response_item", n, object{"type": "message", "role": "assistant", "content": []any{object{"type": "output_text", "text": b.text}}})
		case summarised:
			line("compacted", n, object{"message": b.text})
		case attached:
			line("response_item", n, object{"type": "message", "role": "developer", "content": []any{object{"type": "input_text", "text": b.text}}})
		default:
			name, input := b.tool()
			if name == "Read" {
				name, input = "exec_command", object{"cmd": "cat " + b.name}
			}
			if name == "Bash" {
				name, input = "exec_command", object{"cmd": b.name}
			}
			code := 0
			if b.kind == shellFailed {
				code = 1
			}
			line("response_item", n, object{"type": "function_call", "name": name, "call_id": id, "arguments": strings.TrimSpace(jsonLine(input))})
			line("response_item", n, object{"type": "function_call_output", "call_id": id, "output": fmt.Sprintf("Chunk ID: 1\nProcess exited with code %d\nOutput:\n%s", code, b.text)})
		}
	}
	return []byte(out.String())
}

func copilotScene(at sceneAt, s scene) []byte {
	var out strings.Builder
	line := func(typ string, n int, data object) {
		out.WriteString(jsonLine(object{"type": typ, "data": data, "id": fmt.Sprintf("e%d-%s", n, typ), "timestamp": at.time(n)}))
	}
	line("session.start", 0, object{"sessionId": at.session, "copilotVersion": "1.0.102", "context": object{"cwd": at.cwd, "gitRoot": at.cwd}})
	for n, b := range s {
		id := fmt.Sprintf("t%d", n)
		switch b.kind {
		case userSays:
			line("user.message", n, object{"content": b.text, "transformedContent": "<current_datetime>now</current_datetime>\n\n" + b.text, "delivery": "idle"})
		case agentSays:
			line("assistant.message", n, object{"messageId": id, "content": b.text, "toolRequests": []any{}})
		case summarised:
			line("session.compaction_complete", n, object{"summaryContent": b.text, "success": true})
		case attached:
			line("user.message", n, object{"content": b.text, "source": "skill-notes"})
		default:
			name, input := b.tool()
			switch name {
			case "Read":
				name, input = "view", object{"path": b.name}
			case "Bash":
				name = "bash"
			}
			line("assistant.message", n, object{"messageId": id, "content": "", "toolRequests": []any{object{"toolCallId": id, "name": name, "arguments": input}}})
			line("tool.execution_complete", n, object{"toolCallId": id, "success": b.kind != shellFailed, "result": object{"content": b.text}})
		}
	}
	return []byte(out.String())
}

func geminiScene(at sceneAt, s scene) []byte {
	var out strings.Builder
	out.WriteString(jsonLine(object{"sessionId": at.session, "projectHash": "c0ffee", "startTime": at.time(0), "lastUpdated": at.time(0), "kind": "main", "directories": []string{at.cwd}}))
	for n, b := range s {
		id := fmt.Sprintf("m%d", n)
		rec := object{"id": id, "timestamp": at.time(n)}
		switch b.kind {
		case userSays:
			rec["type"], rec["content"] = "user", []any{object{"text": b.text}}
		case agentSays:
			rec["type"], rec["content"], rec["model"] = "gemini", b.text, "gemini-3-pro"
		case summarised:
			rec["type"], rec["content"] = "user", []any{object{"text": "<state_snapshot>\n" + b.text + "\n</state_snapshot>"}}
		case attached:
			rec["type"], rec["content"] = "user", []any{object{"text": "Go on.\n<hook_context>\n" + b.text + "\n</hook_context>"}}
		default:
			name, input := b.tool()
			status := "success"
			switch name {
			case "Read":
				name = "read_file"
			case "Bash":
				name = "run_shell_command"
				if b.kind == shellFailed {
					b.text = "Command: x\nOutput: " + b.text + "\nExit Code: 1"
				}
			}
			rec["type"], rec["content"], rec["model"] = "gemini", "", "gemini-3-pro"
			rec["toolCalls"] = []any{object{
				"id": id, "name": name, "args": input, "status": status, "timestamp": at.time(n),
				"result": []any{object{"functionResponse": object{"id": id, "name": name, "response": object{"output": b.text}}}},
			}}
		}
		out.WriteString(jsonLine(rec))
	}
	return []byte(out.String())
}

func opencodeScene(at sceneAt, s scene) []byte {
	const start = 1793696400000
	messages := []any{}
	add := func(role string, n int, parts ...any) {
		messages = append(messages, object{
			"info":  object{"id": fmt.Sprintf("msg_%04d", n), "sessionID": at.session, "role": role, "time": object{"created": start + 1000*n}, "modelID": "sonnet", "path": object{"cwd": at.cwd, "root": at.cwd}},
			"parts": parts,
		})
	}
	for n, b := range s {
		switch b.kind {
		case userSays:
			add("user", n, object{"type": "text", "text": b.text})
		case agentSays:
			add("assistant", n, object{"type": "text", "text": b.text})
		case summarised:
			add("assistant", n, object{"type": "text", "text": b.text})
			messages[len(messages)-1].(object)["info"].(object)["summary"] = true
		case attached:
			add("user", n, object{"type": "text", "text": b.text, "synthetic": true})
		default:
			name, input := b.tool()
			metadata := object{}
			switch name {
			case "Read":
				name, input = "read", object{"filePath": b.name}
			case "Bash":
				name, metadata = "bash", object{"exit": 0}
				if b.kind == shellFailed {
					metadata["exit"] = 1
				}
			case "Task":
				name = "task"
			}
			add("assistant", n, object{"type": "tool", "callID": fmt.Sprintf("c%d", n), "tool": name, "state": object{
				"status": "completed", "input": input, "output": b.text, "metadata": metadata, "time": object{"start": start + 1000*n},
			}})
		}
	}
	return []byte(jsonLine(object{
		"info":     object{"id": at.session, "directory": at.cwd, "title": "A session", "version": "1.18.33", "time": object{"created": start, "updated": start}},
		"messages": messages,
	}))
}

func cursorScene(_ sceneAt, s scene) []byte {
	var out strings.Builder
	line := func(role string, parts ...any) {
		out.WriteString(jsonLine(object{"role": role, "message": object{"content": parts}}))
	}
	for _, b := range s {
		switch b.kind {
		case userSays:
			line("user", object{"type": "text", "text": "<user_query>\n" + b.text + "\n</user_query>"})
		case agentSays:
			line("assistant", object{"type": "text", "text": b.text})
		case summarised, attached:
			line("user", object{"type": "text", "text": "<attached_files>\n" + b.text + "\n</attached_files>\n<user_query>\nGo on.\n</user_query>"})
		default: // what a call returned is not in its transcripts
			name, input := b.tool()
			if name == "Read" {
				input = object{"path": b.name}
			}
			line("assistant", object{"type": "tool_use", "name": name, "input": input})
		}
	}
	return []byte(out.String())
}
