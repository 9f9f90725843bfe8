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

// DefaultDecay returns the constants of FORMAT.md, "Status and decay".
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
// counts as now, so a wrong clock never raises a memory above its confidence; a
// recall that is over a day ahead was noted by one, and does not count.
func (d Decay) Effective(m *Memory, now time.Time, use Use, centrality float64) float64 {
	effective, _ := d.Faded(m, now, use, centrality)
	return effective
}

// Archived reports whether m has been below the floor for the grace period
// without a recall. Pinned memories never are.
func (d Decay) Archived(m *Memory, now time.Time, use Use, centrality float64) bool {
	_, archived := d.Faded(m, now, use, centrality)
	return archived
}

// Faded is what [Decay.Effective] and [Decay.Archived] say, for the price of
// one of them.
func (d Decay) Faded(m *Memory, now time.Time, use Use, centrality float64) (effective float64, archived bool) {
	start, half, age := d.start(m, use), d.halfLife(m, use, centrality), float64(ageOf(m, now, use))
	effective = start
	if half > 0 {
		effective = start * math.Exp2(-age/half)
	}
	switch {
	case m.Pinned || d.Floor <= 0 || half <= 0 && start >= d.Floor:
		return effective, false
	case start < d.Floor:
		return effective, age >= float64(d.Grace)
	case effective > d.Floor*surelyAbove:
		return effective, false
	}
	return effective, age >= half*math.Log2(start/d.Floor)+float64(d.Grace)
}

// surelyAbove times the floor is more than rounding can make of what is below
// it: a memory above that fell below the floor at no time yet.
const surelyAbove = 1.000001

// halfLife is in nanoseconds, as a float because it may be years times four.
func (d Decay) halfLife(m *Memory, use Use, centrality float64) float64 {
	if m.Pinned {
		return 0
	}
	own, ok := d.HalfLives[m.Type]
	if !ok {
		own = m.Type.HalfLife()
	}
	half := float64(own)
	if d.Doubling > 0 {
		half *= 1 + float64(min(max(use.Recalls, 0), d.Doubling))/float64(d.Doubling)
	}
	if centrality > d.Central {
		half *= 2
	}
	return half
}

// start is the confidence before fading.
func (d Decay) start(m *Memory, use Use) float64 {
	if use.Recalls <= 0 || m.Confidence <= 0 {
		return m.Confidence
	}
	return min(1, m.Confidence*math.Pow(d.RecallBoost, float64(use.Recalls)))
}

func ageOf(m *Memory, now time.Time, use Use) time.Duration {
	last := latest(m.Created, m.Updated)
	if !use.Last.After(now.Add(24 * time.Hour)) {
		last = latest(last, use.Last)
	}
	return max(0, now.Sub(last))
}
