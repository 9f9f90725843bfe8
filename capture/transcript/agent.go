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

// format is how the transcripts of an agent are read.
type format struct {
	agent    string
	is       func(line []byte) bool               // recognises a line, which may be cut off
	identify func(line []byte, id *Identity) bool // takes what a line says of the session; true once nothing is missing
	adapter  func(id *Identity) adapter
}

// formats has a row for each of [Agents].
func formats() []format {
	return []format{
		{ClaudeCode, isClaude, identifyClaude, newClaude},
		{Codex, isCodex, identifyCodex, newCodex},
		{Copilot, isCopilot, identifyCopilot, newCopilot},
		{Cursor, isCursor, identifyNothing, newCursor},
		{Gemini, isGemini, identifyGemini, newGemini},
		{OpenCode, isOpenCode, identifyNothing, newOpenCode},
	}
}

// formatOf returns the row of an agent. That of an agent which cannot be read has no
// adapter.
func formatOf(agent string) format {
	for _, f := range formats() {
		if f.agent == agent {
			return f
		}
	}
	return format{identify: identifyNothing}
}

// identifyNothing is for lines that say nothing of the session.
func identifyNothing([]byte, *Identity) bool { return true }

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
		for _, f := range formats() {
			if f.is(line) {
				return f.agent
			}
		}
		if !found {
			break
		}
		head = rest
	}
	return ""
}
