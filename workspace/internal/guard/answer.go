package guard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
)

// Answer returns what a hook answers to a call that the guard denies or asks about, in the agent's own form.
// Where an agent cannot ask its user, the call is denied.
func (g *Guard) Answer(agent string) ([]byte, error) {
	decision, reason := g.Action, g.Reason()
	if !slices.Contains([]string{transcript.ClaudeCode, transcript.Copilot}, agent) && decision == Ask {
		decision = Deny
		reason = "Only the user may decide this: tell them what to run themselves.\n" + reason
	}
	said := map[string]string{"permissionDecision": decision, "permissionDecisionReason": reason}
	switch agent {
	case transcript.Gemini:
		said = map[string]string{"decision": decision, "reason": reason}
	case transcript.Cursor:
		said = map[string]string{"permission": decision, "agent_message": reason, "user_message": reason}
	case transcript.ClaudeCode, transcript.Codex, transcript.OpenCode:
		said["hookEventName"] = "PreToolUse"
		return jsontext.Encode(map[string]any{"hookSpecificOutput": said})
	}
	return jsontext.Encode(said)
}

// Reason says why the guard speaks. The words of its rule stand in a fence, as those of any memory do.
func (g *Guard) Reason() string {
	fence := memory.FenceOver(slices.Values([]string{g.Name, g.Rule, g.Remedy}))
	return strings.Join([]string{
		projection.BriefingOpen,
		"Cortex: the guard " + g.Name + " speaks about this call. A person made it of a memory: cortex guard list.",
		fence.Open(), "Rule: " + fence.Text(g.Rule), "Instead: " + fence.Text(cmp.Or(g.Remedy, "ask the user.")),
		fence.Close(),
		projection.BriefingClose,
	}, "\n") + "\n"
}
