package capture

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// told returns a note of a hook of ours as an agent that puts it behind the output of a call
// keeps it: Gemini CLI escapes it and puts an element of its own around it.
func told(agent string) string {
	note := memory.BriefingOpen + "\nFrom earlier sessions: evidence to verify.\n- fix: error: the valve of the weir is stuck → run ./weir --free\n" + memory.BriefingClose
	if agent == transcript.Gemini {
		note = strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(note)
		return "\n\n<hook_context>" + note + strings.Repeat(" ", 1200) + "</hook_context>"
	}
	return "\n\n" + note
}

// stuck is a session in which a command fails as it does in any agent, and another one
// works. More stands behind the output of the first.
func stuck(agent, more string) []byte {
	const said = "error: the valve of the weir is stuck"
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch agent {
	case transcript.Gemini:
		call := func(id, cmd, out string) {
			line(`{"id":"m%s","timestamp":"2026-11-03T09:00:02.000Z","type":"gemini","content":"","model":"g","toolCalls":[{"id":%q,"name":"run_shell_command","args":{"command":%q},"result":[{"functionResponse":{"id":%q,"name":"run_shell_command","response":{"output":%s}}}],"status":"success","timestamp":"2026-11-03T09:00:03.000Z"}]}`,
				id, id, cmd, id, jsonOf(out))
		}
		line(`{"sessionId":"s","projectHash":"c0","startTime":"2026-11-03T09:00:00.000Z","kind":"main","directories":["/r"]}`)
		line(`{"id":"u1","timestamp":"2026-11-03T09:00:01.000Z","type":"user","content":[{"text":"Open the weir."}]}`)
		call("r1", "./weir open", "<untrusted_context>\nOutput: "+said+"\nExit Code: 7\nProcess Group PGID: 51\n</untrusted_context>"+more)
		call("r2", "./weir --free open", "Output: open\nProcess Group PGID: 52")
	case transcript.OpenCode:
		part := func(id, cmd, out string, code int) string {
			return fmt.Sprintf(`{"type":"tool","tool":"bash","callID":%q,"state":{"status":"completed","input":{"command":%q},"output":%s,"metadata":{"exit":%d},"time":{"start":1762160402000}}}`, id, cmd, jsonOf(out), code)
		}
		line(`{"info":{"id":"ses_1","directory":"/r","title":"Weir"},"messages":[{"info":{"role":"user","time":{"created":1762160401000}},"parts":[{"type":"text","text":"Open the weir."}]},{"info":{"role":"assistant","modelID":"m","time":{"created":1762160402000}},"parts":[%s,%s]}]}`,
			part("r1", "./weir open", said+"\n"+more, 7), part("r2", "./weir --free open", "open\n", 0))
	case transcript.Copilot:
		call := func(id, cmd, out string, code int) {
			line(`{"type":"tool.execution_start","data":{"toolCallId":%q,"toolName":"bash","arguments":{"command":%q}},"id":"e%s","timestamp":"2026-11-03T09:00:02.000Z"}`, id, cmd, id)
			line(`{"type":"tool.execution_complete","data":{"toolCallId":%q,"shellExecution":{"exitCode":%d},"success":true,"result":{"content":%s}},"id":"f%s","timestamp":"2026-11-03T09:00:03.000Z"}`, id, code, jsonOf(fmt.Sprintf("%s\n<shellId: 1 completed with exit code %d>%s", out, code, more)), id)
		}
		line(`{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/r"}},"id":"a","timestamp":"2026-11-03T09:00:00.000Z"}`)
		line(`{"type":"user.message","data":{"content":"Open the weir."},"id":"b","timestamp":"2026-11-03T09:00:01.000Z"}`)
		call("r1", "./weir open", said, 7)
		call("r2", "./weir --free open", "open", 0)
	case transcript.ClaudeCode:
		b.Write(sessionOf("user", "Open the weir.",
			"agent blocks", `[{"type":"tool_use","id":"r1","name":"Bash","input":{"command":"./weir open"}}]`,
			"user blocks", `[{"type":"tool_result","tool_use_id":"r1","is_error":true,"content":`+string(jsonOf("Exit code 7\n"+said+more))+`}]`,
			"agent blocks", `[{"type":"tool_use","id":"r2","name":"Bash","input":{"command":"./weir --free open"}}]`,
			"user blocks", `[{"type":"tool_result","tool_use_id":"r2","content":"open"}]`))
	}
	return b.Bytes()
}

