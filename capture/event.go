package capture

import (
	"bytes"
	"time"
)

// kind is what an event is.
type kind int

const (
	evPrompt     kind = iota // the user's words that begin a turn
	evSteer                  // the user's words in the middle of a turn
	evText                   // the agent's words
	evCall                   // a tool call
	evResult                 // what came back from a tool call
	evPlan                   // a plan handed to the agent to carry out
	evInterrupt              // the user stopped the agent
	evCompaction             // the conversation was summarised
	evTitle                  // the session's own title
	evMeta                   // nothing but what every event carries
)

// event is one thing that happened in a session, the same for every agent.
type event struct {
	kind    kind
	record  int   // 0-based line
	offset  int64 // where that line starts
	time    time.Time
	session string
	cwd     string
	branch  string

	text    string
	command string // slash command that carried the prompt, without "/"

	id      string // of a tool call
	tool    tool
	input   []byte // raw JSON of the call, valid only while the event is handled
	failed  bool   // of a result
	refused bool   // the result is the user's refusal; text holds the words, if any
	answers []answer
}

// tool is what a tool call does, whatever the agent names it.
type tool int

const (
	toolOther tool = iota
	toolRead
	toolWrite
	toolEdit
	toolShell
	toolAsk
	toolPlan // hands a plan over for approval
	toolTodos
	toolTaskNew
	toolTaskSet
)

// answer is a question that was put to the user, with what was chosen.
type answer struct {
	question string
	header   string
	options  []option
	chosen   string
}

type option struct{ label, description string }

// task is a step of the agent's to-do list.
type task struct{ id, status, text string }

// path is the file that a call reads or writes, as the agent named it.
func (e *event) path() string {
	if p := text(field(e.input, "file_path")); p != "" {
		return p
	}
	return text(field(e.input, "notebook_path"))
}

// content is what a call writes: a whole file, or the words that an edit puts
// in.
func (e *event) content() string {
	if e.tool == toolWrite {
		return text(field(e.input, "content"))
	}
	return text(field(e.input, "new_string"))
}

// shell is the command line of a call of [toolShell].
func (e *event) shell() string { return text(field(e.input, "command")) }

// plan is the Markdown of a call of [toolPlan].
func (e *event) plan() string { return text(field(e.input, "plan")) }

// questions are those of a call of [toolAsk], without answers.
func (e *event) questions() []answer { return questionsOf(field(e.input, "questions")) }

// tasks is the whole list of a call of [toolTodos], at most fifty.
func (e *event) tasks() []task {
	var out []task
	eachElem(field(e.input, "todos"), func(raw []byte) bool {
		out = append(out, task{status: text(field(raw, "status")), text: text(field(raw, "content"))})
		return len(out) < 50
	})
	return out
}

// task is the step that a call of [toolTaskNew] or [toolTaskSet] is about.
func (e *event) task() task {
	return task{id: text(field(e.input, "taskId")), status: text(field(e.input, "status")), text: text(field(e.input, "subject"))}
}

// adapter reads one agent's transcript. It sees every line in order and calls
// emit for each event in it; it may keep state between lines. The count of
// unknown records goes to stats.
type adapter interface {
	line(number int, line []byte, stats *stats, emit func(*event))
}

// newAdapter gives the reader for an agent, nil when there is none. cwd is
// where the session was started, "" when the lines themselves say so.
func newAdapter(agent, cwd string) adapter {
	switch agent {
	case ClaudeCode:
		return newClaude()
	case Codex:
		return newCodex(cwd)
	case Copilot:
		return newCopilot(cwd)
	case Gemini:
		return newGemini(cwd)
	case OpenCode:
		return newOpenCode(cwd)
	}
	return nil
}

// detectLimit is how many lines Detect looks at.
const detectLimit = 50

// Detect names the agent that wrote a transcript from its first bytes (64 KiB
// are plenty), "" when it is none that capture can read.
func Detect(head []byte) string {
	if agent := bundleOf(head); agent != "" {
		return agent
	}
	for range detectLimit {
		line, rest, found := bytes.Cut(head, []byte("\n"))
		switch {
		case isClaude(line):
			return ClaudeCode
		case isCodex(line):
			return Codex
		case isCopilot(line):
			return Copilot
		case isGemini(line):
			return Gemini
		case isOpenCode(line):
			return OpenCode
		}
		if !found {
			break
		}
		head = rest
	}
	return ""
}
