package curate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
)

// Preset is a command line for cortex.llm that is known to fit: it reads a
// worksheet on standard input and writes the answer, with its tools off, without
// the user's other settings, and without a session that cortex would read again.
type Preset struct {
	Name    string // of the agent
	Program string // that has to be on PATH
	Command string // for the shell; MODEL stands for a model's name
	Model   string // without one; "" where there is nothing to choose
}

const modelPlace = "MODEL"

// Presets are those that `cortex init --curate` knows.
func Presets() []Preset {
	return []Preset{
		{"claude", "claude", `claude -p --output-format text --tools "" --strict-mcp-config --setting-sources "" ` +
			`--no-session-persistence`, ""},
		{"codex", "codex", `codex exec --sandbox read-only --skip-git-repo-check --ephemeral --color never ` +
			`-c features.shell_tool=false -c web_search=disabled -`, ""},
		{"gemini", "gemini", `gemini --extensions none --approval-mode default ` +
			`-p "Answer the worksheet with its JSON object alone."`, ""},
		{"ollama", "ollama", `ollama run --format json --nowordwrap ` + modelPlace, "llama3.1"},
	}
}

// ParsePreset reads a preset as a person names it: "claude", or "ollama:MODEL".
func ParsePreset(name string) (Preset, error) {
	name, model, given := strings.Cut(strings.TrimSpace(name), ":")
	i := slices.IndexFunc(Presets(), func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return Preset{}, fmt.Errorf("%q is none of %s", name, strings.Join(PresetNames(), ", "))
	}
	p := Presets()[i]
	switch {
	case given && p.Model == "":
		return Preset{}, fmt.Errorf("%s takes no model here: add its option to cortex.llm with git config", name)
	case given && !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]*$`).MatchString(model):
		return Preset{}, fmt.Errorf("%q is not the name of a model", model)
	case given:
		p.Model = model
	}
	p.Command = strings.ReplaceAll(p.Command, modelPlace, p.Model)
	return p, nil
}

// Offered returns the reader that a person may be offered: the first that is one of the agents
// named and whose program is there, unless a command is set already.
func Offered(
	ctx context.Context, w *workspace.Workspace, agents []string, there func(program string) bool,
) (Preset, bool) {
	if SettingsOf(ctx, w).Command != "" {
		return Preset{}, false
	}
	for _, p := range Presets() {
		named := slices.ContainsFunc(agents, func(agent string) bool { return strings.HasPrefix(agent, p.Name) })
		if named && there(p.Program) {
			return p, true
		}
	}
	return Preset{}, false
}

// PresetNames are the names that ParsePreset knows.
func PresetNames() []string {
	return lists.Map(Presets(), func(p Preset) string { return p.Name })
}
