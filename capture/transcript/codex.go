package transcript

import (
	"bytes"
	"hash/maphash"
	"strings"
)

// codex reads the rollouts of Codex CLI, 0.40 to 0.154. What the user said is
// in event_msg/user_message, since 0.149 also or only in an item_completed of
// the kind UserMessage; response_item messages of the role user also carry
// AGENTS.md and the environment and are never read. What the agent said
// stands in up to three places and is taken from the first.
type codex struct {
	cwd    string
	seed   maphash.Seed
	busy   bool                // the agent has been given a prompt and is at work
	plan   string              // proposed, not yet accepted
	prompt uint64              // the last prompt, 0 once the agent has done something
	texts  map[uint64]struct{} // the agent's texts in this turn
	calls  map[string]codexCall
}

// codexCall is a call of this turn whose result has not come yet.
type codexCall struct {
	files     int    // a patch: how many files it touches
	questions []byte // of a question to the user
}

func newCodex(cwd string) *codex {
	return &codex{cwd: cwd, seed: maphash.MakeSeed(), texts: map[uint64]struct{}{}, calls: map[string]codexCall{}}
}

// isCodex recognises a line of a rollout; head may be cut off.
func isCodex(line []byte) bool {
	if looseField(line, "payload") == nil {
		return false
	}
	switch text(looseField(line, "type")) {
	case "session_meta", "turn_context", "response_item", "event_msg", "compacted":
		return true
	}
	return false
}

func identifyCodex(line []byte, id *Identity) bool {
	p := looseField(line, "payload")
	switch text(looseField(line, "type")) {
	case "session_meta":
		if id.Session != "" {
			return false
		}
		set(&id.Session, looseField(p, "id"))
		set(&id.Cwd, looseField(p, "cwd"))
		set(&id.Branch, looseField(p, "git", "branch"))
		set(&id.Head, looseField(p, "git", "commit_hash"))
		id.Subagent = len(looseField(p, "source", "subagent")) > 0 || text(looseField(p, "thread_source")) == "subagent"
		if id.Subagent {
			id.below(looseField(p, "source", "subagent", "thread_spawn", "parent_thread_id"))
		}
	case "turn_context":
		set(&id.Cwd, looseField(p, "cwd"))
		set(&id.Model, looseField(p, "model"))
		return id.Session != "" && id.Model != ""
	}
	return false
}

func (c *codex) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	var typ, stamp, payload []byte
	ok := eachField(line, func(key string, val []byte) bool {
		switch key {
		case "type":
			typ = val
		case "timestamp":
			stamp = val
		case "payload":
			payload = val
		}
		return true
	})
	if !ok {
		stats.BadLines++
		return
	}
	e := Event{Kind: Meta, Record: number, Time: parseTime(text(stamp)), Cwd: c.cwd}
	switch text(typ) {
	case "session_meta":
		e.Session, e.Branch = text(field(payload, "id")), text(field(payload, "git", "branch"))
		c.at(&e, payload, emit)
	case "turn_context":
		c.busy = false
		e.Model = text(field(payload, "model"))
		c.at(&e, payload, emit)
	case "response_item":
		c.item(payload, e, emit)
	case "event_msg":
		c.message(payload, e, emit)
	case "compacted":
		e.Kind, e.Text, e.heard = Compaction, text(field(payload, "message")), payload
		emit(&e)
	case "world_state", "inter_agent_communication", "inter_agent_communication_metadata", "state", "ghost_snapshot":
	default:
		stats.unknown(text(typ))
	}
}

// at emits where the session is.
func (c *codex) at(e *Event, payload []byte, emit func(*Event)) {
	if c.cwd == "" {
		c.cwd = text(field(payload, "cwd"))
	}
	e.Cwd = c.cwd
	emit(e)
}

