package diary

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// heartbeatFile holds the last run of each hook, and heartbeatLock is held while one
// is noted in it.
const (
	heartbeatFile = "heartbeat.json"
	heartbeatLock = "heartbeat.lock"
)

// beatVersion is the version of the entries that are written. Version 1, which
// has no member of that name, had neither a number nor an outcome.
const beatVersion = 2

// How long a hook waits for others that note how they ended, and how often it looks. Each
// holds the lock for the time of one small write, so only a machine under load needs more
// than a few milliseconds.
const (
	beatWait = time.Second
	beatPoll = time.Millisecond
)

// Beat is the last run of one hook, see "Heartbeat" in docs/behaviour.md.
type Beat struct {
	Version int          `json:"v,omitempty"`
	N       int64        `json:"n,omitempty"` // which run of this hook it was; 0 where that is not known
	Time    string       `json:"time"`
	MS      float64      `json:"ms"`
	Outcome outcome.Kind `json:"outcome,omitempty"` // "" where it is not known
	To      int64        `json:"to,omitempty"`
	Added   int          `json:"added,omitempty"`
	Error   string       `json:"error,omitempty"` // why it did not do its work
}

// Words say in a few words how the run ended; "" where that is not known.
func (b Beat) Words() string { return b.Outcome.Words(b.To, b.Added) }

// Heartbeat returns the last run of each hook, by event.
func (d *Diary) Heartbeat() map[string]Beat { return load[Beat](d, heartbeatFile) }

// Troubles say of each event whose last hook did not do its work what went wrong, and
// if that is asked for when it was.
func (d *Diary) Troubles(events []string, when bool) []string {
	var out []string
	all := d.Heartbeat()
	for _, event := range events {
		b := all[event]
		trouble := b.Outcome.Trouble(b.Error)
		if trouble == "" {
			continue
		}
		at := ""
		if when {
			at = ", at " + b.Time + ","
		}
		out = append(out, "the last "+event+" hook"+at+" "+trouble)
	}
	return out
}

// Beat records that a hook ran, and how it ended: in the log as well if there is a
// reason why it did not do its work. The runs of each hook are numbered: of two
// that look alike one is the later. Processes wait for each other for that, but not
// long: a hook that finds others at it for too long goes on without.
func (d *Diary) Beat(ctx context.Context, event string, took time.Duration, o outcome.Outcome) {
	if o.Silent() {
		return
	}
	b := Beat{
		Version: beatVersion, Time: d.now().UTC().Format(time.RFC3339), MS: float64(took.Microseconds()) / 1000,
		Outcome: o.Kind, To: o.To, Added: o.Added,
	}
	if o.Err != nil {
		b.Error = d.line(ctx, o.Err.Error())
		d.Note(ctx, "hook %s: %s", event, strings.TrimPrefix(b.Outcome.Trouble(b.Error), "failed: "))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.alone(ctx)()
	all := d.Heartbeat()
	b.N = all[event].N + 1
	all[event] = b
	_ = store(d, heartbeatFile, all) // the next hook beats again
}

// alone waits until no other process notes how a hook ended, and keeps others from it
// until done is called. Where that takes too long, or cannot be had, it does not.
func (d *Diary) alone(ctx context.Context) (done func()) {
	name := d.path(heartbeatLock)
	info, err := os.Lstat(name)
	isPipe := err == nil && !info.Mode().IsRegular() // it would be waited for
	if isPipe || os.MkdirAll(d.dir, 0o777) != nil {
		return func() {}
	}
	limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), beatWait)
	defer cancel()
	lock := flock.New(name)
	if ok, err := lock.TryLockContext(limited, beatPoll); err != nil || !ok {
		_ = lock.Close()
		return func() {}
	}
	return func() { _ = lock.Unlock() }
}
