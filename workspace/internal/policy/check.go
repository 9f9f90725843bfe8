package policy

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/projection"
)

// Bounds of values that stand in several rows.
const (
	maxDays    = 36500     // of times that are given in days
	maxTrigger = 1_000_000 // of numbers of memories
	maxTier    = 1000      // of sessions that are recent, and of decisions of a briefing
	maxTable   = 200       // of names of dependencies, and of the words of each
	leastAlike = 0.2       // of a group: what is less alike has little more in common than any two
)

// number is a setting and the bounds of its value.
type number struct {
	key         string
	value       float64
	least, most float64
}

// choice is a setting and the words that it may be.
type choice struct {
	key, value string
	of         []string
}

// numbers are the settings that have bounds.
func (c *Config) numbers() []number {
	anything := math.Inf(1)
	out := []number{
		{"land_confidence", c.LandConfidence, 0, 1},
		{"land_max", float64(c.LandMax), 0, 100},
		{"land_branch_max", float64(c.LandBranchMax), 0, 1000},
		{"land_share", c.LandShare, 0, 1},
		{"brief_tokens", float64(c.BriefTokens), 200, 20000},
		{"decay.doubling", float64(c.Decay.Doubling), 0, anything},
		{"decay.central", c.Decay.Central, -anything, anything},
		{"decay.recall_boost", c.Decay.RecallBoost, 1, anything},
		{"decay.floor", c.Decay.Floor, 0, 1},
		{"decay.grace_days", c.Decay.GraceDays, 0, maxDays},
		{"gc.after_days", c.GC.AfterDays, 0, maxDays},
		{"gc.share", c.GC.Share, 0, 1},
		{"retain.pending_days", c.Retain.Pending, 0, maxDays},
		{"retain.notes_days", c.Retain.Notes, 0, maxDays},
		{"retain.sessions_days", c.Retain.Sessions, 0, maxDays},
		{"retain.snapshots_days", c.Retain.Snapshots, 0, maxDays},
		{"consolidate.new", float64(c.Consolidate.New), 1, maxTrigger},
		{"consolidate.all", float64(c.Consolidate.All), 1, maxTrigger},
		{"consolidate.alike", c.Consolidate.Alike, leastAlike, 1},
		{"rank.effective", c.Rank.Effective, 0, 1},
		{"rank.priority", c.Rank.Priority, 0, 1},
		{"rank.centrality", c.Rank.Centrality, 0, 1},
		{"rank.recalls", c.Rank.Recalls, 0, 1},
		{"rank.branch", c.Rank.Branch, 0, 1},
		{"brief.decisions", c.Brief.Decisions, 0, 1},
		{"brief.reverify_sessions", float64(c.Brief.Reverify), 0, 1000},
		{"brief.reverify_lines", float64(c.Brief.Checked), 1, 20},
		{"brief.unused_sessions", float64(c.Brief.Unused), 0, 1000},
		{"brief.recent_sessions", float64(c.Brief.Recent), 1, maxTier},
		{"brief.full", float64(c.Brief.Full), 0, maxTier},
		{"brief.short", float64(c.Brief.Short), 0, maxTier},
	}
	for t, n := range c.Priority {
		out = append(out, number{"priority." + string(t), float64(n), 1, 10})
	}
	for t, n := range c.Brief.Lines {
		out = append(out, number{"brief.lines." + string(t), float64(n), 0, 1000})
	}
	for t, days := range c.Decay.HalfLifeDays {
		out = append(out, number{"decay.half_life_days." + string(t), days, 0, maxDays})
	}
	return out
}

// choices are the settings that are one of a few words.
func (c *Config) choices() []choice {
	out := []choice{
		{"land", c.Land, []string{"commit", "branch", "manual"}},
		{"projections", c.Projections, []string{"auto", "branch", "default-branch", "off"}},
		{"pii", c.PII, []string{"redact", "hold", "keep"}},
		{"review", c.Review, []string{"open", "fold"}},
		{"ask", c.Ask, []string{"on", "off"}},
	}
	for _, moment := range c.Recall {
		out = append(out, choice{"recall", moment, Moments()})
	}
	return out
}

// check returns an error that names the first setting whose value cannot be used.
func (c *Config) check() error {
	if c.Format != Version {
		return fmt.Errorf("format: %d is not a version", c.Format)
	}
	for _, s := range c.choices() {
		if !slices.Contains(s.of, s.value) {
			last := len(s.of) - 1
			return fmt.Errorf("%s: %q is not %s or %s", s.key, s.value, strings.Join(s.of[:last], ", "), s.of[last])
		}
	}
	for _, n := range c.numbers() {
		if !n.within() {
			return fmt.Errorf("%s: %v is not from %s to %s", n.key, n.value, decimal(n.least), decimal(n.most))
		}
	}
	return cmp.Or(c.checkTypes(), c.checkDependencies(), c.checkNames())
}

// checkNames returns an error for a name that is none of a memory or of a person.
func (c *Config) checkNames() error {
	for _, a := range c.CheckAccept {
		if !acceptances().MatchString(a) {
			return fmt.Errorf("check_accept: %q is not as cortex check names it", a)
		}
	}
	for _, r := range c.Reviewers {
		if !reviewers().MatchString(r) {
			return fmt.Errorf("reviewers: %q is no mail address, and no name with an @ before it", r)
		}
	}
	return nil
}

// within is false for what is no number, too.
func (n number) within() bool { return n.value >= n.least && n.value <= n.most }

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// checkTypes returns an error for a setting of a type that there is not.
func (c *Config) checkTypes() error {
	for t := range c.Priority {
		if !t.Valid() {
			return fmt.Errorf("priority: %s is not a known type", t)
		}
	}
	for t := range c.Decay.HalfLifeDays {
		if !t.Valid() {
			return fmt.Errorf("decay.half_life_days: %s is not a known type", t)
		}
	}
	for t := range c.Brief.Lines {
		if projection.LineGroup(t) != t {
			return fmt.Errorf("brief.lines: %s is not a known group", t)
		}
	}
	return nil
}

func (c *Config) checkDependencies() error {
	if len(c.Dependencies) > maxTable {
		return fmt.Errorf("dependencies: more than %d names", maxTable)
	}
	for name, words := range c.Dependencies {
		if name == "" || len(words) > maxTable {
			return fmt.Errorf("dependencies: %q has more than %d words, or no name", name, maxTable)
		}
	}
	return nil
}

var acceptances = lazy.Pattern(`^[0-9a-hjkmnp-tv-z]{16}@[0-9a-f]{12}$`)

var reviewers = lazy.Pattern(`^[^ <>@]*@[^ <>@]+$`)