// TestOneTrap: a command that fails and then works is one trap with one key, whichever
// agent met it, and whether or not a hook of ours said something behind its output.
func TestOneTrap(t *testing.T) {
	for _, agent := range []string{transcript.ClaudeCode, transcript.Gemini, transcript.OpenCode, transcript.Copilot} {
		for _, more := range []string{"", told(agent)} {
			res := capture(t, stuck(agent, more), Options{Agent: agent})
			var keys []string
			for _, m := range res.held() {
				keys = append(keys, m.Triggers...)
				if strings.Contains(string(memory.Format(m)), "evidence to verify") {
					t.Errorf("%s: learned from what we said: %s", agent, memory.Format(m))
				}
			}
			want := "error: the valve of the weir is stuck"
			if got := strings.Join(keys, "\n"); !strings.Contains(got, want) || strings.Contains(got, "output") {
				t.Errorf("%s, told %d bytes: triggers %q, want %q", agent, len(more), got, want)
			}
		}
	}
}

// TestReportOfSubagent: what a subagent hands back is a report, once, wherever an agent
// keeps it; what it was told is nobody's words.
func TestReportOfSubagent(t *testing.T) {
	const found, task = "We rejected a float gauge because silt blocks it.", "Look at the gauges of the weir."
	line := func(sub, typ, data string) string {
		return fmt.Sprintf(`{"type":%q,"data":%s,"agentId":%q,"id":"%s%d","timestamp":"2026-11-03T09:00:02.000Z"}`+"\n", typ, data, sub, sub, len(data))
	}
	for agent, session := range map[string]string{
		transcript.Copilot: `{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/r"}},"id":"a","timestamp":"2026-11-03T09:00:00.000Z"}` + "\n" +
			line("", "user.message", `{"content":"Which gauge?"}`) +
			line("", "assistant.message", `{"content":"I send someone.","toolRequests":[{"toolCallId":"t","name":"task","arguments":{"prompt":"`+task+`"}}]}`) +
			line("x", "subagent.started", `{"toolCallId":"t"}`) +
			line("x", "user.message", `{"content":"`+task+`","source":"agent-s"}`) +
			line("x", "assistant.message", `{"content":"Looking, float gauges are the rule here.","toolRequests":[{"toolCallId":"t2","name":"bash","arguments":{"command":"ls"}}],"parentToolCallId":"t"}`) +
			line("x", "tool.execution_complete", `{"toolCallId":"t2","success":true,"result":{"content":"a"},"parentToolCallId":"t"}`) +
			line("x", "assistant.message", `{"content":"`+found+`","toolRequests":[],"parentToolCallId":"t"}`) +
			line("x", "subagent.completed", `{"toolCallId":"t"}`) +
			line("", "tool.execution_complete", `{"toolCallId":"t","success":true,"result":{"content":"`+found+`"}}`) +
			line("", "assistant.message", `{"content":"Done.","toolRequests":[]}`),
		transcript.OpenCode: `{"info":{"id":"ses_1","directory":"/r"},"messages":[{"info":{"role":"user","time":{"created":1762160401000}},"parts":[{"type":"text","text":"Which gauge?"}]},` +
			`{"info":{"role":"assistant","modelID":"m","time":{"created":1762160402000}},"parts":[{"type":"tool","tool":"task","callID":"t","state":{"status":"completed","input":{"prompt":"` + task + `"},"output":"task_id: ses_2\n\n<task_result>\n` + found + `\n</task_result>"}},{"type":"text","text":"Done."}]}]}`,
	} {
		reports := 0
		err := Statements(t.Context(), strings.NewReader(session), Options{}, func(s Statement) {
			switch {
			case s.Kind == SaidReport && s.Text == found:
				reports++
			case s.Kind == SaidReport || strings.Contains(s.Text, task):
				t.Errorf("%s: %s: %q", agent, s.Kind, s.Text)
			}
		})
		if err != nil || reports != 1 {
			t.Errorf("%s: %d reports, %v", agent, reports, err)
		}
	}
}

