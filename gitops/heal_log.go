package gitops

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
)

// forgetLost takes states that healing has found unreadable out of the log of
// the journal's ref: git fsck complains of each, for as long as the log names
// it, and there is nothing behind them. The caller holds the journal's lock,
// and the ref points at a sound state again. An entry that can be read now,
// with the depth states before it that git fsck reads too, stays, for the disk
// may have failed for a moment only; and so does everything when git cannot do
// it: then the journal is as sound as before.
func (j *Journal) forgetLost(ctx context.Context, lost []ObjectID, depth int) {
	if len(lost) == 0 {
		return
	}
	again := newStore(j.objects)
	defer again.close()
	known := make(map[ObjectID]commit)
	lost = slices.DeleteFunc(slices.Clone(lost), func(id ObjectID) bool {
		_, err := again.verifyChain(ctx, id, depth, known)
		return err == nil
	})
	data, err := os.ReadFile(j.ref.log())
	if err != nil {
		return // no log, or a reftable
	}
	states := logStates(string(data))
	args := []string{"-c", "core.fsync=all", "reflog", "delete", "--rewrite"}
	n := len(args)
	// Oldest first: git deletes one after another, and counts from the newest.
	for i, id := range states {
		if back := len(states) - 1 - i; back > 0 && slices.Contains(lost, id) {
			args = append(args, fmt.Sprintf("%s@{%d}", JournalRef, back))
		}
	}
	if len(args) == n {
		return
	}
	if _, err := j.git.run(ctx, command{args: args, dir: j.ref.commonDir, env: committer(j.ref.ident)}); err == nil {
		_ = j.ref.sync(false)
	}
}

// logStates is the new state of each entry of a log, oldest first, as git
// counts them: what it cannot parse is no entry.
func logStates(log string) []ObjectID {
	var ids []ObjectID
	for line := range strings.Lines(log) {
		// <old> SP <new> SP <name> <mail> SP <seconds> SP <zone> [TAB <message>] LF
		before, rest, _ := strings.Cut(line, " ")
		id, rest, _ := strings.Cut(rest, " ")
		_, when, ok := strings.Cut(rest, ">")
		if !ok || !strings.HasSuffix(line, "\n") || !isHexID(before) || !isHexID(id) {
			continue
		}
		var seconds uint64
		var sign rune
		var zone string
		if n, _ := fmt.Sscanf(when, " %d %c%4s", &seconds, &sign, &zone); n == 3 && seconds > 0 &&
			(sign == '+' || sign == '-') && len(zone) == 4 && strings.Trim(zone, "0123456789") == "" {
			ids = append(ids, ObjectID(id))
		}
	}
	return ids
}
