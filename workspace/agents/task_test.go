package agents

import (
	"testing"

	"github.com/git-cortex/cortex/index/recall"
)

// TestTaskIsNoMoment: nothing is told before a task for a subagent, which names much, in the tools of
// any agent; a command or a file with a prompt beside it stays what it is.
func TestTaskIsNoMoment(t *testing.T) {
	for input, want := range map[string]recall.Moment{
		`{"description":"Explore the gauges","prompt":"How are they polled?","subagent_type":"Explore"}`: {},
		`{"prompt":"How are they polled?"}`:              {},
		`{"command":"gauge poll","prompt":"why"}`:        {Kind: recall.Command, Command: "gauge poll"},
		`{"file_path":"gauge.go","prompt":"why"}`:        {Kind: recall.File, File: "gauge.go"},
		`{"subject":"Gauges","description":"Poll them"}`: {},
	} {
		got := momentOfCall(callOf([]byte(input)), "")
		if got.Kind != want.Kind || got.Question != want.Question {
			t.Errorf("%s: %q, %q", input, got.Kind, got.Question)
		}
	}
}
