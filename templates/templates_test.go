package templates_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/templates"
)

func TestTextsAreTidy(t *testing.T) {
	for name, data := range map[string][]byte{
		"README": templates.Readme(), "attributes": templates.GitAttributes(true),
		"rules": templates.Rules(), "hooks": templates.ClaudeHooks(),
		"storage": templates.DemoStorage("/r"), "alerts": templates.DemoAlerts("/r"),
	} {
		if !bytes.HasSuffix(data, []byte("\n")) || bytes.HasSuffix(data, []byte("\n\n")) {
			t.Errorf("%s does not end in one line break", name)
		}
		if bytes.ContainsAny(data, "\r\t") && name != "storage" && name != "alerts" {
			t.Errorf("%s holds tabs or carriage returns", name)
		}
		if bytes.Contains(data, []byte("{{")) {
			t.Errorf("%s holds an unfilled place", name)
		}
	}
	if n := len(templates.Rules()); n > 2500 {
		t.Errorf("the rules file is %d bytes: it is read in every session", n)
	}
}

func TestClaudeHooks(t *testing.T) {
	var h struct {
		Hooks map[string][]struct {
			Hooks []struct {
				Type, Command string
				Timeout       int
			}
		}
	}
	if err := json.Unmarshal(templates.ClaudeHooks(), &h); err != nil {
		t.Fatal(err)
	}
	for event, name := range map[string]string{
		"SessionStart": "session-start", "UserPromptSubmit": "user-prompt-submit", "Stop": "stop",
		"PreCompact": "pre-compact", "SessionEnd": "session-end",
		"PreToolUse": "pre-tool-use", "PostToolUseFailure": "post-tool-use-failure", "SubagentStart": "subagent-start",
	} {
		if len(h.Hooks[event]) != 1 || len(h.Hooks[event][0].Hooks) != 1 {
			t.Fatalf("%s: %+v", event, h.Hooks[event])
		}
		hook := h.Hooks[event][0].Hooks[0]
		// Agents trust this line by its hash: it never changes again.
		want := `export PATH="$PATH"":$HOME/go/bin:$HOME/.local/bin:/usr/local/bin:/opt/homebrew/bin"; cortex hook ` + name + " --agent claude-code; exit 0"
		if hook.Type != "command" || hook.Command != want || hook.Timeout != 0 {
			t.Errorf("%s: %+v", event, hook)
		}
	}
	if len(h.Hooks) != 8 {
		t.Errorf("%d events", len(h.Hooks))
	}
}

func TestDemoSessions(t *testing.T) {
	const root = `C:\work\"tide"`
	for branch, data := range map[string][]byte{"main": templates.DemoStorage(root), "feature/alerts": templates.DemoAlerts(root)} {
		n, last, calls := 0, "", map[string]bool{}
		for line := range bytes.Lines(data) {
			n++
			var r struct {
				Type, Cwd, GitBranch, UUID, Timestamp string
				ParentUUID                            *string
				Message                               struct{ Content json.RawMessage }
			}
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatalf("%s:%d: %v", branch, n, err)
			}
			if r.Type == "file-history-snapshot" {
				continue
			}
			if r.Cwd != root || r.GitBranch != branch {
				t.Errorf("%s:%d: cwd %q, branch %q", branch, n, r.Cwd, r.GitBranch)
			}
			if r.Timestamp < last {
				t.Errorf("%s:%d: goes back in time", branch, n)
			}
			last = r.Timestamp
			var blocks []struct {
				Type, ID  string
				ToolUseID string `json:"tool_use_id"`
			}
			if json.Unmarshal(r.Message.Content, &blocks) == nil {
				for _, b := range blocks {
					switch b.Type {
					case "tool_use":
						calls[b.ID] = true
					case "tool_result":
						if !calls[b.ToolUseID] {
							t.Errorf("%s:%d: a result without its call", branch, n)
						}
					}
				}
			}
		}
		if n < 60 || n > 120 {
			t.Errorf("%s: %d records", branch, n)
		}
	}
}

// TestDemoIsPacked: what is built into the program is the text that stands beside it.
func TestDemoIsPacked(t *testing.T) {
	for _, name := range []string{"demo/session-alerts.jsonl", "demo/session-storage.jsonl"} {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := os.Open(name + ".gz")
		if err != nil {
			t.Fatal(err)
		}
		defer packed.Close()
		r, err := gzip.NewReader(packed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s.gz is not %s (%v): run gzip -9nkf templates/%s", name, name, err, name)
		}
	}
}

func TestDemoTokenIsPutTogetherOnlyHere(t *testing.T) {
	token := regexp.MustCompile(`ghp_[0-9A-Za-z]{36}\b`)
	if !token.Match(templates.DemoStorage("/r")) {
		t.Error("the demo has no secret to redact")
	}
	if strings.Contains(string(templates.DemoAlerts("/r")), "ghp_") {
		t.Error("a second secret")
	}
}
