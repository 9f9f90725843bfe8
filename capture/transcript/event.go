package transcript

import (
	"time"
)

// Kind says what happened in an [Event].
type Kind int

// The kinds of events.
const (
	Prompt     Kind = iota // the user's words that begin a turn
	Steer                  // the user's words in the middle of a turn
	Text                   // the agent's words
	Call                   // a tool call
	Result                 // what came back from a tool call
	Plan                   // a plan handed to the agent to carry out
	Interrupt              // the user stopped the agent
	Compaction             // the conversation was summarised; Text is the summary, where the transcript has it
	Report                 // what a subagent handed back
	Title                  // the session's own title
	Meta                   // nothing but what every event carries
	Brought                // something was put beside the conversation; only with [Reader.Hearing]
)

// Event is one thing that happened in a session, the same for every agent.
// What it holds depends on its kind; the rest is zero.
type Event struct {
	Kind    Kind
	Record  int   // 0-based line
	Offset  int64 // where that line starts
	Time    time.Time
	Session string
	Cwd     string
	Branch  string
	Model   string // that the agent ran on, where the record names it

	// Subagent names the subagent that made a call, by an id of the agent's, where a
	// transcript holds the calls of both; "" for the session's own agent.
	Subagent string

	Text    string
	Command string // slash command that carried the prompt, without "/"

	ID      string // of a tool call
	Tool    Tool
	Name    string // of the tool, as the agent has it
	Failed  bool   // of a result
	Output  string // of a result: what the tool said, where that tells what went wrong; never evidence of a fact
	Refused bool   // the result is the user's refusal; Text holds the words, if any
	Answers []Answer

	input []byte // raw JSON of the call
	heard []byte // raw JSON of what the event brings in that nobody of the two said
}

// FailedAtWork reports whether a call failed and was not turned down by the user.
func (e *Event) FailedAtWork() bool { return e.Failed && !e.Refused }

// Tool says what a tool call does, whatever the agent names it.
type Tool int

// The tools that matter; an agent has more.
const (
	ToolOther Tool = iota
	ToolRead
	ToolWrite
	ToolEdit
	ToolShell
	ToolAsk
	ToolPlan // hands a plan over for approval
	ToolTodos
	ToolTaskNew
	ToolTaskSet
)

// Edits reports whether a tool changes files.
func (t Tool) Edits() bool { return t == ToolWrite || t == ToolEdit }

// Answer is a question that was put to the user, with what was chosen.
type Answer struct {
	Question string
	Header   string
	Options  []Option
	Chosen   string
}

// Option is one of the answers that a question offers.
type Option struct{ Label, Description string }

// Task is a step of the agent's to-do list.
type Task struct{ ID, Status, Text string }

// Path is the file that a call reads or writes, as the agent named it.
func (e *Event) Path() string {
	if p := text(field(e.input, "file_path")); p != "" {
		return p
	}
	return text(field(e.input, "notebook_path"))
}

// Content is the text that a call writes: a whole file, or the words that an edit
// puts in.
func (e *Event) Content() string {
	if e.Tool == ToolWrite {
		return text(field(e.input, "content"))
	}
	return text(field(e.input, "new_string"))
}

// Shell is the command line of a call of [ToolShell].
func (e *Event) Shell() string { return text(field(e.input, "command")) }

// Plan is the Markdown of a call of [ToolPlan].
func (e *Event) Plan() string { return text(field(e.input, "plan")) }

// Questions are those of a call of [ToolAsk], without answers.
func (e *Event) Questions() []Answer { return questionsOf(field(e.input, "questions")) }

// Tasks is the whole list of a call of [ToolTodos], at most fifty.
func (e *Event) Tasks() []Task {
	var out []Task
	eachElem(field(e.input, "todos"), func(raw []byte) bool {
		out = append(out, Task{Status: text(field(raw, "status")), Text: text(field(raw, "content"))})
		return len(out) < 50
	})
	return out
}

// Task is the step that a call of [ToolTaskNew] or [ToolTaskSet] is about.
func (e *Event) Task() Task {
	return Task{
		ID:     text(field(e.input, "taskId")),
		Status: text(field(e.input, "status")),
		Text:   text(field(e.input, "subject")),
	}
}
