package agents

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index/recall"
)

func TestWithFormer(t *testing.T) {
	for _, c := range []struct {
		name     string
		at, want recall.Moment
		ok       bool
	}{
		{
			"a file",
			recall.Moment{Kind: recall.File, File: "store/log.go", Triggers: []string{"file: store/log.go", "file: *.go"}},
			recall.Moment{Kind: recall.File, File: "store/wal.go", Triggers: []string{"file: store/wal.go", "file: *.go"}},
			true,
		},
		{
			"a prompt",
			recall.Moment{Kind: recall.Prompt, Prompt: "look at `store/log.go`, please"},
			recall.Moment{Kind: recall.Prompt, Prompt: "look at `store/wal.go`, please"},
			true,
		},
		{
			"a call",
			recall.Moment{Kind: recall.Command, Command: "cat ./store/log.go", Calls: [][]string{{"cat", "./store/log.go"}}},
			recall.Moment{Kind: recall.Command, Command: "cat ./store/wal.go", Calls: [][]string{{"cat", "./store/wal.go"}}},
			true,
		},
		{"another file", recall.Moment{File: "web/store/log.go", Prompt: "store/log.go.bak"}, recall.Moment{}, false},
	} {
		got, ok := withFormer(c.at, "store/log.go", "store/wal.go")
		if ok != c.ok || ok && !cmp.Equal(c.want, got) {
			t.Errorf("%s: %v %s", c.name, ok, cmp.Diff(c.want, got))
		}
	}
}