// TestSummariesTeachNothing: the words of a compaction's summary are not learned, also
// where an agent keeps them as a message of its own before.
func TestSummariesTeachNothing(t *testing.T) {
	const summary = "<summary>1. Request: mend the weir. 2. Decision: we chose a sluice over a weir because the river may not rise, and rejected a dam because it is dear.\\n\\n[MEMORY: decision] The weir gets a sluice, because the river may not rise.</summary>"
	at := `"timestamp":"2026-11-03T09:00:02.000Z"`
	for agent, session := range map[string]string{
		transcript.ClaudeCode: string(sessionOf("user", "Mend the weir.", "record",
			`{"parentUuid":null,"type":"system","subtype":"compact_boundary","uuid":"b1","sessionId":"s-1","isSidechain":false}`, "record",
			`{"parentUuid":"b1","isSidechain":false,"type":"user","uuid":"c1","sessionId":"s-1","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"This session is being continued from a previous conversation. `+summary+`"}}`,
			"agent", "Going on.")),
		transcript.Codex: `{` + at + `,"type":"session_meta","payload":{"id":"s","cwd":"/r"}}` + "\n" +
			`{` + at + `,"type":"event_msg","payload":{"type":"item_completed","item":{"type":"UserMessage","content":[{"type":"text","text":"Mend the weir."}]}}}` + "\n" +
			`{` + at + `,"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + summary + `"}]}}` + "\n" +
			`{` + at + `,"type":"compacted","payload":{"message":"Another language model started to solve this problem. Here is the summary:\n` + summary + `","replacement_history":[]}}` + "\n" +
			`{` + at + `,"type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Going on."}]}}` + "\n",
		transcript.Gemini: `{"sessionId":"s","projectHash":"c0","startTime":"2026-11-03T09:00:00.000Z","kind":"main","directories":["/r"]}` + "\n" +
			`{"id":"u1","timestamp":"2026-11-03T09:00:01.000Z","type":"user","content":[{"text":"Mend the weir."}]}` + "\n" +
			`{"$set":{"messages":[{"id":"u9","timestamp":"2026-11-03T09:00:04.000Z","type":"user","content":[{"text":"<state_snapshot>` + summary + `</state_snapshot>"}]},{"id":"m9","timestamp":"2026-11-03T09:00:04.000Z","type":"gemini","content":"Going on.","model":"g"}]}}` + "\n",
		transcript.Copilot: `{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/r"}},"id":"a",` + at + `}` + "\n" +
			`{"type":"user.message","data":{"content":"Mend the weir."},"id":"b",` + at + `}` + "\n" +
			`{"type":"session.compaction_complete","data":{"success":true,"summaryContent":"` + summary + `"},"id":"c",` + at + `}` + "\n" +
			`{"type":"assistant.message","data":{"content":"Going on.","toolRequests":[]},"id":"d",` + at + `}` + "\n",
	} {
		res := capture(t, []byte(session), Options{Agent: agent})
		for _, c := range res.Candidates {
			t.Errorf("%s: %s %q", agent, c.Disposition, c.Memory.Title)
		}
		if res.Session.Turns != 1 {
			t.Errorf("%s: %d turns", agent, res.Session.Turns)
		}
	}
}

// held are the memories and notes of a run.
func (r *Result) held() []*memory.Memory {
	var out []*memory.Memory
	for i := range r.Candidates {
		if c := &r.Candidates[i]; c.held() {
			out = append(out, c.Memory)
		}
	}
	return out
}
