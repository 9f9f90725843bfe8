package transcript

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIdentify(t *testing.T) {
	for _, c := range []struct {
		file string
		want Identity
	}{
		{
			"planning.jsonl",
			Identity{
				Agent: ClaudeCode, Session: "5a1e0f00-1111-4222-8333-444455556666", Cwd: "/home/mira/tidewatch",
				Branch: "feature/alerts", Model: "claude-opus-4-6",
			},
		},
		{
			"codex-0.169.0-sluice.jsonl",
			Identity{
				Agent: Codex, Session: "01a229de-19ad-7fd3-a108-dc71fa0221db", Cwd: "/home/ines/sluice",
				Branch: "lock-queue", Head: "6c385a0cb7fe9956394d944a4f54b472b4cc5a7e", Model: "gpt-5.5",
			},
		},
		{
			"copilot-1.0.102-hivelog.jsonl",
			Identity{
				Agent: Copilot, Session: "40a29109-f80b-43be-9db6-8bc3c98d97da", Cwd: "/home/tomas/hivelog",
				Branch: "scale-drift", Head: "977d76fdf13db1e301dbc92e50d5f45deab161d1", Model: "gpt-4.1",
			},
		},
		{
			"gemini-0.61.0-inkstone.jsonl",
			Identity{
				Agent: Gemini, Session: "db7dffac-0e3f-4b75-b085-e439f249a775", Model: "gemini-2.5-pro",
			},
		},
		{"gemini-0.30.0-rota.json", Identity{Agent: Gemini, Session: "d7ceb848-1f45-4eb2-87c9-aecb279e005a"}},
		{"opencode-1.18.33-orchard.json", Identity{Agent: OpenCode, Session: "ses_dd61a975effeigkZNUGn6aMOGr", Cwd: "/home/nils/orchard"}},
	} {
		data := readFile(t, "../testdata/"+c.file)
		if d := cmp.Diff(c.want, Identify(data)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, d)
		}
		short := Identify(data[:400]) // cut in the middle of a line
		if short.Agent != c.want.Agent {
			t.Errorf("%s: 400 bytes are of %q, want %q", c.file, short.Agent, c.want.Agent)
		}
	}
	for head, want := range map[string]Identity{
		`{"type":"session_meta","payload":{"id":"s","source":{"subagent":{"thread_spawn":{"depth":1}}}}}`: {
			Agent: Codex, Session: "s", Subagent: true,
		},
		`{"sessionId":"s","projectHash":"h","kind":"subagent"}`: {
			Agent: Gemini, Session: "s", Subagent: true,
		},
		`{"info":{"id":"ses_1","parentID":"ses_0","directory":"/x"},"messages":[]}`: {
			Agent: OpenCode, Session: "ses_0/ses_1", Cwd: "/x", Subagent: true,
		},
		`{"type":"user","isSidechain":true,"agentId":"a","parentUuid":null,"userType":"external","sessionId":"s","message":{"content":"x"}}`: {
			Agent: ClaudeCode, Session: "s/a", Subagent: true,
		},
	} {
		if d := cmp.Diff(want, Identify([]byte(head))); d != "" {
			t.Errorf("%s (-want +got):\n%s", head, d)
		}
	}
}

func TestDetectOther(t *testing.T) {
	for head, want := range map[string]string{
		`{"type":"event_msg","payload":{"type":"user_message"}}`:                         Codex,
		`{"type":"session.start","data":{"sessionId":"x"}}`:                              Copilot,
		`{"sessionId":"x","projectHash":"y","messages":[]}` + "\n" + `{"id":"a"}`:        Gemini,
		"{\n  \"sessionId\": \"x\",\n  \"projectHash\": \"y\",\n  \"messages\": [":       Gemini,
		"\xef\xbb\xbf{\"info\":{\"id\":\"ses_1\",\"directory\":\"/x\"},\"messages\":[]}": OpenCode,
		`{"info":{"version":"1.0","title":"An API"},"paths":{}}`:                         "",
		`{"type":"event_msg"}`:                         "",
		`{"data":{"a":1},"type":"user.created"}`:       "",
		`{"messages":[{"role":"user","content":"x"}]}`: "",
	} {
		if got := Detect([]byte(head)); got != want {
			t.Errorf("Detect(%q) = %q, want %q", head, got, want)
		}
	}
}

func TestDetect(t *testing.T) {
	for _, c := range []struct{ head, want string }{
		{string(readFile(t, "../testdata/review.jsonl")), ClaudeCode},
		{`{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x"}}`, Codex},
		{`{"type":"user","content":"hello"}`, ""},
		{"", ""},
	} {
		if got := Detect([]byte(c.head)); got != c.want {
			t.Errorf("Detect(%.40q) = %q, want %q", c.head, got, c.want)
		}
	}
}

// readFile reads a fixture, which the golden tests of capture read as well.
func readFile(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
