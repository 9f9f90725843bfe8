package transcript

import (
	"bytes"
	"slices"
	"strings"
)

// Bounds of the output of a call that is looked at for what went wrong: that of
// a call that failed, and that of one that claims success.
const (
	failureLimit = 32 << 10
	successLimit = 2 << 10
)

// outputOf is the output of a call that failed; of another call it is "", unless
// the output is short and has words with which a tool owns that it did nothing,
// such as a test runner that found no tests. raw is a JSON string. Decoding all
// output would take a fifth of the time.
func outputOf(raw []byte, failed bool) string {
	limit := successLimit
	if failed {
		limit = failureLimit
	}
	if len(raw) > limit || !failed && !idle(raw) {
		return ""
	}
	return text(raw)
}

// toolSaid keeps what the tool said, of a call that failed also what stands in place of its
// output. Both are JSON strings.
func (e *Event) toolSaid(output, trouble []byte) {
	if e.Refused {
		return
	}
	e.Output = outputOf(output, e.Failed)
	if e.Failed && e.Output == "" {
		e.Output = outputOf(trouble, true)
	}
}

// withoutOurs returns a raw JSON string without what a hook of cortex told the agent in
// it. Some agents put that behind the output of the call itself, where it would hide how
// the call ended, and what the tool said.
func withoutOurs(raw []byte) []byte {
	if !isString(raw) || !bytes.Contains(raw, []byte(briefingWord)) {
		return raw
	}
	said := WithoutBriefing(text(raw))
	if bytes.Contains(raw, []byte("<hook_context>")) { // what Gemini CLI puts around it
		said = dropElement(said, "hook_context")
	}
	return jsonString(strings.TrimRight(said, "\n"))
}

func idle(raw []byte) bool {
	return slices.ContainsFunc(harness()["idle"], func(mark string) bool { return bytes.Contains(raw, []byte(mark)) })
}

// Replaced is the text that a call of [ToolEdit] looks for.
func (e *Event) Replaced() string { return text(field(e.input, "old_string")) }

// Input is the raw JSON of a call's arguments.
func (e *Event) Input() string { return string(e.input[:min(len(e.input), 1<<10)]) }
