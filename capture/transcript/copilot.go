package transcript

import (
	"bytes"
	"strings"
)

// copilot reads the events.jsonl of Copilot CLI, 0.0.354 to 1.0.85. What the
// user typed is user.message content; transformedContent has the harness's
// text in it and is never read. A tool call is announced in an
// assistant.message and started by an event of its own; the first counts. The
// lines of subagents stand among those of the session: their calls count, and their
// last words are a report.
type copilot struct {
	cwd   string
	calls map[string]copilotCall // of this turn
}

// copilotCall is a call whose result has not come yet.
type copilotCall struct {
	files    int // a patch: how many files it touches
	question string
	plan     bool
}

func newCopilot(cwd string) *copilot {
	return &copilot{cwd: cwd, calls: map[string]copilotCall{}}
}

// isCopilot recognises an event; line may be cut off.
func isCopilot(line []byte) bool {
	if looseField(line, "data") == nil {
		return false
	}
	switch typ := text(looseField(line, "type")); typ {
	case "session.start", "session.resume", "user.message", "assistant.message", "assistant.turn_start":
		return true
	}
	return false
}

func identifyCopilot(line []byte, id *Identity) bool {
	data := looseField(line, "data")
	switch text(looseField(line, "type")) {
	case "session.start", "session.resume":
		set(&id.Session, looseField(data, "sessionId"))
		set(&id.Cwd, looseField(data, "context", "cwd"))
		set(&id.Branch, looseField(data, "context", "branch"))
		set(&id.Head, looseField(data, "context", "headCommit"))
		set(&id.Model, looseField(data, "selectedModel"))
	case "session.model_change":
		set(&id.Model, looseField(data, "newModel"))
	case "assistant.message":
		set(&id.Model, looseField(data, "model"))
	}
	return id.Session != "" && id.Model != ""
}

func (c *copilot) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	var typ, stamp, data, agent []byte
	ok := eachField(line, func(key string, val []byte) bool {
		switch key {
		case "type":
			typ = val
		case "timestamp":
			stamp = val
		case "data":
			data = val
		case "agentId":
			agent = val
		}
		return true
	})
	if !ok {
		stats.BadLines++
		return
	}
	e := Event{Kind: Meta, Record: number, Time: parseTime(text(stamp)), Cwd: c.cwd}
	name := text(typ)
	if strings.HasPrefix(name, "subagent.") {
		return
	}
	if e.Subagent = text(agent); e.Subagent == "" {
		e.Subagent = text(field(data, "parentToolCallId"))
	}
	if e.Subagent != "" {
		c.subagent(name, data, e, emit)
		return
	}
	switch name {
	case "session.start", "session.resume", "session.context_changed":
		c.start(data, e, emit)
	case "user.message":
		c.user(data, e, emit)
	case "session.model_change":
		e.Model = text(field(data, "newModel"))
		emit(&e)
	case "assistant.message":
		e.Model = text(field(data, "model"))
		c.say(data, e, emit)
	case "tool.execution_start", "tool.execution_complete":
		c.tool(name, data, e, emit)
	case "abort":
		e.Kind = Interrupt
		emit(&e)
	case "session.compaction_complete":
		e.Kind, e.heard = Compaction, data
		emit(&e)
	case "session.title_changed":
		e.Kind, e.Text = Title, text(field(data, "title"))
		emit(&e)
	case "session.shutdown", "assistant.turn_end":
		emit(&e)
	default:
		family, _, _ := strings.Cut(name, ".")
		switch family {
		case "session", "assistant", "tool", "hook", "system", "skill", "permission", "user", "user_input", "elicitation", "command",
			"external_tool", "exit_plan_mode", "model", "pending_messages", "mcp", "result", "sampling", "auto_mode_switch":
		default:
			stats.unknown(name)
		}
	}
}

// tool reads that a call begins or has ended.
func (c *copilot) tool(name string, data []byte, e Event, emit func(*Event)) {
	e.ID = text(field(data, "toolCallId"))
	if name == "tool.execution_complete" {
		c.result(data, e, emit)
		return
	}
	c.call(text(field(data, "toolName")), field(data, "arguments"), e, emit)
}

// subagent reads a line of a subagent: its command lines, and as its report what it says
// without calling anything. What it was told is another agent's.
func (c *copilot) subagent(name string, data []byte, e Event, emit func(*Event)) {
	switch name {
	case "tool.execution_start", "tool.execution_complete":
		c.tool(name, data, e, func(e *Event) {
			if e.Kind == Result || e.Tool == ToolShell {
				emit(e)
			}
		})
	case "assistant.message":
		asked := false
		eachElem(field(data, "toolRequests"), func([]byte) bool {
			asked = true
			return false
		})
		if words := text(field(data, "content")); !asked && strings.TrimSpace(words) != "" {
			e.Kind, e.Text = Report, words
			emit(&e)
		}
	}
}

func (c *copilot) start(data []byte, e Event, emit func(*Event)) {
	e.Session = text(field(data, "sessionId"))
	where := field(data, "context")
	if where == nil {
		where = data
	}
	if c.cwd == "" {
		c.cwd = text(field(where, "cwd"))
	}
	e.Cwd, e.Branch, e.Model = c.cwd, text(field(where, "branch")), text(field(data, "selectedModel"))
	emit(&e)
}

