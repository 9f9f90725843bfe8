package mockmodel

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func scripts() map[string]Script {
	return map[string]Script{"look": {
		{Text: "I look.", Tool: &Tool{Kind: "shell", Cmd: "ls"}},
		{Text: "Nothing there."},
	}}
}

// What a request of each interface has for the prompt, for a result after it, and for a tool.
const (
	anthropicTool  = `"tools":[{"name":"Bash","input_schema":{"properties":{"command":{},"description":{}}}}]`
	anthropicAsked = `{"role":"user","content":[{"type":"text","text":"@@look@@ What is here?"}]}`
	anthropicDone  = `{"role":"user","content":[{"type":"tool_result","content":"a b"}]}`
	responsesTool  = `"tools":[{"type":"function","name":"exec_command","parameters":{"properties":{"cmd":{}}}}]`
	responsesAsked = `{"role":"user","content":[{"type":"input_text","text":"@@look@@ What is here?"}]}`
	responsesDone  = `{"type":"function_call_output","output":"a b"}`
	chatTool       = `"tools":[{"function":{"name":"bash","parameters":{"properties":{"command":{}}}}}]`
	chatAsked      = `{"role":"user","content":"@@look@@ What is here?"}`
	chatDone       = `{"role":"tool","content":"a b"}`
	geminiTool     = `"tools":[{"functionDeclarations":[{"name":"run_shell_command",` +
		`"parametersJsonSchema":{"properties":{"command":{}}}}]}]`
	geminiAsked = `{"role":"user","parts":[{"text":"@@look@@ What is here?"}]}`
	geminiDone  = `{"role":"user","parts":[{"functionResponse":{"response":{"output":"a b"}}}]}`

	number     = `{"type":"object","properties":{"n":{"type":"integer"}}}`
	messagesAt = "/v1/messages"
	responseAt = "/v1/responses"
	chatAt     = "/v1/chat/completions"
	contentAt  = "/v1beta/models/m:generateContent"
	streamAt   = "/v1beta/models/m:streamGenerateContent"
)

// body is the body of a request, with its turns in the member of the name.
func body(more, name string, turns ...string) string {
	return `{` + more + `,"` + name + `":[` + strings.Join(turns, ",") + `]}`
}

