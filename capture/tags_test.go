package capture

import (
	"slices"
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// TestTagsStay: what somebody tagged on purpose stays, however much another
// tag, or a later sentence, shares its words.
func TestTagsStay(t *testing.T) {
	for _, pair := range [][2]string{
		{"gotcha] The export times out after 30 seconds in production", "gotcha] The export times out after 90 seconds in staging"},
		{"decision] The billing service calls the ledger service", "decision] The ledger service calls the billing service"},
		{"fix] Error E1042 means that the lock file is stale", "fix] Error E1043 means that the lock file is stale"},
		{"preference] Run make lint before every push to the branch", "preference] Run make test before every push to the branch"},
		{"decision] Retries are safe for the payment endpoint", "decision] Retries are not safe for the payment endpoint"},
		{"decision] The queue moves from Redis to Postgres", "decision] The queue moves from Postgres to Redis"},
		{"decision] The nightly job packs old files by gzip", "gotcha] The nightly job packs old files by gzip"},
		{"decision] Readings are kept in one file a day for the harbour office", "decision] Readings are kept in one file a day"},
		{"decision] Readings are kept in one file a day", "decision] Readings are kept in one file a day for the harbour office"},
	} {
		res := capture(t, talk([3]string{"0s", "[MEMORY: " + pair[0], "a.go"}, [3]string{"1m", "[MEMORY: " + pair[1], "a.go"}), Options{Agent: transcript.ClaudeCode})
		var kept []string
		for _, c := range res.Candidates {
			if c.held() {
				kept = append(kept, string(c.Memory.Type)+"] "+c.Memory.Title)
			}
		}
		for _, want := range pair {
			if !slices.Contains(kept, want) {
				t.Errorf("%q is not kept beside the other, only %q", want, kept)
			}
		}
	}
}

// TestTagOfUnknownType: the text of a tag counts, whatever its type is called.
func TestTagOfUnknownType(t *testing.T) {
	res := capture(t, talk([3]string{"0s", "[MEMORY: observation] The gauge in the harbour sends twice at noon.", "a.go"}), Options{Agent: transcript.ClaudeCode})
	if len(res.Candidates) != 1 {
		t.Fatalf("%d candidates", len(res.Candidates))
	}
	m := res.Candidates[0].Memory
	if m.Type != memory.Learned || m.Title != "The gauge in the harbour sends twice at noon" {
		t.Errorf("kept as %s: %q", m.Type, m.Title)
	}
}
