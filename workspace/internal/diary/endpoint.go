package diary

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// endpointsFile says of endpoints that did not answer since when, by a hash of
// their names. Without it they are asked again.
const endpointsFile = "endpoints.json"

// An endpoint that failed is left alone for firstRest, twice as long after each
// failure that follows, and at most for longestRest. A failure is forgotten after
// a day, and of several endpoints the last few are remembered.
const (
	firstRest     = 30 * time.Second
	longestRest   = 30 * time.Minute
	keptEndpoints = 8
)

// trouble is the record of an endpoint that failed: its last failure, and how many
// there were in a row.
type trouble struct {
	At       int64  `json:"at"`       // of the last failure, in seconds since 1970
	Failures int    `json:"failures"` // one after the other
	WaitMS   int64  `json:"wait_ms"`  // that were waited in vain; 0 when waiting would not have helped
	Error    string `json:"error"`
}

// rest is how long an endpoint is left alone after its last failure.
func (t *trouble) rest() time.Duration {
	return min(longestRest, firstRest<<min(max(t.Failures-1, 0), 10))
}

// Endpoint is how one endpoint answers this clone. It remembers failures, so that
// neither a hook nor a search waits for an endpoint that is down; whoever would
// wait longer than others did in vain may ask it meanwhile.
type Endpoint struct {
	diary *Diary
	key   string
}

// Endpoint returns what is known of the endpoint of that name.
func (d *Diary) Endpoint(name string) *Endpoint {
	sum := sha256.Sum256([]byte(name))
	return &Endpoint{diary: d, key: hex.EncodeToString(sum[:8])}
}

// Trouble is why the endpoint failed when it was last asked; nil when it did not,
// or that is a day ago.
func (e *Endpoint) Trouble() error {
	if t, _, ok := e.last(); ok {
		return errors.New(t.Error)
	}
	return nil
}

// last is the last failure, and how long ago that is. One of the future tells only
// that a clock was wrong.
func (e *Endpoint) last() (t trouble, ago time.Duration, ok bool) {
	t, ok = load[trouble](e.diary, endpointsFile)[e.key]
	ago = e.diary.now().Sub(time.Unix(t.At, 0))
	return t, ago, ok && ago >= -time.Second && ago < day
}

// waitedLess reports whether the failure was within a limit below wait.
func (t *trouble) waitedLess(wait time.Duration) bool {
	return t.WaitMS > 0 && wait.Milliseconds() > t.WaitMS
}

// Resting is why the endpoint is not asked now for one who would wait so long, 0
// being as long as it takes; nil when it is.
func (e *Endpoint) Resting(wait time.Duration) error {
	t, ago, ok := e.last()
	switch {
	case !ok, wait == 0, ago >= t.rest(), t.waitedLess(wait):
		return nil
	}
	left := (t.rest() - ago).Round(time.Second)
	return fmt.Errorf("%s; it is asked again in %v, or by cortex reindex", t.Error, max(left, time.Second))
}

// Failed remembers that the endpoint gave no answer within wait, or that it failed
// in a way that no patience mends, which is a wait of 0.
func (e *Endpoint) Failed(wait time.Duration, err error) {
	e.diary.mu.Lock()
	defer e.diary.mu.Unlock()
	t, _, ok := e.last()
	if !ok {
		t = trouble{}
	}
	t.At, t.Error = e.diary.now().Unix(), e.diary.line(context.Background(), err.Error())
	t.Failures, t.WaitMS = t.Failures+1, wait.Milliseconds()
	all := load[trouble](e.diary, endpointsFile)
	all[e.key] = t
	for len(all) > keptEndpoints {
		byAge := func(a, b string) int { return cmp.Compare(all[a].At, all[b].At) }
		delete(all, slices.MinFunc(slices.Collect(maps.Keys(all)), byAge))
	}
	_ = store(e.diary, endpointsFile, all) // else the next one finds out
}

// Answered forgets the failures that an answer to one who would have waited so long
// disproves: it says nothing of those who wait less.
func (e *Endpoint) Answered(wait time.Duration) {
	e.diary.mu.Lock()
	defer e.diary.mu.Unlock()
	all := load[trouble](e.diary, endpointsFile)
	t, ok := all[e.key]
	if !ok || t.waitedLess(wait) {
		return
	}
	delete(all, e.key)
	_ = store(e.diary, endpointsFile, all) // else it rests a little longer
}
