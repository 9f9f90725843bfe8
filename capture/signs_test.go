package capture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/memory"
)

// table is one that keeps everything that has one of some signs.
func table(t *testing.T, signs ...string) *weights.Table {
	t.Helper()
	rows := map[string][]float64{weights.Bias: {-9, -9}}
	for _, s := range signs {
		rows[s] = []float64{18, 0}
	}
	return weights.New(rows, 0.5, 0.5)
}

func record(kind, content, more string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":"u%d","sessionId":"s","cwd":"/r","version":"2.1.0","timestamp":"2026-03-02T09:00:00Z","message":{"role":%q,"content":%s}%s}`+"\n",
		kind, len(content)+len(more), kind, content, more)
}

// titles lists what a run kept.
func titlesKept(res *Result) []string {
	var out []string
	for _, m := range res.held() {
		out = append(out, m.Title)
	}
	return out
}

// TestPlaces: what a subagent reported, a plan explains and an edit of a document adds is
// read; what a document said before, or a compaction summed up, is not.
func TestPlaces(t *testing.T) {
	data := record("user", `"Why is the tide table wrong?"`, "") +
		record("assistant", `[{"type":"tool_use","id":"t1","name":"Task","input":{"prompt":"The moon is made of cheese, look there."}}]`, "") +
		record("user", `[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"The tide table is read from a stale cache in every harbour."}]}]`,
			`,"toolUseResult":{"status":"completed","prompt":"The moon is made of cheese.","agentId":"a1","content":[{"type":"text","text":"The tide table is read from a stale cache in every harbour."}],"totalDurationMs":5}`) +
		record("user", `"This session is being continued. The planner keeps the tide table of the nearest harbour."`, `,"isCompactSummary":true`) +
		record("assistant", `[{"type":"tool_use","id":"t2","name":"Edit","input":{"file_path":"/r/README.md","old_string":"The gauge sends once an hour.","new_string":"The gauge sends once an hour.\nThe gauge sends nothing while the lock of the harbour is open."}}]`, "") +
		record("user", `[{"type":"tool_result","tool_use_id":"t2","content":"ok"}]`, "") +
		record("assistant", `[{"type":"text","text":"All of that is written down."}]`, "")
	res := capture(t, []byte(data), Options{Agent: transcript.ClaudeCode, Weights: table(t, "place report", "place document")})
	got := titlesKept(res)
	for _, want := range []string{
		"The tide table is read from a stale cache in every harbour",
		"The gauge sends nothing while the lock of the harbour is open",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not kept, only %q", want, got)
		}
	}
	if all := strings.Join(got, "\n"); strings.Contains(all, "cheese") || strings.Contains(all, "nearest harbour") || strings.Contains(all, "once an hour") {
		t.Errorf("kept what was not said there: %q", got)
	}
}

// TestPlanReasons: an approved plan is a memory, and so is a reason that it gives.
func TestPlanReasons(t *testing.T) {
	plan := `# Frost alerts\n\nThe alert goes through the outbox table because the mailer loses messages on a restart.\n\n1. Read the sensors\n2. Write the outbox`
	data := record("user", `"Plan the frost alerts"`, "") +
		record("assistant", `[{"type":"tool_use","id":"p1","name":"ExitPlanMode","input":{"plan":"`+plan+`"}}]`, "") +
		record("user", `[{"type":"tool_result","tool_use_id":"p1","content":"User has approved your plan. You can now start coding."}]`, "")
	res := capture(t, []byte(data), Options{Agent: transcript.ClaudeCode, Weights: table(t, "place plan")})
	if got := titlesKept(res); !slices.Contains(got, "The alert goes through the outbox table because the mailer loses messages on a restart") || len(got) != 2 {
		t.Errorf("kept %q", got)
	}
}

