package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
)

// agent is a coding agent that [Init] can set up.
type agent struct {
	name  string // as in [memory.Source]
	short string // what a person may type for it
	title string
	files []managed
	signs []string // what its users have in a repository
	home  []string // and in their home folder
	trust string   // what a person does before it runs the hooks of a repository, "" for nothing
}

// agents are all of them, in the order in which they are named.
func agents() []agent {
	return []agent{
		{
			name: transcript.ClaudeCode, short: "claude", title: "Claude Code",
			files: []managed{
				wholeFile(".claude/rules/cortex.md", "how Claude Code adds memories", templates.Rules()),
				hooksFile(".claude/settings.json", "hooks of Claude Code", templates.ClaudeHooks()),
			},
			signs: []string{".claude", "CLAUDE.md"}, home: []string{".claude"},
			trust: "Claude Code runs the hooks once you have trusted this folder: start claude here and choose yes," +
				" which it offers second.",
		},
		{
			name: transcript.Codex, short: "codex", title: "Codex",
			files: []managed{hooksFile(".codex/hooks.json", "hooks of Codex", templates.CodexHooks())},
			signs: []string{".codex"}, home: []string{".codex"},
			trust: "Codex runs the hooks once you have trusted this folder when it asks, and then the hooks," +
				" with /hooks.",
		},
		{
			name: transcript.Gemini, short: "gemini", title: "Gemini CLI",
			files: []managed{hooksFile(".gemini/settings.json", "hooks of Gemini CLI", templates.GeminiHooks())},
			signs: []string{".gemini", "GEMINI.md"}, home: []string{".gemini"},
			trust: "Gemini CLI runs the hooks once you have trusted this folder when it asks; --skip-trust runs none.",
		},
		{
			name: transcript.Copilot, short: "copilot", title: "Copilot CLI",
			files: []managed{hooksFile(".github/hooks/cortex.json", "hooks of Copilot CLI", templates.CopilotHooks())},
			signs: []string{".github/hooks", ".github/copilot", ".github/copilot-instructions.md"},
			home:  []string{".copilot"},
			trust: "Copilot CLI runs the hooks once you have trusted this folder when it asks;" +
				" with -p, give --trust-folder.",
		},
		{
			name: transcript.Cursor, short: "cursor", title: "Cursor",
			files: []managed{hooksFile(".cursor/hooks.json", "hooks of Cursor", templates.CursorHooks())},
			signs: []string{".cursor", ".cursorrules"}, home: []string{".cursor"},
		},
		{
			name: transcript.OpenCode, short: "opencode", title: "OpenCode",
			files: openCodeFiles(),
			signs: []string{".opencode", "opencode.json", "opencode.jsonc"},
			home:  []string{".config/opencode", ".opencode"},
		},
	}
}

// Agents returns the names of the agents that [Init] can set up.
func Agents() []string {
	return lists.Map(agents(), func(a agent) string { return a.name })
}

// ParseAgents returns the agents that a person means by names, each once and in the
// order of [Agents]: "none" is no agent, and short names such as claude will do.
func ParseAgents(names []string) ([]string, error) {
	chosen := map[string]bool{}
	for _, name := range names {
		i := slices.IndexFunc(agents(), func(a agent) bool { return a.name == name || a.short == name })
		switch {
		case i >= 0:
			chosen[agents()[i].name] = true
		case name != "none":
			return nil, fmt.Errorf("unknown agent %q: %s, or none", name, strings.Join(Agents(), ", "))
		}
	}
	return lists.Without(Agents(), func(name string) bool { return !chosen[name] }), nil
}

// Detected is an agent that somebody uses, and the file or folder that shows it.
type Detected struct {
	Agent string `json:"agent"`
	Sign  string `json:"sign"` // a path of the repository, or one that begins with ~
}

// Detect finds the agents that are used in a working tree, or by the user whose home
// folder is given. Where there is no sign of any, it is Claude Code without a sign.
func Detect(w *workspace.Workspace, home string) []Detected {
	var out []Detected
	for _, a := range agents() {
		if sign := a.sign(w.Repo.Root, home); sign != "" {
			out = append(out, Detected{Agent: a.name, Sign: sign})
		}
	}
	if len(out) == 0 {
		out = []Detected{{Agent: transcript.ClaudeCode}}
	}
	return out
}

// SetUp is an agent that was set up, or would be.
type SetUp struct {
	Agent string      `json:"agent"`
	Title string      `json:"title"`
	Sign  string      `json:"sign,omitempty"` // see [Detected]; "" where a person named the agent
	Files []AgentFile `json:"files"`
	Trust string      `json:"trust,omitempty"` // what a person has to do before it runs the hooks
}

// AgentFile is a file that an agent reads, and what [Init] did to it.
type AgentFile struct {
	Path   string `json:"path"`
	Action string `json:"action"` // as in [Step]
}

// AgentsOf tells what the steps of an [Init] did for each agent.
func AgentsOf(steps []Step, opt Options, found []Detected) []SetUp {
	out := []SetUp{}
	for _, a := range agents() {
		if !slices.Contains(opt.Agents, a.name) {
			continue
		}
		files := a.files
		if opt.Server {
			files = slices.Concat(files, serverFiles([]string{a.name}))
		}
		s := SetUp{Agent: a.name, Title: a.title, Trust: a.trust}
		if i := slices.IndexFunc(found, func(d Detected) bool { return d.Agent == a.name }); i >= 0 {
			s.Sign = found[i].Sign
		}
		for _, step := range steps {
			if slices.ContainsFunc(files, func(m managed) bool { return m.path == step.Path }) {
				s.Files = append(s.Files, AgentFile{step.Path, step.Action})
			}
		}
		out = append(out, s)
	}
	return out
}

// Named returns the names of what was found.
func Named(found []Detected) []string {
	return lists.Map(found, func(f Detected) string { return f.Agent })
}

func (a agent) sign(root, home string) string {
	there := func(dir, name string) bool {
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
		return dir != "" && err == nil
	}
	for _, name := range a.signs {
		if there(root, name) {
			return name
		}
	}
	for _, name := range a.home {
		if there(home, name) {
			return "~/" + name
		}
	}
	return ""
}

// UsualFolders are the folders in which agents' hooks look for cortex after PATH:
// an agent that a desktop starts has a PATH of its own.
func UsualFolders(home string) []string {
	return []string{home + "/go/bin", home + "/.local/bin", "/usr/local/bin", "/opt/homebrew/bin"}
}

// installedAgents are those that were set up in this clone, and those whose files
// have something of ours in them.
func installedAgents(t workspace.Folder, record installed) []string {
	var names []string
	for _, a := range agents() {
		if slices.ContainsFunc(a.files, func(m managed) bool {
			_, recorded := record.Files[m.path]
			return recorded || m.installed(t)
		}) {
			names = append(names, a.name)
		}
	}
	return names
}

// installed reports whether our part is in the file. One that cannot be read has none.
func (m managed) installed(t workspace.Folder) bool {
	data, _, _ := t.Read(m.path)
	rest, err := m.take(data)
	return err == nil && string(rest) != string(data)
}
