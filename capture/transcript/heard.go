package transcript

import "strings"

// heardDepth bounds how deep the JSON of a result is looked into.
const heardDepth = 12

// Heard calls f with each text that the event brings into the session and that neither
// the person typed nor the agent wrote: what a tool returned, a file or page that was
// attached, a summary, the report of a subagent, and what a program put around a prompt.
func (e *Event) Heard(f func(text string)) {
	own := ""
	switch e.Kind {
	case Report, Compaction:
		if e.Text != "" {
			f(e.Text)
		}
	case Prompt, Steer:
		own = e.Text
	}
	eachText(e.heard, heardDepth, func(s string) {
		if own != "" {
			s = strings.ReplaceAll(s, own, "\n")
		}
		if strings.TrimSpace(s) != "" {
			f(s)
		}
	})
}

// eachText calls f with every string of a JSON value. A string that is itself JSON is
// looked into.
func eachText(raw []byte, depth int, f func(string)) {
	if len(raw) == 0 || depth == 0 {
		return
	}
	switch raw[0] {
	case '"':
		if s := text(raw); isJSON(s) {
			eachText([]byte(s), depth-1, f)
		} else {
			f(s)
		}
	case '[', '{':
		walk(raw, raw[0], func(_ string, val []byte) bool {
			eachText(val, depth-1, f)
			return true
		})
	}
}

// isJSON reports whether s is one JSON object or array and nothing else.
func isJSON(s string) bool {
	if s == "" || s[0] != '{' && s[0] != '[' {
		return false
	}
	end := skipValue([]byte(s), 0)
	return end > 0 && strings.TrimSpace(s[end:]) == ""
}

// Said calls f with each text that the agent itself wrote: a message, a plan, or what it
// puts into a call.
func (e *Event) Said(f func(text string)) {
	switch e.Kind {
	case Text, Plan:
		f(e.Text)
	case Call:
		eachText(e.input, heardDepth, f)
	}
}
