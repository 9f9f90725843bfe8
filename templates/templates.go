// Package templates holds the texts that Cortex puts into a repository, as
// files that can be read and reviewed: the README of the folder, attribute lines, the rules file for agents, the hooks
// of each agent, the instructions for curation and consolidation, and the recorded sessions of the demo.
//
// Every function returns a new copy. The callers decide where a text goes and
// between which markers.
package templates

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"io"
	"strings"
)

// The sessions of the demo are compressed copies of the files beside them, which would be 150 KB of
// the program; TestDemoIsPacked holds them together.
//
//go:embed files demo/*.gz
var files embed.FS

// Readme returns .cortex/README.md, for people who browse the repository.
func Readme() []byte { return read("files/README.md") }

// GitAttributes returns the lines for .gitattributes at the root of the
// repository, to be put between markers. With fold, hosts fold memories in reviews as
// they fold generated files: GitHub, Gitea and Forgejo by linguist-generated, GitLab by
// gitlab-generated. No host lets a repository say in which order files are shown.
func GitAttributes(fold bool) []byte {
	lines := read("files/gitattributes")
	if fold {
		lines = bytes.Replace(lines, []byte("*.md text eol=lf\n"),
			[]byte("*.md text eol=lf linguist-generated gitlab-generated\n"), 1)
	}
	return lines
}

// Rules returns .claude/rules/cortex.md, which tells an agent what the briefing
// is and how to record a memory.
func Rules() []byte { return read("files/rules.md") }

// Curation returns the instructions for whoever reads a worksheet of curation.
func Curation() []byte { return read("files/curate.md") }

// Comparison returns the instructions for whoever compares memories on a worksheet.
func Comparison() []byte { return read("files/compare.md") }

// Consolidation returns the instructions for whoever words one memory for several.
func Consolidation() []byte { return read("files/consolidate.md") }

// ClaudeHooks returns the JSON object {"hooks": {event: [...]}} to be merged
// into .claude/settings.json. The commands find cortex in the usual folders if it is
// not on PATH, and do nothing on a machine without it.
func ClaudeHooks() []byte { return read("files/claude-hooks.json") }

// CodexHooks returns the JSON object of the same shape to be merged into
// .codex/hooks.json. Codex trusts a command by its hash, so none of them ever
// changes. They find cortex in the usual folders if it is not on PATH.
func CodexHooks() []byte { return read("files/codex-hooks.json") }

// GeminiHooks returns the same for .gemini/settings.json. Gemini CLI runs a command
// by bash, and replaces variables in it before it asks whether it is trusted, so
// there are none. Its time limits are milliseconds; none is set.
func GeminiHooks() []byte { return read("files/gemini-hooks.json") }

// CopilotHooks returns .github/hooks/cortex.json, for Copilot CLI. It takes what a
// hook prints after a call that failed if the hook exits with 2; cortex never does,
// so the line that calls it does.
func CopilotHooks() []byte { return read("files/copilot-hooks.json") }

// CursorHooks returns the hooks to be merged into .cursor/hooks.json.
func CursorHooks() []byte { return read("files/cursor-hooks.json") }

// OpenCodePlugin returns .cortex/opencode.js, by which OpenCode calls the
// hooks of cortex.
func OpenCodePlugin() []byte { return read("files/opencode-plugin.js") }

// DemoStorage is the demo's first recorded session, on main: Claude Code JSON
// lines whose working directory is root. It holds a made-up access token, so
// that the demo can show it being redacted.
func DemoStorage(root string) []byte { return demo("session-storage", root) }

// DemoAlerts is the demo's second recorded session, on feature/alerts.
func DemoAlerts(root string) []byte { return demo("session-alerts", root) }

func demo(name, root string) []byte {
	quoted, err := json.Marshal(root)
	if err != nil {
		panic("templates: a string that is not JSON: " + err.Error())
	}
	text, err := unpacked(read("demo/" + name + ".jsonl.gz"))
	if err != nil {
		panic("templates: damaged file: " + err.Error()) // embedded at build time
	}
	fill := strings.NewReplacer("{{ROOT}}", string(quoted[1:len(quoted)-1]), "{{TOKEN}}", demoToken())
	return []byte(fill.Replace(string(text)))
}

func unpacked(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// demoToken has the form of a GitHub token and opens nothing. It is put
// together here because hosts refuse a push that holds one in one piece.
func demoToken() string {
	return strings.Join([]string{"ghp", "tW4demo9Lighthouse2Harbour7Buoy5Gull"}, "_")
}

func read(name string) []byte {
	data, err := files.ReadFile(name)
	if err != nil {
		panic("templates: missing file: " + err.Error()) // embedded at build time
	}
	return data
}

// AgentFiles returns the paths of all files that init may write for agents: rules, hooks
// and the MCP server.
func AgentFiles() []string {
	return []string{
		".claude/rules/cortex.md", ".claude/settings.json", ".mcp.json",
		".codex/hooks.json", ".codex/config.toml", ".gemini/settings.json", ".github/hooks/cortex.json",
		".cursor/hooks.json", ".cursor/mcp.json", ".cortex/opencode.js", ".opencode/plugins/cortex.js", "opencode.json",
		"opencode.jsonc",
	}
}
