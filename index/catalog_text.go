package index

import (
	"io"
	"os"
	"sync"

	"github.com/git-cortex/cortex/index/internal/mapped"
)

// textFile reads from the text file of a catalog, which only grows. The first
// reads are single ones; a process that goes on reading gets the file mapped.
// What is read is copied, so that it outlives the file.
type textFile struct {
	file *os.File

	mu     sync.Mutex
	reads  int
	mapped []byte
	closer io.Closer
}

// mapAfter is the number of reads after which mapping is cheaper.
const mapAfter = 256

func (t *textFile) read(offset int64, n int) (string, error) {
	if data := t.mapping(); data != nil && offset >= 0 && offset+int64(n) <= int64(len(data)) {
		return string(data[offset : offset+int64(n)]), nil
	}
	b := make([]byte, n)
	if _, err := t.file.ReadAt(b, offset); err != nil {
		return "", err
	}
	return mapped.String(b), nil
}

// mapping is the mapped file once there were enough reads. It is only valid
// until close, which the catalog's lock keeps away.
func (t *textFile) mapping() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reads++; t.reads == mapAfter {
		if data, closer, err := mapped.File(t.file); err == nil {
			t.mapped, t.closer = data, closer
		}
	}
	return t.mapped
}

func (t *textFile) close() {
	t.file.Close()
	if t.closer != nil {
		_ = t.closer.Close()
		t.mapped, t.closer = nil, nil
	}
}
