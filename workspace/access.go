package workspace

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// Recalls are counted where a memory was handed to an agent for its prompt.
// They gather in the cache folder and move to access/<clone id>.tsv in the
// journal with the next capture. Each clone writes its own file and its counts
// only grow, so that files of several clones merge by taking each maximum.

// recalls counts them. It is safe for concurrent use.
type recalls struct {
	repo *gitops.Repo
	now  func() time.Time

	mu    sync.Mutex
	of    string // the files that known was read from
	known map[memory.ID]memory.Use
}

// CloneID returns the name of this clone in the journal; "" before `cortex init`.
func (w *Workspace) CloneID(ctx context.Context) string { return w.recalls.cloneID(ctx) }

func (r *recalls) cloneID(ctx context.Context) string {
	settings, err := r.repo.Settings(ctx)
	if err != nil {
		return ""
	}
	id := settings.LocalValue("cortex.clone")
	if len(id) != 16 || strings.Trim(id, "0123456789abcdef") != "" {
		return ""
	}
	return id
}

// maxAccess bounds how many files of recall counters are read.
const maxAccess = 64

// uses adds up the counters of all clones; snap may be nil. What it returns is not changed:
// a server that asks again while the files are the same gets the same map. With it comes
// what names these files, "" where not all of them could be read.
func (r *recalls) uses(ctx context.Context, snap *gitops.Snapshot) (of map[memory.ID]memory.Use, named string) {
	if snap == nil {
		return nil, ""
	}
	entries, err := snap.List(ctx, "access")
	if err != nil {
		return nil, ""
	}
	entries = entries[:min(len(entries), maxAccess)]
	var files strings.Builder
	for _, e := range entries {
		files.WriteString(string(e.Blob))
	}
	named = "files " + files.String()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known != nil && r.of == named {
		return r.known, named
	}
	total := map[memory.ID]memory.Use{}
	err = snap.Read(ctx, entries, func(_ gitops.Entry, data []byte) error {
		uses := ParseAccess(data)
		if len(total) == 0 { // most clones have one file
			total = uses
			return nil
		}
		for id, u := range uses {
			sum := total[id]
			sum.Recalls += u.Recalls
			if u.Last.After(sum.Last) {
				sum.Last = u.Last
			}
			total[id] = sum
		}
		return nil
	})
	if err != nil {
		return total, ""
	}
	r.of, r.known = named, total
	return total, named
}

// shortestAccess is how many bytes a line of counters has at least. Files of other clones
// may be of line breaks alone.
const shortestAccess = len("0123456789abcdef\t0\t0\n")

// ParseAccess reads a file of counters: lines of id, count and last recall (Unix seconds), tabs
// between. Lines that are none are passed over.
func ParseAccess(data []byte) map[memory.ID]memory.Use {
	uses := make(map[memory.ID]memory.Use, min(bytes.Count(data, []byte{'\n'}), len(data)/shortestAccess))
	for line := range strings.Lines(string(data)) {
		id, rest, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		count, last, ok := strings.Cut(rest, "\t")
		if !ok {
			continue
		}
		named, err := memory.ParseID(id)
		n, err2 := strconv.Atoi(count)
		seconds, err3 := strconv.ParseInt(last, 10, 64)
		if err != nil || err2 != nil || err3 != nil || n < 0 || n > 1e6 {
			continue
		}
		uses[named] = memory.Use{Recalls: n, Last: time.Unix(seconds, 0).UTC()}
	}
	return uses
}

// FormatAccess writes a file of counters in its one form: sorted by id.
func FormatAccess(uses map[memory.ID]memory.Use) []byte {
	lines := make([]string, 0, len(uses))
	for id, u := range uses {
		lines = append(lines, fmt.Sprintf("%s\t%d\t%d\n", id, u.Recalls, u.Last.Unix()))
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}

// PutRecalls adds counts of recalls to this clone's file of a journal change.
func PutRecalls(ctx context.Context, w *Workspace, snap *gitops.Snapshot, c *gitops.Change, counts map[memory.ID]int) error {
	clone := w.CloneID(ctx)
	if clone == "" || len(counts) == 0 {
		return nil
	}
	path := "access/" + clone + ".tsv"
	data, _, err := snap.File(ctx, path)
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	uses := ParseAccess(data)
	for id, n := range counts {
		u := uses[id]
		u.Recalls += n
		u.Last = w.Now().UTC().Truncate(time.Second)
		uses[id] = u
	}
	c.Put[path] = FormatAccess(uses)
	return nil
}

// NoteRecalled notes that somebody asked for memories by name, and NoteFound that they
// looked at what a search found first. Both are counted with the next capture, but at
// once where an archived memory is among them: it is active again from then on.
func (w *Workspace) NoteRecalled(ctx context.Context, entries ...Entry) {
	noteUse(ctx, w, w.Diary.NoteRecalls, entries)
}

// noteUse notes that memories are in use and revives those that are archived.
func noteUse(ctx context.Context, w *Workspace, note func([]memory.ID), entries []Entry) {
	ids, archived := make([]memory.ID, len(entries)), false
	for i := range entries {
		ids[i] = entries[i].Memory.ID
		archived = archived || entries[i].Status == memory.StatusArchived
	}
	note(ids)
	if !archived || w.CloneID(ctx) == "" {
		return
	}
	counts, done := w.Diary.TakeRecalls()
	err := w.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{Message: "access: an archived memory is in use again", Trailers: w.Trailers("", ""), When: w.Now(), Put: map[string][]byte{}}
		return c, PutRecalls(ctx, w, snap, &c, counts)
	})
	done(err == nil)
}
