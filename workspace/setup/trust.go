package setup

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/manifest"
)

// Home is where agents note which folders and hooks a user trusts. The zero value is looked at
// by nobody: then no trust is known of.
type Home struct {
	Dir    string              // the user's home folder
	Getenv func(string) string // variables that name other folders; nil for none
}

// file returns the path of a file of an agent, in the folder that a variable names, or in the
// usual one below the home folder.
func (h Home) file(variable, usual, name string) string {
	dir := filepath.Join(h.Dir, usual)
	if h.Getenv != nil && h.Getenv(variable) != "" {
		dir = h.Getenv(variable)
	}
	return filepath.Join(dir, name)
}

// trusts reports whether the files of an agent say that it runs the hooks of the working tree
// at root. Where they do not say so, it may do it all the same.
func (h Home) trusts(agent, root string) bool {
	if h.Dir == "" {
		return false
	}
	of := map[string]func(root string) bool{
		transcript.ClaudeCode: h.claude, transcript.Codex: h.codex, transcript.Gemini: h.gemini,
		transcript.Copilot: h.copilot,
	}
	return of[agent] != nil && of[agent](root)
}

// settled is the first answer that is noted of a folder or of one above it.
func settled(root string, noted func(dir string) (trusts, known bool)) bool {
	for dir := root; ; dir = filepath.Dir(dir) {
		if trusts, known := noted(dir); known {
			return trusts
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

func (h Home) claude(root string) bool {
	var noted struct {
		Projects map[string]struct {
			Accepted bool `json:"hasTrustDialogAccepted"`
		} `json:"projects"`
	}
	readNoted(h.file("CLAUDE_CONFIG_DIR", "", ".claude.json"), &noted)
	return settled(root, func(dir string) (bool, bool) {
		accepted := noted.Projects[filepath.ToSlash(dir)].Accepted
		return accepted, accepted
	})
}

// codex asks for the folder, and for each hook once more.
func (h Home) codex(root string) bool {
	data, err := os.ReadFile(h.file("CODEX_HOME", ".codex", "config.toml"))
	if err != nil {
		return false
	}
	tables, err := manifest.Tables(data)
	if err != nil || textAt(tables, "projects", root, "trust_level") != "trusted" {
		return false
	}
	file := filepath.Join(root, ".codex", "hooks.json")
	hooks, _ := tables["hooks"].(map[string]any)
	state, _ := hooks["state"].(map[string]any)
	for hook := range state {
		if strings.HasPrefix(hook, file+":") && textAt(state, hook, "trusted_hash") != "" {
			return true
		}
	}
	return false
}

// textAt is a text in tables of tables, "" where there is none.
func textAt(tables map[string]any, keys ...string) string {
	for _, key := range keys[:len(keys)-1] {
		tables, _ = tables[key].(map[string]any)
	}
	text, _ := tables[keys[len(keys)-1]].(string)
	return text
}

func (h Home) gemini(root string) bool {
	noted := map[string]string{}
	readNoted(filepath.Join(h.Dir, ".gemini", "trustedFolders.json"), &noted)
	return settled(root, func(dir string) (bool, bool) {
		level, known := noted[dir]
		return slices.Contains([]string{"TRUST_FOLDER", "TRUST_PARENT"}, level), known
	})
}

func (h Home) copilot(root string) bool {
	var noted struct {
		Folders []string `json:"trustedFolders"`
		Earlier []string `json:"trusted_folders"`
	}
	readNoted(h.file("COPILOT_HOME", ".copilot", "config.json"), &noted)
	return settled(root, func(dir string) (bool, bool) {
		for _, folder := range append(noted.Folders, noted.Earlier...) {
			if filepath.Clean(folder) == dir {
				return true, true
			}
		}
		return false, false
	})
}

// readNoted reads a JSON file of an agent, which may have comments. What cannot be read notes
// nothing.
func readNoted(path string, into any) {
	if data, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(plainJSON(data), into)
	}
}

// withheld returns what a person has still to do before an agent runs the hooks of a working
// tree, "" for nothing.
func withheld(w *workspace.Workspace, a agent, home Home) string {
	if home.trusts(a.name, w.Repo.Root) {
		return ""
	}
	return a.trust
}
