package workspace

import (
	"fmt"
	"maps"
	"time"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// Constants hold the numbers of the formulas by which memories are ranked, shown and
// proposed for removal, as config.yaml may set them: docs/settings.md, "Settings".
type Constants struct {
	Priority map[memory.Type]int `yaml:"priority"` // of memories whose files name none

	GC struct {
		AfterDays float64 `yaml:"after_days"` // archived for so long
		Share     float64 `yaml:"share"`      // 0–1, of all memories at once
	} `yaml:"gc"`

	Consolidate ConsolidateTriggers `yaml:"consolidate"`

	// Dependencies adds to the table of [reality.Builtin], or takes from it.
	Dependencies map[string][]string `yaml:"dependencies"`

	Rank struct {
		Effective  float64 `yaml:"effective"`
		Priority   float64 `yaml:"priority"`
		Centrality float64 `yaml:"centrality"`
		Recalls    float64 `yaml:"recalls"`
		Branch     float64 `yaml:"branch"`
	} `yaml:"rank"`

	Brief struct {
		Decisions float64             `yaml:"decisions"` // 0–1
		Lines     map[memory.Type]int `yaml:"lines"`
		Reverify  int                 `yaml:"reverify_sessions"`
		Checked   int                 `yaml:"reverify_lines"`
		Recent    int                 `yaml:"recent_sessions"`
		Full      int                 `yaml:"full"`
		Short     int                 `yaml:"short"`
	} `yaml:"brief"`
}

// ConsolidateTriggers say when it is suggested to bring memories together.
type ConsolidateTriggers struct {
	New   int     `yaml:"new"`   // memories since somebody last looked
	All   int     `yaml:"all"`   // memories in force
	Alike float64 `yaml:"alike"` // the Jaccard index from which on two memories may be of one group
}

func defaultConstants() Constants {
	c, t := Constants{Priority: map[memory.Type]int{}}, projection.DefaultTuning()
	for _, typ := range memory.Types() {
		c.Priority[typ] = typ.Priority()
	}
	c.GC.AfterDays, c.GC.Share = 30, 0.20
	c.Consolidate = ConsolidateTriggers{New: 10, All: 80, Alike: sameness.Candidate}
	c.Rank.Effective, c.Rank.Priority, c.Rank.Centrality = t.Rank.Effective, t.Rank.Priority, t.Rank.Centrality
	c.Rank.Recalls, c.Rank.Branch = t.Rank.Recalls, t.Rank.Branch
	c.Brief.Decisions, c.Brief.Lines, c.Brief.Reverify, c.Brief.Checked = t.Decisions, t.Lines, t.Reverify, t.Checked
	c.Brief.Recent, c.Brief.Full, c.Brief.Short = t.Tiers.Recent, t.Tiers.Full, t.Tiers.Short
	return c
}

func (c *Constants) check() error {
	for t, n := range c.Priority {
		if !t.Valid() || n < 1 || n > 10 {
			return fmt.Errorf("priority: %s: %d is not a known type with 1 to 10", t, n)
		}
	}
	if len(c.Dependencies) > maxTable {
		return fmt.Errorf("dependencies: more than %d names", maxTable)
	}
	for name, words := range c.Dependencies {
		if name == "" || len(words) > maxTable {
			return fmt.Errorf("dependencies: %q has more than %d words, or no name", name, maxTable)
		}
	}
	for t, n := range c.Brief.Lines {
		if projection.LineGroup(t) != t || n < 0 || n > 1000 {
			return fmt.Errorf("brief.lines: %s: %d is not a known group with 0 to 1000 lines", t, n)
		}
	}
	r := &c.Rank
	switch {
	case !withinDays(c.GC.AfterDays) || !unit(c.GC.Share):
		return fmt.Errorf("gc: after_days is not from 0 to %d, or share not from 0 to 1", maxDays)
	case c.Consolidate.New < 1 || c.Consolidate.New > maxTrigger || c.Consolidate.All < 1 || c.Consolidate.All > maxTrigger:
		return fmt.Errorf("consolidate: new or all is not from 1 to %d", maxTrigger)
	case !(c.Consolidate.Alike >= leastAlike) || c.Consolidate.Alike > 1:
		return fmt.Errorf("consolidate: alike is not from %v to 1", leastAlike)
	case !unit(r.Effective) || !unit(r.Priority) || !unit(r.Centrality) || !unit(r.Recalls) || !unit(r.Branch):
		return fmt.Errorf("rank: a weight is not from 0 to 1")
	case !unit(c.Brief.Decisions) || c.Brief.Reverify < 0 || c.Brief.Reverify > 1000 || c.Brief.Checked < 1 || c.Brief.Checked > 20:
		return fmt.Errorf("brief: decisions is not from 0 to 1, reverify_sessions not from 0 to 1000, or reverify_lines not from 1 to 20")
	case c.Brief.Recent < 1 || c.Brief.Recent > maxTier || c.Brief.Full < 0 || c.Brief.Full > maxTier || c.Brief.Short < 0 || c.Brief.Short > maxTier:
		return fmt.Errorf("brief: recent_sessions is not from 1 to %d, or full or short not from 0 to %d", maxTier, maxTier)
	}
	return nil
}

// unit and withinDays are false for what is no number, too.
func unit(f float64) bool { return f >= 0 && f <= 1 }

func withinDays(f float64) bool { return f >= 0 && f <= maxDays }

// maxTable bounds the names of dependencies, and the words of each.
const maxTable = 200

// maxTier bounds sessions that are recent, and decisions of a briefing. leastAlike is the
// least Jaccard index of a group: what is less alike has little more in common than any two.
const (
	maxTier    = 1000
	leastAlike = 0.2
)

// maxTrigger bounds numbers of memories.
const maxTrigger = 1_000_000

// maxDays bounds times that are given in days.
const maxDays = 36500

// GCAfter is how long a memory has been archived before its removal is proposed.
func (c *Constants) GCAfter() time.Duration { return days(c.GC.AfterDays) }

// tuning returns the constants as projection takes them.
func (c *Constants) tuning() projection.Tuning {
	t := projection.Tuning{
		Rank:      projection.Weights{Effective: c.Rank.Effective, Priority: c.Rank.Priority, Centrality: c.Rank.Centrality, Recalls: c.Rank.Recalls, Branch: c.Rank.Branch},
		Decisions: c.Brief.Decisions, Lines: c.Brief.Lines, Reverify: c.Brief.Reverify, Checked: c.Brief.Checked,
		Tiers: projection.BriefTiers{Recent: c.Brief.Recent, Full: c.Brief.Full, Short: c.Brief.Short},
	}
	own := maps.Clone(c.Priority)
	maps.DeleteFunc(own, func(t memory.Type, n int) bool { return n == t.Priority() })
	if len(own) > 0 {
		t.Rank.Priorities = own
	}
	return t
}
