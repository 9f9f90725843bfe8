package gitops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/google/go-cmp/cmp"
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
	writers, captures, pruned := 5, 3, 2
	if testrun.Full() {
		writers, captures, pruned = 20, 10, 5
	}
	t.Run("gc", func(t *testing.T) { parallelWriters(t, writers, captures, "gc", "-q") })
	// Unreachable objects are deleted whatever their age, under the writers' hands.
	t.Run("gc prune", func(t *testing.T) { parallelWriters(t, 6, pruned, "gc", "-q", "--prune=now") })
}

func parallelWriters(t *testing.T, writers, captures int, gc ...string) {
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

// TestFirstWriters has many writers make the first states of a journal while
// `git gc --prune=now` runs without a pause: it may take the only ones there are.
func TestFirstWriters(t *testing.T) {
	rounds, writers := 2, 8
	switch {
	case testrun.Nightly():
		rounds, writers = 12, 70
	case testrun.Full():
		rounds, writers = 4, 20
	}
	for range rounds {
		dir := initRepo(t)
		stop, gone := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(gone)
			for {
				select {
				case <-stop:
					return
				default:
					tryGit(dir, nil, "gc", "-q", "--prune=now")
				}
			}
		}()
		kept := make(chan []string)
		for w := range writers {
			go func() { kept <- writeMany(t, dir, fmt.Sprintf("w%d", w), 1) }()
		}
		want := []string{memoryPath("last-0000001")}
		for w := range writers {
			want = append(append(want, <-kept...), fmt.Sprintf("sessions/2026-11/test-w%d.md", w))
		}
		close(stop)
		<-gone
		capture(t, openRepo(t, dir), change("last-0000001", "last\n"))
		slices.Sort(want)
		if diff := cmp.Diff(want, slices.Sorted(maps.Keys(contents(t, openRepo(t, dir))))); diff != "" {
			t.Errorf("journal (-acknowledged +there):\n%s", diff)
		}
		fsck(t, dir)
	}
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

// TestOneProcess uses one Repo from many goroutines, as a server would: captures,
// readers, landings and settings, while the newest state is damaged again and
// again. A damaged state is lost, and nothing else.
func TestOneProcess(t *testing.T) {
	ctx, dir := t.Context(), initRepo(t)
	r, err := Open(ctx, dir, Options{Env: testEnv(), LockWait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	capture(t, r, change("first-0000001", "first\n"))
	const writers, captures = 4, 8
	var group, others sync.WaitGroup
	for w := range writers {
		group.Go(func() {
			for i := range captures {
				name := fmt.Sprintf("w%d-%07d", w, i)
				out, err := r.Journal().Update(ctx, nil, func(s *Snapshot) (Change, error) {
					_, err := s.List(ctx, "")
					return change(name, name+"\n"), err
				})
				if err != nil || out.Commit == "" {
					t.Errorf("%s: %+v, %v", name, out, err)
				}
			}
		})
	}
	done := make(chan struct{})
	repeat := func(do func(i int) error) {
		others.Go(func() {
			for i := 0; ; i++ {
				if err := do(i); err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				case <-time.After(20 * time.Millisecond):
				}
			}
		})
	}
	repeat(func(int) error { return readAll(t, r) })
	repeat(func(i int) error {
		file := File{Path: fmt.Sprintf(".cortex/memories/fix/2026-11/a-%07d.md", i), Data: fmt.Appendf(nil, "%d\n", i)}
		_, err := r.StagingArea().Land(ctx, []File{file})
		return err
	})
	repeat(func(int) error { return r.Hooks().Install(ctx, Binary{Name: "cortex"}) })
	repeat(func(int) error { return installDrivers(ctx, r, Binary{Name: "cortex"}) })
	repeat(func(int) error {
		_, err := r.Settings(ctx)
		return errors.Join(err, r.LocalConfig().Edit(ctx, Setting{Key: "cortex.enabled", Value: "true"}))
	})
	var damaged []string
	repeat(func(i int) error {
		if i%3 != 1 {
			return nil
		}
		path, err := damageTip(t, r)
		if path != "" {
			damaged = append(damaged, path)
		}
		return err
	})
	group.Wait()
	close(done)
	others.Wait()
	capture(t, r, change("last-0000001", "last\n"))
	if got, want := len(contents(t, r)), writers*captures+2; len(damaged) == 0 || got != want {
		t.Errorf("the journal holds %d files after %d of its states were damaged, want %d", got, len(damaged), want)
	}
	for _, path := range damaged { // git fsck complains of what nothing refers to, too
		if info, err := os.Stat(path); err == nil && info.Size() == 0 {
			_ = os.Remove(path)
		}
	}
	fsck(t, dir)
}

// readAll reads every file of the newest state.
func readAll(t *testing.T, r *Repo) error {
	s, err := r.Journal().Snapshot(t.Context())
	if err != nil {
		return err
	}
	defer s.Close()
	entries, err := s.List(t.Context(), "")
	if err != nil || len(entries) == 0 {
		return fmt.Errorf("%d files, %w", len(entries), err)
	}
	return s.Read(t.Context(), entries, func(e Entry, data []byte) error {
		if data == nil {
			return fmt.Errorf("%s is unreadable", e.Path)
		}
		return nil
	})
}

// damageTip empties the commit that the journal points to, unless that is
// damaged already, and returns its file.
func damageTip(t *testing.T, r *Repo) (string, error) {
	unlock, err := r.Journal().lock(t.Context())
	if err != nil {
		return "", err
	}
	defer unlock()
	raw, err := os.ReadFile(r.Journal().ref.file())
	if err != nil {
		return "", err
	}
	id := ObjectID(strings.TrimSpace(string(raw)))
	if _, err := r.objects.readLoose(id, maxObject); err != nil {
		return "", nil
	}
	path := r.objects.loosePath(id)
	return path, errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o444))
}
