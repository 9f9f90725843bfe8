package transcript

import (
	"bytes"
)

// headSize is how much of a transcript's beginning says what it is.
const headSize = 64 << 10

// Identity describes a session as the beginning of its transcript does. Any
// part may be "", since formats and versions differ in what they write down.
type Identity struct {
	Agent   string // as Detect names it
	Session string // the agent's own session id; of a subagent, that of its session, a slash, and its own, as far as both are known
	Cwd     string // where the agent was started
	Branch  string // branch at the start
	Head    string // commit id at the start, hexadecimal
	Model   string // the first model that is named
	// Subagent marks the transcript of an agent that another agent started. Its
	// prompts are not a person's, and give events without words.
	Subagent bool
}

// Identify reads the head of a transcript (its first 64 KiB, or less when the
// file is shorter; a last line that is cut off is fine).
func Identify(head []byte) Identity {
	id := Identity{Agent: Detect(head)}
	switch id.Agent {
	case Gemini, OpenCode:
		if bundleOf(head) == id.Agent {
			identifyBundle(head, &id)
			return id
		}
	}
	for n := 0; n < 4*detectLimit && len(head) > 0; n++ {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		head = rest
		var enough bool
		switch id.Agent {
		case ClaudeCode:
			enough = identifyClaude(line, &id)
		case Codex:
			enough = identifyCodex(line, &id)
		case Copilot:
			enough = identifyCopilot(line, &id)
		case Gemini:
			enough = identifyGemini(line, &id)
		}
		if enough {
			break
		}
	}
	return id
}

// set gives *s a raw JSON string unless it has a value.
func set(s *string, raw []byte) {
	if *s == "" {
		*s = text(raw)
	}
}

func identifyClaude(line []byte, id *Identity) bool {
	first := id.Session == ""
	set(&id.Session, looseField(line, "sessionId"))
	set(&id.Cwd, looseField(line, "cwd"))
	set(&id.Branch, looseField(line, "gitBranch"))
	set(&id.Model, looseField(line, "message", "model"))
	if own := text(looseField(line, "agentId")); first && id.Session != "" && own != "" && isTrue(looseField(line, "isSidechain")) {
		id.Subagent, id.Session = true, id.Session+"/"+own
	}
	return id.Session != "" && id.Cwd != "" && id.Model != ""
}

// below makes the session of a subagent of what its own transcript calls it, where
// the session that started it is known.
func (id *Identity) below(parent []byte) {
	if words := text(parent); words != "" && id.Session != "" && words != id.Session {
		id.Subagent, id.Session = true, words+"/"+id.Session
	}
}

// looseField is field for input that may end anywhere: a value that is cut
// off is given as far as it goes.
func looseField(b []byte, path ...string) []byte {
	for _, want := range path {
		i := skipSpace(b, 0)
		if i >= len(b) || b[i] != '{' {
			return nil
		}
		var found []byte
		for i++; i < len(b) && found == nil; {
			if i = skipSpace(b, i); i >= len(b) || b[i] != '"' {
				return nil
			}
			end := skipString(b, i)
			if end < 0 {
				return nil
			}
			key := string(b[i+1 : end-1])
			if i = skipSpace(b, end); i >= len(b) || b[i] != ':' {
				return nil
			}
			i = skipSpace(b, i+1)
			end = skipValue(b, i)
			switch {
			case key == want && end > 0:
				found = b[i:end]
			case key == want:
				found = b[min(i, len(b)):]
			case end < 0:
				return nil
			default:
				if i = skipSpace(b, end); i < len(b) && b[i] == ',' {
					i++
				}
			}
		}
		if b = found; b == nil {
			return nil
		}
	}
	return b
}
