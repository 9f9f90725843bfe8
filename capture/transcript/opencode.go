package transcript

import (
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

func newOpenCode(cwd string) *opencode { return &opencode{cwd: cwd} }

// isOpenCode recognises a line of a bundle; line may be cut off.
func isOpenCode(line []byte) bool { return text(looseField(line, "bundle")) == OpenCode }

func (o *opencode) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	e := Event{Kind: Meta, Record: number, Cwd: o.cwd}
	var title, message []byte
	ok := eachField(line, func(key string, val []byte) bool {
		switch key {
		case "session":
			e.Session = text(val)
		case "cwd":
			if e.Cwd == "" {
				e.Cwd = text(val)
			}
		case "title":
			title = val
		case "message":
			message = val
		}
		return true
	})
	if !ok || message == nil {
		stats.BadLines++
		return
	}
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
		if text(field(part, "type")) == "text" && !isTrue(field(part, "synthetic")) && !isTrue(field(part, "ignored")) {
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

func (o *opencode) assistant(parts []byte, e Event, emit func(*Event)) {
	emit(&e)
	eachElem(parts, func(part []byte) bool {
		ev := e
		switch text(field(part, "type")) {
		case "text":
			words := text(field(part, "text"))
			if strings.TrimSpace(words) == "" || isTrue(field(part, "synthetic")) || isTrue(field(part, "ignored")) {
				return true
			}
			if at := millis(field(part, "time", "start")); !at.IsZero() {
				ev.Time = at
			}
			ev.Kind, ev.Text = Text, words
			emit(&ev)
		case "tool":
			ev.ID = text(field(part, "callID"))
			o.tool(text(field(part, "tool")), field(part, "state"), ev, emit)
		}
		return true
	})
}

func (o *opencode) tool(name string, state []byte, e Event, emit func(*Event)) {
	input, status := field(state, "input"), text(field(state, "status"))
	if at := millis(field(state, "time", "start")); !at.IsZero() {
		e.Time = at
	}
	files := 0
	ev := e
	ev.Kind, ev.Name = Call, name
	switch name {
	case "apply_patch", "patch":
		files = patchCalls(text(field(input, "patchText")), e.Cwd, e, emit)
	default:
		ev.Tool, ev.input = o.input(name, input, e.Cwd)
		emit(&ev)
	}
	if status != "completed" && status != "error" {
		return
	}
	e.Kind, e.heard = Result, state
	output := withoutOurs(field(state, "output"))
	if e.Failed = status == "error"; e.Failed {
		e.Refused, e.Text = opencodeRefusal(text(field(state, "error")))
	} else if code := string(field(state, "metadata", "exit")); code != "" && code != "0" && code != "null" {
		e.Failed = true
	}
	if !e.Refused {
		e.Output = outputOf(output, e.Failed)
		if e.Failed && e.Output == "" {
			e.Output = outputOf(field(state, "error"), true)
		}
	}
	if name == "question" && !e.Failed && len(output) <= resultLimit {
		if e.Answers = listedAnswers(field(input, "questions"), field(state, "metadata", "answers")); e.Answers == nil {
			e.Answers = answersOf(nil, text(output))
		}
	}
	results(e, files, emit)
	if name == "task" && !e.Failed && len(output) <= resultLimit {
		if words := strings.TrimSpace(between(text(output), "<task_result>", "</task_result>")); words != "" {
			e.Kind, e.ID, e.Text, e.Output = Report, "", words, ""
			emit(&e)
		}
	}
}

func (o *opencode) input(name string, input []byte, cwd string) (Tool, []byte) {
	file := func() []byte {
		return inDirectory(cwd, renamed(input, "filePath", "file_path", "content", "content", "newString", "new_string"))
	}
	switch name {
	case "bash":
		return ToolShell, input
	case "read":
		return ToolRead, file()
	case "write":
		return ToolWrite, file()
	case "edit", "multiedit":
		return ToolEdit, file()
	case "todowrite":
		return ToolTodos, todoList(field(input, "todos"), "content")
	case "question":
		return ToolAsk, input
	}
	return ToolOther, input
}

// opencodeRefusal reads the words with which a user turned a call down.
func opencodeRefusal(s string) (refused bool, words string) {
	if !strings.Contains(s[:min(len(s), 300)], "user rejected permission") && !strings.Contains(s[:min(len(s), 300)], "user dismissed this question") {
		return false, ""
	}
	if _, after, found := strings.Cut(s, "with the following feedback:"); found {
		words, _ = said(strings.TrimSpace(after))
	}
	return true, words
}

// listedAnswers joins questions with a list of the labels chosen for each.
func listedAnswers(questions, lists []byte) []Answer {
	var chosen []string
	eachElem(lists, func(list []byte) bool {
		var labels []string
		eachElem(list, func(raw []byte) bool {
			labels = append(labels, text(raw))
			return len(labels) < 20
		})
		chosen = append(chosen, strings.Join(labels, ", "))
		return len(chosen) < 20
	})
	var out []Answer
	for i, a := range questionsOf(questions) {
		if i < len(chosen) && chosen[i] != "" {
			a.Chosen = chosen[i]
			out = append(out, a)
		}
	}
	return out
}
