package recipe

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFaults: a reader is told what failed and what it said, each error once, and
// neither what only looked nor what worked.
func TestFaults(t *testing.T) {
	f := follow(
		t,
		failed("gauge login --zone 12", "looking up 12\ngauge: unknown zone 12\nfatal: cannot go on\nerror: gave up"),
		failed("gauge login --zone 13", "looking up 13\ngauge: unknown zone 13"),
		failed("grep -r gauge .", "grep: x: No such file or directory"),
		ran("gauge login", "error: 0"),
		edit("/repo/src/gauge.go", "poll()", false),
		failed("go test ./...", "--- FAIL: TestPoll\ngauge_test.go:12: gauge asleep: it must be polled "+strings.Repeat("and polled ", 40)),
		step{tool: "Read", input: map[string]any{"file_path": "/repo/a.go"}, output: "Sibling tool call errored", failed: true},
		failed("make", "."),
	)
	var got []string
	for _, x := range f.Faults() {
		got = append(got, x.Text)
	}
	want := []string{
		"`gauge login --zone 12` failed:\ngauge: unknown zone 12\nfatal: cannot go on",
		"Edit of `src/gauge.go` failed:\nString to replace not found in file.\nString: poll()",
		"`go test ./...` failed:\ngauge_test.go:12: gauge asleep: it must be polled" + strings.Repeat(" and polled", 13) + " and …\n--- FAIL: TestPoll",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
