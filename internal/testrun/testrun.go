// Package testrun says how thorough a run of the tests is, and keeps its
// temporary folders where they cost least. Only tests call it.
//
// An ordinary run (go test ./...) takes a sample of what kills, floods and
// merges at random. CORTEX_TESTS=full takes all of it, as .ci/run does, and
// CORTEX_NIGHTLY=1 many times as much. [Full] and [Nightly] tell them apart;
// [Sample] shortens a list of cases, [Rounds] a loop, and [FullOnly] leaves a whole test
// to a full run.
package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"
)

// Nightly reports whether the run may take hours.
func Nightly() bool { return os.Getenv("CORTEX_NIGHTLY") != "" }

// Full reports whether every case is to run, which a nightly run does too.
func Full() bool { return Nightly() || os.Getenv("CORTEX_TESTS") == "full" }

// Sample returns all of cases in a full run, and otherwise n of them, the same
// ones each time, evenly spread.
func Sample[T any](n int, cases []T) []T {
	if Full() || len(cases) <= n {
		return cases
	}
	some := make([]T, 0, n)
	for i := range n {
		some = append(some, cases[i*len(cases)/n])
	}
	return some
}

// Rounds returns how often a run repeats what a test draws at random or cuts into steps.
func Rounds(ordinary, full int) int {
	if Full() {
		return full
	}
	return ordinary
}

// Skipper is a *testing.T.
type Skipper interface {
	Helper()
	Skipf(format string, args ...any)
}

// FullOnly skips a test that runs in full runs alone, because of what it does: it repeats
// with more numbers, at more moments or from end to end what others show once, or it takes
// longer than an ordinary run may.
func FullOnly(t Skipper, what string) {
	t.Helper()
	if !Full() {
		t.Skipf("%s: runs with CORTEX_TESTS=full", what)
	}
}

// Runner is a *testing.M, or what wraps one.
type Runner interface{ Run() int }

// InMemory returns a runner that has the tests of m keep their temporary
// folders in memory: they wait for the disk longer than for anything else,
// since whatever cortex and git write is synced. The folders stay on the disk
// in a full run, where TMPDIR names a place, and where there is no file system
// in memory with enough room and leave to run programs. Outside of full runs, garbage is
// collected less often too, unless GOGC says how often: that is a quarter of the time of
// tests that parse and render.
func InMemory(m Runner) Runner { return inMemory{m} }

type inMemory struct{ Runner }

// garbage is how much of it there may be, in percent of what is in use.
const garbage = 400

// room is the free space to ask for, in bytes: ample for a run of all packages at once.
const room = 2 << 30

func (m inMemory) Run() int {
	const memory = "/dev/shm"
	if !Full() && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	if Full() || os.Getenv("TMPDIR") != "" || !usable(memory) {
		return m.Runner.Run()
	}
	removeOld(memory)
	dir, err := os.MkdirTemp(memory, prefix)
	if err != nil {
		return m.Runner.Run()
	}
	defer func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, "removing the temporary folder of the tests:", err)
		}
	}()
	if os.Setenv("TMPDIR", dir) != nil {
		return 1
	}
	return m.Runner.Run()
}

// prefix begins the names of our folders. It does not say cortex: scripts look
// for that word in what git says about paths.
const prefix = "memory-as-code-tests-"

// removeOld removes what runs that were killed have left in memory.
func removeOld(memory string) {
	old, _ := filepath.Glob(filepath.Join(memory, prefix+"*"))
	for _, dir := range old {
		if info, err := os.Lstat(dir); err == nil && info.IsDir() && time.Since(info.ModTime()) > 24*time.Hour {
			_ = os.RemoveAll(dir)
		}
	}
}
