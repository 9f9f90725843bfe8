package capture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestStatements: a reader gets what was said, in order and without secrets, and
// neither what tools print, unless they fail, nor cortex's own briefing.
func TestStatements(t *testing.T) {
	token := strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_")
	lines := []string{
		`{"type":"user","uuid":"u1","timestamp":"2026-11-20T10:00:01Z","sessionId":"s-1","message":{"role":"user","content":"Use ` + token + ` for the harbour office.\n<!-- cortex:briefing -->\nOld decisions.\n<!-- /cortex:briefing -->"}}`,
		`{"type":"assistant","uuid":"u2","timestamp":"2026-11-20T10:00:02Z","sessionId":"s-1","message":{"role":"assistant","content":[{"type":"text","text":"I will look."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"git commit -m 'gauge: poll every 30 s' -m 'They sleep after 60 s.'"}}]}}`,
		`{"type":"user","uuid":"u3","timestamp":"2026-11-20T10:00:03Z","sessionId":"s-1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"[main 1a2b3c4] gauge"}]}}`,
		`{"type":"assistant","uuid":"u6","timestamp":"2026-11-20T10:00:03Z","sessionId":"s-1","message":{"role":"assistant","content":[{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"gauge login --token ` + token + ` --zone a"}}]}}`,
		`{"type":"user","uuid":"u7","timestamp":"2026-11-20T10:00:03Z","sessionId":"s-1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","is_error":true,"content":"Exit code 1\nlooking up a\ngauge: unknown zone a"}]}}`,
		`{"type":"assistant","uuid":"u4","timestamp":"2026-11-20T10:00:04Z","sessionId":"s-1","message":{"role":"assistant","content":[{"type":"text","text":"Done: gauges are polled."}]}}`,
		`{"type":"user","uuid":"u5","timestamp":"2026-11-20T10:00:05Z","sessionId":"s-1","message":{"role":"user","content":"Thanks."}}`,
		`not json`,
	}
	var got []string
	err := Statements(t.Context(), strings.NewReader(strings.Join(lines, "\n")+"\n"), Options{Agent: "claude-code"}, func(s Statement) {
		got = append(got, fmt.Sprintf("%d/%d %s: %s", s.Record, s.Turn, s.Kind, s.Text))
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"0/0 user: Use [redacted: github] for the harbour office.",
		"1/0 agent: I will look.",
		"1/0 commit: gauge: poll every 30 s\n\nThey sleep after 60 s.",
		"4/0 failure: `gauge login --token [redacted: secret] --zone a` failed:\ngauge: unknown zone a\nlooking up a",
		"5/0 handover: Done: gauges are polled.",
		"6/1 user: Thanks.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
