package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// sessionOf is a session of Claude Code: who speaks and what they say, in turn.
// "record" takes a whole record as JSON, "agent blocks" and "user blocks" a list of
// blocks.
func sessionOf(said ...string) []byte {
	var b bytes.Buffer
	for n := 0; n+1 < len(said); n += 2 {
		who, content := said[n], jsonOf(said[n+1])
		if rest, ok := strings.CutSuffix(who, " blocks"); ok {
			who, content = rest, said[n+1]
		}
		role := map[string]string{"agent": "assistant", "user": "user"}[who]
		if role == "" {
			b.WriteString(said[n+1] + "\n")
			continue
		}
		fmt.Fprintf(&b, `{"parentUuid":null,"isSidechain":false,"userType":"external","type":%q,"uuid":"u%d","sessionId":"s-1","cwd":"/r","timestamp":"2026-03-02T09:%02d:%02dZ","message":{"role":%q,"content":%s}}`+"\n",
			role, n, n/60, n%60, role, content)
	}
	return b.Bytes()
}

// called is a tool call and its result, as two parts of sessionOf.
func called(tool string, input any, output string, failed bool, twin any) []string {
	raw, _ := json.Marshal(input)
	details, _ := json.Marshal(twin)
	result := fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"userType":"external","type":"user","uuid":"r-%s-%d","sessionId":"s-1","cwd":"/r","timestamp":"2026-03-02T09:30:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":%v,"content":%s}]},"toolUseResult":%s}`,
		tool, len(raw), failed, jsonOf(output), details)
	return []string{"agent blocks", fmt.Sprintf(`[{"type":"tool_use","id":"t1","name":%q,"input":%s}]`, tool, raw), "record", result}
}

// TestSources: everything that a session says in one of these places is read, as
// its kind, and nothing that is not new in it.
func TestSources(t *testing.T) {
	for _, c := range []struct {
		name    string
		session []string
		kind    string
		want    string
		not     string // what may not be among the statements
	}{
		{"prompt", []string{"user", "We keep segments."}, SaidByUser, "We keep segments.", ""},
		{"polite request", []string{"user", "Can we maybe keep segments?"}, SaidByUser, "Can we maybe keep segments?", ""},
		{"plan prompt", []string{"user", "Implement the following plan:\n\n# Segments\n\nWe keep segments because a backup is one copy.\n"}, SaidPlan, "because a backup is one copy", ""},
		{"plan prompt with the harness's hint", []string{"user", "Implement the following plan:\n\n# Segments\n\nWe keep segments because a backup is one copy.\n\n\nIf you need specific details from before exiting plan mode (like exact code), read the full transcript at: /x/s-1.jsonl"}, SaidPlan, "because a backup is one copy", "full transcript"},
		{"approved plan", called("ExitPlanMode", map[string]any{"plan": "# Segments\n\nWe keep segments because a backup is one copy.\n"}, "User has approved your plan. You can now start coding.", false, nil), SaidPlan, "because a backup is one copy", ""},
		{"plan that nobody approved", called("ExitPlanMode", map[string]any{"plan": "# Segments\n\nNever approved.\n"}, "nothing", false, nil), "", "", "Never approved"},
		{"compaction summary", []string{"record", `{"parentUuid":null,"isSidechain":false,"userType":"external","type":"user","uuid":"c1","sessionId":"s-1","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued from a previous conversation. Key decision: segments, because a backup is one copy."}}`}, SaidSummary, "Key decision: segments", ""},
		{"report of a subagent", called("Task", map[string]any{"prompt": "Look at the reader"}, "done", false, map[string]any{"agentId": "a1", "totalDurationMs": 12, "content": []any{map[string]any{"type": "text", "text": "The reader takes a cut segment for complete."}}}), SaidReport, "takes a cut segment for complete", "Look at the reader"},
		{"report from the background", []string{"user", "Go.", "user", "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n<summary>Agent \"Look\" completed</summary>\n<result>The reader takes a cut segment for complete.</result>\n</task-notification>"}, SaidReport, "takes a cut segment for complete", "Agent \"Look\""},
		{"commit body", called("Bash", map[string]any{"command": "git commit -m \"$(cat <<'EOF'\nstore: keep segments\n\nA backup is one copy.\n\nCo-Authored-By: X <x@y.z>\nEOF\n)\""}, "ok", false, nil), SaidCommit, "A backup is one copy.", "Co-Authored"},
		{"second -m", called("Bash", map[string]any{"command": "git add . && git commit -m 'store: keep segments' -m 'A backup is one copy.'"}, "ok", false, nil), SaidCommit, "A backup is one copy.", ""},
		{"failed commit", called("Bash", map[string]any{"command": "git commit -m 'store: keep segments' -m 'A refused body.'"}, "error: hook", true, nil), "", "", "A refused body"},
		{"pull request body", called("Bash", map[string]any{"command": "gh pr create --title 'Keep segments' --body \"$(cat <<'EOF'\n## Why\n\nA backup is one copy.\nEOF\n)\""}, "https://github.com/o/r/pull/1", false, nil), SaidCommit, "A backup is one copy.", ""},
		{"pull request in one word", called("Bash", map[string]any{"command": "gh pr create -t 'Keep segments' -b 'A backup is one copy.'"}, "ok", false, nil), SaidCommit, "A backup is one copy.", ""},
		{"commit from standard input", called("Bash", map[string]any{"command": "git commit -F - <<'EOF'\nstore: keep segments\n\nA backup is one copy.\nEOF\n"}, "ok", false, nil), SaidCommit, "A backup is one copy.", ""},
		{"pull request from standard input", called("Bash", map[string]any{"command": "gh pr create --title x --body-file - <<EOF\nA backup is one copy.\nEOF\n"}, "ok", false, nil), SaidCommit, "A backup is one copy.", ""},
		{"document", called("Write", map[string]any{"file_path": "/r/docs/decisions.md", "content": "# Decisions\n\nA backup is one copy.\n"}, "ok", false, nil), SaidDocument, "A backup is one copy.", ""},
		{"edit of a document", called("Edit", map[string]any{"file_path": "/r/docs/decisions.md", "old_string": "Old words stay.", "new_string": "Old words stay.\n\nA backup is one copy."}, "ok", false, nil), SaidDocument, "A backup is one copy.", ""},
		{"code", called("Write", map[string]any{"file_path": "/r/a.go", "content": "// A backup is one copy.\n"}, "ok", false, nil), "", "", "A backup is one copy"},
		{"queued, taken in mid-turn", []string{"user", "Go.", "record", `{"type":"queue-operation","operation":"enqueue","sessionId":"s-1","content":"Never delete segments"}`, "record", `{"type":"queue-operation","operation":"remove","sessionId":"s-1"}`}, SaidByUser, "Never delete segments", ""},
		{"queued behind a task's report, taken in mid-turn", []string{"user", "Go.", "record", `{"type":"queue-operation","operation":"enqueue","sessionId":"s-1","content":"{\"task_id\":\"b1\"}"}`, "record", `{"type":"queue-operation","operation":"enqueue","sessionId":"s-1","content":"Never delete segments"}`, "record", `{"type":"queue-operation","operation":"remove","sessionId":"s-1"}`}, SaidByUser, "Never delete segments", ""},
		{"queued, as an attachment", []string{"user", "Go.", "record", `{"parentUuid":null,"isSidechain":false,"type":"attachment","uuid":"q1","sessionId":"s-1","attachment":{"type":"queued_command","prompt":"Never delete segments"}}`}, SaidByUser, "Never delete segments", ""},
		{"words of a refusal", called("Bash", map[string]any{"command": "rm -r old"}, "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNever delete segments", true, nil), SaidRefusal, "Never delete segments", ""},
		{"answer", called("AskUserQuestion", map[string]any{"questions": []any{map[string]any{"question": "Where to?", "header": "Place"}}}, `User has answered your questions: "Where to?"="Segments". You can now continue.`, false, nil), SaidAnswer, "Chosen: Segments", ""},
		{"last message", []string{"user", "Go.", "agent", "A backup is one copy."}, SaidLast, "A backup is one copy.", ""},
		{"what a subagent was told", []string{"user", "Go.", "record", `{"parentUuid":null,"isSidechain":true,"userType":"external","type":"user","uuid":"x1","sessionId":"s-1","agentId":"a1","message":{"role":"user","content":"Told to a subagent"}}`}, SaidByUser, "Go.", "Told to a subagent"},
	} {
		data := sessionOf(append([]string{"user", "Start."}, c.session...)...)
		found := c.want == ""
		err := Statements(t.Context(), bytes.NewReader(data), Options{}, func(s Statement) {
			found = found || s.Kind == c.kind && strings.Contains(s.Text, c.want)
			if c.not != "" && strings.Contains(s.Text, c.not) {
				t.Errorf("%s: %q is in a statement of the %s", c.name, c.not, s.Kind)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if !found {
			t.Errorf("%s: %q was not read as %s", c.name, c.want, c.kind)
		}
	}
}

// TestTodoStates: the list of steps is kept with their states, as last seen.
func TestTodoStates(t *testing.T) {
	todo := func(states ...string) []string {
		var list []any
		for i, s := range states {
			list = append(list, map[string]any{"content": fmt.Sprintf("Step %d of segments", i+1), "status": s})
		}
		return called("TodoWrite", map[string]any{"todos": list}, "ok", false, nil)
	}
	data := sessionOf(append(append([]string{"user", "Start."}, todo("in_progress", "pending", "pending")...), todo("completed", "in_progress", "pending")...)...)
	var got []string
	for _, s := range capture(t, data, Options{}).Session.Plan {
		got = append(got, s.Status+" "+s.Text)
	}
	if want := "completed Step 1 of segments, in_progress Step 2 of segments, pending Step 3 of segments"; strings.Join(got, ", ") != want {
		t.Errorf("steps %s, want %s", strings.Join(got, ", "), want)
	}
}

// TestChangelog: a changelog is no document of its own; the history says what it says.
func TestChangelog(t *testing.T) {
	for p, want := range map[string]bool{"CHANGELOG.md": false, "docs/changelog-2.md": false, "docs/plan.md": true, "tide.go": false} {
		if got := isDocument(p); got != want {
			t.Errorf("%s: %v, want %v", p, got, want)
		}
	}
}
