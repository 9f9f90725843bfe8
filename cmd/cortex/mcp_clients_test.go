package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMCPClients has public clients use the server, where .ci/mcp-clients has
// installed them: MCP Inspector, strict and in both generations of the protocol, and
// the client package, which checks each answer against its tool's schema.
func TestMCPClients(t *testing.T) {
	clients := os.Getenv("CORTEX_MCP_CLIENTS")
	if clients == "" {
		t.Skip("the clients are not installed: bash .ci/mcp-clients")
	}
	c := remembering(t)
	node := func(t *testing.T, args ...string) string {
		t.Helper()
		cmd := exec.Command(filepath.Join(clients, "node"), args...)
		cmd.Dir, cmd.Env = c.dir, c.env
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return string(out)
	}
	t.Run("client", func(t *testing.T) {
		if out := node(t, filepath.Join(clients, "client.mjs"), c.dir); strings.TrimSpace(out) != "ok" {
			t.Errorf("it said %q", out)
		}
	})
	inspector := filepath.Join(clients, "node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	for _, era := range []string{"modern", "legacy"} {
		for _, request := range [][]string{{"tools/list", "--strict"}, {"tools/call", "--tool-name", "cortex_search", "--tool-arg", "query=index"}, {"resources/list"}, {"prompts/list"}} {
			t.Run(era+" "+request[0], func(t *testing.T) {
				out := node(t, append([]string{inspector, "--cli", "cortex", "mcp", "--protocol-era", era, "--method"}, request...)...)
				if !json.Valid([]byte(out)) {
					t.Errorf("it said %s", out)
				}
			})
		}
	}
}
