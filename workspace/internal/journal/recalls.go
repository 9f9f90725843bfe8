package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
)

// Recalls are counted where a memory was handed to an agent for its prompt.
// They gather in the cache folder and move to access/<clone id>.tsv in the
// journal with the next capture. Each clone writes its own file and its counts
// only grow, so that files of several clones merge by taking each maximum.

// CloneID returns the name of a clone in the journal; "" before `cortex init`.
func CloneID(ctx context.Context, repo *gitops.Repo) string {
	settings, err := repo.Settings(ctx)
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

// Uses adds up the counters of all clones in a snapshot. What cannot be read counts as none.
func Uses(ctx context.Context, snap *gitops.Snapshot) map[memory.ID]memory.Use {
	if snap == nil {
		return nil
	}
	entries, err := snap.List(ctx, "access")
	if err != nil {
		return nil
	}
	total := map[memory.ID]memory.Use{}
	_ = snap.Read(ctx, entries[:min(len(entries), maxAccess)], func(_ gitops.Entry, data []byte) error {
		addUses(total, ParseAccess(data))
		return nil
	})
	return total
}

func addUses(total, more map[memory.ID]memory.Use) {
	for id, u := range more {
		sum := total[id]
		sum.Recalls += u.Recalls
		if u.Last.After(sum.Last) {
			sum.Last = u.Last
		}
		total[id] = sum
	}
}

// shortestAccess is how many bytes a line of counters has at least. Files of other clones
// may be of line breaks alone.
const shortestAccess = len("0123456789abcdef\t0\t0\n")

// ParseAccess reads a file of counters: lines of id, count and last recall (Unix seconds), tabs
// between. Lines that are none are passed over.
func ParseAccess(data []byte) map[memory.ID]memory.Use {
	uses := make(map[memory.ID]memory.Use, min(bytes.Count(data, []byte{'\n'}), len(data)/shortestAccess))
	for line := range strings.Lines(string(data)) {
		if id, use, ok := parseUse(strings.TrimRight(line, "\r\n")); ok {
			uses[id] = use
		}
	}
	return uses
}

// mostRecalls is the largest count that is believed.
const mostRecalls = 1_000_000

func parseUse(line string) (id memory.ID, use memory.Use, ok bool) {
	name, rest, _ := strings.Cut(line, "\t")
	count, last, ok := strings.Cut(rest, "\t")
	if !ok {
		return "", use, false
	}
	id, badID := memory.ParseID(name)
	n, badCount := strconv.Atoi(count)
	seconds, badTime := strconv.ParseInt(last, 10, 64)
	if errors.Join(badID, badCount, badTime) != nil || n < 0 || n > mostRecalls {
		return "", use, false
	}
	return id, memory.Use{Recalls: n, Last: time.Unix(seconds, 0).UTC()}, true
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

// PutRecalls adds counts of recalls at a time to the file of a clone in a change. A clone
// without a name counts nothing.
func PutRecalls(ctx context.Context, snap *gitops.Snapshot, c *gitops.Change, clone string, counts map[memory.ID]int,
	at time.Time,
) error {
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
		uses[id] = memory.Use{Recalls: uses[id].Recalls + n, Last: at.UTC().Truncate(time.Second)}
	}
	c.Put[path] = FormatAccess(uses)
	return nil
}