// message reads an event_msg.
func (c *codex) message(p []byte, e Event, emit func(*Event)) {
	switch text(field(p, "type")) {
	case "user_message":
		switch text(field(p, "kind")) {
		case "environment_context", "user_instructions": // before 0.80
			return
		}
		c.user(text(field(p, "message")), e, emit)
	case "agent_message":
		c.say(text(field(p, "message")), e, emit)
	case "task_started", "turn_started":
		c.busy = false
		emit(&e)
	case "task_complete", "turn_complete":
		c.say(text(field(p, "last_agent_message")), e, emit)
		c.busy = false
	case "turn_aborted":
		c.busy = false
		e.Kind = Interrupt
		emit(&e)
	case "thread_name_updated":
		e.Kind, e.Text = Title, text(field(p, "thread_name"))
		emit(&e)
	case "item_completed":
		c.completed(field(p, "item"), e, emit)
	default:
		emit(&e)
	}
}

// completed reads an item as versions since 0.149 write it.
func (c *codex) completed(item []byte, e Event, emit func(*Event)) {
	switch strings.ToLower(text(field(item, "type"))) {
	case "usermessage":
		c.user(joinText(field(item, "content"), "text"), e, emit)
	case "agentmessage":
		words := text(field(item, "text"))
		if words == "" {
			words = joinText(field(item, "content"), "text")
		}
		c.say(words, e, emit)
	case "plan":
		c.plan = text(field(item, "text"))
		emit(&e)
	}
}

// joinText gives the strings of one field of an array's elements.
func joinText(list []byte, key string) string {
	var parts []string
	eachElem(list, func(part []byte) bool {
		if s := text(field(part, key)); s != "" {
			parts = append(parts, s)
		}
		return true
	})
	return strings.Join(parts, "\n\n")
}

func (c *codex) user(raw string, e Event, emit func(*Event)) {
	words, command := said(raw)
	h := maphash.String(c.seed, words)
	if words == "" && command == "" || h == c.prompt {
		return
	}
	c.prompt = h
	switch {
	case c.busy:
		e.Kind, e.Text, e.Command = Steer, words, command
	case c.plan != "" && strings.HasPrefix(strings.ToLower(words), "implement the plan"):
		e.Kind, e.Text = Plan, c.plan
	case strings.EqualFold(words, "Implement the plan."): // the plan lies before where this run began
		e.Kind, e.Command = Prompt, "plan"
	case strings.HasPrefix(words, "PLEASE IMPLEMENT THIS PLAN:"):
		e.Kind, e.Text = Plan, strings.TrimSpace(strings.TrimPrefix(words, "PLEASE IMPLEMENT THIS PLAN:"))
	default:
		e.Kind, e.Text, e.Command = Prompt, words, command
	}
	if e.Kind != Steer {
		c.plan, c.busy = "", true
		clear(c.texts)
		clear(c.calls)
	}
	emit(&e)
}

// say emits the agent's words unless this turn has had them. A proposed plan
// among them is kept for when it is accepted.
func (c *codex) say(words string, e Event, emit func(*Event)) {
	if plan := between(words, "<proposed_plan>", "</proposed_plan>"); plan != "" {
		c.plan = strings.TrimSpace(plan)
		words = strings.TrimSpace(dropElement(words, "proposed_plan"))
	}
	h := maphash.String(c.seed, strings.TrimSpace(words))
	if _, ok := c.texts[h]; !ok && words != "" {
		c.texts[h] = struct{}{}
		c.works()
		e.Kind, e.Text = Text, words
	}
	emit(&e)
}

// works notes that the agent has done something.
func (c *codex) works() { c.busy, c.prompt = true, 0 }

// item reads a response_item.
func (c *codex) item(p []byte, e Event, emit func(*Event)) {
	switch text(field(p, "type")) {
	case "message":
		if text(field(p, "role")) == "assistant" {
			c.say(joinText(field(p, "content"), "text"), e, emit)
		} else {
			e.Kind, e.heard = Brought, field(p, "content")
			emit(&e)
		}
	case "function_call":
		c.works()
		e.ID = text(field(p, "call_id"))
		c.call(text(field(p, "name")), []byte(text(field(p, "arguments"))), e, emit)
	case "custom_tool_call":
		c.works()
		e.ID = text(field(p, "call_id"))
		if text(field(p, "name")) == "apply_patch" {
			c.patch(text(field(p, "input")), e, emit)
		}
	case "local_shell_call":
		c.works()
		e.ID = text(field(p, "call_id"))
		c.call("shell", field(p, "action"), e, emit)
	case "function_call_output", "custom_tool_call_output":
		c.works()
		e.ID = text(field(p, "call_id"))
		c.result(field(p, "output"), e, emit)
	}
}