func (c *copilot) user(data []byte, e Event, emit func(*Event)) {
	if source := text(field(data, "source")); source != "" && source != "user" {
		e.Kind, e.heard = Brought, data // put there by a skill or by the harness
		emit(&e)
		return
	}
	words, command := said(text(field(data, "content")))
	if words == "" && command == "" {
		return
	}
	e.Kind, e.Text, e.Command, e.heard = Prompt, words, command, data
	switch text(field(data, "delivery")) {
	case "steering", "immediate":
		e.Kind = Steer
	default:
		clear(c.calls)
	}
	emit(&e)
}

func (c *copilot) say(data []byte, e Event, emit func(*Event)) {
	ev := e
	if words := text(field(data, "content")); strings.TrimSpace(words) != "" {
		ev.Kind, ev.Text = Text, words
	}
	emit(&ev)
	eachElem(field(data, "toolRequests"), func(req []byte) bool {
		ev := e
		ev.ID = text(field(req, "toolCallId"))
		c.call(text(field(req, "name")), field(req, "arguments"), ev, emit)
		return true
	})
}

func (c *copilot) call(name string, args []byte, e Event, emit func(*Event)) {
	if _, ok := c.calls[e.ID]; ok || name == "" {
		return
	}
	if len(args) > 0 && args[0] == '"' {
		args = []byte(text(args))
	}
	var call copilotCall
	e.Kind, e.Name = Call, name
	switch name {
	case "bash", "powershell", "shell", "local_shell", "run_in_terminal":
		e.Tool, e.input = ToolShell, renamed(args, "command", "command", "cmd", "command")
	case "view", "read_file":
		e.Tool, e.input = ToolRead, renamed(args, "path", "file_path", "filePath", "file_path")
	case "create", "create_file", "write":
		e.Tool, e.input = ToolWrite, renamed(args, "path", "file_path", "filePath", "file_path", "file_text", "content", "content", "content")
	case "edit", "str_replace", "insert", "replace_string_in_file", "insert_edit_into_file":
		e.Tool, e.input = ToolEdit, renamed(args, "path", "file_path", "filePath", "file_path", "new_str", "new_string", "newString", "new_string")
	case "apply_patch":
		patch := string(args)
		if len(args) > 0 && args[0] == '{' {
			patch = text(field(args, "input")) + text(field(args, "patch"))
		}
		call.files = patchCalls(patch, c.cwd, e, emit)
		c.calls[e.ID] = call
		return
	case "update_todo":
		e.Tool, e.input = ToolTodos, checklist(text(field(args, "todos")))
	case "ask_user":
		call.question = text(field(args, "question"))
		e.Tool, e.input = ToolAsk, questionInput(call.question, field(args, "choices"))
	case "exit_plan_mode":
		call.plan = true
		e.Tool, e.input = ToolPlan, renamed(args, "plan", "plan", "summary", "plan")
	}
	c.calls[e.ID] = call
	emit(&e)
}

// questionInput makes the input of a question with a list of choices.
func questionInput(question string, choices []byte) []byte {
	var options []string
	eachElem(choices, func(raw []byte) bool {
		options = append(options, string(object("label", text(raw))))
		return len(options) < 20
	})
	q := string(object("question", question))
	return []byte(`{"questions":[` + strings.TrimSuffix(q, "}") + `,"options":[` + strings.Join(options, ",") + `]}]}`)
}

func (c *copilot) result(data []byte, e Event, emit func(*Event)) {
	call := c.calls[e.ID]
	e.Kind, e.heard = Result, data
	result, trouble := field(data, "result"), field(data, "error")
	content := field(result, "content")
	if content == nil {
		content = result
	}
	content = withoutOurs(content)
	code := string(field(data, "shellExecution", "exitCode"))
	e.Failed = string(field(data, "success")) == "false" || code != "" && code != "0" && code != "null" ||
		failedExit(content, "completed with exit code ", "exited with exit code ")
	if e.Failed {
		e.Refused, e.Text = copilotRefusal(trouble, content)
	}
	if !e.Refused {
		e.Output = outputOf(content, e.Failed)
		if e.Failed && e.Output == "" {
			e.Output = outputOf(field(trouble, "message"), true)
		}
	}
	if !e.Failed && len(content) <= resultLimit {
		words := text(content)
		switch {
		case call.question != "":
			if chosen := userAnswer(words); chosen != "" {
				e.Answers = []Answer{{Question: call.question, Chosen: chosen}}
			}
		case call.plan && strings.Contains(strings.ToLower(words[:min(len(words), 200)]), "approved"):
			e.Text = "approved"
		}
	}
	results(e, call.files, emit)
}

// copilotRefusal reads the words with which a user turned a call down.
func copilotRefusal(trouble, content []byte) (refused bool, words string) {
	for _, raw := range [][]byte{field(trouble, "message"), trouble, content} {
		if len(raw) > resultLimit || !bytes.Contains(bytes.ToLower(raw), []byte("user rejected")) {
			continue
		}
		_, after, found := strings.Cut(text(raw), "eedback:")
		if !found {
			return true, ""
		}
		words, _ = said(strings.TrimSpace(after))
		return true, words
	}
	return false, ""
}

// userAnswer takes the words off with which the answer to a question is
// introduced, as in "User selected: both".
func userAnswer(s string) string {
	if head, rest, found := strings.Cut(s, ": "); found && len(head) < 40 && strings.HasPrefix(head, "User ") {
		s = rest
	}
	words, _ := typed(s)
	switch {
	case strings.HasPrefix(words, "The user is not available"), strings.HasPrefix(words, "User skipped"), strings.HasPrefix(words, "User declined"):
		return ""
	}
	return words
}
