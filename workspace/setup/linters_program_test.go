package setup

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/transcripttest"
)

// TestLintersWithProgram: in each of the set-ups, the program itself is set up, captures a decision, and lands it with
// a commit of the user that the real tools look at. They refuse nothing and change nothing, the check and doctor
// agree, and what uninstalling leaves is what was there before, to the byte, and the memory.
func TestLintersWithProgram(t *testing.T) {
	node := os.Getenv("CORTEX_LINTERS")
	if _, err := exec.LookPath("cortex"); node == "" || err != nil {
		t.Skip("CORTEX_LINTERS names no folder with the tools, or cortex is not on PATH")
	}
	for name, team := range lintSetUps() {
		t.Run(name, func(t *testing.T) {
			c := newClone(t, map[string]string{".gitignore": "node_modules\n.husky/_\n"})
			for path, text := range team.files {
				c.write(path, strings.ReplaceAll(text, "NODE", node))
			}
			c.installTools(node, team)
			c.lint("feat: begin")
			before := c.lasting()
			c.tool("cortex", "init", "-q", "--agent", "claude-code")
			if said := c.tool("cortex", "doctor", "--all"); !strings.Contains(said, "ok    trial commit\n") {
				t.Errorf("doctor says\n%s", said)
			}
			c.lint("chore: set up Cortex")
			c.session()
			c.write("read.js", "export const read = 1;\n")
			c.lint("feat: read the gauge")
			landed := c.tool("git", "show", "--name-only", "--format=", "HEAD")
			if !strings.Contains(landed, ".cortex/memories/decision/") || !strings.Contains(landed, "read.js") {
				t.Errorf("the commit brings\n%s", landed)
			}
			c.tool("cortex", "check")
			if strings.Contains(team.tools, "prettier") {
				c.tool("prettier", "--check", ".")
			}
			c.tool("cortex", "doctor")
			if status := c.tool("git", "status", "--porcelain"); status != "" {
				t.Errorf("doctor leaves\n%s", status)
			}
			c.tool("cortex", "uninstall", "-q")
			after := c.lasting()
			delete(after, "read.js")
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("after uninstalling (-before +after):\n%s", diff)
			}
		})
	}
}

// lint commits all that is there: no tool may refuse it, and none may change it.
func (c *clone) lint(message string) {
	c.Helper()
	c.tool("git", "add", ".")
	c.tool("git", "commit", "-q", "-m", message)
	if status := c.tool("git", "status", "--porcelain"); status != "" {
		c.Errorf("%s: the tools changed\n%s", message, status)
	}
}

// session is one in which the user decides something.
func (c *clone) session() {
	c.Helper()
	tr := &transcripttest.Transcript{Session: "7d31c0aa", Root: c.dir, At: time.Now().Add(-time.Minute), Step: time.Second}
	tr.User("Let us read the gauge.")
	tr.Ask("Driver", "How should the gauge be read?", "Poll: simple, a read every second; Interrupt: needs a new board", "Poll")
	tr.Agent("It polls now.\n\n[MEMORY: gotcha] The gauge drops frame 3000 when its lid is open: close it, then run `npm test`.")
	path := filepath.Join(c.TempDir(), "7d31c0aa.jsonl")
	payload, _ := json.Marshal(map[string]string{"session_id": "7d31c0aa", "cwd": c.dir, "transcript_path": path})
	if err := os.WriteFile(path, tr.Bytes(), 0o666); err != nil {
		c.Fatal(err)
	}
	c.tool("sh", "-c", `printf %s "$1" | cortex hook stop --agent claude-code`, "hook", string(payload))
}

// lasting are the files of a clone that a commit, or a tool, does not change by itself; memories are left out.
func (c *clone) lasting() map[string]string {
	files := c.files()
	maps.DeleteFunc(files, func(path, _ string) bool {
		lasts := path == ".git/config" || strings.HasPrefix(path, ".git/hooks/")
		return strings.HasPrefix(path, ".git/") && !lasts || strings.HasPrefix(path, ".cortex/memories/")
	})
	return files
}
