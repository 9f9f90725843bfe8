package transcript

import "strings"

// wrapped lists what agents put round or beside the user's words, as elements.
// What typed drops for every agent is not repeated.
func wrapped() []string {
	return []string{
		"environment_context", "user_instructions", "INSTRUCTIONS", "permissions", "turn_aborted", "subagent_notification", "user_shell_command",
		"skill", "skills", "skill-context", "hook_context", "session_context", "state_snapshot", "current_datetime", "reminder", "sql_tables",
		"tool_calling_instructions", "collaboration_mode", "model_switch", "realtime_conversation", "attachments", "editor_context",
	}
}

// notSaid lists how texts begin that stand where the user's words do but are
// the harness's.
func notSaid() []string {
	return []string{
		"# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<permissions", "<turn_aborted>", "<state_snapshot>",
		"This is the Gemini CLI. We are setting up the context", "Here is the user's editor context", "Here is a summary of changes in the user's editor context",
		"Another language model started to solve this problem", "This session is being continued from a previous conversation",
		"[Request interrupted by user", "The following tool was executed by the user", "Warning: The maximum number of unified exec processes",
		"System: Please continue",
	}
}

// said reduces a prompt as an agent recorded it to what the user typed.
func said(s string) (words, command string) {
	s = dropInstructions(s)
	if strings.Contains(s, "</") {
		for _, tag := range wrapped() {
			s = dropElement(s, tag)
		}
	}
	if i := strings.LastIndex(s, "## My request for Codex:"); i >= 0 && strings.HasPrefix(strings.TrimSpace(s), "# Context from my IDE setup") {
		s = s[i+len("## My request for Codex:"):]
	}
	if i := strings.Index(s, "--- Content from referenced files ---"); i >= 0 {
		s = s[:i]
	}
	if words, command = typed(s); command != "" {
		return words, command
	}
	for _, start := range notSaid() {
		if strings.HasPrefix(words, start) {
			return "", ""
		}
	}
	return slashCommand(words)
}

// dropInstructions removes the text of AGENTS.md, from its heading to the end
// of the element it stands in.
func dropInstructions(s string) string {
	i := strings.Index(s, "# AGENTS.md instructions for ")
	if i < 0 || i > 0 && s[i-1] != '\n' {
		return s
	}
	for _, end := range []string{"</INSTRUCTIONS>", "</user_instructions>"} {
		if j := strings.Index(s[i:], end); j >= 0 {
			return s[:i] + s[i+j+len(end):]
		}
	}
	return s
}

// slashCommand splits "/name arguments". A path is not a command.
func slashCommand(s string) (words, command string) {
	name, rest, _ := strings.Cut(s, " ")
	if len(name) < 3 || name[0] != '/' || strings.ContainsAny(name[1:], "/.\n\t") || name[1] < 'a' || name[1] > 'z' {
		return s, ""
	}
	return strings.TrimSpace(rest), name[1:]
}
