package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/memory"
)

// TestMCPFresh: a server that has looked at a large tree finds what was written to
// one of its files before the call, in 32 calls at once.
func TestMCPFresh(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	dir := filepath.Join(c.dir, ".cortex", "memories", "gotcha", "2026-01")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	file := func(i int, text string) {
		t.Helper()
		m := memory.New(memory.Gotcha, fmt.Sprintf("Valve %d sticks", i), text, time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("valve-%d.md", i)), memory.Format(m), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1100 { // smaller trees are not watched
		file(i, "Turn it twice.")
	}
	a := newAgent(t, c)
	for round, word := range []string{"zebra", "okapi", "tapir", "lemur"} {
		for range 3 {
			a.ask("cortex_search", arguments{"query": "valve"})
		}
		file(round, "Beware of the "+word+".")
		var calls sync.WaitGroup
		for range 32 {
			calls.Go(func() {
				res, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: "cortex_search", Arguments: arguments{"query": word}})
				if err != nil || res.IsError {
					t.Errorf("search %s: %v, %+v", word, err, res)
					return
				}
				if n := len(res.StructuredContent.(map[string]any)["results"].([]any)); n != 1 {
					t.Errorf("%d memories with the word %s", n, word)
				}
			})
		}
		calls.Wait()
	}
}
