package mcp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace"
)

// connect returns a client of a server over pipes, in a repository of its own. When the client
// goes, the server must end without an error.
func connect(t *testing.T) *sdk.ClientSession {
	t.Helper()
	dir, home := filepath.Join(t.TempDir(), "repo"), t.TempDir()
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + home,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.invalid", "GIT_AUTHOR_DATE=2026-11-02T10:00:00Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.invalid", "GIT_COMMITTER_DATE=2026-11-02T10:00:00Z",
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main", dir}, {"-C", dir, "commit", "-q", "--allow-empty", "-m", "start"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Env = environ
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", args, err, out)
		}
	}
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(context.Background(), Host{
			In: serverIn, Out: serverOut, Dir: dir, Version: "test", Home: home, Note: func(string) {},
			Open: func(ctx context.Context, dir string) (*workspace.Workspace, error) {
				return workspace.Open(ctx, workspace.Env{Dir: dir, Environ: environ, Now: time.Now, Version: "test"})
			},
			Status: func(ctx context.Context, w *workspace.Workspace) (*workspace.Status, error) {
				return w.Status(ctx, gitops.Binary{})
			},
		})
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: clientIn, Writer: clientOut}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close() // the pipes may be closed already
		_ = clientOut.Close()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return session
}

// call calls a tool and returns what it says and whether that is an error.
func call(t *testing.T, s *sdk.ClientSession, name string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, c := range result.Content {
		if part, ok := c.(*sdk.TextContent); ok {
			text += part.Text
		}
	}
	return text, result.IsError
}

// object is the line of an answer that holds its object, between the marks of evidence.
func object(text string) []byte {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "{") {
			return []byte(line)
		}
	}
	return nil
}

// TestSession: what an agent remembers over a session is found, shown, told and forgotten by
// the other tools of that session.
func TestSession(t *testing.T) {
	s := connect(t)
	const title = "The crane of the south pier needs a key"
	text, failed := call(t, s, "cortex_remember", map[string]any{
		"text": title + ".\n\nIt hangs in the office of the harbour master.", "type": "gotcha",
	})
	var made struct{ ID string }
	if err := json.Unmarshal(object(text), &made); err != nil || failed || made.ID == "" {
		t.Fatalf("%v %s", err, text)
	}
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"cortex_search", map[string]any{"query": "crane key"}},
		{"cortex_list", map[string]any{"types": []string{"gotcha"}}},
		{"cortex_show", map[string]any{"id": made.ID[:8]}},
		{"cortex_related", map[string]any{"id": made.ID}},
		{"cortex_recall", map[string]any{"prompt": "how do I start the crane of the south pier"}},
		{"cortex_get_recent", nil},
	} {
		text, failed := call(t, s, tt.tool, tt.arguments)
		if failed || !strings.Contains(text, made.ID) && !strings.Contains(text, title) {
			t.Errorf("%s does not tell of the memory: %s", tt.tool, text)
		}
	}
	for _, tool := range []string{"cortex_get_status", "cortex_get_plan", "cortex_search_decisions"} {
		if text, failed := call(t, s, tool, nil); failed || !json.Valid(object(text)) {
			t.Errorf("%s: %s", tool, text)
		}
	}
	if text, failed := call(t, s, "cortex_brief", nil); failed || !strings.Contains(text, "# Project memory") {
		t.Errorf("the briefing: %s", text)
	}
	if text, failed := call(t, s, "cortex_forget", map[string]any{"id": made.ID}); failed {
		t.Errorf("forgetting: %s", text)
	}
	if text, _ := call(t, s, "cortex_search", map[string]any{"query": "crane key"}); strings.Contains(text, title) {
		t.Errorf("it is still found: %s", text)
	}
}

// TestRefusedCalls: a call that cannot be answered says why, and the session goes on.
func TestRefusedCalls(t *testing.T) {
	s := connect(t)
	for _, tt := range []struct {
		tool      string
		arguments map[string]any
	}{
		{"cortex_show", map[string]any{"id": "zzzzzzzz"}},
		{"cortex_forget", map[string]any{"id": "zzzzzzzz"}},
		{"cortex_remember", map[string]any{"text": ""}},
		{"cortex_recall", nil},
		{"cortex_list", map[string]any{"after": "zzzzzzzz"}},
		{"cortex_curate_apply", map[string]any{"answer": map[string]any{}}},
	} {
		if text, failed := call(t, s, tt.tool, tt.arguments); !failed || text == "" {
			t.Errorf("%s with %v: %s", tt.tool, tt.arguments, text)
		}
	}
	if text, failed := call(t, s, "cortex_get_status", nil); failed {
		t.Errorf("afterwards: %s", text)
	}
}

// TestListings: what is listed can be read: every resource, and every prompt without arguments.
func TestListings(t *testing.T) {
	s := connect(t)
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) < 14 {
		t.Fatalf("%v tools, %v", tools, err)
	}
	for _, tool := range tools.Tools {
		if tool.Description == "" || tool.InputSchema == nil {
			t.Errorf("%s says nothing of itself", tool.Name)
		}
	}
	resources, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range resources.Resources {
		read, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: r.URI})
		if err != nil || len(read.Contents) == 0 {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
	prompts, err := s.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range prompts.Prompts {
		if slices.ContainsFunc(p.Arguments, func(a *sdk.PromptArgument) bool { return a.Required }) {
			continue
		}
		got, err := s.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name})
		if err != nil || len(got.Messages) == 0 {
			t.Errorf("%s: %v", p.Name, err)
		}
	}
	if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "cortex://memory/zzzzzzzz"}); err == nil {
		t.Error("a memory that is not there was read")
	}
}
