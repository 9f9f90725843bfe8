package mcp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/workspace"
)

// clientsVariable names the folder in which .ci/mcp-clients has installed the public
// clients of the protocol.
const clientsVariable = "CORTEX_MCP_CLIENTS"

// conformanceLimit is many times what the suite takes: one that hangs says so, and does
// not take the time of all other tests.
const conformanceLimit = 8 * time.Minute

// TestConformance runs the protocol's own suite over HTTP, which is all that the suite
// speaks. expected-failures.yml beside the clients names what of it does not hold for this
// server and why, mostly what asks for tools that only the suite's example server has.
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
	ctx, cancel := context.WithTimeout(t.Context(), conformanceLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(clients, "node"), filepath.Join(clients, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
		"server", "--url", http.URL, "--suite", "all", "--expected-failures", filepath.Join(clients, "expected-failures.yml"))
	cmd.Dir, cmd.WaitDelay = t.TempDir(), 10*time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("it was ended after %s: %w", conformanceLimit, err)
		}
		t.Errorf("%v\n%s", err, out)
	}
}
