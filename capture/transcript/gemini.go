package transcript

import (
	"bytes"
	"hash/maphash"
	"strconv"
	"strings"
	"time"
)

// gemini reads the sessions of Gemini CLI: since 0.40 a log in which a
// message is written again whenever something is added to it, with control
// lines; before, one JSON document (see bundle). A {"$set": {"messages": …}}
// replaces the model's context, with a summary for instance; messages are
// taken from it only if they are newer than all others. What {"$rewindTo": id}
// takes back never gets here.
type gemini struct {
	cwd    string
	seed   maphash.Seed
	seen   map[uint64]seenAs // messages and calls
	newest time.Time
}

// seenAs tells which parts of a message or a call have been emitted.
type seenAs uint8

const (
	seenCall   seenAs = 1 << iota // the call
	seenResult                    // its result
	seenText                      // the message's text
)

func newGemini(cwd string) *gemini {
	return &gemini{cwd: cwd, seed: maphash.MakeSeed(), seen: map[uint64]seenAs{}}
}

// isGemini recognises a line of the log or of a bundle; line may be cut off.
func isGemini(line []byte) bool {
	switch text(looseField(line, "bundle")) {
	case Gemini:
		return true
	case "":
	default:
		return false
	}
	if looseField(line, "sessionId") != nil && looseField(line, "projectHash") != nil {
		return true
	}
	return text(looseField(line, "type")) == "gemini" && looseField(line, "id") != nil && looseField(line, "content") != nil
}

func identifyGemini(line []byte, id *Identity) bool {
	set(&id.Session, looseField(line, "sessionId"))
	if dirs := looseField(line, "directories"); id.Cwd == "" {
		eachElem(dirs, func(dir []byte) bool {
			id.Cwd = text(dir)
			return false
		})
	}
	id.Subagent = id.Subagent || text(looseField(line, "kind")) == "subagent"
	set(&id.Model, looseField(line, "model"))
	return id.Session != "" && id.Model != ""
}

// geminiRecord is one line of the log, its parts still raw.
type geminiRecord struct {
	bundle, session, cwd, message []byte
	hash, start, summary, setting []byte
	id                            []byte
}

func (g *gemini) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	if len(bytes.TrimSpace(line)) == 0 {
		return // rewound
	}
	var rec geminiRecord
	ok := eachField(line, func(key string, val []byte) bool {
		switch key {
		case "bundle":
			rec.bundle = val
		case "session", "sessionId":
			rec.session = val
		case "cwd":
			rec.cwd = val
		case "message":
			rec.message = val
		case "projectHash":
			rec.hash = val
		case "startTime":
			rec.start = val
		case "summary":
			rec.summary = val
		case "$set":
			rec.setting = val
		case "id":
			rec.id = val
		}
		return true
	})
	if !ok {
		stats.BadLines++
		return
	}
	e := Event{Kind: Meta, Record: number, Cwd: g.cwd}
	switch {
	case rec.bundle != nil:
		e.Session = text(rec.session)
		emit(&e)
		g.message(rec.message, e, stats, emit)
	case rec.id != nil:
		g.message(line, e, stats, emit)
	case rec.setting != nil:
		g.set(rec.setting, e, stats, emit)
	case rec.session != nil && rec.hash != nil:
		e.Session, e.Time = text(rec.session), parseTime(text(rec.start))
		emit(&e)
		g.title(rec.summary, e, emit)
	default:
		stats.unknown("")
	}
}

func (g *gemini) title(raw []byte, e Event, emit func(*Event)) {
	if words := text(raw); words != "" {
		e.Kind, e.Text = Title, words
		emit(&e)
	}
}

// set reads a control line that changes the session's own fields.
func (g *gemini) set(fields []byte, e Event, stats *Stats, emit func(*Event)) {
	g.title(field(fields, "summary"), e, emit)
	since := g.newest
	messages := field(fields, "messages")
	if id, summary := snapshot(messages); id != nil && g.first(id, seenText) {
		ev := e
		ev.Kind, ev.heard = Compaction, summary
		emit(&ev)
	}
	eachElem(messages, func(msg []byte) bool {
		if at := parseTime(text(field(msg, "timestamp"))); at.After(since) {
			g.message(msg, e, stats, emit)
		}
		return true
	})
}

// snapshot is the id and the content of the message that sums up what stood before, where
// a list of messages begins with one, and nil where it does not.
func snapshot(messages []byte) (id, summary []byte) {
	n := 0
	eachElem(messages, func(msg []byte) bool {
		content := field(msg, "content")
		if bytes.Contains(content[:min(len(content), snapshotLead)], []byte("<state_snapshot>")) {
			id, summary = field(msg, "id"), content
		}
		n++
		return id == nil && n < snapshotMessages
	})
	return id, summary
}

// Bounds of where in a list of messages a summary is looked for.
const (
	snapshotMessages = 3
	snapshotLead     = 2 << 10 // of a message, in bytes
)

// first marks part of a message or call as emitted, and reports whether it had
// not been.
func (g *gemini) first(id []byte, part seenAs) bool {
	if len(id) < 3 {
		return true
	}
	h := maphash.Bytes(g.seed, id)
	if g.seen[h]&part != 0 {
		return false
	}
	g.seen[h] |= part
	return true
}

