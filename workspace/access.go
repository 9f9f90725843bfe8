package workspace

import (
	"bufio"
	"bytes"
	"context"
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

// recalls counts them. It is for any number of goroutines.
type recalls struct {
	repo *gitops.Repo
	now  func() time.Time
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

// uses adds up the counters of all clones; snap may be nil.
func (r *recalls) uses(ctx context.Context, snap *gitops.Snapshot) map[memory.ID]memory.Use {
	total := map[memory.ID]memory.Use{}
	if snap == nil {
		return total
	}
	entries, err := snap.List(ctx, "access")
	if err != nil {
		return total
	}
	_ = snap.Read(ctx, entries[:min(len(entries), maxAccess)], func(_ gitops.Entry, data []byte) error {
		for id, u := range ParseAccess(data) {
			sum := total[id]
			sum.Recalls += u.Recalls
			if u.Last.After(sum.Last) {
				sum.Last = u.Last
			}
			total[id] = sum
		}
		return nil
	})
	return total
}

// ParseAccess reads a file of counters: lines of id, count and last recall (Unix seconds), tabs
// between. Lines that are none are passed over.
func ParseAccess(data []byte) map[memory.ID]memory.Use {
	uses := map[memory.ID]memory.Use{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) != 3 {
			continue
		}
		id, err := memory.ParseID(fields[0])
		n, err2 := strconv.Atoi(fields[1])
		last, err3 := strconv.ParseInt(fields[2], 10, 64)
		if err != nil || err2 != nil || err3 != nil || n < 0 || n > 1e6 {
			continue
		}
		uses[id] = memory.Use{Recalls: n, Last: time.Unix(last, 0).UTC()}
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
