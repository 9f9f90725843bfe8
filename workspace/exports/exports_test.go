package exports

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// two are a decision and what it replaced.
func two() []workspace.Entry {
	old := memory.New(memory.Decision, "Use <fcntl>", "It is old.", time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC))
	m := memory.New(memory.Decision, "Use flock", "The kernel frees it. So a kill leaves no lock.\n\n# Why\n\n```sh\n# flock x\n```", time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	m.Source = memory.Source{Agent: "claude-code", Model: "sonnet", Session: "abc", Commit: "0123456789ab"}
	m.Links = []memory.Link{{Rel: memory.Supersedes, To: old.ID}}
	m.Files = []string{"lock.go"}
	old.Source.Agent = "human"
	return []workspace.Entry{
		{Item: index.Item{Stage: index.Landed, Status: memory.StatusActive}, Memory: m},
		{Item: index.Item{Stage: index.Landed, Status: memory.StatusSuperseded}, Memory: old},
	}
}

func TestDocument(t *testing.T) {
	var b bytes.Buffer
	if err := Document(&b, "pump", two()); err != nil {
		t.Fatal(err)
	}
	id, old := two()[0].Memory.ID.Short(), two()[1].Memory.ID.Short()
	want := "# Memories of pump\n\n## Decisions\n\n### Use flock\n\nThe kernel frees it. So a kill leaves no lock.\n\n#### Why\n\n```sh\n# flock x\n```\n\n" +
		"_2026-03-02 · lock.go · " + id + "_\n\n### Use &lt;fcntl>\n\nIt is old.\n\n_2026-03-01 · superseded · " + old + "_\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
}

func TestLines(t *testing.T) {
	var b bytes.Buffer
	if err := Lines(&b, two()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"date":"2026-03-02T09:00:00Z"`) || !strings.Contains(lines[0], `"title":"Use flock"`) {
		t.Errorf("%q", lines)
	}
}
