package plans_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/plans"
)

// TestContinue: a list of a later session advances the plan that it goes on with.
func TestContinue(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 0, 0, 0, 0, time.UTC) }
	plan := memory.New(memory.Plan, "Move readings into segments", "In small steps:\n\n- [x] write the segment"+
		" reader\n- [ ] move old readings over\n- [ ] delete the flat file code", day(1))
	other := memory.New(memory.Plan, "Alarms", "- [ ] add alert rules\n- [ ] send mails", day(2))
	moved := memory.New(memory.Progress, "move old readings over", "A step of the plan: Move readings into segments",
		day(3))
	moved.Links = []memory.Link{{Rel: memory.StepOf, To: plan.ID}}
	own := memory.New(memory.Progress, "add the index", "A step of the plan: Move readings into segments", day(3))
	own.Links, own.Source.Session = moved.Links, "s-2"
	again := memory.New(memory.Progress, "add the index", "Done again, after that.", day(4))
	again.Links, again.Source.Session = moved.Links, "s-3"
	for name, tt := range map[string]struct {
		list    string // "x " before what is done, "! " before what was worked on and is done
		records []*memory.Memory
		plan    *memory.Memory
		want    []string
	}{
		"a step is done": {
			"x write the segment reader; x move old readings over; delete the flat file code",
			[]*memory.Memory{plan, other},
			plan,
			[]string{"progress: move old readings over"},
		},
		"done before": {
			"x write the segment reader; x move old readings over; delete the flat file code",
			[]*memory.Memory{plan, moved},
			plan, nil,
		},
		"done again": {
			"! write the segment reader; ! move old readings over; delete the flat file code",
			[]*memory.Memory{plan, moved},
			plan,
			[]string{"progress: write the segment reader", "progress: move old readings over"},
		},
		"done by the session itself": {
			"x write the segment reader; ! add the index; delete the flat file code",
			[]*memory.Memory{plan, own},
			plan, nil,
		},
		"done again by another since": {
			"x write the segment reader; ! add the index; delete the flat file code",
			[]*memory.Memory{plan, own, again},
			plan, nil,
		},
		"the rest": {
			"x move the old readings over; x delete the flat file code",
			[]*memory.Memory{plan, moved, other},
			plan,
			[]string{"progress: delete the flat file code"},
		},
		"a step more": {
			"x move old readings over; delete the flat file code; tell the harbour office",
			[]*memory.Memory{plan, moved},
			plan,
			[]string{"plan: tell the harbour office"},
		},
		"another plan": {
			"x add alert rules; paint the sluice; count the weirs; sweep the yard",
			[]*memory.Memory{plan, other},
			nil, nil,
		},
		"nothing known": {"x add alert rules; send mails", nil, nil, nil},
	} {
		var list []plans.Step
		for s := range strings.SplitSeq(tt.list, "; ") {
			text, done := strings.CutPrefix(s, "x ")
			text, worked := strings.CutPrefix(text, "! ")
			list = append(list, plans.Step{Text: text, Done: done || worked, Worked: worked})
		}
		got, steps := plans.Continue(list, plans.Session{End: day(5), Source: memory.Source{Session: "s-2"}},
			tt.records)
		var titles []string
		for _, m := range steps {
			titles = append(titles, string(m.Type)+": "+m.Title)
			if len(m.Linked(memory.StepOf)) != 1 || m.Linked(memory.StepOf)[0] != plan.ID ||
				m.Source.Session != "s-2" || !strings.HasSuffix(m.Text, plan.Title) {
				t.Errorf("%s: %+v", name, m)
			}
		}
		if diff := cmp.Diff(tt.want, titles); got != tt.plan || diff != "" {
			t.Errorf("%s: %v\n%s", name, got, diff)
		}
	}
}

// TestReported: what a sentence says was done is found in other forms of the words of a step, and not where it is only
// announced.
func TestReported(t *testing.T) {
	plan := memory.New(memory.Plan, "Move the mail to the relay", "- [ ] Add a table of bounced letters\n"+
		"- [ ] Write the sender that empties the table\n- [ ] Wait longer after each failed try\n"+
		"- [ ] Test with the relay switched off\n- [ ] Document the settings for operators", time.Now())
	for text, want := range map[string]string{
		"I added a table of bounced letters.":                              "Add a table of bounced letters",
		"The migration is in: I added the table of bounced letters.":       "Add a table of bounced letters",
		"I wrote the sender; it empties the table every minute.":           "Write the sender that empties the table",
		"I tested it with the relay switched off: letters stay when it is": "Test with the relay switched off",
		"The settings are documented for operators.":                       "Document the settings for operators",
		"The table of bounced letters has been added.":                     "Add a table of bounced letters",
		"We waited longer after each try.":                                 "Wait longer after each failed try",
		"- [x] Settings: document the settings for operators":              "Document the settings for operators",
		"Now the settings are documented next.":                            "",
		"Next: document the settings for operators.":                       "",
		"The settings are not documented for operators.":                   "",
		"I tested the table of bounced letters.":                           "",
	} {
		var heard plans.Listener
		heard.Event(&transcript.Event{Kind: transcript.Text, Text: text})
		_, steps, _ := plans.Reported(&heard, plans.Session{End: time.Now()}, "", []*memory.Memory{plan})
		got := lists.Map(steps, func(m *memory.Memory) string { return m.Title })
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}
