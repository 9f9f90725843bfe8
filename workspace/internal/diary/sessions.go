package diary

import (
	"context"
	"maps"
	"os"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
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
	maps.DeleteFunc(sizes, func(p string, _ int64) bool {
		_, err := os.Stat(p)
		return err != nil
	})
	_ = store(d, readFile, sizes) // else it is read again
}

// runsFile says when a reader got a worksheet of each session, in seconds since
// 1970.
const (
	runsFile = "model.json"
	runsKept = 7 * 24 * time.Hour
)

const day = 24 * time.Hour

// BeginRun notes that a reader gets a worksheet of a session now, and reports
// whether it may: not within interval of the last one for this session, not while
// a run for any session may still be under way, which takes at most timeout, and
// not more than daily times within a day.
func (d *Diary) BeginRun(session string, interval, timeout time.Duration, daily int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	runs := load[[]int64](d, runsFile)
	now := d.now()
	today := 0
	for other, times := range runs {
		times = lists.Without(times, func(at int64) bool {
			return now.Sub(time.Unix(at, 0)).Abs() > runsKept // the clock may have been wrong
		})
		if runs[other] = times; len(times) == 0 {
			delete(runs, other)
		}
		for _, at := range times {
			since := now.Sub(time.Unix(at, 0)).Abs()
			if since < day {
				today++
			}
			if since < timeout || other == session && since < interval {
				return false
			}
		}
	}
	if today >= daily {
		return false
	}
	runs[session] = append(runs[session], now.Unix())
	return store(d, runsFile, runs) == nil
}

// Runs returns how many worksheets readers got within the last day, and when the
// last one was; the zero time if there was none.
func (d *Diary) Runs() (today int, last time.Time) {
	for _, times := range load[[]int64](d, runsFile) {
		for _, at := range times {
			if d.now().Sub(time.Unix(at, 0)).Abs() < day {
				today++
			}
			if t := time.Unix(at, 0).UTC(); t.After(last) {
				last = t
			}
		}
	}
	return today, last
}

// sheetsFile has the tokens of the worksheets that readers got on each of the last days.
const sheetsFile = "sheets.json"

// NoteSheet notes that a reader gets a worksheet of so many tokens now.
func (d *Diary) NoteSheet(tokens int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := d.now().UTC()
	oldest := now.Add(-runsKept).Format(time.DateOnly)
	sheets := load[int64](d, sheetsFile)
	maps.DeleteFunc(sheets, func(day string, _ int64) bool { return day < oldest })
	sheets[now.Format(time.DateOnly)] += int64(tokens)
	_ = store(d, sheetsFile, sheets) // without it the cost is not said
}

// SheetTokens returns the tokens of the worksheets that readers got on this day.
func (d *Diary) SheetTokens() int {
	return int(load[int64](d, sheetsFile)[d.now().UTC().Format(time.DateOnly)])
}

// handedFile says when each session was changed last that an agent handed over, in milliseconds
// since 1970. Without it they are handed over again, and give nothing new.
const (
	handedFile = "handed.json"
	handedMost = 1000
)

// Handed returns as of which change each session that an agent handed over was read.
func (d *Diary) Handed() map[string]int64 { return load[int64](d, handedFile) }

// NoteHanded notes as of which change a session was read. Of too many, the oldest are forgotten.
func (d *Diary) NoteHanded(session string, changed int64) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.Handed()
	if all[session] >= changed {
		return nil
	}
	all[session] = changed
	for len(all) > handedMost {
		oldest := session
		for id, at := range all {
			if at < all[oldest] {
				oldest = id
			}
		}
		delete(all, oldest)
	}
	return store(d, handedFile, all)
}
