package capture

import (
	"strings"
	"testing"
)

// A table of decisions, which the agent hands over, is read row by row, each with
// its subject.
func TestDecisionTable(t *testing.T) {
	data := sessionOf("user", "What did we settle for the gauges?", "agent",
		"Settled:\n\n| Topic | Decision | Why |\n|---|---|---|\n| Gauge storage | append-only segment files | A backup must be one copy, and SQLite locks the file while it writes |\n| Day borders | midnight UTC | The gauges report in UTC, and local days have 23 or 25 hours |\n",
		"user", "Good, that is what we do.")
	var all []string
	for _, c := range capture(t, data, Options{}).Candidates {
		all = append(all, c.Memory.Title+" "+c.Memory.Text)
	}
	said := strings.Join(all, "\n")
	for _, want := range []string{"Gauge storage: append-only segment files, because a backup must be one copy", "Day borders: midnight UTC"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not among the candidates:\n%s", want, said)
		}
	}
}
