package mapped

import (
	"io"
	"os"
	"sync"
)

// Growing reads from a file that only grows. The first reads are single ones; a process
// that goes on reading gets the file mapped. What is read outlives Close.
type Growing struct {
	File *os.File
	Stay bool // the file stays mapped until the process ends: what is read is not copied then

	mu     sync.Mutex
	reads  int
	mapped []byte
	closer io.Closer
}

// mapAfter is the number of reads after which mapping is cheaper.
const mapAfter = 256

// Read returns n bytes from an offset on.
func (t *Growing) Read(offset int64, n int) (string, error) {
	if data := t.mapping(); data != nil && offset >= 0 && offset+int64(n) <= int64(len(data)) {
		return t.part(data[offset : offset+int64(n)]), nil
	}
	b := make([]byte, n)
	if _, err := t.File.ReadAt(b, offset); err != nil {
		return "", err
	}
	return String(b), nil
}

// part is a part of the mapped file.
func (t *Growing) part(data []byte) string {
	if t.Stay {
		return String(data)
	}
	return string(data)
}

// mapping is the mapped file once there were enough reads. It is only valid
// until close, which the caller keeps away.
func (t *Growing) mapping() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.reads++; t.reads == mapAfter {
		if data, closer, err := File(t.File); err == nil {
			t.mapped, t.closer = data, closer
		}
	}
	return t.mapped
}

// Close closes the file.
func (t *Growing) Close() {
	t.File.Close()
	if t.closer != nil && !t.Stay {
		_ = t.closer.Close()
		t.mapped, t.closer = nil, nil
	}
}
