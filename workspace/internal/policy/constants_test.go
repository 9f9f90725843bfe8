package policy

import (
	"math"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// TestConstants: what config.yaml says is what formulas compute with. The values are
// worked out by hand: 0.5 × 0.8 + 0.2 × 7/10 + 0.1 is 0.64 by the defaults.
func TestConstants(t *testing.T) {
	it := projection.Item{Memory: &memory.Memory{Type: memory.Fix, Priority: 7}, Effective: 0.8, SameBranch: true, Centrality: 0.4, Recalls: 3}
	for text, want := range map[string]float64{
		"":                                0.5*0.8 + 0.2*0.7 + 0.15*0.4 + 0.15*1 + 0.1,
		"rank: {effective: 1}":            1*0.8 + 0.2*0.7 + 0.15*0.4 + 0.15*1 + 0.1,
		"rank: {priority: 0}":             0.5*0.8 + 0.15*0.4 + 0.15*1 + 0.1,
		"rank: {centrality: 1}":           0.5*0.8 + 0.2*0.7 + 0.4 + 0.15*1 + 0.1,
		"rank: {recalls: 0}":              0.5*0.8 + 0.2*0.7 + 0.15*0.4 + 0.1,
		"rank: {branch: 0}":               0.5*0.8 + 0.2*0.7 + 0.15*0.4 + 0.15*1,
		"priority: {fix: 10}":             0.5*0.8 + 0.2*1.0 + 0.15*0.4 + 0.15*1 + 0.1,
		"priority: {gotcha: 1, plan: 10}": 0.5*0.8 + 0.2*0.7 + 0.15*0.4 + 0.15*1 + 0.1,
	} {
		c, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := projection.Rank(it, 3, c.Tuning().Rank); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: rank %v, want %v", text, got, want)
		}
	}
	c, err := Parse([]byte("gc: {after_days: 7}\nbrief: {decisions: 0.1, lines: {code: 1}, reverify_sessions: 3, reverify_lines: 2, recent_sessions: 4, full: 7, short: 0}\nconsolidate: {alike: 0.4}\ndecay: {floor: 0.4, grace_days: 2, half_life_days: {fix: 10}}"))
	if err != nil {
		t.Fatal(err)
	}
	tuned, decay := c.Tuning(), c.Fading()
	if tuned.Decisions != 0.1 || tuned.Lines[memory.Code] != 1 || tuned.Lines[memory.Decision] != 25 || tuned.Reverify != 3 || tuned.Checked != 2 {
		t.Errorf("briefing: %+v", tuned)
	}
	if tuned.Tiers != (projection.BriefTiers{Recent: 4, Full: 7}) || c.Consolidate.Alike != 0.4 || c.Consolidate.New != 10 {
		t.Errorf("tiers %+v, consolidate %+v", tuned.Tiers, c.Consolidate)
	}
	for _, bad := range []string{"brief: {recent_sessions: 0}", "brief: {full: -1}", "brief: {short: 1001}", "consolidate: {alike: 0.1}", "consolidate: {alike: 1.1}", "consolidate: {alike: .nan}"} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	if c.GCAfter() != 7*24*time.Hour || c.GC.Share != 0.2 {
		t.Errorf("gc: %v, %v", c.GCAfter(), c.GC.Share)
	}
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	// 0.8 falls to 0.4 in one half-life of 10 days, and the grace is 2.
	for days, want := range map[float64]bool{11.9: false, 12.1: true} {
		m := &memory.Memory{Type: memory.Fix, Confidence: 0.8, Created: now.Add(-time.Duration(days * 24 * float64(time.Hour)))}
		if _, archived := decay.Faded(m, now, memory.Use{}, 0); archived != want {
			t.Errorf("archived after %v days: %v", days, !want)
		}
	}
}
