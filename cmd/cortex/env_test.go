package main

import "testing"

// TestAgent: the program knows which agent runs it by what agents put into the environment of commands.
func TestAgent(t *testing.T) {
	for name, want := range map[string]string{
		"CLAUDECODE": "claude-code", "CODEX_SANDBOX": "codex", "CODEX_SANDBOX_NETWORK_DISABLED": "codex", "CODEX_THREAD_ID": "codex",
		"COPILOT_CLI": "copilot-cli", "COPILOT_AGENT": "copilot-cli", "CURSOR_AGENT": "cursor", "GEMINI_CLI": "gemini-cli", "OPENCODE": "opencode",
		"TERM": "",
	} {
		e := &env{streams: &streams{getenv: func(key string) string {
			if key == name {
				return "1"
			}
			return ""
		}}}
		if got := e.agent(); got != want {
			t.Errorf("%s=1: %q, want %q", name, got, want)
		}
	}
}
