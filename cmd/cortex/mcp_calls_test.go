package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestMCPAtOnce: 32 calls at once, of tools that read and tools that write, are
// answered as they are one by one.
func TestMCPAtOnce(t *testing.T) {
	t.Parallel()
	const calls = 32
	c := remembering(t)
	a := newAgent(t, c)
	id := a.ask("cortex_list", arguments{}).Memories[0].ID
	tools := []struct {
		name string
		args arguments
	}{
		{"cortex_search", arguments{"query": "search index"}},
		{"cortex_list", arguments{}},
		{"cortex_show", arguments{"id": id}},
		{"cortex_brief", arguments{}},
		{"cortex_related", arguments{"id": id}},
		{"cortex_recall", arguments{"prompt": "which index"}},
		{"cortex_get_status", arguments{}},
		{"cortex_remember", nil},
	}
	failed := make(chan error, calls)
	for i := range calls {
		go func() {
			tool := tools[i%len(tools)]
			if tool.args == nil {
				tool.args = arguments{"text": fmt.Sprintf("Gauge %d stands in the harbour.", i)}
			}
			res, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: tool.name, Arguments: tool.args})
			if err == nil && res.IsError {
				err = errors.New(res.Content[0].(*sdk.TextContent).Text)
			}
			if err != nil {
				err = fmt.Errorf("%s: %w", tool.name, err)
			}
			failed <- err
		}()
	}
	for range calls {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	if n := len(a.ask("cortex_list", arguments{}).Memories); n != 6+calls/len(tools) {
		t.Errorf("%d memories", n)
	}
	a.same("cortex_list", arguments{"limit": 100}, "list")
	c.run("", "git", "fsck", "--strict", "--no-dangling")
}

// TestMCPResources: what a person attaches is what the tools say, and what can be
// typed is offered.
func TestMCPResources(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := remembering(t)
	c.run("", "git", "branch", "topic/x")
	a := newAgent(t, c)
	memory := a.ask("cortex_list", arguments{"types": []string{"gotcha"}}).Memories[0]
	var uris []string
	for r, err := range a.Resources(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		uris = append(uris, r.URI)
	}
	if want := []string{"cortex://decisions", "cortex://plan", "cortex://status"}; !slices.Equal(uris, want) {
		t.Errorf("resources %v", uris)
	}
	for uri, want := range map[string]string{
		"cortex://decisions": "second source of truth", "cortex://plan": "query parser", "cortex://status": `"landed":4`,
		"cortex://memory/" + memory.ID: "half a segment", "cortex://memory/" + memory.ID[:6]: "half a segment",
	} {
		got, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		text := got.Contents[0].Text
		mark := map[string]string{"text/markdown": "=== evidence ", "application/json": `{"note":"evidence: `}[got.Contents[0].MIMEType]
		if !strings.Contains(text, want) || mark == "" || !strings.HasPrefix(text, mark) || strings.Contains(text, "<system-reminder") {
			t.Errorf("%s: %s", uri, text)
		}
		if isJSON := json.Valid([]byte(text)); isJSON != (uri == "cortex://status") {
			t.Errorf("%s: JSON: %v: %s", uri, isJSON, text)
		}
	}
	if _, err := a.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "cortex://memory/zzzz"}); err == nil {
		t.Error("a memory that is not there was read")
	}
	for name, args := range map[string]map[string]string{
		"recall": {"topic": "the <system-reminder> index\n\"now\"", "branch": "main"}, "remember": nil, "review": {"branch": "topic/x"},
	} {
		got, err := a.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: name, Arguments: args})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := got.Messages[0].Content.(*sdk.TextContent).Text
		if !strings.Contains(text, "cortex_") || strings.Contains(text, "<system-reminder>") || strings.Contains(text, "\n") {
			t.Errorf("%s: %s", name, text)
		}
	}
	for _, tt := range []struct {
		ref         *sdk.CompleteReference
		name, typed string
		want        string
	}{
		{&sdk.CompleteReference{Type: "ref/resource", URI: "cortex://memory/{id}"}, "id", memory.ID[:5], memory.ID},
		{&sdk.CompleteReference{Type: "ref/prompt", Name: "review"}, "branch", "top", "topic/x"},
		{&sdk.CompleteReference{Type: "ref/prompt", Name: "remember"}, "type", "got", "gotcha"},
		{&sdk.CompleteReference{Type: "ref/prompt", Name: "recall"}, "topic", "stor", "storage"},
		{&sdk.CompleteReference{Type: "ref/prompt", Name: "remember"}, "matter", "x", ""},
	} {
		got, err := a.Complete(t.Context(), &sdk.CompleteParams{Ref: tt.ref, Argument: sdk.CompleteParamsArgument{Name: tt.name, Value: tt.typed}})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if values := strings.Join(got.Completion.Values, " "); values != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.name, tt.typed, values, tt.want)
		}
	}
}

// TestMCPCaps: an answer stays within what an agent's context bears, and names the
// ids to go on with.
func TestMCPCaps(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	var lines strings.Builder
	for i := range 120 {
		_ = json.NewEncoder(&lines).Encode(map[string]any{"type": "learned", "title": fmt.Sprintf("Gauge %d drifts", i), "text": strings.Repeat("It drifts by a little more each day of the year. ", 60)})
	}
	c.run(lines.String()+`{"type":"learned","title":"The whole log","text":"`+strings.Repeat("A line of a log. ", 20_000)+`"}`+"\n", "cortex", "import", "-q", "jsonl", "-")
	a := newAgent(t, c)
	const most = 200 << 10
	for _, args := range []arguments{{}, {"limit": 100}} {
		res, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "cortex_list", Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(t, res)
		if len(text) > most || !strings.Contains(text, "cut here; all of it: cortex_show ") || !strings.Contains(text, `"next":`) {
			t.Errorf("%v: %d bytes, %.300s", args, len(text), text)
		}
	}
	id := a.ask("cortex_search", arguments{"query": "whole log"}).Results[0].ID
	got := a.ask("cortex_show", arguments{"id": id})
	if len(got.Text) > 64<<10 || !strings.Contains(got.Text, "cut here; all of it: ") {
		t.Errorf("a text of %d bytes: …%s", len(got.Text), got.Text[max(0, len(got.Text)-200):])
	}
	if kind := a.refused("cortex_list", arguments{"limit": 101}); kind != "usage" {
		t.Errorf("a limit of 101: %s", kind)
	}
}
