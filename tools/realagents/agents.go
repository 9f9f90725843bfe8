package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// agent is a client, and how it is run.
type agent struct {
	name        string // of its folder, and for cortex init
	title       string // for people
	source      string // in memories
	version     string
	pkg         string                                 // of npm
	program     string                                 // path below the folder of that
	prepare     func(s *session) error                 // writes its settings
	trust       func(s *session) error                 // makes the folder a trusted one; nil where the arguments do
	prompt      func(s *session, p prompting) []string // the arguments of the program
	env         func(s *session) []string
	compact     func(ctx context.Context, s *session) error // a session that is summed up, and asked "@@plain@@" then
	converse    func(ctx context.Context, s *session, turns []exchange) error
	install     func(ctx context.Context, s *session) error // of the plugin, nil where there is none
	transcripts string                                      // what matches them below the folder of a session
	search      string                                      // the script that looks for tools first; "" for none
	send        string                                      // the script that sends a subagent; "" is "sub"
	refuses     bool                                        // it runs no session in a folder that is not trusted
	unasked     bool                                        // it runs hooks in such a folder
	distrust    string                                      // what it does there, for the table
	lacks       map[string]string                           // rows that the client does not offer: what the table says
	takes       func(s *session) (bool, error)              // whether it takes a text before a call; nil: ask with a hook
}

// prompting is a prompt that a client is run with.
type prompting struct {
	text      string
	resume    bool // the last session of this folder
	untrusted bool // nobody has trusted the folder
}

var agents = sync.OnceValue(func() []*agent { return []*agent{claude(), codex(), gemini(), copilot(), openCode()} })

// path is where the program of the client is.
func (s *session) path() string { return filepath.Join(s.folder(s.agent), s.program) }

// Words of the table for a moment at which a client takes no text, and of a hook that tries.
// Where those reach the model, the client offers the moment by now.
const (
	notOffered = "not offered by the client"
	taskless   = "no event names its task"
	probed     = "a word at a moment that was not offered"
)

// probe returns a command that says [probed], for a string of JSON, and leaves a file below
// the home folder.
func probe(event string) string {
	said := fmt.Sprintf(`{"hookSpecificOutput": {"hookEventName": %q, "additionalContext": %q}}`, event, probed)
	return strings.ReplaceAll("touch ~/probed; echo '"+said+"'", `"`, `\"`)
}

