package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// pendingSizes are how many memories are pending in the benchmarks of what waits, about: a commit
// lands some before they are measured.
func pendingSizes() []int { return []int{0, 700, 11_000} }

// newPending is a lab in which that many memories are pending, all indexed, and nothing lands any
// more: the branch has brought as many as it may.
func newPending(b *testing.B, n int) *lab {
	l := newLab(b, 0)
	for serial := range n / 50 {
		l.pend(serial)
	}
	for range 5 {
		l.run(nil, "git", "commit", "-q", "--allow-empty", "-m", "landing")
	}
	l.run(nil, "cortex", "reindex")
	time.Sleep(3 * time.Second) // until the times of files tell the hooks of git whether they change
	return l
}

// eachCPU runs do until the benchmark ends and reports the CPU of the process that do runs last,
// with its children: the least, and the median.
func (l *lab) eachCPU(b *testing.B, do func(serial int)) {
	var all []time.Duration
	for serial := 1; b.Loop(); serial++ {
		do(serial)
		all = append(all, l.cpu)
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[0].Microseconds())/1000, "cpu-ms-least")
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "cpu-ms-median")
}

// BenchmarkProcessPending measures a commit and the hooks of an agent beside memories that are
// pending. None of them should cost more where more are.
func BenchmarkProcessPending(b *testing.B) {
	for _, n := range pendingSizes() {
		b.Run(fmt.Sprintf("pending=%d", n), func(b *testing.B) {
			l := newPending(b, n)
			commit := func(options ...string) func(int) {
				args := slices.Concat(options, []string{"commit", "-q", "--allow-empty", "-m", "nothing lands"})
				return func(int) { l.run(nil, "git", args...) }
			}
			b.Run("commit", func(b *testing.B) { l.eachCPU(b, commit()) })
			b.Run("commit without hooks", func(b *testing.B) {
				l.eachCPU(b, commit("-c", "core.hooksPath="+os.DevNull))
			})
			b.Run("stop", func(b *testing.B) { l.eachCPU(b, l.stopsWithNothing(b)) })
			b.Run("stop, something done", func(b *testing.B) {
				l.eachCPU(b, l.stopsWithNothing(b, "I added the retry to the reader, and fixed its tests. All is done."))
			})
			b.Run("session-start", func(b *testing.B) {
				l.eachCPU(b, func(serial int) {
					l.run(l.payload("SessionStart", fmt.Sprintf("start-%d", serial), "", ""), "cortex", "hook", "session-start")
				})
			})
			b.Run("prompt", func(b *testing.B) {
				l.eachCPU(b, func(serial int) {
					said := l.payload("UserPromptSubmit", fmt.Sprintf("start-%d", serial), "", "Why does the reader lock?")
					l.run(said, "cortex", "hook", "user-prompt-submit")
				})
			})
		})
	}
}

// stopsWithNothing are ends of turns in sessions that taught nothing, each of another session, in
// which the agent said something.
func (l *lab) stopsWithNothing(b *testing.B, said ...string) func(serial int) {
	return func(serial int) {
		id := fmt.Sprintf("idle-%d-%d-%d", len(said), b.N, serial)
		s := newTranscript(id, l.dir)
		s.User("What is there?")
		for _, text := range said {
			s.Agent(text)
		}
		path := filepath.Join(filepath.Dir(l.dir), id+".jsonl")
		if err := os.WriteFile(path, s.Bytes(), 0o666); err != nil {
			b.Fatal(err)
		}
		l.run(l.payload("Stop", id, path, ""), "cortex", "hook", "stop")
	}
}
