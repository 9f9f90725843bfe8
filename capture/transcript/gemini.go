package transcript

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"slices"
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

func newGemini(id *Identity) adapter {
	return &gemini{cwd: id.Cwd, seed: maphash.MakeSeed(), seen: map[uint64]seenAs{}}
}

// isGemini recognises a line of the log or of a bundle; line may be cut off.
func isGemini(line []byte) bool {
	if bundle := looseField(line, "bundle"); bundle != nil {
		return text(bundle) == Gemini
	}
	if has(line, "sessionId", "projectHash") {
		return true
	}
	return text(looseField(line, "type")) == "gemini" && has(line, "id", "content")
}

// has reports whether a line, which may be cut off, has these members.
func has(line []byte, keys ...string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool { return looseField(line, key) == nil })
}

func identifyGemini(line []byte, id *Identity) bool {
	set(&id.Session, looseField(line, "sessionId"))
	set(&id.Cwd, firstElem(looseField(line, "directories")))
	set(&id.Model, looseField(line, "model"))
	id.Subagent = id.Subagent || text(looseField(line, "kind")) == "subagent"
	return id.known()
}

// geminiRecord is one line of the log, its parts still raw.
type geminiRecord struct {
	bundle, session, message, id  []byte
	hash, start, summary, setting []byte
}

func (g *gemini) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	if len(bytes.TrimSpace(line)) == 0 {
		return // rewound
	}
	var rec geminiRecord
	ok := members(
		line,
		member{"bundle", &rec.bundle},
		member{"session", &rec.session},
		member{"sessionId", &rec.session},
		member{"message", &rec.message},
		member{"projectHash", &rec.hash},
		member{"startTime", &rec.start},
		member{"summary", &rec.summary},
		member{"$set", &rec.setting},
		member{"id", &rec.id},
	)
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

// geminiMessage is one message, its parts still raw.
type geminiMessage struct{ typ, id, content, display, calls []byte }

func (g *gemini) message(raw []byte, e Event, stats *Stats, emit func(*Event)) {
	var m geminiMessage
	var stamp, model []byte
	members(
		raw,
		member{"type", &m.typ},
		member{"id", &m.id},
		member{"timestamp", &stamp},
		member{"content", &m.content},
		member{"displayContent", &m.display},
		member{"toolCalls", &m.calls},
		member{"model", &model},
	)
	e.Time, e.Model = parseTime(text(stamp)), text(model)
	if e.Time.After(g.newest) {
		g.newest = e.Time
	}
	switch text(m.typ) {
	case "user":
		g.user(m, e, emit)
	case "gemini":
		g.assistant(m, e, emit)
	case "info":
		if strings.HasPrefix(partsText(m.content), "Request cancelled") && g.first(m.id, seenText) {
			e.Kind = Interrupt
			emit(&e)
		}
	case "error", "warning", "help", "about", "stats", "quit", "compression", "tool_group", "user_shell", "model_stats",
		"tool_stats", "mcp_status", "chat_list", "extensions_list":
	default:
		stats.unknown(text(m.typ))
	}
}

func (g *gemini) user(m geminiMessage, e Event, emit func(*Event)) {
	words, command := said(cmp.Or(partsText(m.display), partsText(m.content)))
	e.Kind, e.Text, e.Command, e.heard = Prompt, words, command, m.content
	if words == "" && command == "" {
		e.Kind = Brought
	} else if !g.first(m.id, seenText) {
		return
	}
	emit(&e)
}

func (g *gemini) assistant(m geminiMessage, e Event, emit func(*Event)) {
	if words := partsText(m.content); strings.TrimSpace(words) != "" && g.first(m.id, seenText) {
		ev := e
		ev.Kind, ev.Text = Text, words
		emit(&ev)
	}
	eachElem(m.calls, func(call []byte) bool {
		g.call(call, e, emit)
		return true
	})
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

// geminiCall is a call with its result, its parts still raw.
type geminiCall struct{ id, name, args, status, result []byte }

func (g *gemini) call(raw []byte, e Event, emit func(*Event)) {
	var c geminiCall
	var stamp []byte
	members(
		raw,
		member{"id", &c.id},
		member{"name", &c.name},
		member{"args", &c.args},
		member{"status", &c.status},
		member{"result", &c.result},
		member{"timestamp", &stamp},
	)
	if at := parseTime(text(stamp)); !at.IsZero() {
		e.Time = at
	}
	e.ID = text(c.id)
	if g.first(c.id, seenCall) {
		ev := e
		ev.Kind, ev.Name = Call, text(c.name)
		tool, args := toolOf(Gemini, ev.Name, c.args)
		ev.Tool, ev.input = tool, inDirectory(g.cwd, args)
		emit(&ev)
	}
	switch text(c.status) {
	case "success", "error", "cancelled":
		if g.first(c.id, seenResult) {
			e.Kind, e.heard = Result, c.result
			c.outcome(&e)
			emit(&e)
			c.report(e, emit)
		}
	}
}

// report reads what a subagent handed back.
func (c *geminiCall) report(e Event, emit func(*Event)) {
	_, said, ok := strings.Cut(text(field(c.response(), "output")), "\nResult:\n")
	if ok && text(c.name) == "invoke_agent" {
		e.Kind, e.ID, e.Text, e.Output = Report, "", cmp.Or(text(field([]byte(said), "response")), said), ""
		emit(&e)
	}
}

// response returns the object that a tool answered with, nil for none.
func (c *geminiCall) response() (response []byte) {
	eachElem(c.result, func(part []byte) bool {
		response = field(part, "functionResponse", "response")
		return response == nil
	})
	return response
}

// outcome reads how a call ended.
func (c *geminiCall) outcome(e *Event) {
	response := c.response()
	switch text(c.status) {
	case "cancelled":
		e.Failed, e.Refused = true, true
	case "error":
		e.Failed, e.Output = true, outputOf(withoutOurs(field(response, "error")), true)
		e.Refused = bytes.Contains(response[:min(len(response), 1<<10)], []byte("User did not allow"))
	default:
		output := withoutOurs(field(response, "output"))
		e.Failed = text(c.name) == "run_shell_command" && failedExit(output, "Exit Code: ")
		e.Output = outputOf(output, e.Failed)
		if text(c.name) == "ask_user" && len(output) <= resultLimit {
			e.Answers = numberedAnswers(field(c.args, "questions"), []byte(text(output)))
		}
	}
}

// numberedAnswers joins questions with answers that name them by number.
func numberedAnswers(questions, output []byte) []Answer {
	given := field(output, "answers")
	return answered(questionsOf(questions), func(n int, _ Answer) string { return text(field(given, strconv.Itoa(n))) })
}
