package transcript

import "bytes"

// Agents whose transcripts can be read, as named in [memory.Source].
const (
	ClaudeCode = "claude-code"
	Codex      = "codex"
	Copilot    = "copilot-cli"
	Gemini     = "gemini-cli"
	OpenCode   = "opencode"
	Cursor     = "cursor"
)

// Agents lists them.
func Agents() []string { return []string{ClaudeCode, Codex, Copilot, Cursor, Gemini, OpenCode} }

// adapter reads one agent's transcript. It sees every line in order and calls
// emit for each event in it; it may keep state between lines. The count of
// unknown records goes to stats.
type adapter interface {
	line(number int, line []byte, stats *Stats, emit func(*Event))
}

// newAdapter returns the reader for the session of an agent, nil when there is none.
// Where the session was started is "" when the lines themselves say so.
func newAdapter(agent string, id *Identity) adapter {
	cwd := id.Cwd
	switch agent {
	case ClaudeCode:
		return newClaude(id.Subagent)
	case Codex:
		return newCodex(cwd)
	case Copilot:
		return newCopilot(cwd)
	case Gemini:
		return newGemini(cwd)
	case OpenCode:
		return newOpenCode(cwd)
	case Cursor:
		return newCursor(cwd)
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
		case isCursor(line):
			return Cursor
		}
		if !found {
			break
		}
		head = rest
	}
	return ""
}
