package transcript

import (
	"bytes"
)

// headSize is how much of a transcript's beginning says what it is.
const headSize = 64 << 10

// Identity describes a session as the beginning of its transcript does. Any
// part may be "", since formats and versions differ in what they write down.
type Identity struct {
	Agent string // as Detect names it
	// Session is the agent's own id; of a subagent, that of its session, a slash, and its
	// own, as far as both are known.
	Session string
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
	if id.Agent != "" && bundleOf(head) == id.Agent {
		identifyBundle(head, &id)
		return id
	}
	identify := formatOf(id.Agent).identify
	for n := 0; n < 4*detectLimit && len(head) > 0; n++ {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		if identify(line, &id) {
			break
		}
		head = rest
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
	if first && id.Session != "" && isTrue(looseField(line, "isSidechain")) {
		id.ofSubagent(text(looseField(line, "agentId")))
	}
	return id.Cwd != "" && id.known()
}

// known reports whether the session and its model are known.
func (id *Identity) known() bool { return id.Session != "" && id.Model != "" }

// ofSubagent makes of the session's id that of a subagent of it.
func (id *Identity) ofSubagent(own string) {
	if own != "" {
		id.Subagent, id.Session = true, id.Session+"/"+own
	}
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
		if b = looseMember(b, want); b == nil {
			return nil
		}
	}
	return b
}

func looseMember(b []byte, want string) []byte {
	i := skipSpace(b, 0)
	if !isAt(b, i, '{') {
		return nil
	}
	for i++; i < len(b); {
		key, value := keyAt(b, skipSpace(b, i))
		if value < 0 {
			return nil
		}
		end := skipValue(b, value)
		if key == want {
			if end < 0 {
				end = len(b)
			}
			return b[min(value, end):end]
		}
		if end < 0 {
			return nil
		}
		if i = skipSpace(b, end); isAt(b, i, ',') {
			i++
		}
	}
	return nil
}
