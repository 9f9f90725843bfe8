package capture

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/session"
)

// TestPastedLog: what a checker printed is no statement of the user, however long the
// prompt that it was pasted into is.
func TestPastedLog(t *testing.T) {
	line := "/srv/tide/src/gauge/level.spec.ts 371:46 warning Unexpected any. Specify a different type tide-lint/no-explicit-any 381:12 warning Unexpected any. Specify a different type tide-lint/no-explicit-any because the gauge must not fail silently. "
	prompt := "I ran the generator of the gauge client again and the warnings did not go away.\n\n" + strings.Repeat(line, 9) + "\n\nThe gauge must never fall back to the default port, because the harbour office listens there and loses the readings."
	found := ""
	for _, c := range capture(t, conversation(prompt, "I will look at the gauge client."), Options{}).Candidates {
		if c.Layer == session.LayerUser && c.held() {
			found += c.Memory.Title + "\n"
		}
	}
	if strings.Contains(found, "Specify") || strings.Contains(found, "tide-lint") {
		t.Errorf("kept of the user's words:\n%s", found)
	}
}