func TestInterfaces(t *testing.T) {
	tests := []struct {
		name, path, body string
		want             []string
	}{
		{
			"anthropic", messagesAt, body(anthropicTool, "messages", anthropicAsked),
			[]string{`"I look."`, `"command":"ls"`, `"tool_use"`},
		},
		{
			"anthropic after a call", messagesAt, body(anthropicTool, "messages", anthropicAsked, anthropicDone),
			[]string{`Nothing there.`, `"end_turn"`},
		},
		{
			"anthropic streamed", messagesAt, body(`"stream":true,`+anthropicTool, "messages", anthropicAsked),
			[]string{
				"event: message_start\n", `"text":"I look."`, `"partial_json":"{\"command\":\"ls\"`,
				`"stop_reason":"tool_use"`, "event: message_stop\n",
			},
		},
		{
			"responses", responseAt, body(responsesTool, "input", responsesAsked),
			[]string{`"I look."`, `{\"cmd\":\"ls\"}`, `function_call`},
		},
		{
			"responses after a call", responseAt, body(responsesTool, "input", responsesAsked, responsesDone),
			[]string{`Nothing there.`},
		},
		{
			"responses streamed", responseAt, body(`"stream":true,`+responsesTool, "input", responsesAsked),
			[]string{
				"event: response.created\n", "event: response.output_text.delta\n", `"name":"exec_command"`,
				"event: response.completed\n",
			},
		},
		{"responses, a text alone", responseAt, `{` + responsesTool + `,"input":"@@look@@"}`, []string{`"I look."`}},
		{"chat", chatAt, body(chatTool, "messages", chatAsked), []string{`"I look."`, `{\"command\":\"ls\"}`}},
		{
			"chat after a call", chatAt, body(chatTool, "messages", chatAsked, chatDone),
			[]string{`Nothing there.`, `"stop"`},
		},
		{
			"chat streamed", chatAt, body(`"stream":true,`+chatTool, "messages", chatAsked),
			[]string{`"I look."`, `"finish_reason":"tool_calls"`, "data: [DONE]\n"},
		},
		{
			"gemini", contentAt, body(geminiTool, "contents", geminiAsked),
			[]string{`"I look."`, `"functionCall":{"args":{"command":"ls"}`},
		},
		{
			"gemini streamed", streamAt, body(geminiTool, "contents", geminiAsked, geminiDone),
			[]string{`data: `, `Nothing there.`},
		},
		{
			"gemini, JSON", contentAt,
			body(`"generationConfig":{"responseJsonSchema":`+number+`}`, "contents", geminiAsked),
			[]string{`{\"n\":50}`},
		},
		{
			"a summary", messagesAt,
			`{"messages":[{"role":"user","content":"Write a detailed summary of the conversation"}]}`,
			[]string{`heap file`},
		},
		{"no script", messagesAt, `{"messages":[{"role":"user","content":"A title"}]}`, []string{`"end_turn"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ask(t, &Server{Scripts: scripts()}, tt.path, tt.body)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %s in\n%s", want, got)
				}
			}
		})
	}
}

func TestRecord(t *testing.T) {
	var record bytes.Buffer
	s := &Server{Scripts: scripts(), Record: &record}
	ask(t, s, "/v1/messages", body(anthropicTool, "messages", anthropicAsked))
	ask(t, s, "/v1/messages", body(anthropicTool, "messages", anthropicAsked, anthropicDone))
	ask(t, s, "/v1/messages/count_tokens", `{}`)
	type place struct {
		Path, Script string
		Step         int
	}
	var got []place
	for line := range bytes.Lines(record.Bytes()) {
		var r Request
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		got = append(got, place{r.Path, r.Script, r.Step})
	}
	want := []place{{"/v1/messages", "look", 0}, {"/v1/messages", "look", 1}, {"/v1/messages/count_tokens", "", 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(s.Requests()); n != len(want) {
		t.Errorf("%d requests, want %d", n, len(want))
	}
}

func TestTools(t *testing.T) {
	fields := func(names ...string) schema {
		var s schema
		if err := json.Unmarshal([]byte(`{"properties":{"`+strings.Join(names, `":{},"`)+`":{}}}`), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	tests := []struct {
		tool  Tool
		tools map[string]schema
		want  string
	}{
		{
			Tool{Kind: "agent", Prompt: "look"},
			map[string]schema{"task": fields("prompt", "subagent_type")},
			`task {"prompt":"look","subagent_type":"general-purpose"}`,
		},
		{
			Tool{Kind: "mcp", Name: "cortex_search", Args: object{"query": "x"}},
			map[string]schema{"mcp__cortex__cortex_search": {}},
			`mcp__cortex__cortex_search {"query":"x"}`,
		},
		{Tool{Kind: "raw", Name: "ToolSearch"}, map[string]schema{"ToolSearch": {}}, `ToolSearch null`},
		{Tool{Kind: "mcp", Name: "none"}, map[string]schema{"ToolSearch": {}}, ` null`},
	}
	for _, tt := range tests {
		name, args := tt.tool.among(tt.tools)
		text, _ := json.Marshal(args)
		if got := name + " " + string(text); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.tool.Kind, got, tt.want)
		}
	}
}

func TestBodies(t *testing.T) {
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = z.Write([]byte(body(chatTool, "messages", chatAsked)))
	_ = z.Close()
	s := httptest.NewServer(&Server{Scripts: scripts()})
	defer s.Close()
	post := func(body io.Reader, encoding string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/chat/completions", body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Encoding", encoding)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		return answer.StatusCode
	}
	if got := post(&zipped, "gzip"); got != http.StatusOK {
		t.Errorf("a compressed body: %d", got)
	}
	for _, wrong := range []string{"no JSON", `{"messages":7}`} {
		if got := post(strings.NewReader(wrong), ""); got != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, got)
		}
	}
	answer, err := http.Get(s.URL + "/v1/models")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("models: %d", answer.StatusCode)
	}
}

// ask returns what a server answers.
func ask(t *testing.T, s *Server, path, body string) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body)))
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

// TestPrompts: a prompt names a script by what it says, a model may think before it answers,
// and a patch is handed to Codex as a text.
func TestPrompts(t *testing.T) {
	patch := &Tool{Kind: "raw", Name: "apply_patch", Args: map[string]any{"input": "*** Begin Patch"}}
	s := &Server{
		Scripts: map[string]Script{"said0": {{Thought: "It may be the lock.", Text: "I mend it.", Tool: patch}}},
		Prompts: map[string]string{"Why is it slow?": "said0"},
	}
	for path, c := range map[string]struct {
		body string
		want []string
	}{
		responseAt: {
			body(`"tools":[{"type":"custom","name":"apply_patch"}]`, "input", `{"role":"user","content":"Why is it slow?"}`),
			[]string{`"I mend it."`, `"It may be the lock."`, `"custom_tool_call"`, `"input":"*** Begin Patch"`},
		},
		contentAt: {
			body(geminiTool, "contents", `{"role":"user","parts":[{"text":"Why is it slow?"}]}`),
			[]string{`"thought":true`, `"It may be the lock."`},
		},
		chatAt: {
			body(chatTool, "messages", `{"role":"user","content":"Why is it slow?"}`),
			[]string{`"reasoning_content":"It may be the lock."`},
		},
	} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(c.body)))
		for _, want := range c.want {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: no %s in %s", path, want, w.Body)
			}
		}
	}
}
