package policy

import (
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

	// Retain bounds in days how long a clone keeps what no commit holds; 0 is no limit.
	Retain struct {
		Pending   float64 `yaml:"pending_days"`
		Notes     float64 `yaml:"notes_days"`
		Sessions  float64 `yaml:"sessions_days"`
		Snapshots float64 `yaml:"snapshots_days"`
	} `yaml:"retain"`

	Consolidate ConsolidateTriggers `yaml:"consolidate"`

	// Dependencies adds to the table of technologies of package dependencies, or takes from it.
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
		Unused    int                 `yaml:"unused_sessions"`
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
	c.Brief.Decisions, c.Brief.Lines = t.Decisions, t.Lines
	c.Brief.Reverify, c.Brief.Checked, c.Brief.Unused = t.Reverify, t.Checked, t.Unused
	c.Brief.Recent, c.Brief.Full, c.Brief.Short = t.Tiers.Recent, t.Tiers.Full, t.Tiers.Short
	return c
}

// GCAfter is how long a memory has been archived before its removal is proposed.
func (c *Constants) GCAfter() time.Duration { return days(c.GC.AfterDays) }

// Tuning returns the constants as projection takes them.
func (c *Constants) Tuning() projection.Tuning {
	t := projection.Tuning{
		Rank: projection.Weights{
			Effective: c.Rank.Effective, Priority: c.Rank.Priority, Centrality: c.Rank.Centrality,
			Recalls: c.Rank.Recalls, Branch: c.Rank.Branch,
		},
		Decisions: c.Brief.Decisions, Lines: c.Brief.Lines, Reverify: c.Brief.Reverify, Checked: c.Brief.Checked,
		Unused: c.Brief.Unused,
		Tiers:  projection.BriefTiers{Recent: c.Brief.Recent, Full: c.Brief.Full, Short: c.Brief.Short},
	}
	own := maps.Clone(c.Priority)
	maps.DeleteFunc(own, func(t memory.Type, n int) bool { return n == t.Priority() })
	if len(own) > 0 {
		t.Rank.Priorities = own
	}
	return t
}
