package relation

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

func learned(typ memory.Type, title, text string, names ...string) *memory.Memory {
	m := memory.New(typ, title, text, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))
	m.Entities = names
	return m
}

// TestBetween: a relation is named where two memories speak of the same things, and which
// one follows from their types and from how much of the older one is said again.
func TestBetween(t *testing.T) {
	trap := learned(
		memory.Gotcha, "The `segmentReader` skips the last reading of a day",
		"`segmentReader` compares with `dayEnd`, which is exclusive, so the reading of midnight is lost.",
		"segmentReader", "dayEnd",
	)
	for name, tt := range map[string]struct {
		old, now *memory.Memory
		want     memory.Rel
	}{
		"a question and its answer": {
			learned(memory.Question, "Which zone do the gauges of the south pier use?", ""),
			learned(memory.Learned, "All gauges of the south pier use the zone of the harbour", ""),
			memory.Answers,
		},
		"a question and the answer that turns an option down": {
			learned(memory.Question, "Should the logs be rotated by the program or by logrotate?", ""),
			learned(memory.Decision, "Logs are rotated by the program, not by logrotate", ""),
			memory.Answers,
		},
		"a question and another question": {
			learned(memory.Question, "Which zone do the gauges of the south pier use?", ""),
			learned(memory.Question, "Which zone do the gauges of the south pier use in summer?", ""),
			"",
		},
		"a trap and its fix": {
			trap,
			learned(
				memory.Fix, "Count the reading of midnight",
				"`dayEnd` is inclusive now, so `segmentReader` no longer skips the reading that was lost.", "dayEnd",
				"segmentReader",
			),
			memory.BuildsOn,
		},
		"a trap and a decision from it": {
			trap,
			learned(
				memory.Decision, "Days end at midnight, inclusive",
				"`segmentReader` lost the last reading because `dayEnd` was exclusive. All bounds are inclusive from now on, in the outbox, in the reports for the office and in the alarms.",
				"dayEnd", "segmentReader",
			),
			memory.BuildsOn,
		},
		"the same said with more": {
			trap,
			learned(
				memory.Gotcha, "The `segmentReader` skips the last reading of a day and of a month",
				"`segmentReader` compares with `dayEnd`, which is exclusive, so the reading of midnight is lost, and with it the total of the month.",
				"segmentReader", "dayEnd",
			),
			memory.Refines,
		},
		"the same said with less": {
			learned(
				memory.Gotcha, "The `segmentReader` skips the last reading of a day and of a month",
				"`segmentReader` compares with `dayEnd`, which is exclusive, so the reading of midnight is lost.",
				"segmentReader", "dayEnd",
			),
			learned(
				memory.Gotcha, "The `segmentReader` skips the last reading of a day",
				"`segmentReader` compares with `dayEnd`.", "segmentReader", "dayEnd",
			),
			"",
		},
		"one name and few words": {
			trap,
			learned(
				memory.Decision, "Write a benchmark for `segmentReader`", "Nobody knows how fast it is.",
				"segmentReader",
			),
			"",
		},
		"the same words about another thing": {
			learned(memory.Decision, "Readings are kept for a year", "The law asks for it."),
			learned(memory.Decision, "Alarms are kept for a year", "The law asks for it."),
			"",
		},
		"a denial": {
			learned(
				memory.Decision, "Use the `outboxQueue` for alarms and for readings of the pier", "", "outboxQueue",
				"pier.go",
			),
			learned(
				memory.Decision, "Do not use the `outboxQueue` for alarms and for readings of the pier", "",
				"outboxQueue", "pier.go",
			),
			"",
		},
	} {
		now, old := Of(tt.now), Of(tt.old)
		if got, _ := Between(&now, &old); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

// TestSide: of a pair that its types or its words tell apart, no more is read than that takes.
func TestSide(t *testing.T) {
	ask, step := Of(learned(
		memory.Question, "Which zone do the gauges use?", "",
	)), Of(learned(memory.Progress, "The outbox is written", ""))
	if Between(&step, &ask); step.said != nil || ask.said != nil {
		t.Error("the texts of a question and of progress are read")
	}
	one, other := Of(learned(
		memory.Decision, "Readings are not kept", "",
	)), Of(learned(memory.Decision, "Alarms end at noon", ""))
	denied := func() *sameness.Statement { panic("denials are looked for in texts that have nothing in common") }
	one.words, other.words = denied, denied
	if Between(&one, &other); one.said == nil {
		t.Error("the texts of two decisions are not read")
	}
}

// TestBest: the strongest links stay, and of equal ones what was learned last.
func TestBest(t *testing.T) {
	var l Links
	for i, strength := range []float64{0.5, 0.7, 0.5, 0} {
		rel := memory.Refines
		if strength == 0 {
			rel = ""
		}
		l.Add(rel, memory.ID(fmt.Sprint(i)), strength)
	}
	want := []memory.Link{{Rel: memory.Refines, To: "1"}, {Rel: memory.Refines, To: "2"}}
	if diff := cmp.Diff(want, l.Best(2)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]memory.Link(nil), Links(nil).Best(2)); diff != "" {
		t.Error(diff)
	}
}

// TestDistinctive tells names of one thing in code from words.
func TestDistinctive(t *testing.T) {
	for name, want := range map[string]bool{
		"segmentReader": true, "index/search.go": true, "DAY_END": true, "sha256": true, "GitHub": true,
		"create": false, "main": false, "Ada": false, "env": false,
	} {
		if got := distinctive(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
