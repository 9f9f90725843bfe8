package gitops

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestWriterProcess is one of the writers of TestParallelWriters: it captures
// and prints what was acknowledged.
func TestWriterProcess(t *testing.T) {
	dir, count := os.Getenv("GITOPS_WRITER_DIR"), os.Getenv("GITOPS_WRITER_COUNT")
	if dir == "" {
		t.Skip("runs as a helper of TestParallelWriters")
	}
	n, _ := strconv.Atoi(count)
	for _, path := range writeMany(t, dir, os.Getenv("GITOPS_WRITER_NAME"), n) {
		fmt.Println("kept", path)
	}
}

// writeMany makes n captures, each with a session record that counts them, and
// returns the paths that were acknowledged.
func writeMany(t *testing.T, dir, name string, n int) (paths []string) {
	r, err := Open(context.Background(), dir, Options{Env: testEnv(), LockWait: time.Minute})
	if err != nil {
		t.Error(err)
		return nil
	}
	for i := range n {
		file := fmt.Sprintf("%s-%07d", name, i)
		session := "sessions/2026-11/test-" + name + ".md"
		out, err := r.Journal().Update(context.Background(), nil, func(s *Snapshot) (Change, error) {
			data, _, err := s.File(context.Background(), session)
			c := change(file, file+"\n")
			c.Put[session] = append(data, 'x')
			return c, err
		})
		if err != nil || !out.Spooled && out.Commit == "" {
			t.Errorf("%s: %+v, %v", file, out, err)
			continue
		}
		paths = append(paths, memoryPath(file))
	}
	return paths
}

func TestParallelWriters(t *testing.T) {
	t.Run("gc", func(t *testing.T) { parallelWriters(t, 20, 10, "gc", "-q") })
	// Unreachable objects are deleted whatever their age, under the writers' hands.
	t.Run("gc prune", func(t *testing.T) { parallelWriters(t, 6, 5, "gc", "-q", "--prune=now") })
}

func parallelWriters(t *testing.T, writers, captures int, gc ...string) {
	if testing.Short() {
		writers, captures = 6, 5
	}
	dir := initRepo(t)
	linked := filepath.Join(t.TempDir(), "linked")
	runGit(t, dir, "worktree", "add", "-q", "--detach", linked)
	for i := range 20 { // something for gc to do
		writeFile(t, filepath.Join(dir, "f"), strconv.Itoa(i))
		runGit(t, dir, "add", "f")
		runGit(t, dir, "commit", "-q", "-m", "x")
	}
	stop, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			args := []string{"pack-refs", "--all"}
			if i%4 == 3 {
				args = gc
			}
			tryGit(dir, nil, args...)
			time.Sleep(5 * time.Millisecond)
		}
	}()
	var mu sync.Mutex
	var kept []string
	var group sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			name := fmt.Sprintf("w%d", w)
			at := []string{dir, linked}[w/2%2]
			var paths []string
			if w%2 == 0 {
				paths = writeMany(t, at, name, captures)
			} else {
				paths = writerProcess(t, at, name, captures)
			}
			mu.Lock()
			kept = append(kept, paths...)
			mu.Unlock()
		})
	}
	group.Wait()
	close(stop)
	<-gone
	// The last gc may have taken objects of the journal's tip: the next update
	// has them all again.
	capture(t, openRepo(t, dir), change("last-0000001", "last\n"))
	got := contents(t, openRepo(t, dir))
	if len(kept) != writers*captures || len(got) != len(kept)+writers+1 {
		t.Errorf("%d captures: %d acknowledged, %d files with %d session records", writers*captures, len(kept), len(got), writers)
	}
	for _, path := range kept {
		if got[path] == "" {
			t.Errorf("%s is lost", path)
		}
	}
	for w := range writers {
		if n := len(got[fmt.Sprintf("sessions/2026-11/test-w%d.md", w)]); n != captures {
			t.Errorf("session of writer %d counts %d captures", w, n)
		}
	}
	fsck(t, dir)
}

func writerProcess(t *testing.T, dir, name string, n int) (paths []string) {
	cmd := exec.Command(os.Args[0], "-test.run", "^TestWriterProcess$")
	cmd.Env = append(testEnv(), "GITOPS_WRITER_DIR="+dir, "GITOPS_WRITER_NAME="+name, "GITOPS_WRITER_COUNT="+strconv.Itoa(n))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("writer process: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "kept "); ok {
			paths = append(paths, path)
		}
	}
	return paths
}