func (c *codex) call(name string, args []byte, e Event, emit func(*Event)) {
	e.Kind, e.Name = Call, name
	switch name {
	case "exec_command", "shell", "shell_command", "container.exec":
		cmd := shellOf(args)
		if i := strings.Index(cmd, "*** Begin Patch"); i >= 0 && strings.Contains(cmd[:i], "apply_patch") {
			c.patch(cmd[i:], e, emit)
			return
		}
		e.Tool, e.input = ToolShell, object("command", cmd)
	case "apply_patch":
		c.patch(text(field(args, "input"))+text(field(args, "patch")), e, emit)
		return
	case "read_file", "view_image":
		e.Tool, e.input = ToolRead, object("file_path", under(c.cwd, text(field(args, "file_path"))+text(field(args, "path"))))
	case "update_plan":
		e.Tool, e.input = ToolTodos, todoList(field(args, "plan"), "step")
	case "request_user_input":
		questions := field(args, "questions")
		e.Tool, e.input = ToolAsk, args
		c.calls[e.ID] = codexCall{questions: bytes.Clone(questions)}
	}
	emit(&e)
}

// shellOf gives the command of a shell call: a string, or a list that may name
// a shell and its flag first.
func shellOf(args []byte) string {
	for _, key := range []string{"cmd", "command"} {
		raw := field(args, key)
		if s := text(raw); s != "" {
			return s
		}
		var words []string
		eachElem(raw, func(w []byte) bool {
			words = append(words, text(w))
			return len(words) < 200
		})
		if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[0], "sh") {
			return words[2]
		}
		if len(words) > 0 {
			return strings.Join(words, " ")
		}
	}
	return ""
}

func (c *codex) patch(patch string, e Event, emit func(*Event)) {
	c.calls[e.ID] = codexCall{files: patchCalls(patch, c.cwd, e, emit)}
}

func (c *codex) result(output []byte, e Event, emit func(*Event)) {
	e.Kind, e.heard = Result, output
	output = withoutOurs(output)
	head := output[:min(len(output), 600)]
	switch {
	case bytes.Contains(head, []byte("rejected by user")), bytes.Contains(head, []byte("rejected by the user")):
		e.Failed, e.Refused = true, true
	case failedExit(head, "exited with code ", "Exit code: ", `exit_code\":`), bytes.Contains(head, []byte("apply_patch verification failed")):
		e.Failed = true
	}
	if !e.Refused {
		e.Output = outputOf(output, e.Failed)
	}
	call := c.calls[e.ID]
	delete(c.calls, e.ID)
	if call.questions != nil && len(output) <= resultLimit {
		e.Answers = codexAnswers(call.questions, []byte(text(output)))
	}
	results(e, call.files, emit)
}

// codexAnswers joins questions with the answers to them, which name a question
// by its id. What the user wrote himself is marked "user_note: ".
func codexAnswers(questions, output []byte) []Answer {
	given := field(output, "answers")
	asked := questionsOf(questions)
	n := 0
	eachElem(questions, func(q []byte) bool {
		if n >= len(asked) {
			return false
		}
		if isTrue(field(q, "isSecret")) {
			n++
			return true
		}
		var words []string
		eachElem(field(given, text(field(q, "id")), "answers"), func(raw []byte) bool {
			words = append(words, strings.TrimPrefix(text(raw), "user_note: "))
			return len(words) < 20
		})
		asked[n].Chosen = strings.Join(words, ", ")
		n++
		return true
	})
	var out []Answer
	for _, a := range asked {
		if a.Chosen != "" {
			out = append(out, a)
		}
	}
	return out
}
