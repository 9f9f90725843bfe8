package transcript

import (
	"cmp"
	"strconv"
	"strings"
	"time"
)

// opencode reads what "opencode export" writes (1.2 to 1.18): one document
// {info, messages: [{info, parts}]}, which arrives here as lines of a bundle.
// The sessions of subagents are documents of their own.
type opencode struct {
	cwd string
}

func newOpenCode(id *Identity) adapter { return &opencode{cwd: id.Cwd} }

// isOpenCode recognises a line of a bundle; line may be cut off.
func isOpenCode(line []byte) bool { return text(looseField(line, "bundle")) == OpenCode }

func (o *opencode) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	var session, cwd, title, message []byte
	ok := members(
		line,
		member{"session", &session},
		member{"cwd", &cwd},
		member{"title", &title},
		member{"message", &message},
	)
	if !ok || message == nil {
		stats.BadLines++
		return
	}
	e := Event{Kind: Meta, Record: number, Session: text(session), Cwd: cmp.Or(o.cwd, text(cwd))}
	if words := text(title); words != "" {
		ev := e
		ev.Kind, ev.Text = Title, words
		emit(&ev)
	}
	o.message(message, e, stats, emit)
}

func (o *opencode) message(message []byte, e Event, stats *Stats, emit func(*Event)) {
	info, parts := field(message, "info"), field(message, "parts")
	e.Time = millis(field(info, "time", "created"))
	switch text(field(info, "role")) {
	case "user":
		o.user(parts, e, emit)
	case "assistant":
		e.Model = text(field(info, "modelID"))
		if isTrue(field(info, "summary")) {
			e.Kind, e.heard = Compaction, parts
			emit(&e)
			return
		}
		o.assistant(parts, e, emit)
		if text(field(info, "error", "name")) == "MessageAbortedError" {
			e.Kind = Interrupt
			emit(&e)
		}
	default:
		stats.unknown(text(field(info, "role")))
	}
}

// millis reads a time given in milliseconds since 1970.
func millis(raw []byte) time.Time {
	whole, _, _ := strings.Cut(string(raw), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n <= 0 || n > 1<<46 {
		return time.Time{}
	}
	return time.UnixMilli(n).UTC()
}

// user reads the parts of a prompt. Synthetic ones were put there by the
// harness: attached files, reminders, the outcome of a subtask.
func (o *opencode) user(parts []byte, e Event, emit func(*Event)) {
	var words []string
	eachElem(parts, func(part []byte) bool {
		if text(field(part, "type")) == "text" && !isSynthetic(part) {
			words = append(words, text(field(part, "text")))
		}
		return true
	})
	e.heard = parts
	prompt, command := said(strings.Join(words, "\n\n"))
	if prompt == "" && command == "" {
		emit(&e)
		e.Kind = Brought
		emit(&e)
		return
	}
	e.Kind, e.Text, e.Command = Prompt, prompt, command
	emit(&e)
}

// isSynthetic reports whether a part was put there by the harness.
func isSynthetic(part []byte) bool {
	return isTrue(field(part, "synthetic")) || isTrue(field(part, "ignored"))
}

func (o *opencode) assistant(parts []byte, e Event, emit func(*Event)) {
	emit(&e)
	eachElem(parts, func(part []byte) bool {
		ev := e
		switch text(field(part, "type")) {
		case "text":
			words := text(field(part, "text"))
			if strings.TrimSpace(words) != "" && !isSynthetic(part) {
				ev.startedAt(part)
				ev.Kind, ev.Text = Text, words
				emit(&ev)
			}
		case "tool":
			ev.ID = text(field(part, "callID"))
			o.tool(text(field(part, "tool")), field(part, "state"), ev, emit)
		}
		return true
	})
}

// startedAt takes the time at which a part or a call began, where it says so.
func (e *Event) startedAt(part []byte) {
	if at := millis(field(part, "time", "start")); !at.IsZero() {
		e.Time = at
	}
}

func (o *opencode) tool(name string, state []byte, e Event, emit func(*Event)) {
	input := field(state, "input")
	e.startedAt(state)
	files := 0
	switch name {
	case "apply_patch", "patch":
		files = patchCalls(text(field(input, "patchText")), e.Cwd, e, emit)
	default:
		ev := e
		tool, args := toolOf(OpenCode, name, input)
		ev.Kind, ev.Name, ev.Tool, ev.input = Call, name, tool, inDirectory(e.Cwd, args)
		emit(&ev)
	}
	switch text(field(state, "status")) {
	case "completed", "error":
		e.Kind, e.heard = Result, state
		o.result(name, state, files, e, emit)
	}
}

// result reads how a call of a tool ended.
func (o *opencode) result(name string, state []byte, files int, e Event, emit func(*Event)) {
	output, trouble := withoutOurs(field(state, "output")), field(state, "error")
	e.Failed = exitFailed(field(state, "metadata", "exit"))
	if text(field(state, "status")) == "error" {
		e.Failed = true
		e.Refused, e.Text = opencodeRefusal(text(trouble))
	}
	e.toolSaid(output, trouble)
	told := !e.Failed && len(output) <= resultLimit // worth a look at the words
	if told && name == "question" {
		e.Answers = listedAnswers(field(state, "input", "questions"), field(state, "metadata", "answers"))
		if e.Answers == nil {
			e.Answers = saidAnswers(text(output))
		}
	}
	results(e, files, emit)
	if !told || name != "task" {
		return
	}
	if words := strings.TrimSpace(between(text(output), "<task_result>", "</task_result>")); words != "" {
		e.Kind, e.ID, e.Text, e.Output = Report, "", words, ""
		emit(&e)
	}
}

// opencodeRefusal reads the words with which a user turned a call down.
func opencodeRefusal(s string) (refused bool, words string) {
	const lead = "with the following feedback:"
	refused, words = refusedBy(s, lead, "user rejected permission", "user dismissed this question")
	words, _ = said(strings.TrimSpace(words))
	return refused, words
}

// listedAnswers joins questions with a list of the labels chosen for each.
func listedAnswers(questions, lists []byte) []Answer {
	var chosen []string
	eachElem(lists, func(list []byte) bool {
		chosen = append(chosen, strings.Join(texts(list, maxQuestions), ", "))
		return len(chosen) < maxQuestions
	})
	return answered(questionsOf(questions), func(n int, _ Answer) string {
		if n < len(chosen) {
			return chosen[n]
		}
		return ""
	})
}
