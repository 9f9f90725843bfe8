package diary

import (
	"time"

	"github.com/git-cortex/cortex/memory"
)

// driftFile says what the last drift run kept of each session.
const driftFile = "drift.json"

// Drift holds the memories that the rules of one day keep of sessions. The zero value
// stands for no run.
type Drift struct {
	At       time.Time              `json:"at"`
	Sessions map[string][]memory.ID `json:"sessions"` // what is kept of each
}

// LastDrift is the last drift run of this clone.
func (d *Diary) LastDrift() Drift { return load[Drift](d, driftFile)["last"] }

// NoteDrift keeps a drift run for the next one to compare with.
func (d *Diary) NoteDrift(run Drift) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return store(d, driftFile, map[string]Drift{"last": run})
}
