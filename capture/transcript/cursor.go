package transcript

import (
	"strconv"
	"strings"
)

// cursor reads the transcripts of Cursor and its command line, as of 2026: a line for
// each message, {role, message: {content: [text | tool_use]}}, without ids, times,
// folders or the results of calls. What the user typed stands in <user_query>.
type cursor struct{ cwd string }

func newCursor(id *Identity) adapter { return &cursor{cwd: id.Cwd} }

// isCursor recognises a message; line may be cut off.
func isCursor(line []byte) bool {
	switch text(looseField(line, "role")) {
	case "user", "assistant":
		return looseField(line, "message", "content") != nil && looseField(line, "type") == nil
	}
	return false
}

func (c *cursor) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	var role, typ, status, message []byte
	ok := members(
		line,
		member{"role", &role},
		member{"type", &typ},
		member{"status", &status},
		member{"message", &message},
	)
	if !ok {
		stats.BadLines++
		return
	}
	e := Event{Kind: Meta, Record: number, Cwd: c.cwd}
	content := field(message, "content")
	switch {
	case text(role) == "user":
		c.user(content, e, emit)
	case text(role) == "assistant":
		c.assistant(content, e, emit)
	case text(typ) == "turn_ended":
		if s := text(status); s == "aborted" || s == "cancelled" {
			e.Kind = Interrupt
		}
		emit(&e)
	default:
		stats.unknown(text(role) + text(typ))
	}
}

func (c *cursor) user(content []byte, e Event, emit func(*Event)) {
	var all strings.Builder
	all.WriteString(text(content))
	eachElem(content, func(part []byte) bool {
		all.WriteString(text(field(part, "text")) + "\n")
		return true
	})
	typed := all.String()
	if _, after, ok := strings.Cut(typed, "<user_query>"); ok {
		typed, _, _ = strings.Cut(after, "</user_query>")
	}
	words, command := said(dropElement(typed, "timestamp"))
	if words == "" && command == "" {
		return
	}
	e.Kind, e.Text, e.Command, e.heard = Prompt, words, command, content
	emit(&e)
}

func (c *cursor) assistant(content []byte, e Event, emit func(*Event)) {
	n := 0
	eachElem(content, func(part []byte) bool {
		n++
		ev := e
		switch text(field(part, "type")) {
		case "text":
			if words := text(field(part, "text")); strings.TrimSpace(words) != "" {
				ev.Kind, ev.Text = Text, words
			}
		case "tool_use":
			ev.ID = strconv.Itoa(e.Record) + "." + strconv.Itoa(n)
			ev.Kind, ev.Name = Call, text(field(part, "name"))
			if ev.Tool, ev.input = toolOf(Cursor, ev.Name, field(part, "input")); ev.Tool == ToolOther {
				ev.input = nil
			}
		}
		emit(&ev)
		return true
	})
}
