package exchange

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
)

// uniteMemory merges as the merge driver does. Of versions that cannot be merged it
// keeps one, the same on every side; history has the other.
func uniteMemory(text memory.TextMerge, p string, base, ours, theirs []byte) []byte {
	a, errA := memory.Parse(p, ours)
	b, errB := memory.Parse(p, theirs)
	if errA != nil || errB != nil {
		return readable(ours, theirs, errA, errB)
	}
	if a.ID != b.ID {
		return greater(ours, theirs)
	}
	var from *memory.Memory
	if idIn(p, base) == a.ID {
		from, _ = memory.Parse(p, base)
	}
	m, err := memory.Merge(from, a, b, text)
	if err != nil {
		return greater(ours, theirs)
	}
	return memory.Format(m)
}

// readable is the version that can be read; of two that cannot, one, the same on every side.
func readable(ours, theirs []byte, errOurs, errTheirs error) []byte {
	switch {
	case errOurs == nil:
		return ours
	case errTheirs == nil:
		return theirs
	}
	return greater(ours, theirs)
}

func greater(ours, theirs []byte) []byte {
	return slices.MaxFunc([][]byte{ours, theirs}, bytes.Compare)
}

// uniteAccess takes the larger count and the later time of each line.
func uniteAccess(ours, theirs []byte) []byte {
	all := journal.ParseAccess(ours)
	for id, u := range journal.ParseAccess(theirs) {
		have := all[id]
		have.Recalls = max(have.Recalls, u.Recalls)
		if u.Last.After(have.Last) {
			have.Last = u.Last
		}
		all[id] = have
	}
	return journal.FormatAccess(all)
}

// furtherRecord returns the record of a session that has read more of the
// transcript. The cursor of another machine does no harm here: it only counts
// where the file, and what stands before the cursor, are the same. Elsewhere
// reading starts anew.
func furtherRecord(ours, theirs []byte) []byte {
	a, errA := session.Parse(ours)
	b, errB := session.Parse(theirs)
	if errA != nil || errB != nil {
		return readable(ours, theirs, errA, errB)
	}
	if cmp.Or(cmp.Compare(a.Cursor.Offset, b.Cursor.Offset), a.End.Compare(b.End), bytes.Compare(ours, theirs)) < 0 {
		return theirs
	}
	return ours
}
