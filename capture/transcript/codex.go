package transcript

import (
	"bytes"
	"cmp"
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

func newCodex(id *Identity) adapter {
	return &codex{cwd: id.Cwd, seed: maphash.MakeSeed(), texts: map[uint64]struct{}{}, calls: map[string]codexCall{}}
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
		return id.known()
	}
	return false
}

func (c *codex) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	var typ, stamp, payload []byte
	if !members(line, member{"type", &typ}, member{"timestamp", &stamp}, member{"payload", &payload}) {
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
	case "world_state", "inter_agent_communication", "inter_agent_communication_metadata", "state",
		"ghost_snapshot":
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
		if !instructs(text(field(p, "kind"))) {
			c.user(text(field(p, "message")), e, emit)
		}
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

// instructs reports whether a kind of message, before 0.80, was put there by the harness.
func instructs(kind string) bool { return kind == "environment_context" || kind == "user_instructions" }

// completed reads an item as versions since 0.149 write it.
func (c *codex) completed(item []byte, e Event, emit func(*Event)) {
	switch strings.ToLower(text(field(item, "type"))) {
	case "usermessage":
		c.user(joinText(field(item, "content"), "text"), e, emit)
	case "agentmessage":
		c.say(cmp.Or(text(field(item, "text")), joinText(field(item, "content"), "text")), e, emit)
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
	e.Kind, e.Text, e.Command = Steer, words, command
	if !c.busy {
		c.begin(&e)
	}
	emit(&e)
}

// begin makes of the user's words those that begin a turn.
func (c *codex) begin(e *Event) {
	given, planned := strings.CutPrefix(e.Text, "PLEASE IMPLEMENT THIS PLAN:")
	switch {
	case c.plan != "" && strings.HasPrefix(strings.ToLower(e.Text), "implement the plan"):
		e.Kind, e.Text, e.Command = Plan, c.plan, ""
	case strings.EqualFold(e.Text, "Implement the plan."): // the plan lies before where this run began
		e.Kind, e.Text, e.Command = Prompt, "", "plan"
	case planned:
		e.Kind, e.Text, e.Command = Plan, strings.TrimSpace(given), ""
	default:
		e.Kind = Prompt
	}
	c.plan, c.busy = "", true
	clear(c.texts)
	clear(c.calls)
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
	typ := text(field(p, "type"))
	if typ == "message" {
		c.spoken(p, e, emit)
		return
	}
	e.ID = text(field(p, "call_id"))
	name := text(field(p, "name"))
	switch typ {
	case "function_call":
		c.call(name, []byte(text(field(p, "arguments"))), e, emit)
	case "custom_tool_call":
		if name == "apply_patch" {
			c.patch(text(field(p, "input")), e, emit)
		}
	case "local_shell_call":
		c.call("shell", field(p, "action"), e, emit)
	case "function_call_output", "custom_tool_call_output":
		c.result(field(p, "output"), e, emit)
	default:
		return
	}
	c.works()
}

// spoken reads a message.
func (c *codex) spoken(p []byte, e Event, emit func(*Event)) {
	content := field(p, "content")
	if text(field(p, "role")) == "assistant" {
		c.say(joinText(content, "text"), e, emit)
		return
	}
	e.Kind, e.heard = Brought, content
	emit(&e)
}

func (c *codex) call(name string, args []byte, e Event, emit func(*Event)) {
	e.Kind, e.Name = Call, name
	if name == "apply_patch" {
		c.patch(text(field(args, "input"))+text(field(args, "patch")), e, emit)
		return
	}
	e.Tool, e.input = toolOf(Codex, name, args)
	switch e.Tool {
	case ToolOther:
		e.input = nil
	case ToolShell:
		cmd := shellOf(args)
		if before, patch, ok := strings.Cut(cmd, "*** Begin Patch"); ok && strings.Contains(before, "apply_patch") {
			c.patch(patch, e, emit)
			return
		}
		e.input = object("command", cmd)
	case ToolRead:
		e.input = inDirectory(c.cwd, e.input)
	case ToolAsk:
		c.calls[e.ID] = codexCall{questions: bytes.Clone(field(args, "questions"))}
	}
	emit(&e)
}

// shellOf gives the command of a shell call: a string, or a list that may name
// a shell and its flag first.
func shellOf(args []byte) string {
	raw := firstOf(args, []string{"cmd", "command"})
	if isString(raw) {
		return text(raw)
	}
	words := texts(raw, 200)
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[0], "sh") {
		return words[2]
	}
	return strings.Join(words, " ")
}

func (c *codex) patch(patch string, e Event, emit func(*Event)) {
	c.calls[e.ID] = codexCall{files: patchCalls(patch, c.cwd, e, emit)}
}

func (c *codex) result(output []byte, e Event, emit func(*Event)) {
	e.Kind, e.heard = Result, output
	output = withoutOurs(output)
	e.Failed, e.Refused = codexOutcome(output[:min(len(output), 600)])
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

// codexOutcome says how a call ended by how its output begins.
func codexOutcome(head []byte) (failed, refused bool) {
	says := func(mark string) bool { return bytes.Contains(head, []byte(mark)) }
	if says("rejected by user") || says("rejected by the user") {
		return true, true
	}
	failed = failedExit(head, "exited with code ", "Exit code: ", `exit_code\":`)
	return failed || says("apply_patch verification failed"), false
}

// codexAnswers joins questions with the answers to them, which name a question
// by its id. What the user wrote himself is marked "user_note: ".
func codexAnswers(questions, output []byte) []Answer {
	given := field(output, "answers")
	var chosen []string
	eachElem(questions, func(q []byte) bool {
		words := texts(field(given, text(field(q, "id")), "answers"), 20)
		for i := range words {
			words[i] = strings.TrimPrefix(words[i], "user_note: ")
		}
		if isTrue(field(q, "isSecret")) {
			words = nil
		}
		chosen = append(chosen, strings.Join(words, ", "))
		return len(chosen) < maxQuestions
	})
	return answered(questionsOf(questions), func(n int, _ Answer) string { return chosen[n] })
}
