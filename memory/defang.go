package memory

import (
	"strings"
	"unicode"
)

// Defang is [Clean] for text that an agent will read. Tags that have a meaning
// for its harness or chat template (system reminders, command output, tool
// results) and HTML comments lose their opening bracket, so that a memory
// cannot pose as the harness. Other tags, generics and comparisons stay as they
// are. Defang is idempotent. Apply it last, to the text as it will be injected.
// It lowers the risk of injection but does not remove it: label injected text
// as evidence as well.
func Defang(s string) string { return Untag(Clean(s)) }

// Untag is [Defang] of a text that is clean.
func Untag(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		if harnessTag(s) {
			b.WriteString("‹")
		} else {
			b.WriteByte('<')
		}
	}
}

// harnessTag reports whether a model may take a "<" with this text behind it
// for a tag of its harness.
func harnessTag(rest string) bool {
	const longest = 64 // bytes that are examined; no name is longer
	if strings.HasPrefix(rest, "!--") {
		return true
	}
	if chatToken(rest[:min(len(rest), longest)]) {
		return true
	}
	rest = strings.TrimLeftFunc(rest, isBeforeTag)
	rest = rest[:min(len(rest), longest)]
	name := rest[:len(rest)-len(strings.TrimLeftFunc(rest, isTagRune))]
	lower := strings.ToLower(name)
	oneCase := name == lower || name == strings.ToUpper(name) // <System> is a component or a type
	return oneCase && harnessName(lower) || harnessFamily(strings.ReplaceAll(lower, "_", "-"))
}

func isBeforeTag(r rune) bool { return r == '/' || unicode.IsSpace(r) }

func isTagRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-", r)
}

// harnessName reports whether a tag of this name has a meaning for a harness.
func harnessName(name string) bool {
	switch name {
	case "antml", "assistant", "cortex", "human", "instructions", "invoke", "memories", "memory", "sys", "system",
		"thinking":
		return true
	}
	return false
}

// harnessFamily reports whether a name is one of those below, or begins with
// one of them and "-".
func harnessFamily(name string) bool {
	if !strings.Contains(name, "-") {
		return false
	}
	for _, family := range [...]string{
		"additional-context", "agent-notification", "antml", "attached-files", "bash", "claude", "collaboration-mode",
		"command", "cortex", "custom-instruction", "custom-instructions", "end-of-turn", "environment-context",
		"function-call", "function-calls", "function-result", "function-results", "ide", "local-command", "memory",
		"new-diagnostics", "open-and-recently", "permissions", "persisted-output", "personality", "start-of-turn",
		"system", "task-notification", "thinking", "tool-call", "tool-calls", "tool-output", "tool-response",
		"tool-result", "tool-results", "tool-use", "turn-aborted", "user-info", "user-instructions", "user-message",
		"user-prompt", "user-query",
	} {
		if after, ok := strings.CutPrefix(name, family); ok && (after == "" || after[0] == '-') {
			return true
		}
	}
	return false
}

// chatToken reports whether s, behind a "<", is a token of a chat template,
// such as <|im_start|>.
func chatToken(rest string) bool {
	for _, bar := range [...]string{"|", "｜"} {
		if after, ok := strings.CutPrefix(rest, bar); ok {
			word, _, closed := strings.Cut(after, bar+">")
			return closed && !strings.ContainsAny(word, " \t\n")
		}
	}
	return false
}