func (g *gemini) message(msg []byte, e Event, stats *Stats, emit func(*Event)) {
	var typ, id, content, display, calls []byte
	eachField(msg, func(key string, val []byte) bool {
		switch key {
		case "type":
			typ = val
		case "id":
			id = val
		case "timestamp":
			e.Time = parseTime(text(val))
		case "content":
			content = val
		case "displayContent":
			display = val
		case "toolCalls":
			calls = val
		case "model":
			e.Model = text(val)
		}
		return true
	})
	if e.Time.After(g.newest) {
		g.newest = e.Time
	}
	switch text(typ) {
	case "user":
		words := partsText(display)
		if words == "" {
			words = partsText(content)
		}
		words, command := said(words)
		if (words != "" || command != "") && g.first(id, seenText) {
			e.Kind, e.Text, e.Command, e.heard = Prompt, words, command, content
			emit(&e)
		} else if words == "" && command == "" {
			e.Kind, e.heard = Brought, content
			emit(&e)
		}
	case "gemini":
		if words := partsText(content); strings.TrimSpace(words) != "" && g.first(id, seenText) {
			ev := e
			ev.Kind, ev.Text = Text, words
			emit(&ev)
		}
		eachElem(calls, func(call []byte) bool {
			g.call(call, e, emit)
			return true
		})
	case "info":
		if strings.HasPrefix(partsText(content), "Request cancelled") && g.first(id, seenText) {
			e.Kind = Interrupt
			emit(&e)
		}
	case "error", "warning", "help", "about", "stats", "quit", "compression", "tool_group", "user_shell", "model_stats", "tool_stats", "mcp_status", "chat_list", "extensions_list":
	default:
		stats.unknown(text(typ))
	}
}

// partsText gives the text of a content: a string, a part or a list of parts.
// Thoughts are not text.
func partsText(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	switch raw[0] {
	case '"':
		return text(raw)
	case '{':
		if isTrue(field(raw, "thought")) {
			return ""
		}
		return text(field(raw, "text"))
	case '[':
		var parts []string
		eachElem(raw, func(part []byte) bool {
			if words := partsText(part); words != "" && part[0] != '[' {
				parts = append(parts, words)
			}
			return true
		})
		return strings.Join(parts, "\n")
	}
	return ""
}

func (g *gemini) call(call []byte, e Event, emit func(*Event)) {
	var id, name, args, status, result []byte
	eachField(call, func(key string, val []byte) bool {
		switch key {
		case "id":
			id = val
		case "name":
			name = val
		case "args":
			args = val
		case "status":
			status = val
		case "result":
			result = val
		case "timestamp":
			if at := parseTime(text(val)); !at.IsZero() {
				e.Time = at
			}
		}
		return true
	})
	e.ID = text(id)
	if g.first(id, seenCall) {
		ev := e
		ev.Kind, ev.Name = Call, text(name)
		ev.Tool, ev.input = g.input(text(name), args)
		emit(&ev)
	}
	switch text(status) {
	case "success", "error", "cancelled":
	default:
		return
	}
	if !g.first(id, seenResult) {
		return
	}
	e.Kind, e.heard = Result, result
	var response []byte
	eachElem(result, func(part []byte) bool {
		response = field(part, "functionResponse", "response")
		return response == nil
	})
	switch text(status) {
	case "success":
		output := withoutOurs(field(response, "output"))
		e.Failed = text(name) == "run_shell_command" && failedExit(output, "Exit Code: ")
		e.Output = outputOf(output, e.Failed)
		if text(name) == "ask_user" && len(output) <= resultLimit {
			e.Answers = numberedAnswers(field(args, "questions"), []byte(text(output)))
		}
	case "cancelled":
		e.Failed, e.Refused = true, true
	default:
		e.Failed, e.Output = true, outputOf(withoutOurs(field(response, "error")), true)
		e.Refused = bytes.Contains(response[:min(len(response), 1<<10)], []byte("User did not allow"))
	}
	emit(&e)
}

func (g *gemini) input(name string, args []byte) (Tool, []byte) {
	switch name {
	case "run_shell_command":
		return ToolShell, args
	case "read_file":
		return ToolRead, inDirectory(g.cwd, renamed(args, "file_path", "file_path", "absolute_path", "file_path"))
	case "write_file":
		return ToolWrite, inDirectory(g.cwd, args)
	case "replace", "edit":
		return ToolEdit, inDirectory(g.cwd, args)
	case "write_todos":
		return ToolTodos, todoList(field(args, "todos"), "description")
	case "ask_user":
		return ToolAsk, args
	}
	return ToolOther, args
}

// numberedAnswers joins questions with answers that name them by number.
func numberedAnswers(questions, output []byte) []Answer {
	var out []Answer
	for i, a := range questionsOf(questions) {
		if a.Chosen = text(field(output, "answers", strconv.Itoa(i))); a.Chosen != "" {
			out = append(out, a)
		}
	}
	return out
}
