package process

import (
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/setup"
)

// Agent names the agent that has started this process, by what the shells of agents
// have in their environment; "" for none. Some give their commands a terminal.
func Agent(getenv func(string) string) string {
	for _, a := range [][2]string{
		{"CLAUDECODE", "claude-code"},
		{"CODEX_SANDBOX", "codex"},
		{"CODEX_SANDBOX_NETWORK_DISABLED", "codex"},
		{"CODEX_THREAD_ID", "codex"}, // outside of its sandbox too
		{"COPILOT_CLI", "copilot-cli"},
		{"COPILOT_AGENT", "copilot-cli"}, // in the terminals of an editor
		{"CURSOR_AGENT", "cursor"},
		{"GEMINI_CLI", "gemini-cli"},
		{"OPENCODE", "opencode"},
	} {
		if getenv(a[0]) != "" {
			return a[1]
		}
	}
	return ""
}

// Program is how git calls the program at exe from a clone: by the name cortex when that
// finds this very program, else by its path alone.
func Program(exe string) gitops.Binary {
	if found, err := exec.LookPath("cortex"); err == nil && filepath.IsAbs(found) && sameFile(found, exe) {
		return gitops.Binary{Name: "cortex", Path: found}
	}
	return gitops.Binary{Path: exe}
}

func sameFile(x, y string) bool {
	rx, errX := filepath.EvalSymlinks(x)
	ry, errY := filepath.EvalSymlinks(y)
	return errX == nil && errY == nil && rx == ry
}

// FoundByAgents is where the hooks of agents find cortex: on PATH or in one of the
// usual folders; "" for nowhere.
func FoundByAgents(home string) string {
	if found, err := exec.LookPath("cortex"); err == nil {
		return found
	}
	for _, dir := range setup.UsualFolders(home) {
		if found, err := exec.LookPath(filepath.Join(filepath.FromSlash(dir), "cortex")); err == nil {
			return found
		}
	}
	return ""
}

// Home is the user's home folder, "" when it is not known.
func Home(getenv func(string) string) string {
	if h := getenv("HOME"); h != "" {
		return h
	}
	return getenv("USERPROFILE")
}

// GlobalStore is the folder of the user's own store: below XDG_DATA_HOME, or where
// the system keeps such data; "" when not even a home folder is known.
func GlobalStore(getenv func(string) string) string {
	data := getenv("XDG_DATA_HOME")
	if !filepath.IsAbs(data) { // the specification has it ignored then
		data = systemData(getenv)
	}
	if data == "" {
		return ""
	}
	return filepath.Join(data, "cortex", "global")
}

// systemData is where this system keeps the data of programs for a user; "" when it is not known.
func systemData(getenv func(string) string) string {
	home, below := getenv("HOME"), filepath.Join(".local", "share")
	switch runtime.GOOS {
	case "windows":
		home, below = getenv("LOCALAPPDATA"), ""
	case "darwin":
		below = filepath.Join("Library", "Application Support")
	}
	if data := filepath.Join(home, below); home != "" && filepath.IsAbs(data) {
		return data
	}
	return ""
}

// Show asks the system to show a file to the person, as in a browser. What it returns is
// closed when the system was asked, and nil where it cannot be.
func Show(path string) <-chan struct{} {
	c := exec.Command("xdg-open", path) //nolint:gosec // the file is ours
	switch runtime.GOOS {
	case "darwin":
		c = exec.Command("open", path) //nolint:gosec // as above
	case "windows":
		c = exec.Command("rundll32", "url.dll,FileProtocolHandler", path) //nolint:gosec // as above
	}
	if c.Start() != nil {
		return nil
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	return ended
}
