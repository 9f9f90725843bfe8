package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

// openCodeSettings are settings of a user of OpenCode: a model at %s that nothing is
// downloaded for.
const openCodeSettings = `{
  "$schema": "https://opencode.ai/config.json",
  "permission": {"bash": {"rm *": "ask"}}, "autoupdate": false, "share": "disabled", "snapshot": false,
  "model": "mock/mock", "small_model": "mock/mock",
  "provider": {"mock": {
    "npm": "@ai-sdk/openai-compatible", "name": "Mock", "options": {"baseURL": "%s/v1", "apiKey": "dummy"},
    "models": {"mock": {"name": "Mock", "tool_call": true, "limit": {"context": 60000, "output": 4000}}}
  }},
  "mcp": {"cortex": {"type": "local", "command": ["cortex", "mcp"], "enabled": true}}
}
`

func openCode() *agent {
	return &agent{
		name: "opencode", title: "OpenCode", source: "opencode",
		pkg: "opencode-linux-x64", program: "bin/opencode", distrust: "hooks run: it asks for no trust",
		prepare: func(s *session) error {
			return errors.Join(
				s.write(".config/opencode/opencode.json", fmt.Sprintf(openCodeSettings, s.url)),
				s.withLibrary(),
			)
		},
		prompt: func(s *session, p prompting) []string {
			args := []string{"run"}
			if p.resume {
				args = append(args, "--continue")
			}
			return append(args, p.text)
		},
		env: func(s *session) []string {
			return []string{
				"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
				"OPENCODE_DISABLE_SHARE=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1",
			}
		},
		transcripts: "hooks/ses_*.json", converse: editing("acp"),
		send:    "subgeneral",
		unasked: true,
		lacks: map[string]string{
			beforeCall: notOffered, asked: notOffered, besides: "no plugin but that of `init`",
			withheld: "it asks for no trust",
		},
		takes: (*session).openCodeTakes,
		compact: func(ctx context.Context, s *session) error {
			return s.prompts(ctx,
				prompting{text: "@@long@@ Calibrate the probe."},
				prompting{text: "@@plain@@ And the tide tables?", resume: true},
			)
		},
	}
}

// withLibrary puts the package for plugins where OpenCode would install it, and wait for that.
// It is content where the lock file names the package.
func (s *session) withLibrary() error {
	from, to := filepath.Join(s.clients, "opencode-plugin"), filepath.Join(s.home(), ".config", "opencode")
	text, err := os.ReadFile(filepath.Join(from, "package.json"))
	if err != nil {
		return err
	}
	return errors.Join(
		s.write(".config/opencode/package.json", string(text)),
		s.write(".config/opencode/package-lock.json", `{"lockfileVersion": 3, "packages": {"": `+string(text)+`}}`),
		os.Symlink(filepath.Join(from, "node_modules"), filepath.Join(to, "node_modules")),
	)
}

// beforeTool matches what a plugin may change before a call, in the words of that package.
var beforeTool = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)"tool\.execute\.before"\?: \(input: \{[^}]*\}, output: \{\s*([^}]*?)\s*\}`)
})

// openCodeTakes reports whether a plugin can say something before a call: as documented, it
// can change the arguments and nothing else.
func (s *session) openCodeTakes() (bool, error) {
	types := filepath.Join(s.clients, "opencode-plugin", "node_modules", "@opencode-ai", "plugin", "dist", "index.d.ts")
	text, err := os.ReadFile(types)
	if err != nil {
		return false, err
	}
	found := beforeTool().FindSubmatch(text)
	if found == nil {
		return false, fmt.Errorf("%s says nothing of tool.execute.before", types)
	}
	return string(found[1]) != "args: any;", nil
}
