package curate

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// TestRunMends: what is refused is asked for once more, with the reasons; what had
// passed stays, whatever the second answer says.
func TestRunMends(t *testing.T) {
	const asleep, late = "Gauges sleep after 60 s and must be polled every 30 s", "The gauges are late"
	for name, c := range map[string]struct {
		second []string // titles of the second answer; nil for no JSON
		want   []string
		still  int
	}{
		"mended":          {[]string{asleep}, []string{late, asleep}, 0},
		"the whole again": {[]string{late, asleep}, []string{late, asleep}, 0},
		"given up":        {[]string{}, []string{late}, 0},
		"no better":       {[]string{"Gauges of Petersen sleep after 60 s"}, []string{late}, 1},
		"no JSON":         {nil, []string{late}, 1},
	} {
		s := newStudy(t)
		workspacetest.Git(t, s.w, "config", "cortex.llm", "reader")
		s.w = workspacetest.Open(t, s.w.Repo.Root)
		reply := func(titles ...string) []byte {
			sure, a := 0.9, Answer{Sheet: s.next(Options{}).ID, Memories: []Worded{}}
			for _, title := range titles {
				m := Worded{Type: "gotcha", Title: title, Confidence: &sure}
				if title == late {
					m.Evidence = []Evidence{{4, "Why are the gauges late?"}}
				} else {
					m.From, m.Evidence = []string{s.gauge.ID.Short()}, []Evidence{{12, "poll them every 30 s, says the harbour office"}}
				}
				a.Memories = append(a.Memories, m)
			}
			data, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		calls := 0
		out, err := Run(t.Context(), s.w, Options{}, func(_ context.Context, command Command) ([]byte, error) {
			if calls++; calls == 1 {
				return reply("Those of Hansen sleep after 45 s", late), nil
			}
			const want = `- Those of Hansen sleep after 45 s: the title begins with "those", which points at something else; the number 45 does not stand in the evidence; the name Hansen does not`
			if !strings.Contains(command.Input, want) {
				t.Errorf("%s: the reader is not told %q:\n%s", name, want, command.Input[strings.LastIndex(command.Input, "Your answer"):])
			}
			if c.second == nil {
				return []byte("Error: rate limit reached"), nil
			}
			return reply(c.second...), nil
		})
		if err != nil || calls != 2 {
			t.Fatalf("%s: %v after %d calls", name, err, calls)
		}
		var added []string
		for _, m := range out.Added {
			added = append(added, m.Title)
		}
		if strings.Join(added, "; ") != strings.Join(c.want, "; ") || len(out.Refused) != c.still {
			t.Errorf("%s: added %q, refused %+v", name, added, out.Refused)
		}
	}
}
