// Package diary keeps what hooks leave behind in the cache folder of a
// repository: a log and a heartbeat for people, and, for the next hook, what a
// session was shown, how far transcripts were read, which memories were recalled
// and when a model ran.
//
// Call [New]. Everything in a diary is a cache: any file of it can be deleted at
// any time, and what is lost is at most a line of the log or a count. So what
// cannot be read counts as empty, and only what a caller has to know is an error.
//
// A [Diary] is safe for concurrent use. Of several processes that change
// one file at the same moment, the last one wins; but the runs of hooks are counted
// one by one, see [Diary.Beat].
package diary

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
)

// Diary is the diary of one repository.
type Diary struct {
	dir     string
	now     func() time.Time
	without func(context.Context, string) string
	mu      sync.Mutex // held while a file is read and written again
}

// New returns the diary in a cache folder, which need not be there yet. What is
// written to it passes through withoutSecrets.
func New(dir string, now func() time.Time, withoutSecrets func(context.Context, string) string) *Diary {
	return &Diary{dir: dir, now: now, without: withoutSecrets}
}

func (d *Diary) path(name string) string { return filepath.Join(d.dir, name) }

// line is text as one line that may be written. It is cleaned whole even for a
// caller whose time is over: the user's own patterns have to be read for that.
func (d *Diary) line(ctx context.Context, text string) string {
	return memory.OneLine(memory.Clean(d.without(context.WithoutCancel(ctx), text)))
}

// write replaces a file.
func (d *Diary) write(name string, data []byte) error {
	err := os.MkdirAll(filepath.Dir(d.path(name)), 0o777)
	if err == nil {
		err = atomicfile.WritePath(d.path(name), data, atomicfile.Options{NoSync: true})
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
}

// load reads a file of JSON; what cannot be read is an empty map. A pipe in its place
// is not opened: nobody may ever write to it.
func load[V any](d *Diary, name string) map[string]V {
	out := map[string]V{}
	data, err := atomicfile.Read(d.path(name), math.MaxInt64)
	if err == nil && json.Unmarshal(data, &out) != nil {
		return map[string]V{}
	}
	return out
}

func store[V any](d *Diary, name string, all map[string]V) error {
	data, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return d.write(name, data)
}

// maxLog is the size from which the log is put aside as log.1.
const maxLog = 256 << 10

// Note appends one line to the log. A log that cannot be written is no reason to
// stop.
func (d *Diary) Note(ctx context.Context, format string, args ...any) {
	line := d.line(ctx, fmt.Sprintf(format, args...))
	d.mu.Lock()
	defer d.mu.Unlock()
	log := d.path("log")
	if info, err := os.Stat(log); err == nil && info.Size() > maxLog {
		_ = os.Rename(log, log+".1")
	}
	if os.MkdirAll(d.dir, 0o777) != nil {
		return
	}
	f, err := os.OpenFile(log, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return
	}
	_, _ = fmt.Fprintf(f, "%s %s\n", d.now().UTC().Format(time.RFC3339), line)
	_ = f.Close()
}

// Healed notes what was healed in the journal; "" is nothing, and a nil diary that of a
// workspace which is being opened.
func (d *Diary) Healed(ctx context.Context, what string) {
	if d != nil && what != "" {
		d.Note(ctx, "healed: %s", what)
	}
}

// Last is the last line of the log whose text begins so, with its time; "" when none does.
func (d *Diary) Last(begins string) (last string) {
	data, err := os.ReadFile(d.path("log"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if _, text, _ := strings.Cut(line, " "); strings.HasPrefix(text, begins) {
			last = strings.TrimSpace(line)
		}
	}
	return last
}
