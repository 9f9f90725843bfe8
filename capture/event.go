package capture

import (
	"bytes"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
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
	record  int // 0-based line
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

func (a *answer) redact(r *redact.Redactor) {
	for _, s := range []*string{&a.question, &a.header, &a.chosen} {
		*s = r.Text(*s)
	}
	for i := range a.options {
		a.options[i].label = r.Text(a.options[i].label)
		a.options[i].description = r.Text(a.options[i].description)
	}
}

type option struct{ label, description string }

// adapter reads one agent's transcript. It sees every line in order and calls
// emit for each event in it; it may keep state between lines. The count of
// unknown records goes to stats.
type adapter interface {
	line(number int, line []byte, stats *Stats, emit func(*event))
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
