package output

import (
	"bytes"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// TestFew: an agent gets five matches in at most 400 tokens, however long they are, each with its id, and
// what is outdated is marked before it is said.
func TestFew(t *testing.T) {
	var out bytes.Buffer
	p := &console.Printer{Out: &out, Width: 80, Whole: true, Fence: true}
	answer := &workspace.Answer{Total: 9, Sessions: []workspace.SessionHit{{}}}
	for i := range 7 {
		e := entryOf(strings.Repeat("The pump of the north cellar starts before its valve is shut, ", 3)+string(rune('a'+i)), index.Landed)
		e.Status, e.Stale = memory.StatusActive, i == 0
		if i == 1 {
			e.Status = memory.StatusSuperseded
		}
		answer.Results = append(answer.Results, workspace.Found{
			Entry: e, Snippet: index.Snippet{Text: strings.Repeat("Close the valve first and wait for the sensor. ", 9)},
		})
	}
	Few(p, answer)
	got := out.String()
	if n := memory.Tokens(got); n > 400 {
		t.Errorf("%d tokens", n)
	}
	for _, want := range []string{
		"[CODE CHANGED] ", "[SUPERSEDED] ", answer.Results[4].Entry.Memory.ID.Short(), "5 of 9 matches", "1 passage matches: --notes",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, answer.Results[5].Entry.Memory.ID.Short()) {
		t.Error("a sixth match is shown")
	}
}
