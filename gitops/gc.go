package gitops

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/locks"
)

// gcStale is the age at which git itself takes gc.pid for a leftover.
const gcStale = 12 * time.Hour

// gcRunning reports whether a gc is at work. When in doubt it is.
func (j *Journal) gcRunning() bool {
	path := filepath.Join(j.ref.commonDir, "gc.pid")
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if now, ok := locks.Clock(j.cacheDir); ok && now.Sub(info.ModTime()) > gcStale {
		return false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return !os.IsNotExist(err)
	}
	pid, host, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
	n, err := strconv.Atoi(pid)
	here, herr := os.Hostname()
	if err != nil || herr != nil || host != here {
		return true
	}
	return locks.Alive(n)
}

// RemoveLock takes away the file of a lock that nobody holds. No other cortex may be about to
// take it.
func RemoveLock(path string) error { return locks.Remove(path) }
