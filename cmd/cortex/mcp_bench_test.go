package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"
)

// served is `cortex mcp` in a lab.
type served struct {
	l   *lab
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	ids int
}

func (l *lab) serve() *served {
	l.b.Helper()
	s := &served{l: l, cmd: exec.Command(l.bin, "mcp")}
	s.cmd.Dir, s.cmd.Env = l.dir, l.env
	in, err := s.cmd.StdinPipe()
	if err != nil {
		l.b.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		l.b.Fatal(err)
	}
	s.in, s.out = in, bufio.NewReaderSize(out, 1<<20)
	s.ask(fmt.Sprintf(helloOld, "2025-11-25"))
	return s
}

// ask sends a line and waits for the answer.
func (s *served) ask(line string) []byte {
	s.l.b.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.l.b.Fatal(err)
	}
	got, err := s.out.ReadBytes('\n')
	if err != nil {
		s.l.b.Fatal(err)
	}
	return got
}

func (s *served) call(tool, args string) {
	s.l.b.Helper()
	s.ids++
	if got := s.ask(callLine(s.ids, tool, args)); !bytes.Contains(got, []byte(`"structuredContent"`)) || bytes.Contains(got, []byte(`"results":[]`)) {
		s.l.b.Fatalf("%s: %.500s", tool, got)
	}
}

// resident is how many MB of memory the server has, or 0 where nobody says.
func (s *served) resident() float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmRSS:"))
	kb, _ := strconv.Atoi(string(bytes.TrimSpace(rest[:bytes.Index(rest, []byte("kB"))])))
	return float64(kb) / 1024
}

func (s *served) end() {
	s.l.b.Helper()
	_ = s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		s.l.b.Fatal(err)
	}
}

// searches are queries that find something in a lab.
func searches(i int) string {
	return fmt.Sprintf(`{"query":"%s checksum rollback item %d"}`, []string{"segment", "token", "retry", "gauge"}[i%4], i%9000)
}

// BenchmarkMCPFirst is a server from its start to the answer of its first search.
func BenchmarkMCPFirst(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			l := newLab(b, n)
			for b.Loop() {
				s := l.serve()
				s.call("cortex_search", searches(0))
				b.StopTimer()
				s.end()
				b.StartTimer()
			}
		})
	}
}

// BenchmarkMCPSearch is a search of a server that runs. Of a long run it also says
// how much memory the server has after a tenth of the calls, and after all of them:
// -benchtime 10000x.
func BenchmarkMCPSearch(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			l := newLab(b, n)
			s := l.serve()
			s.call("cortex_search", searches(0))
			early := 0.0
			b.ResetTimer()
			for i := range b.N {
				s.call("cortex_search", searches(i))
				if i == b.N/10 {
					early = s.resident()
				}
			}
			b.ReportMetric(early, "MB-early")
			b.ReportMetric(s.resident(), "MB-late")
			s.end()
		})
	}
}

// BenchmarkMCPTools is each tool that reads, at 10,000 memories.
func BenchmarkMCPTools(b *testing.B) {
	l := newLab(b, 10_000)
	s := l.serve()
	for _, tool := range []struct{ name, args string }{
		{"cortex_search", searches(0)},
		{"cortex_search_decisions", `{"query":"segment"}`},
		{"cortex_list", `{}`},
		{"cortex_get_recent", `{}`},
		{"cortex_get_plan", `{}`},
		{"cortex_brief", `{}`},
		{"cortex_recall", `{"command":"go test ./..."}`},
		{"cortex_get_status", `{}`},
	} {
		b.Run(tool.name, func(b *testing.B) {
			for b.Loop() {
				s.call(tool.name, tool.args)
			}
			b.ReportMetric(s.resident(), "MB")
		})
	}
	s.end()
}
