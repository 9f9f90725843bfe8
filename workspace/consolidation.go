package workspace

import (
	"strconv"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// Unconsolidated counts the memories among which there may be some that say the same.
type Unconsolidated struct {
	New int `json:"new"` // since somebody last looked at the groups, or brought one together
	All int `json:"all"` // that are in force
	Due int `json:"due"` // how many of the triggers of the policy are met: none, one, or both
}

// CountUnconsolidated counts the memories of a view and compares them with the policy's
// consolidate.new and consolidate.all. Without a new one nothing is due.
func CountUnconsolidated(w *Workspace, v *View) Unconsolidated {
	return v.unconsolidated(lookedAt(facts.Read(w.Repo, facts.Groups)), w.Config.Consolidate)
}

// LookedAtGroups notes that somebody was shown now which memories say the same.
func LookedAtGroups(w *Workspace) {
	facts.Write(w.Repo, facts.Groups, []string{strconv.FormatInt(w.Now().Unix(), 10)})
}

func lookedAt(words []string) time.Time {
	if len(words) != 1 {
		return time.Time{}
	}
	n, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(n, 0)
}

func (v *View) unconsolidated(since time.Time, policy ConsolidateTriggers) (out Unconsolidated) {
	if v.ahead(since) { // somebody looked by a clock that was set wrong
		since = time.Time{}
	}
	for i := range v.Items {
		if !v.Index.Linked(i) {
			continue
		}
		f := v.Index.Facts(i)
		m := f.Memory()
		if Consolidated(&m) && f.Created.After(since) && !v.ahead(f.Created) {
			since = f.Created
		}
	}
	var m memory.Memory
	for i := range v.Items {
		it := &v.Items[i]
		if it.Stage == index.Global || it.Stage == index.Pending && it.Far == FarElsewhere || it.Status == memory.StatusSuperseded || it.Status == memory.StatusArchived {
			continue
		}
		out.All++
		if v.Index.Fill(i, &m); m.Created.After(since) && !v.ahead(m.Created) {
			out.New++
		}
	}
	if out.New > 0 {
		for _, met := range []bool{out.New >= policy.New, out.All >= policy.All} {
			if met {
				out.Due++
			}
		}
	}
	return out
}

// ahead reports whether a time is so far ahead of the clock of this clone that one of both
// is wrong. What is of such a time is never new, and never a reason to wait.
func (v *View) ahead(t time.Time) bool { return !v.now.IsZero() && t.Sub(v.now) > clocksApart }

// clocksApart is how far the clocks of two clones may be apart.
const clocksApart = 24 * time.Hour

// Consolidated reports whether a memory stands for several others: it links
// derived_from and supersedes to them.
func Consolidated(m *memory.Memory) bool {
	n := 0
	old := m.Linked(memory.Supersedes)
	for _, id := range m.Linked(memory.DerivedFrom) {
		for _, other := range old {
			if id == other {
				n++
			}
		}
	}
	return n > 1
}
