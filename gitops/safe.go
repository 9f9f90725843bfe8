package gitops

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// A safe holds the objects of the last updates of the journal once more, in a file that no
// gc and no prune knows: what git loses of them is put back. It is one record for each
// update, appended: a line "cortex-safe <CRC-32> <size> <commit>", then that many bytes of
// objects, each "<kind> <size>\n", its bytes, "\n". A record that is not whole is passed over.
// Objects of earlier updates are reachable from [SafeRef], which moves on when a file is
// full and another begins.
type safe struct{ path string }

// What a safe holds, in bytes. There are two files of maxSafe.
const (
	maxSafe    = 1 << 20
	maxInSafe  = 1 << 20 // of one update: a larger one is anchored by its ref at once
	safeHeader = "cortex-safe "
	safeName   = "safe" // below the folder of the cache
)

var errTooMuch = errors.New("too much for the safe")

// before is the file of the records before those of path.
func (s safe) before() string { return s.path + ".old" }

// put adds the objects of the update that ends in commit. With turn a full file gives way
// to a new one; begun says that one was begun. The copies are not synced: what they are
// copies of is.
func (s safe) put(commit ObjectID, all map[ObjectID]object, turn bool) (begun bool, err error) {
	var body bytes.Buffer
	for _, id := range slices.Sorted(maps.Keys(all)) {
		o := all[id]
		if body.Len()+len(o.data) > maxInSafe {
			return false, errTooMuch
		}
		fmt.Fprintf(&body, "%s %d\n", o.kind, len(o.data))
		body.Write(o.data)
		body.WriteByte('\n')
	}
	info, err := os.Lstat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		begun = true
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, fmt.Errorf("%s is no regular file", s.path)
	case info.Size() > maxSafe && turn:
		if err := atomicfile.Rename(s.path, s.before()); err != nil {
			return false, err
		}
		begun = true
	case info.Size() > maxSpool:
		return false, errTooMuch
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return begun, err
	}
	head := fmt.Sprintf("%s%08x %d %s\n", safeHeader, crc32.ChecksumIEEE(body.Bytes()), body.Len(), commit)
	_, err = f.Write(append([]byte(head), body.Bytes()...))
	return begun, errors.Join(err, f.Close())
}

// forget empties the safe.
func (s safe) forget() {
	os.Remove(s.path)
	os.Remove(s.before())
}

// read returns all objects, and the commits in which updates ended, newest first. What
// cannot be read is not there.
func (s safe) read(f gitobject.Format) (all map[ObjectID]object, states []ObjectID) {
	all = make(map[ObjectID]object)
	for _, name := range []string{s.before(), s.path} {
		data, _ := atomicfile.Read(name, 2*maxSpool)
		for len(data) > 0 {
			commit, body, size := safeRecord(data)
			if size > 0 {
				readObjects(f, body, all)
				states = append(states, commit)
				data = data[size:]
			} else { // behind a record that was torn
				data = nextRecord(data)
			}
		}
	}
	slices.Reverse(states)
	return all, states
}

// nextRecord is data from the next place at which a record may begin, nil for none.
func nextRecord(data []byte) []byte {
	i := bytes.Index(data[1:], []byte(safeHeader))
	if i < 0 {
		return nil
	}
	return data[1+i:]
}

// safeRecord is the record that data begins with; size is 0 when it begins with none.
func safeRecord(data []byte) (commit ObjectID, body []byte, size int) {
	head, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok {
		return "", nil, 0
	}
	var sum uint32
	var n uint
	_, err := fmt.Sscanf(string(head), safeHeader+"%08x %d %s", &sum, &n, &commit)
	if err != nil || !isHexID(string(commit)) {
		return "", nil, 0
	}
	if n > uint(len(rest)) || crc32.ChecksumIEEE(rest[:n]) != sum {
		return "", nil, 0
	}
	return commit, rest[:n], len(head) + 1 + int(n)
}

// readObjects adds the objects of a record.
func readObjects(f gitobject.Format, body []byte, all map[ObjectID]object) {
	for len(body) > 0 {
		var kind string
		var n int
		head, rest, _ := bytes.Cut(body, []byte("\n"))
		if _, err := fmt.Sscanf(string(head), "%s %d", &kind, &n); err != nil || n < 0 || n >= len(rest) {
			return
		}
		all[f.ID(kind, rest[:n])] = object{kind, rest[:n]}
		body = rest[n+1:]
	}
}

// secure puts an update that is about to be published into the safe, and says what
// [SafeRef] should name once it is: "" where it stays. settled is an update that no gc is
// beside, on a state that none has touched: only such a state is anchored.
func (j *Journal) secure(work *reading, merge, settled bool) (anchor ObjectID) {
	anew := work.commit == "" && work.healed == ""
	if anew { // the former journal was given up by its user
		j.safe.forget()
	}
	begun, err := j.safe.put(work.chain, work.store.staged, settled)
	if !settled {
		return ""
	}
	anchored := j.ref.anchored()
	switch {
	case err != nil, merge, work.healed != "", anew && anchored:
		return work.chain
	case begun, !anchored:
		return work.commit
	}
	return ""
}

// anchored reports whether [SafeRef] is there, as far as a look tells that costs no
// process: a packed one is written anew.
func (r journalRef) anchored() bool {
	return gitcmd.Exists(filepath.Join(r.commonDir, filepath.FromSlash(SafeRef))) ||
		gitcmd.Exists(filepath.Join(r.commonDir, "reftable"))
}

// anchor points [SafeRef] at a state. It is done once in many updates, and what keeps it
// from being done is gone by the next.
func (r journalRef) anchor(ctx context.Context, id ObjectID) {
	name := filepath.Join(r.commonDir, filepath.FromSlash(SafeRef))
	args := []string{"-c", "core.fsync=all", "-c", "core.hooksPath=" + os.DevNull, "update-ref", SafeRef, string(id)}
	cmd := gitcmd.Inside(r.commonDir, r.ident, args)
	if _, err := r.git.Run(ctx, cmd); err == nil || ctx.Err() != nil {
		return
	}
	locks.OfRef(r.commonDir, r.cacheDir, SafeRef).RemoveStale()
	if raw, err := os.ReadFile(name); err == nil && !isHexID(string(bytes.TrimSpace(raw))) {
		os.Remove(name) // git writes over no ref that it cannot read
	}
	_, _ = r.git.Run(ctx, cmd)
}
