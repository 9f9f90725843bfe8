package transcript

import (
	"testing"

	"github.com/git-cortex/cortex/memory"
)

func TestSaid(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain",
		"# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nalways\n</INSTRUCTIONS>":         "",
		"# AGENTS.md instructions for /x\nunclosed":                                          "",
		"# AGENTS.md instructions for /x\n<INSTRUCTIONS>\na\n</INSTRUCTIONS>\n\nthen do":     "then do",
		"<environment_context>\n<cwd>/x</cwd>\n</environment_context>":                       "",
		"<environment_context>\n<cwd>/x":                                                     "",
		"<user_instructions>\nnever\n</user_instructions>\n\ngo on":                          "go on",
		"# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\ndo": "do",
		memory.BriefingOpen + "\nwe decided\n" + memory.BriefingClose + "\nmine":             "mine",
		"why\n--- Content from referenced files ---\nconst x":                                "why",
		"/usr/bin is full": "/usr/bin is full",
	} {
		if got, _ := said(in); got != want {
			t.Errorf("said(%q) = %q, want %q", in, got, want)
		}
	}
	if words, command := said("/review the diff"); words != "the diff" || command != "review" {
		t.Errorf("a slash command gave %q %q", words, command)
	}
}