// prompts runs a client with one prompt after the other.
func (s *session) prompts(ctx context.Context, all ...prompting) error {
	for _, p := range all {
		if _, err := s.run(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file below the home folder.
func (s *session) write(name, text string) error {
	file := filepath.Join(s.home(), name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func claude() *agent {
	return &agent{
		name: "claude", title: "Claude Code", source: "claude-code",
		pkg: "@anthropic-ai/claude-code-linux-x64", program: "claude", distrust: "`-p` runs hooks without asking",
		prepare: func(s *session) error {
			return os.WriteFile(filepath.Join(s.dir, "mcp.json"),
				[]byte(`{"mcpServers":{"cortex":{"command":"cortex","args":["mcp"]}}}`), 0o644)
		},
		prompt: func(s *session, p prompting) []string {
			args := []string{
				"-p", p.text, "--allowedTools", "Bash,Task,Agent,ToolSearch,mcp__cortex,mcp__plugin_cortex_cortex",
				"--mcp-config", filepath.Join(s.dir, "mcp.json"),
			}
			if p.resume {
				args = append(args, "--continue")
			}
			return args
		},
		unasked: true,
		lacks:   map[string]string{tasked: taskless},
		compact: func(ctx context.Context, s *session) error {
			return s.prompts(ctx,
				prompting{text: "@@capture@@ Calibrate the probe."},
				prompting{text: "/compact", resume: true},
				prompting{text: "@@plain@@ And the tide tables?", resume: true},
			)
		},
		install: func(ctx context.Context, s *session) error {
			return s.all(ctx,
				[]string{s.path(), "plugin", "marketplace", "add", s.root},
				[]string{s.path(), "plugin", "install", "cortex@cortex"},
			)
		},
		env: func(s *session) []string {
			return []string{
				"ANTHROPIC_BASE_URL=" + s.url, "ANTHROPIC_API_KEY=sk-dummy", "DISABLE_AUTOUPDATER=1",
				"DISABLE_TELEMETRY=1", "DISABLE_ERROR_REPORTING=1",
				"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "ENABLE_TOOL_SEARCH=false",
			}
		},
	}
}

func codex() *agent {
	return &agent{
		name: "codex", title: "Codex", source: "codex",
		pkg: "@openai/codex", program: "vendor/x86_64-unknown-linux-musl/bin/codex",
		distrust: "no hooks; read at the next start",
		prepare: func(s *session) error {
			return s.write(".codex/config.toml", fmt.Sprintf(`model = "gpt-5.5"
model_provider = "mock"
model_context_window = 200000
model_auto_compact_token_limit = 50000
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
[mcp_servers.cortex]
command = "cortex"
args = ["mcp"]
[features]
multi_agent_v2 = true
`, s.url))
		},
		prompt: func(s *session, p prompting) []string {
			args := []string{"exec"}
			switch {
			case p.resume:
				args = append(args, "resume", "--last", "--dangerously-bypass-hook-trust")
			case !p.untrusted:
				args = append(args, "--trust", "--dangerously-bypass-hook-trust")
			}
			return append(args, p.text)
		},
		env:         func(s *session) []string { return []string{"MOCK_KEY=dummy"} },
		lacks:       map[string]string{tasked: taskless},
		search:      "searched",
		transcripts: "home/.codex/sessions/*/*/*/*.jsonl", converse: serveCodex,
		send: "subwait",
		install: func(ctx context.Context, s *session) error {
			return s.all(ctx,
				[]string{s.path(), "plugin", "marketplace", "add", s.root},
				[]string{s.path(), "plugin", "add", "cortex@cortex"},
			)
		},
		compact: func(ctx context.Context, s *session) error {
			return s.prompts(ctx,
				prompting{text: "@@long@@ Calibrate the probe."},
				prompting{text: "@@plain@@ And the tide tables?", resume: true},
			)
		},
	}
}

func gemini() *agent {
	return &agent{
		name: "gemini", title: "Gemini CLI", source: "gemini-cli",
		pkg: "@google/gemini-cli", program: "../../.bin/gemini", distrust: "no session",
		prepare: func(s *session) error {
			return errors.Join(
				s.write(".gemini/settings.json", `{
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true},
  "privacy": {"usageStatisticsEnabled": false},
  "model": {"compressionThreshold": 0.05},
  "hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "`+probe("BeforeTool")+`"}]}]},
  "mcpServers": {"cortex": {"command": "cortex", "args": ["mcp"], "trust": true}}
}`),
				s.write(".gemini/projects.json", `{"projects":{}}`),
			)
		},
		prompt: func(s *session, p prompting) []string {
			args := []string{"--approval-mode", "yolo", "-m", "gemini-2.5-pro"}
			if p.resume {
				args = append(args, "--resume", "latest")
			}
			return append(args, "-p", p.text)
		},
		trust: func(s *session) error {
			extension := filepath.Join(s.root, "plugin", "extension")
			return s.write(".gemini/trustedFolders.json",
				fmt.Sprintf(`{%q: "TRUST_FOLDER", %q: "TRUST_FOLDER"}`, s.repo(), extension))
		},
		env: func(s *session) []string {
			return []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + s.url, "GEMINI_TELEMETRY_ENABLED=false"}
		},
		transcripts: "home/.gemini/tmp/*/chats/session-*.json*", converse: editing("--experimental-acp", "-m", "gemini-2.5-pro"),
		refuses: true,
		lacks:   map[string]string{beforeCall: notOffered, asked: notOffered, tasked: taskless, ruled: notOffered},
		install: func(ctx context.Context, s *session) error {
			extension := filepath.Join(s.root, "plugin", "extension")
			return errors.Join(s.trust(s), s.all(ctx, []string{s.path(), "extensions", "install", "--consent", extension}))
		},
		compact: func(ctx context.Context, s *session) error {
			return s.prompts(ctx,
				prompting{text: "@@long@@ Calibrate the probe."},
				prompting{text: "@@longer@@ Once more.", resume: true},
				prompting{text: "@@plain@@ And the tide tables?", resume: true},
			)
		},
	}
}

func copilot() *agent {
	return &agent{
		name: "copilot", title: "Copilot CLI", source: "copilot-cli",
		pkg: "@github/copilot-linux-x64", program: "copilot", distrust: "no hooks; read at the next start",
		prepare: func(s *session) error {
			return s.write(".copilot/mcp-config.json",
				`{"mcpServers":{"cortex":{"type":"local","command":"cortex","args":["mcp"],"tools":["*"]}}}`)
		},
		prompt: func(s *session, p prompting) []string {
			args := []string{"-p", p.text, "--allow-all-tools", "--allow-all-paths"}
			if p.resume {
				args = append(args, "--continue")
			}
			return args
		},
		trust: func(s *session) error {
			return s.write(".copilot/config.json", fmt.Sprintf(`{"trusted_folders": [%q]}`, s.repo()))
		},
		install: func(ctx context.Context, s *session) error {
			return s.all(ctx,
				[]string{s.path(), "plugin", "marketplace", "add", s.root},
				[]string{s.path(), "plugin", "install", "cortex@cortex"},
			)
		},
		env: func(s *session) []string {
			return []string{
				"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + s.url + "/v1", "COPILOT_PROVIDER_API_KEY=dummy",
				"COPILOT_MODEL=gpt-4.1", "COPILOT_AUTO_UPDATE=false",
			}
		},
		transcripts: "home/.copilot/session-state/*/events.jsonl", converse: editing("--acp"),
		compact: func(ctx context.Context, s *session) error { // with nothing that begins anew after it
			return s.talk(ctx, []string{"--acp", "--allow-all-tools", "--allow-all-paths"},
				"@@long@@ Calibrate the probe.", "/compact", "@@plain@@ And the tide tables?")
		},
	}
}
