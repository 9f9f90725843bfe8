package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fillPack adds a pack of about size bytes that cannot be compressed, as large
// repositories with pictures and archives have.
func (l *lab) fillPack(size int) {
	l.b.Helper()
	cmd := exec.Command("git", "-c", "core.compression=0", "fast-import", "--quiet")
	cmd.Dir, cmd.Env = l.dir, l.env
	in, err := cmd.StdinPipe()
	if err != nil {
		l.b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		l.b.Fatal(err)
	}
	w := bufio.NewWriterSize(in, 1<<20)
	random := rand.NewChaCha8([32]byte{7})
	blob := make([]byte, 256<<10)
	n := size / len(blob)
	for i := range n {
		_, _ = random.Read(blob)
		fmt.Fprintf(w, "blob\nmark :%d\ndata %d\n", i+1, len(blob))
		_, _ = w.Write(blob)
		_, _ = w.WriteString("\n")
	}
	fmt.Fprintf(w, "commit refs/heads/assets\ncommitter A <a@example.invalid> 1760000000 +0000\ndata 6\nassets\n")
	for i := range n {
		fmt.Fprintf(w, "M 100644 :%d assets/%03d/%d.bin\n", i+1, i%200, i)
	}
	if err := w.Flush(); err != nil {
		l.b.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		l.b.Fatal(err)
	}
	// The journal lies in a pack as well, as after a gc.
	l.run(nil, "git", "-c", "core.compression=0", "repack", "-q", "-d")
}

// BenchmarkProcessStopPack is a stop hook that finds 200 KB of new transcript,
// in a repository with a pack of 400 MB and in one without.
func BenchmarkProcessStopPack(b *testing.B) {
	for _, size := range []int{0, 400 << 20} {
		b.Run(fmt.Sprintf("pack=%dMB", size>>20), func(b *testing.B) {
			l := newLab(b, 0)
			if size > 0 {
				l.fillPack(size)
			}
			for serial := 1; b.Loop(); serial++ {
				b.StopTimer()
				payload := l.payload("Stop", fmt.Sprintf("bench-%d", serial), l.transcript(200<<10, serial), "")
				b.StartTimer()
				l.run(payload, "cortex", "hook", "stop")
			}
		})
	}
}

// pend makes fifty memories pending.
func (l *lab) pend(serial int) {
	l.b.Helper()
	id := fmt.Sprintf("fifty-%d", serial)
	r := rand.New(rand.NewPCG(5, uint64(serial)))
	words := strings.Fields(benchWords)
	s := newTranscript(id, l.dir)
	s.User("What did we learn?")
	for i := range 50 {
		var text []string
		for range 40 {
			text = append(text, fmt.Sprintf("%s%d", words[r.IntN(len(words))], r.IntN(500)))
		}
		s.Agent(fmt.Sprintf("[MEMORY: decision] Use item %d of round %d for %s.", i, serial, strings.Join(text, " ")))
	}
	path := filepath.Join(filepath.Dir(l.dir), id+".jsonl")
	if err := os.WriteFile(path, s.Bytes(), 0o666); err != nil {
		l.b.Fatal(err)
	}
	l.run(l.payload("Stop", id, path, ""), "cortex", "hook", "stop")
}

// newFifty is a lab whose policy lands fifty memories with one commit.
func newFifty(b *testing.B) *lab {
	l := newLab(b, 0)
	if err := errors.Join(setSetting(l.dir, "land_max", "50"), setSetting(l.dir, "land_branch_max", "1000"),
		setSetting(l.dir, "land_share", "1")); err != nil {
		b.Fatal(err)
	}
	l.run(nil, "git", "add", ".cortex/config.yaml")
	l.run(nil, "git", "commit", "-q", "-m", "fifty")
	return l
}

// BenchmarkProcessLand is `cortex land` of fifty memories.
func BenchmarkProcessLand(b *testing.B) {
	l := newFifty(b)
	for serial := 1; b.Loop(); serial++ {
		b.StopTimer()
		l.pend(serial)
		b.StartTimer()
		l.run(nil, "cortex", "land", "-q")
		b.StopTimer()
		if staged := bytes.Count(l.run(nil, "git", "diff", "--cached", "--name-only"), []byte("memories/")); staged != 50 {
			b.Fatalf("%d memories were staged", staged)
		}
		l.run(nil, "git", "commit", "-q", "-m", "landed")
		b.StartTimer()
	}
}

// BenchmarkProcessCommit is a commit that lands fifty memories, and the same
// commit of files that were staged before, without hooks: the difference is
// the cost of landing.
func BenchmarkProcessCommit(b *testing.B) {
	b.Run("landing=50", func(b *testing.B) {
		l := newFifty(b)
		for serial := 1; b.Loop(); serial++ {
			b.StopTimer()
			l.pend(serial)
			b.StartTimer()
			l.run(nil, "git", "commit", "-q", "--allow-empty", "-m", "landing")
		}
		if n := bytes.Count(l.run(nil, "git", "show", "--name-only", "--format=", "HEAD"), []byte("memories/")); n != 50 {
			b.Fatalf("%d memories landed", n)
		}
	})
	b.Run("plain", func(b *testing.B) {
		l := newFifty(b)
		for serial := 1; b.Loop(); serial++ {
			b.StopTimer()
			l.pend(serial)
			l.run(nil, "cortex", "land", "-q")
			b.StartTimer()
			l.run(nil, "git", "-c", "core.hooksPath="+os.DevNull, "commit", "-q", "-m", "plain")
			b.StopTimer()
			l.run(nil, "cortex", "hook", "post-commit")
			b.StartTimer()
		}
	})
}

// BenchmarkProcessCommitChanged is a commit of one changed memory among ten thousand, of
// one that a page shows and of one that none does, and the same without hooks: the
// difference is the cost of the hooks.
func BenchmarkProcessCommitChanged(b *testing.B) {
	l := newLab(b, 10_000)
	for _, c := range []struct{ name, folder, hooks string }{
		{"page", "decision", ""}, {"no page", "fix", ""}, {"without hooks", "decision", os.DevNull},
	} {
		b.Run(c.name, func(b *testing.B) {
			files, err := filepath.Glob(filepath.Join(l.dir, ".cortex", "memories", c.folder, "*", "*.md"))
			if err != nil || len(files) == 0 {
				b.Fatal("no memory", err)
			}
			commit := []string{"commit", "-q", "-m", "changed"}
			if c.hooks != "" {
				commit = append([]string{"-c", "core.hooksPath=" + c.hooks}, commit...)
			}
			for serial := 1; b.Loop(); serial++ {
				b.StopTimer()
				data, err := os.ReadFile(files[serial%len(files)])
				if err == nil {
					err = os.WriteFile(files[serial%len(files)], fmt.Appendf(data, "Changed, time %d.\n", serial), 0o666)
				}
				if err != nil {
					b.Fatal(err)
				}
				l.run(nil, "git", "add", files[serial%len(files)])
				b.StartTimer()
				l.run(nil, "git", commit...)
			}
		})
	}
}
