package memory

import (
	"math"
	"time"
)

// Decay holds the constants by which confidence fades. The zero value is not
// useful: start from [DefaultDecay].
type Decay struct {
	Doubling    int     // recalls over which the half-life doubles
	Central     float64 // centrality above which it doubles again
	RecallBoost float64 // factor of one recall
	Floor       float64 // below this for Grace, a memory is archived
	Grace       time.Duration
	HalfLives   map[Type]time.Duration
}

// DefaultDecay returns the constants of docs/behaviour.md, "Status and decay".
func DefaultDecay() Decay {
	return Decay{Doubling: 10, Central: 0.5, RecallBoost: 1.2, Floor: 0.3, Grace: 14 * day}
}

// Use is how often a memory was recalled, and when last.
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
// counts as now, so that a wrong clock never raises a memory above its
// confidence. A recall that is more than a day in the future comes from a wrong
// clock and does not count.
func (d Decay) Effective(m *Memory, now time.Time, use Use, centrality float64) float64 {
	effective, _ := d.Faded(m, now, use, centrality)
	return effective
}

// ArchivedFor returns how long m has been archived at the time now, and whether
// it is archived at all. A recall makes it active again, and the time begins anew.
func (d Decay) ArchivedFor(m *Memory, now time.Time, use Use, centrality float64) (time.Duration, bool) {
	f := d.Fading(m, now, use, centrality)
	if _, archived := f.At(now); !archived {
		return 0, false
	}
	over := float64(max(0, now.Sub(f.last))) - f.archivedFrom()
	return time.Duration(max(0, min(over, math.MaxInt64))), true
}

// Faded returns both [Decay.Effective] and [Decay.Archived], at the cost of one
// of them.
func (d Decay) Faded(m *Memory, now time.Time, use Use, centrality float64) (effective float64, archived bool) {
	f := d.Fading(m, now, use, centrality)
	return f.At(now)
}

// Fading is how one memory fades, as far as that does not depend on the time.
type Fading struct {
	last        time.Time // from which it is old
	start, half float64
	floor       float64 // 0 for none
	grace       time.Duration
}

// Fading returns how m fades. It holds for now and for every later time, but not where
// a recall was noted that is after now: that may come to count.
func (d Decay) Fading(m *Memory, now time.Time, use Use, centrality float64) Fading {
	f := Fading{
		last: lastOf(m, now, use), start: d.start(m, use), half: d.halfLife(m, use, centrality),
		floor: d.Floor, grace: d.Grace,
	}
	if m.Pinned || d.Floor <= 0 || f.half <= 0 && f.start >= d.Floor {
		f.floor = 0
	}
	return f
}

// At returns the confidence of a memory at a time, and whether it is archived then.
func (f *Fading) At(now time.Time) (effective float64, archived bool) {
	age := float64(max(0, now.Sub(f.last)))
	effective = f.start
	if f.half > 0 {
		effective = f.start * math.Exp2(-age/f.half)
	}
	if f.floor == 0 || effective > f.floor*surelyAbove {
		return effective, false
	}
	return effective, age >= f.archivedFrom()
}

// archivedFrom is the age in nanoseconds from which a memory that fades is archived.
func (f *Fading) archivedFrom() float64 {
	if f.start < f.floor {
		return float64(f.grace)
	}
	return f.half*math.Log2(f.start/f.floor) + float64(f.grace)
}

// surelyAbove is a factor above all errors of rounding: a memory whose
// confidence is above surelyAbove times the floor has never been below it.
const surelyAbove = 1.000001

// halfLife is in nanoseconds. It is a float because a multiple of years may
// overflow a Duration.
func (d Decay) halfLife(m *Memory, use Use, centrality float64) float64 {
	if m.Pinned {
		return 0
	}
	half := float64(d.ownHalfLife(m.Type))
	if d.Doubling > 0 {
		half *= 1 + float64(min(max(use.Recalls, 0), d.Doubling))/float64(d.Doubling)
	}
	if centrality > d.Central {
		half *= 2
	}
	return half
}

// ownHalfLife is that of a memory that was never recalled.
func (d Decay) ownHalfLife(t Type) time.Duration {
	if own, ok := d.HalfLives[t]; ok {
		return own
	}
	return t.HalfLife()
}

// start is the confidence before fading.
func (d Decay) start(m *Memory, use Use) float64 {
	if use.Recalls <= 0 || m.Confidence <= 0 {
		return m.Confidence
	}
	return min(1, m.Confidence*math.Pow(d.RecallBoost, float64(use.Recalls)))
}

// lastOf is when m was changed or recalled last.
func lastOf(m *Memory, now time.Time, use Use) time.Time {
	last := latest(m.Created, m.Updated)
	if !use.Last.After(now.Add(24 * time.Hour)) {
		last = latest(last, use.Last)
	}
	return last
}
