package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestProve: whose words an agent wrote down with a tool is known once the transcript of its
// session has been read.
func TestProve(t *testing.T) {
	const said = "Spools lose their tail at shutdown because nothing flushes before Close."
	for want, document := range map[string]string{
		memory.OriginAgent:   "package spool\n\nfunc Close() error { return f.Close() }",
		memory.OriginOutside: "# Notes\n\n" + said,
	} {
		w := workspacetest.New(t)
		noted, err := w.Remember(t.Context(), workspace.Note{Text: said, Agent: "claude-code", Pending: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := noted.Entry.Memory.Source.Claimed(); got != "" {
			t.Fatalf("origin %q before anybody looked", got)
		}
		file := filepath.Join(t.TempDir(), "noting.jsonl")
		if err := os.WriteFile(file, []byte(noting(document, said)), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Capture(t.Context(), w, CaptureInput{Path: file}); err != nil {
			t.Fatal(err)
		}
		for _, m := range pendingIn(t, w) {
			if m.ID == noted.Entry.Memory.ID && m.Source.Origin != want {
				t.Errorf("origin %q, want %q", m.Source.Origin, want)
			}
		}
	}
}

// noting is a session in which the agent reads a document and writes a memory down.
func noting(document, said string) string {
	out := ""
	for n, line := range []string{
		`"type":"user","message":{"role":"user","content":"What is in it?"}`,
		`"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"Read","input":{"file_path":"notes.md"}}]}`,
		fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":%q}]}`, document),
		fmt.Sprintf(`"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"mcp__cortex__cortex_remember","input":{"text":%q}}]}`, said),
		fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":%q}]}`, `{"title":"`+said+`"}`),
		`"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"Kept."}]}`,
	} {
		out += fmt.Sprintf(`{"uuid":"u%d","parentUuid":null,"isSidechain":false,"sessionId":"noting","timestamp":"2026-11-03T09:00:0%d.000Z",%s}`+"\n", n, n, line)
	}
	return out
}
