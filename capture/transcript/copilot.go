package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
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

func newCopilot(id *Identity) adapter {
	return &copilot{cwd: id.Cwd, calls: map[string]copilotCall{}}
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
	return id.known()
}

func (c *copilot) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	var typ, stamp, data, agent []byte
	ok := members(
		line,
		member{"type", &typ},
		member{"timestamp", &stamp},
		member{"data", &data},
		member{"agentId", &agent},
	)
	if !ok {
		stats.BadLines++
		return
	}
	e := Event{Kind: Meta, Record: number, Time: parseTime(text(stamp)), Cwd: c.cwd}
	name := text(typ)
	e.Subagent = cmp.Or(text(agent), text(field(data, "parentToolCallId")))
	switch {
	case strings.HasPrefix(name, "subagent."):
	case e.Subagent != "":
		c.subagent(name, data, e, emit)
	default:
		c.event(name, data, e, stats, emit)
	}
}

// event reads a line of the session's own agent.
func (c *copilot) event(name string, data []byte, e Event, stats *Stats, emit func(*Event)) {
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
		if !inCopilotFamily(name) {
			stats.unknown(name)
		}
	}
}

// inCopilotFamily reports whether the name of an event begins with a word that is known.
func inCopilotFamily(name string) bool {
	family, _, _ := strings.Cut(name, ".")
	switch family {
	case "session", "assistant", "tool", "hook", "system", "skill", "permission", "user", "user_input", "elicitation",
		"command", "external_tool", "exit_plan_mode", "model", "pending_messages", "mcp", "result", "sampling",
		"auto_mode_switch":
		return true
	}
	return false
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
		words := text(field(data, "content"))
		asked := firstElem(field(data, "toolRequests")) != nil
		if asked || strings.TrimSpace(words) == "" {
			return
		}
		e.Kind, e.Text = Report, words
		emit(&e)
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
	if isString(args) {
		args = []byte(text(args))
	}
	var call copilotCall
	e.Kind, e.Name = Call, name
	if name == "apply_patch" {
		call.files = patchCalls(patchOf(args), c.cwd, e, emit)
		c.calls[e.ID] = call
		return
	}
	e.Tool, e.input = toolOf(Copilot, name, args)
	switch e.Tool {
	case ToolOther:
		e.input = nil
	case ToolTodos:
		e.input = checklist(text(field(args, "todos")))
	case ToolAsk:
		call.question = text(field(args, "question"))
		e.input = questionInput(call.question, field(args, "choices"))
	case ToolPlan:
		call.plan = true
	}
	c.calls[e.ID] = call
	emit(&e)
}

// patchOf is the patch in the arguments of a call, which may be the patch itself.
func patchOf(args []byte) string {
	if !isAt(args, 0, '{') {
		return string(args)
	}
	return text(field(args, "input")) + text(field(args, "patch"))
}

// questionInput makes the input of a question with a list of choices.
func questionInput(question string, choices []byte) []byte {
	type option struct {
		Label string `json:"label"`
	}
	type asked struct {
		Question string   `json:"question"`
		Options  []option `json:"options"`
	}
	q := asked{question, []option{}}
	for _, label := range texts(choices, maxQuestions) {
		q.Options = append(q.Options, option{label})
	}
	out, _ := json.Marshal(map[string][]asked{"questions": {q}})
	return out
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
	e.Failed = string(field(data, "success")) == "false" || exitFailed(field(data, "shellExecution", "exitCode")) ||
		failedExit(content, "completed with exit code ", "exited with exit code ")
	if e.Failed {
		e.Refused, e.Text = copilotRefusal(trouble, content)
	}
	e.toolSaid(content, field(trouble, "message"))
	if !e.Failed && len(content) <= resultLimit {
		call.answer(text(content), &e)
	}
	results(e, call.files, emit)
}

// answer reads how the user answered a question or a plan.
func (c *copilotCall) answer(words string, e *Event) {
	if c.question != "" {
		if chosen := userAnswer(words); chosen != "" {
			e.Answers = []Answer{{Question: c.question, Chosen: chosen}}
		}
		return
	}
	if c.plan && strings.Contains(strings.ToLower(words[:min(len(words), 200)]), "approved") {
		e.Text = "approved"
	}
}

// copilotRefusal reads the words with which a user turned a call down.
func copilotRefusal(trouble, content []byte) (refused bool, words string) {
	for _, raw := range [][]byte{field(trouble, "message"), trouble, content} {
		if len(raw) <= resultLimit && bytes.Contains(bytes.ToLower(raw), []byte("user rejected")) {
			_, after, _ := strings.Cut(text(raw), "eedback:")
			words, _ = said(strings.TrimSpace(after))
			return true, words
		}
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
	if isNoAnswer(words) {
		return ""
	}
	return words
}

// isNoAnswer reports whether the agent says that the user did not answer.
func isNoAnswer(words string) bool {
	starts := []string{"The user is not available", "User skipped", "User declined"}
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(words, start) })
}
