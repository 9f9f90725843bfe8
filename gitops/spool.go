package gitops

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// The spool is one line for each change that could not be committed yet: the
// CRC-32 of the JSON in eight hexadecimal digits, a space, the JSON. A line
// whose sum is wrong was torn by a power cut, never acknowledged, and is
// passed over; so a torn tail cannot hide the lines after it.

// maxSpool bounds the spool, in bytes; beyond it a capture is not acknowledged.
const maxSpool = 64 << 20

type spoolRecord struct {
	Message  string            `json:"message"`
	Trailers []Trailer         `json:"trailers,omitempty"`
	When     time.Time         `json:"when"`
	Put      map[string][]byte `json:"put,omitempty"`
	Remove   []string          `json:"remove,omitempty"`

	Take  map[string]ObjectID `json:"-"` // only with a merge
	Merge ObjectID            `json:"-"` // never spooled
}

// spool is the file of these lines. It is safe for concurrent use by goroutines and
// processes.
type spool struct{ path string }

// append adds a change, synced. It has a lock of its own, held for this
// only: the journal's may be what could not be had.
func (s spool) append(ctx context.Context, c Change) error {
	text, err := json.Marshal(spoolRecord(c))
	if err != nil {
		return fmt.Errorf("encoding for the spool: %w", err)
	}
	if err := s.appendLine(ctx, fmt.Appendf(nil, "%08x %s\n", crc32.ChecksumIEEE(text), text)); err != nil {
		return fmt.Errorf("spooling: %w", err)
	}
	return nil
}

func (s spool) appendLine(ctx context.Context, line []byte) error {
	unlock, err := locks.File(ctx, s.path+".lock", 0)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := os.OpenFile(s.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if size+int64(len(line)) > maxSpool {
		return errors.New("the spool is full")
	}
	if size > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	if _, err = f.Write(line); err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = syncDir(filepath.Dir(s.path))
	}
	if err != nil {
		_ = f.Truncate(size) // a disk that is full for this line may hold the next
	}
	return err
}

// read returns the changes that wait, oldest first, and the
// lines that hold them. A last line without its end is another process at
// work, or torn: it is not counted. Usually there is no file at all. What is no
// regular file is not opened.
func (s spool) read() (changes []Change, lines []byte, err error) {
	lines, err = atomicfile.Read(s.path, 2*maxSpool)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("reading the spool: %w", err)
	}
	lines = lines[:bytes.LastIndexByte(lines, '\n')+1]
	for line := range bytes.Lines(lines) {
		if c, ok := parseSpoolLine(line); ok {
			changes = append(changes, c)
		}
	}
	return changes, lines, nil
}

// idleName is the suffix of the file that names a tree of the journal and the lines of the spool, by
// their ids, which change nothing there. It can be deleted at any time.
const idleName = ".idle"

// idle reports whether it is known that lines change nothing in a tree.
func (s spool) idle(state string) bool {
	known, _ := atomicfile.Read(s.path+idleName, int64(len(state)))
	return string(known) == state
}

// keepIdle notes for [spool.idle] that nothing changes; if it fails, that is found out again.
func (s spool) keepIdle(state string) {
	_ = atomicfile.WritePath(s.path+idleName, []byte(state), atomicfile.Options{Mode: 0o600, NoSync: true})
}

func parseSpoolLine(line []byte) (Change, bool) {
	sum, text, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	if !ok || string(sum) != fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) {
		return Change{}, false
	}
	var rec spoolRecord
	if json.Unmarshal(text, &rec) != nil {
		return Change{}, false
	}
	c := Change(rec)
	return c, c.check() == nil
}

// drain takes off the first size bytes, which are committed now. What was
// appended in the meantime stays.
func (s spool) drain(ctx context.Context, size int64) error {
	unlock, err := locks.File(ctx, s.path+".lock", 0)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := os.ReadFile(s.path)
	if err != nil {
		return err
	}
	if rest := data[min(size, int64(len(data))):]; len(rest) > 0 {
		return atomicfile.WritePath(s.path, rest, atomicfile.Options{Mode: 0o600})
	}
	if err := os.Remove(s.path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(s.path))
}
