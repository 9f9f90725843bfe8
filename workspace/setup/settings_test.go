package setup

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/templates"
)

func testHooks() []agentHook {
	entry := func(event string) string {
		return "{\n  \"hooks\": [\n    {\n      \"type\": \"command\",\n" +
			"      \"command\": \"sh -c 'exec cortex hook " + event + "'\"\n    }\n  ]\n}"
	}
	return []agentHook{{"SessionStart", entry("session-start")}, {"Stop", entry("stop")}}
}

func TestAgentHooksAreExactlyRemovable(t *testing.T) {
	for name, before := range map[string]string{
		"other settings":   "{\n  \"model\": \"opus\",\n  \"env\": {\"A\": \"1\"}\n}\n",
		"no final newline": "{\n  \"model\": \"opus\"\n}",
		"tabs":             "{\n\t\"model\": \"opus\"\n}\n",
		"one line":         `{"model": "opus"}`,
		"crlf":             "{\r\n  \"model\": \"opus\"\r\n}\r\n",
		"their hooks": "{\n  \"hooks\": {\n    \"Stop\": [\n      {\"hooks\": [{\"type\": \"command\"," +
			" \"command\": \"say done\"}]}\n    ]\n  }\n}\n",
		"their other event": "{\n    \"hooks\": {\n        \"PreToolUse\": []\n    },\n    \"x\": [1, 2]\n}\n",
		"escapes":           "{\n  \"a\\u0020b\": \"}{][\\\"\"\n}\n",
		"empty object":      "{}\n",
		"a comment":         "// mine\n{\n  \"model\": \"opus\" // the best\n  /* {\"hooks\": 1} */\n}\n",
		"only comments":     "{\n  // nothing yet\n}\n",
		"crlf in one line": "{\r\n  \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say" +
			" done\"}]}]}\r\n}\r\n",
		"a trailing comma":  "{\n  \"model\": \"opus\",\n}\n",
		"a byte order mark": "\ufeff{\n  \"model\": \"opus\"\n}\n",
	} {
		t.Run(name, func(t *testing.T) {
			after, err := addAgentHooks([]byte(before), testHooks())
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"cortex hook session-start", "cortex hook stop"} {
				if strings.Count(string(after), want) != 1 {
					t.Errorf("want %q once in\n%s", want, after)
				}
			}
			if _, err := parseJSON(plainJSON(after)); err != nil {
				t.Fatalf("not JSON any more: %v\n%s", err, after)
			}
			if bare := strings.ReplaceAll(string(after), "\r\n", ""); strings.Contains(before, "\r\n") &&
				strings.Contains(bare, "\n") {
				t.Errorf("line ends of two kinds: %q", after)
			}
			again, err := addAgentHooks(after, testHooks())
			if err != nil || string(again) != string(after) {
				t.Errorf("adding twice changed the file (%v):\n%s", err, again)
			}
			back, err := removeAgentHooks(after)
			if err != nil || string(back) != before {
				t.Errorf("removal is not exact (%v):\n%q\n%q", err, before, back)
			}
		})
	}
}

func TestAgentHooksRefuseWhatTheyCannotRead(t *testing.T) {
	for _, bad := range []string{
		`{"a":`, `[]`, `{"hooks": 1}`, `{"hooks": {"Stop": {}}}`, `{} {}`, `{,}`,
		`{"a": 1,,}`, `{"a": [1,], "b": [,]}`,
	} {
		if out, err := addAgentHooks([]byte(bad), testHooks()); err == nil {
			t.Errorf("%s: want an error, got\n%s", bad, out)
		}
	}
}

// TestHooksFormattedOtherwise: hooks of ours that somebody formatted in another way stay as they are.
func TestHooksFormattedOtherwise(t *testing.T) {
	hooks, err := hooksOf(templates.ClaudeHooks())
	if err != nil {
		t.Fatal(err)
	}
	want, err := addAgentHooks([]byte("{\n  \"model\": \"opus\"\n}\n"), hooks)
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, want); err != nil {
		t.Fatal(err)
	}
	if got, err := addAgentHooks(compact.Bytes(), hooks); err != nil || !bytes.Equal(got, compact.Bytes()) {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestHooksHaveNames: agents that list their hooks by name show what each of ours does.
func TestHooksHaveNames(t *testing.T) {
	nameLine := regexp.MustCompile(`(?m)^ *"(?:statusMessage|name)": "Cortex: [^"]*",\n`)
	for agent, template := range map[string][]byte{
		"claude": templates.ClaudeHooks(), "codex": templates.CodexHooks(), "gemini": templates.GeminiHooks(),
	} {
		hooks, err := hooksOf(template)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, h := range hooks {
			line := nameLine.FindString(h.entry)
			if line == "" {
				t.Errorf("%s: %s has no name", agent, h.event)
			}
			names[line] = true
		}
		if agent == "gemini" && len(names) < len(hooks) {
			t.Errorf("gemini: a person switches hooks off by name, and these are not one for each: %v", names)
		}
	}
}