// TestPlanBody: every step of a plan is an item, also where nothing says its aim.
func TestPlanBody(t *testing.T) {
	for plan, want := range map[string]string{
		"# Retry\n1. Write the writer\n2. Add the retry":          "- Write the writer\n- Add the retry",
		"# Retry\n\nA write is tried three times.\n\n1. Write it": "A write is tried three times.\n- Write it",
		"# Retry\n\nA write is tried three times.":                "A write is tried three times.",
		"# Retry": "",
	} {
		if got := planBody(prose.Blocks(plan)); got != want {
			t.Errorf("%q: %q, want %q", plan, got, want)
		}
	}
}

// TestOutright: what the user lays down in so many words is kept, whatever the
// weights say.
func TestOutright(t *testing.T) {
	for words, want := range map[string]float64{
		"I chose SQLite over PostgreSQL because zero-config is critical": confUser,
		"We use the outbox instead of a broker":                          confRule,
		"From now on every gauge gets a test of its own":                 confRule,
		"Should we always test every gauge?":                             0,
		"have a look at the gauge please":                                0,
	} {
		res := capture(t, talk([3]string{"0s", "hello there", "a.go"}, [3]string{"1m", words, "b.go"}), Options{Agent: transcript.ClaudeCode, Weights: table(t)})
		got := 0.0
		for _, c := range res.Candidates {
			if c.held() {
				got = c.Confidence
			}
		}
		if got != want {
			t.Errorf("%q is kept with %v, want %v", words, got, want)
		}
	}
}

// TestOutrightOfAgent: a choice that the agent tells of in full is a decision, whatever
// the weights say.
func TestOutrightOfAgent(t *testing.T) {
	res := capture(t, conversation("Make the store work", "I chose SQLite over PostgreSQL because zero-config is critical."), Options{Weights: table(t)})
	if got := res.Candidates; len(got) != 1 || got[0].Memory.Type != memory.Decision || got[0].Confidence != confUser {
		t.Errorf("%+v", got)
	}
}

// TestTrace: everything that is judged is shown, and what the run finds is judged
// by the same signs.
func TestTrace(t *testing.T) {
	data := load(t, "testdata/planning.jsonl")
	n := 0
	capture(t, data, Options{Trace: func(w Weighed) {
		n++
		if len(w.Signs) == 0 || w.Candidate.Memory == nil {
			t.Errorf("%v: %v", w.Candidate.Memory, w.Signs)
		}
	}})
	if n < 8 {
		t.Errorf("%d things were judged", n)
	}
}

// TestLongTurn: a turn longer than what is read again is judged from its middle
// by the same prompt and the same words as from its start.
func TestLongTurn(t *testing.T) {
	var b strings.Builder
	b.WriteString(record("user", `"Why does the tide gauge of the outer harbour lose its readings?"`, ""))
	for i := range 130 {
		b.WriteString(record("assistant", string(quotedJSON(fmt.Sprintf("Gauge%d keeps tide%d away from valve%d. %s", i, i, i, strings.Repeat("x", 9000)))), ""))
	}
	half := b.Len()
	end := record("assistant", `"The tide gauge of the outer harbour loses its readings because the valve is closed."`, "")
	signsOf := func(opt Options) []string {
		var out []string
		opt.Agent = transcript.ClaudeCode
		opt.Trace = func(w Weighed) {
			if strings.Contains(w.Candidate.Memory.Title, "outer harbour") && w.Candidate.Layer == "pattern" {
				out = w.Signs
			}
		}
		capture(t, []byte(b.String()+end), opt)
		return out
	}
	first := capture(t, []byte(b.String()[:half]), Options{Agent: transcript.ClaudeCode})
	if first.Session.Cursor.Stable == 0 {
		t.Fatalf("nothing of the turn is settled: %+v", first.Session.Cursor)
	}
	whole, resumed := signsOf(Options{}), signsOf(Options{Previous: first.Session})
	for _, s := range whole {
		if strings.HasPrefix(s, "in prompt") || strings.HasPrefix(s, "prompt") {
			if !slices.Contains(resumed, s) {
				t.Errorf("%q is not a sign from the middle of the turn: %q", s, resumed)
			}
		}
	}
}
