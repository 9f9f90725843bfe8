package memory_test

import (
	"math"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

const day = 24 * time.Hour

// The numbers are worked out by hand from the table and the formula of
// docs/behaviour.md, "Status and decay".
func TestEffective(t *testing.T) {
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	at := func(days float64) time.Time { return now.Add(-time.Duration(days * float64(day))) }
	for name, tt := range map[string]struct {
		typ     memory.Type
		conf    float64
		created float64 // days ago
		updated float64 // days ago, 0 is never
		pinned  bool
		use     memory.Use
		central float64
		want    float64
	}{
		"new":                         {typ: memory.Fix, conf: 0.8, want: 0.8},
		"one half-life":               {typ: memory.Fix, conf: 0.8, created: 90, want: 0.4},
		"half a half-life":            {typ: memory.Fix, conf: 0.8, created: 45, want: 0.565685},
		"two half-lives":              {typ: memory.Progress, conf: 1, created: 14, want: 0.25},
		"never":                       {typ: memory.Decision, conf: 0.9, created: 9999, want: 0.9},
		"pinned":                      {typ: memory.Progress, conf: 0.9, created: 9999, pinned: true, want: 0.9},
		"updated":                     {typ: memory.Fix, conf: 0.8, created: 900, updated: 90, want: 0.4},
		"updated in the future":       {typ: memory.Fix, conf: 0.8, created: 90, updated: -5, want: 0.8},
		"created in the future":       {typ: memory.Fix, conf: 0.8, created: -90, want: 0.8},
		"recalled":                    {typ: memory.Fix, conf: 0.5, created: 900, use: memory.Use{Recalls: 1, Last: at(0)}, want: 0.6},
		"recalled, capped":            {typ: memory.Fix, conf: 0.8, created: 900, use: memory.Use{Recalls: 5, Last: at(135)}, want: 0.5},
		"recalled ten times":          {typ: memory.Fix, conf: 0.8, created: 900, use: memory.Use{Recalls: 10, Last: at(180)}, want: 0.5},
		"recalled more than that":     {typ: memory.Fix, conf: 0.8, created: 900, use: memory.Use{Recalls: 1 << 30, Last: at(180)}, want: 0.5},
		"recalled on a host ahead":    {typ: memory.Fix, conf: 0.5, created: 900, use: memory.Use{Recalls: 1, Last: at(-0.9)}, want: 0.6},
		"recalled by a wrong clock":   {typ: memory.Fix, conf: 0.5, created: 99, use: memory.Use{Recalls: 1, Last: at(-3650)}, want: 0.3},
		"central":                     {typ: memory.Fix, conf: 0.8, created: 180, central: 0.6, want: 0.4},
		"not central":                 {typ: memory.Fix, conf: 0.8, created: 90, central: 0.5, want: 0.4},
		"no confidence, much recalls": {typ: memory.Fix, conf: 0, created: 1, use: memory.Use{Recalls: 1 << 30}, want: 0},
	} {
		m := &memory.Memory{Type: tt.typ, Confidence: tt.conf, Created: at(tt.created), Pinned: tt.pinned}
		if tt.updated != 0 {
			m.Updated = at(tt.updated)
		}
		if got := memory.DefaultDecay().Effective(m, now, tt.use, tt.central); math.Abs(got-tt.want) > 1e-6 {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

func TestEffectiveWithOwnHalfLives(t *testing.T) {
	d := memory.DefaultDecay()
	d.HalfLives = map[memory.Type]time.Duration{memory.Decision: 10 * day, memory.Progress: 0, memory.Plan: math.MaxInt64}
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for typ, want := range map[memory.Type]float64{memory.Decision: 0.25, memory.Progress: 1, memory.Plan: 1, memory.Gotcha: math.Exp2(-20.0 / 45)} {
		m := &memory.Memory{Type: typ, Confidence: 1, Created: now.Add(-20 * day)}
		if got := d.Effective(m, now, memory.Use{}, 0); math.Abs(got-want) > 1e-3 {
			t.Errorf("%s: %v, want %v", typ, got, want)
		}
		if got := d.Effective(m, now, memory.Use{Recalls: 10}, 1); got < want-1e-3 || got > 1 {
			t.Errorf("%s, central and recalled: %v", typ, got)
		}
	}
}

// Gotchas lose half in 45 days: from 1 to 0.3 in 45 × log2(1/0.3) = 78.16
// days, and are archived 14 days later, after 92.16.
func TestArchived(t *testing.T) {
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		typ    memory.Type
		conf   float64
		days   float64
		pinned bool
		use    memory.Use
		want   bool
	}{
		"before":                 {typ: memory.Gotcha, conf: 1, days: 92.1},
		"after":                  {typ: memory.Gotcha, conf: 1, days: 92.2, want: true},
		"pinned":                 {typ: memory.Gotcha, conf: 1, days: 9999, pinned: true},
		"recalled since":         {typ: memory.Gotcha, conf: 1, days: 9999, use: memory.Use{Recalls: 1, Last: now.Add(-90 * day)}},
		"recalled long ago":      {typ: memory.Gotcha, conf: 1, days: 9999, use: memory.Use{Recalls: 1, Last: now.Add(-110 * day)}, want: true},
		"at the floor, before":   {typ: memory.Gotcha, conf: 0.3, days: 13.9},
		"at the floor, after":    {typ: memory.Gotcha, conf: 0.3, days: 14.1, want: true},
		"below the floor":        {typ: memory.Gotcha, conf: 0.1, days: 13.9},
		"never fades":            {typ: memory.Decision, conf: 0.3, days: 9999},
		"never fades, but below": {typ: memory.Decision, conf: 0.2, days: 14, want: true},
		"in the future":          {typ: memory.Gotcha, conf: 0.1, days: -99},
	} {
		m := &memory.Memory{Type: tt.typ, Confidence: tt.conf, Created: now.Add(-time.Duration(tt.days * float64(day))), Pinned: tt.pinned}
		if _, got := memory.DefaultDecay().Faded(m, now, tt.use, 0); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	off := memory.DefaultDecay()
	off.Floor = 0
	old := &memory.Memory{Type: memory.Gotcha, Created: now.Add(-9999 * day)}
	if _, archived := off.Faded(old, now, memory.Use{}, 0); archived {
		t.Error("a floor of 0 archives")
	}
}

// A gotcha of confidence 1 is archived after 92.16 days, see [TestArchived]; one of
// 0.1 after the grace of 14. A recall doubles nothing yet: one of ten makes the
// half-life 49.5 days, and 1 × 1.2 is capped at 1, so that it is archived
// 49.5 × log2(1/0.3) + 14 = 99.98 days after the recall.
func TestArchivedFor(t *testing.T) {
	now := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		conf, days float64
		pinned     bool
		recalled   float64 // days ago, 0 is never
		want       float64 // days, negative when it is not archived
	}{
		"not yet":          {conf: 1, days: 92, want: -1},
		"a month":          {conf: 1, days: 122.16, want: 30},
		"below from birth": {conf: 0.1, days: 20, want: 6},
		"pinned":           {conf: 1, days: 9999, pinned: true, want: -1},
		"revived":          {conf: 1, days: 9999, recalled: 1, want: -1},
		"recalled, faded":  {conf: 1, days: 9999, recalled: 129.98, want: 30},
	} {
		m := &memory.Memory{Type: memory.Gotcha, Confidence: tt.conf, Created: now.Add(-time.Duration(tt.days * float64(day))), Pinned: tt.pinned}
		var use memory.Use
		if tt.recalled > 0 {
			use = memory.Use{Recalls: 1, Last: now.Add(-time.Duration(tt.recalled * float64(day)))}
		}
		got, ok := memory.DefaultDecay().ArchivedFor(m, now, use, 0)
		if ok != (tt.want >= 0) || ok && math.Abs(got.Hours()/24-tt.want) > 0.01 {
			t.Errorf("%s: %v, %v, want %v days", name, got, ok, tt.want)
		}
	}
}
