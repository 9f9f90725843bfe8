package diary

import (
	"context"
	"os"
	"time"
)

// readFile says how large each transcript was when it was last read. Without it
// transcripts are opened again, and give nothing new.
const readFile = "transcripts.json"

// Read returns how far transcripts were read, in bytes, by path.
func (d *Diary) Read() map[string]int64 { return load[int64](d, readFile) }

// NoteRead notes how far a transcript was read, and forgets transcripts that are
// gone: agents delete old sessions. A path with a secret in it is not written.
func (d *Diary) NoteRead(ctx context.Context, path string, offset int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	sizes := d.Read()
	if sizes[path] == offset || d.without(ctx, path) != path {
		return
	}
	sizes[path] = offset
	for p := range sizes {
		if _, err := os.Stat(p); err != nil {
			delete(sizes, p)
		}
	}
	_ = store(d, readFile, sizes) // else it is read again
}

// runsFile says when a model read each session last, in seconds since 1970.
const (
	runsFile = "model.json"
	runsKept = 7 * 24 * time.Hour
)

// BeginRun notes that a model reads a session now, and reports whether it may: not
// within interval of its last run for this session, and not while a run for any
// session may still be under way, which takes at most timeout.
func (d *Diary) BeginRun(session string, interval, timeout time.Duration) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	runs := load[int64](d, runsFile)
	now := d.now()
	for other, at := range runs {
		since := now.Sub(time.Unix(at, 0))
		switch {
		case since.Abs() > runsKept: // the clock may have been wrong
			delete(runs, other)
		case since.Abs() < timeout, other == session && since.Abs() < interval:
			return false
		}
	}
	runs[session] = now.Unix()
	return store(d, runsFile, runs) == nil
}
