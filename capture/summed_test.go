package capture

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSummed: the parts of a summary stand under headings; what is in the transcript
// itself, what comes next and what the harness adds are left out.
func TestSummed(t *testing.T) {
	got := summed("\n1. Primary Request and Intent:\n   Mend the gauge.\n\n2. Errors and fixes:\n   - The gauge sleeps: woken by `wake`.\n1. a list\n\n3. Current Work:\n   Reading logs.\n" +
		"If you need specific details from before compaction, read the full transcript at: /tmp/x\nContinue with the last task.")
	want := "\n\n## Errors and fixes:\n\n   - The gauge sleeps: woken by `wake`.\n1. a list\n\n"
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
