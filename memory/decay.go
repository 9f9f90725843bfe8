package memory

import (
	"math"
	"time"
)

// Decay holds the constants of how confidence fades. The zero value is not
// useful: start from [DefaultDecay].
type Decay struct {
	Doubling    int           // recalls over which the half-life doubles
	Central     float64       // centrality above which it doubles again
	RecallBoost float64       // factor of one recall
	Floor       float64       // below it a memory ages towards the archive
	Grace       time.Duration // how long below the floor before it is archived
	HalfLives   map[Type]time.Duration
}

// DefaultDecay is the table of DESIGN §2.
func DefaultDecay() Decay {
	return Decay{Doubling: 10, Central: 0.5, RecallBoost: 1.2, Floor: 0.3, Grace: 14 * day}
}

// Use says how a memory was used: how often it was recalled, and when last.
type Use struct {
	Recalls int
	Last    time.Time
}

// Effective is the confidence of m at the time now:
//
//	min(1, confidence × boost^recalls) × 0.5^(age / half-life)
//
// where age counts from the last of created, updated and recalled, and the
// half-life of the type grows linearly to its double over Doubling recalls
// and doubles again for a memory more central than Central (0–1). Pinned
// memories and types without a half-life do not fade. A time in the future
// counts as now, so a wrong clock never raises a memory above its confidence.
func (d Decay) Effective(m *Memory, now time.Time, use Use, centrality float64) float64 {
	half := d.halfLife(m, use, centrality)
	return d.start(m, use) * fade(ageOf(m, now, use), half)
}

// Archived reports whether m has been below the floor for the grace period
// without a recall.
func (d Decay) Archived(m *Memory, now time.Time, use Use, centrality float64) bool {
	half := d.halfLife(m, use, centrality)
	start := d.start(m, use)
	if half == 0 {
		return false
	}
	below := time.Duration(0)
	if start > d.Floor {
		below = time.Duration(float64(half) * math.Log2(start/d.Floor))
	}
	return ageOf(m, now, use) >= below+d.Grace
}

func (d Decay) halfLife(m *Memory, use Use, centrality float64) time.Duration {
	if m.Pinned {
		return 0
	}
	half, ok := d.HalfLives[m.Type]
	if !ok {
		half = m.Type.HalfLife()
	}
	if d.Doubling > 0 {
		half += time.Duration(float64(half) * float64(min(max(use.Recalls, 0), d.Doubling)) / float64(d.Doubling))
	}
	if centrality > d.Central {
		half *= 2
	}
	return half
}

func (d Decay) start(m *Memory, use Use) float64 {
	if use.Recalls <= 0 {
		return m.Confidence
	}
	return min(1, m.Confidence*math.Pow(d.RecallBoost, float64(use.Recalls)))
}

func fade(age, half time.Duration) float64 {
	if half <= 0 {
		return 1
	}
	return math.Exp2(-float64(age) / float64(half))
}

func ageOf(m *Memory, now time.Time, use Use) time.Duration {
	last := m.Created
	for _, t := range []time.Time{m.Updated, use.Last} {
		if t.After(last) && !t.After(now) {
			last = t
		}
	}
	return max(0, now.Sub(last))
}
