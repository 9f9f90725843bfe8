package journal

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace/internal/notices"
)

// Skipped counts the lines that could not be read in the latest sessions of one agent.
type Skipped struct {
	Agent    string         `json:"agent"`
	Sessions int            `json:"sessions"` // in which something was skipped
	Lines    int            `json:"lines"`    // of these sessions
	Broken   int            `json:"broken"`   // lines that are no JSON object
	TooLong  int            `json:"too_long"`
	Unknown  map[string]int `json:"unknown"` // records of types that cortex does not know, by type

	skipped session.Skipped
	turns   int
}

// skippedSessions is how many sessions are looked at, the latest: what an agent
// wrote in years gone by says nothing about its format of today.
const skippedSessions = 40

// Skipped counts what could not be read of the latest sessions, by agent.
func (j *Journal) Skipped(ctx context.Context) []Skipped {
	out := []Skipped{}
	for _, s := range j.SessionsAtHand(ctx, skippedSessions) {
		if !s.Skipped.Any() {
			continue
		}
		i := slices.IndexFunc(out, func(k Skipped) bool { return k.Agent == s.Agent })
		if i < 0 {
			i = len(out)
			out = append(out, Skipped{Agent: s.Agent, Unknown: map[string]int{}})
		}
		k := &out[i]
		k.Sessions++
		k.Lines += s.Cursor.Lines
		k.turns += s.Turns
		k.skipped.Add(s.Skipped)
	}
	for i := range out {
		k := &out[i]
		k.Broken, k.TooLong = k.skipped.Broken, k.skipped.TooLong
		if k.skipped.Unknown != nil {
			k.Unknown = k.skipped.Unknown
		}
	}
	lists.Sort(out, func(a, b Skipped) int { return cmp.Compare(a.Agent, b.Agent) })
	return out
}

// Serious reports whether so much was skipped that memories may be missing: more
// than one line in fifty, or all that was said. Records of types that are not known are
// what every new version of an agent writes; they matter where nothing else was read.
func (k *Skipped) Serious() bool {
	return 50*(k.Broken+k.TooLong) > k.Lines || k.turns == 0
}

// String says what was skipped: "claude-code wrote 412 records of a type that
// cortex does not know: frob 400, blip 12".
func (k *Skipped) String() string {
	var said []string
	switch n := k.skipped.Records(); {
	case len(k.Unknown) == 1 && n == 1:
		said = append(said, "1 record of a type that cortex does not know: "+k.skipped.Types(0))
	case len(k.Unknown) == 1:
		said = append(said, fmt.Sprintf("%d records of a type that cortex does not know: %s", n, k.skipped.Types(0)))
	case n > 0:
		said = append(said, fmt.Sprintf("%d records of %d types that cortex does not know: %s", n, len(k.Unknown),
			k.skipped.Types(6)))
	}
	if k.Broken > 0 {
		said = append(said, fmt.Sprintf("%s not JSON", notices.Counted(k.Broken, "line that is", "lines that are")))
	}
	if k.TooLong > 0 {
		said = append(said, fmt.Sprintf("%s longer than 64 MB", notices.Counted(k.TooLong, "line", "lines")))
	}
	return k.Agent + " wrote " + strings.Join(said, ", and ")
}
