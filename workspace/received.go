package workspace

import (
	"context"
	"path"
	"slices"
	"strings"
)

// What came from a remote is marked in our own journal, in the commit that
// brought it: received/<short id> or received/<record>. Such memories are
// listed and found, but they are not handed to an agent unasked and do not
// land by themselves before somebody here has looked at them. Marks stay in
// the clone: they are not pushed, and those of others are not taken.

const receivedFolder = "received/"

// Received are the marks of this clone: short ids of pending memories that came
// from a remote, and names of session records.
func (w *Workspace) Received(ctx context.Context) map[string]bool {
	snap, err := w.journal(ctx)
	if err != nil {
		return nil
	}
	entries, err := snap.List(ctx, strings.TrimSuffix(receivedFolder, "/"))
	if err != nil || len(entries) == 0 {
		return nil
	}
	marks := make(map[string]bool, len(entries))
	for _, e := range entries {
		marks[strings.TrimPrefix(e.Path, receivedFolder)] = true
	}
	return marks
}

// markOf is the mark of a pending memory or a session record, "" for others.
func markOf(p string) string {
	if short, ok := shortOf(p); ok {
		return receivedFolder + short
	}
	if name, ok := strings.CutSuffix(p, ".md"); ok && strings.HasPrefix(p, "sessions/") {
		return receivedFolder + path.Base(name)
	}
	return ""
}

// mark adds marks for what the change takes, and removes those of what is gone.
func (u *union) mark() {
	after := u.after()
	wanted := map[string]bool{}
	for p, blob := range after {
		mark := markOf(p)
		if mark == "" {
			continue
		}
		if _, had := u.ours[mark]; had || blob != u.ours[p] {
			wanted[mark] = true
		}
	}
	for mark := range wanted {
		if _, had := u.ours[mark]; !had {
			u.made.Put[mark] = []byte{}
		}
	}
	for p := range after {
		if strings.HasPrefix(p, receivedFolder) && !wanted[p] {
			u.remove(p)
		}
	}
	slices.Sort(u.made.Remove)
}

// ownEntries leaves out what came from a remote and has not landed.
func ownEntries(marks map[string]bool, entries []Entry) []Entry {
	return slices.DeleteFunc(entries, func(e Entry) bool { return e.foreign(marks) })
}

// foreign reports whether an entry is pending and came from a remote.
func (e *Entry) foreign(marks map[string]bool) bool {
	return strings.HasPrefix(e.Path, "pending/") && marks[e.Memory.ID.Short()]
}

// ownRecord reports whether a session record is of this clone.
func ownRecord(marks map[string]bool, p string) bool {
	return !marks[strings.TrimSuffix(path.Base(p), ".md")]
}

// syncStatus counts what came from remotes and waits, and what they lack, as
// far as the last exchange told. It does not use the network.
func (w *Workspace) syncStatus(ctx context.Context, s *Status) error {
	seen, err := w.Repo.Remotes().Tracked(ctx)
	if err != nil || len(seen) == 0 {
		return err
	}
	snap, err := w.journal(ctx)
	if err != nil {
		return err
	}
	have, err := listing(ctx, snap)
	if err != nil {
		return err
	}
	for p := range have {
		if _, ok := shortOf(p); ok && have[markOf(p)] != "" {
			s.Received++
		}
	}
	for remote, commit := range seen {
		theirs, err := w.stateAt(ctx, commit)
		if err != nil {
			return err
		}
		for _, p := range journalPaths(have, theirs) {
			if have[p] != theirs[p] && !strings.HasPrefix(p, receivedFolder) {
				s.Unsent[remote]++
			}
		}
	}
	return nil
}
