package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// privateSession is a session in which the user marks text as private in every
// place where they speak, and the agent repeats it word for word.
func privateSession() []byte {
	var b bytes.Buffer
	n := 0
	record := func(kind string, content any, more map[string]any) {
		n++
		r := map[string]any{
			"parentUuid": nil, "isSidechain": false, "userType": "external", "type": kind, "uuid": fmt.Sprintf("u%d", n), "sessionId": "s-1",
			"cwd": "/r", "timestamp": fmt.Sprintf("2026-03-02T09:%02d:%02dZ", n/60, n%60), "message": map[string]any{"role": kind, "content": content},
		}
		for k, v := range more {
			r[k] = v
		}
		line, _ := json.Marshal(r)
		b.Write(append(line, '\n'))
	}
	line := func(r map[string]any) {
		data, _ := json.Marshal(r)
		b.Write(append(data, '\n'))
	}
	text := func(parts ...string) []any {
		var out []any
		for _, p := range parts {
			out = append(out, map[string]any{"type": "text", "text": p})
		}
		return out
	}
	call := func(id, name string, input map[string]any) {
		record("assistant", []any{map[string]any{"type": "tool_use", "id": id, "name": name, "input": input}}, nil)
	}
	result := func(id, output string, failed bool, more map[string]any) {
		record("user", []any{map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": failed, "content": output}}, more)
	}
	record("user", "We use segments for the gauges from now on. <private>The client is canary Nordwind-1, and its founder is canary Ina Quill</private> Never write to the old files.", nil)
	record("assistant", text("Because canary Nordwind-1 wants segments, we append only.\n\n[MEMORY: decision] The founder is canary Ina Quill, who wants segments because a backup is then one copy."), nil)
	call("t1", "Bash", map[string]any{"command": "git commit -m 'store: keep segments' -m 'This is since the client is canary Nordwind-1, because backups must be one copy.'"})
	result("t1", "ok", false, nil)
	call("t2", "Write", map[string]any{"file_path": "/r/docs/decisions.md", "content": "# Decisions\n\nWe keep segments because the client is canary Nordwind-1 and wants backups.\n"})
	result("t2", "ok", false, nil)
	call("t3", "TodoWrite", map[string]any{"todos": []any{
		map[string]any{"content": "Tell canary Nordwind-1 about it", "status": "pending"}, map[string]any{"content": "Write segments", "status": "pending"},
	}})
	result("t3", "ok", false, nil)
	// Across blocks, nested, in other cases, with attributes, unclosed.
	record("user", text("I prefer UTC days. <private>canary across", "blocks goes on</private> We always use UTC."), nil)
	record("user", "Days are cut at midnight. <PRIVATE reason='x'>canary nested <private>deep down</private> and on</PRIVATE > We want no local days.", nil)
	// Queued while the agent works, both ways.
	line(map[string]any{"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-03-02T09:10:00Z", "sessionId": "s-1", "content": "Also <private>canary queued words</private> never delete segments"})
	line(map[string]any{"type": "queue-operation", "operation": "remove", "timestamp": "2026-03-02T09:10:01Z", "sessionId": "s-1"})
	record("attachment", nil, map[string]any{"attachment": map[string]any{"type": "queued_command", "prompt": "and <private>canary attached words</private> always check sums"}})
	// An answer, a refusal, and a plan that was handed over.
	question := map[string]any{"question": "Where do segments live?", "header": "Place", "options": []any{map[string]any{"label": "Disk", "description": "simple"}}}
	call("t4", "AskUserQuestion", map[string]any{"questions": []any{question}})
	result("t4", "User has answered your questions", false, map[string]any{"toolUseResult": map[string]any{
		"questions": []any{question}, "answers": map[string]any{"Where do segments live?": "On the disk, we use <private>canary answered words</private> mirrors"},
	}})
	call("t5", "Bash", map[string]any{"command": "rm -r old"})
	result("t5", "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nNever delete, <private>canary refused words</private> keep them.", true, nil)
	record("user", "Implement the following plan:\n\n# Segments\n\nWe write segments. <private>canary planned words</private>\n\n1. Writer\n2. Reader\n", map[string]any{"planContent": "# Segments\n\nWe write segments. <private>canary planned words</private>\n\n1. Writer\n2. Reader\n"})
	record("user", "That is all. <private>canary unclosed words\nto the very end", nil)
	record("assistant", text("Noted: canary unclosed words, canary planned words, canary refused words, canary answered words, canary attached words, canary queued words. Also <private>canary echoed</private>."), nil)
	record("user", "This session is being continued from a previous conversation. The user said: <private>The client is canary Nordwind-1</private>", map[string]any{"isCompactSummary": true})
	line(map[string]any{"type": "ai-title", "aiTitle": "Segments for canary Nordwind-1", "sessionId": "s-1"})
	record("assistant", text("The gauges are in segments because canary Nordwind-1, the client, wants a backup that is one copy."), nil)
	return b.Bytes()
}

// leaks are the lines of a result that hold private text.
func leaks(res *Result) []string {
	var all strings.Builder
	all.Write(session.Format(res.Session))
	for _, c := range res.Candidates {
		fmt.Fprintf(&all, "%s\n%s\n%s\n%v\n", memory.Format(c.Memory), c.Span, c.Reason, c.Proposals)
	}
	var out []string
	for line := range strings.Lines(all.String()) {
		for _, word := range []string{"nordwind", "quill", "canary ", "deep down", "blocks goes on", "<private"} {
			if strings.Contains(strings.ToLower(line), word) {
				out = append(out, strings.TrimSpace(line))
				break
			}
		}
	}
	return out
}

// TestPrivateWords: what the user marks as private is in nothing that is kept,
// read at once or in two parts, cut at every line, nor what repeats it.
func TestPrivateWords(t *testing.T) {
	data := privateSession()
	whole := capture(t, data, Options{})
	for _, l := range leaks(whole) {
		t.Errorf("kept: %s", l)
	}
	if len(whole.held()) < 3 {
		t.Errorf("%d memories: what is not private is kept", len(whole.held()))
	}
	for at := range data {
		if data[at] != '\n' {
			continue
		}
		first := capture(t, data[:at+1], Options{})
		second := capture(t, data, Options{Previous: first.Session, Earlier: first.Memories()})
		for _, l := range append(leaks(first), leaks(second)...) {
			t.Errorf("read in two parts, cut at byte %d: %s", at+1, l)
		}
	}
	last := capture(t, data, Options{LastMessage: "Done for canary Nordwind-1: the founder is canary Ina Quill."})
	for _, l := range leaks(last) {
		t.Errorf("of the last message: %s", l)
	}
	err := Statements(t.Context(), bytes.NewReader(data), Options{}, func(s Statement) {
		if strings.Contains(strings.ToLower(s.Text), "canary ") {
			t.Errorf("a statement for readers: %s %q", s.Kind, s.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := session.Parse(session.Format(whole.Session))
	if err != nil || parsed.Private != whole.Session.Private || parsed.Private == 0 {
		t.Errorf("the record says private text ends at %d, read again %d (%v)", whole.Session.Private, parsed.Private, err)
	}
}

// TestPrivateOfAgents: the other agents' prompts are treated alike.
func TestPrivateOfAgents(t *testing.T) {
	for _, file := range []string{"testdata/codex-0.169.0-sluice.jsonl", "testdata/copilot-1.0.102-hivelog.jsonl", "testdata/gemini-0.61.0-inkstone.jsonl", "testdata/opencode-1.18.33-orchard.json"} {
		data := load(t, file)
		first := capture(t, data, Options{})
		if len(first.Session.Requests) == 0 {
			t.Fatalf("%s: no request", file)
		}
		words := first.Session.Requests[0].Text
		words = words[:strings.IndexByte(words+" ", ' ')]
		marked := bytes.ReplaceAll(data, []byte(words), []byte(words+" <private>canary private words</private>"))
		if bytes.Equal(marked, data) {
			t.Fatalf("%s: %q is not in it", file, words)
		}
		for _, l := range leaks(capture(t, marked, Options{})) {
			t.Errorf("%s: %s", file, l)
		}
	}
}
