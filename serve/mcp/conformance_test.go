package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace"
)

// clientsVariable names the folder in which .ci/mcp-clients has installed the public
// clients of the protocol.
const clientsVariable = "CORTEX_MCP_CLIENTS"

// TestConformance runs those scenarios of the protocol's own suite that hold for any
// server, over HTTP, which is all that the suite speaks. The others ask for tools
// that only its example server has.
func TestConformance(t *testing.T) {
	clients := os.Getenv(clientsVariable)
	if clients == "" {
		t.Skip("the conformance suite is not installed: bash .ci/mcp-clients")
	}
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := newServer(Host{Dir: dir, Version: "1", Open: func(ctx context.Context, dir string) (*workspace.Workspace, error) {
		return workspace.Open(ctx, workspace.Env{Dir: dir, Environ: os.Environ(), Now: time.Now, Named: true})
	}})
	defer s.projects.Close()
	http := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.sdk() }, &sdk.StreamableHTTPOptions{Stateless: true}))
	defer http.Close()
	start := time.Now()
	for _, scenario := range []string{
		"server-initialize", "server-stateless", "tools-list", "resources-list", "prompts-list", "completion-complete", "ping",
		"sep-2164-resource-not-found", "caching", "server-session-lifecycle", "dns-rebinding-protection", "http-header-validation",
	} {
		t.Run(scenario, func(t *testing.T) {
			if time.Since(start) > 25*time.Second {
				t.Skip("the 25 seconds for clients of other people are over: bash .ci/mcp-clients on a quieter machine runs the rest")
			}
			cmd := exec.Command(filepath.Join(clients, "node"), filepath.Join(clients, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
				"server", "--url", http.URL, "--scenario", scenario)
			cmd.Dir = t.TempDir()
			if out, err := cmd.CombinedOutput(); err != nil && !onlyUntestable(string(out)) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// onlyUntestable reports whether all that failed of a scenario is what it could not
// test, for want of a tool that only the suite's example server has.
func onlyUntestable(out string) bool {
	failed := 0
	for line := range strings.Lines(out) {
		said, ok := strings.CutPrefix(strings.TrimSpace(line), "Error: ")
		if !ok {
			continue
		}
		if !strings.HasPrefix(said, "Not testable: server does not list the diagnostic tool") {
			return false
		}
		failed++
	}
	return failed > 0
}
