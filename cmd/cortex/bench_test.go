package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/templates"
)

// The benchmarks measure whole processes, as a hook or a person starts them:
//
//	go test -run '^$' -bench Process ./cmd/cortex
//
// docs/benchmarks.md holds the figures and what they are measured against.

// lab is a repository with n landed memories, set up by `cortex init`.
type lab struct {
	b        testing.TB
	dir, bin string
	env      []string
	cpu      time.Duration // of the last process, with those that it waited for
}

func newLab(b testing.TB, n int) *lab {
	b.Helper()
	dir := b.TempDir()
	l := &lab{b: b, dir: filepath.Join(dir, "repo"), bin: filepath.Join(dir, "bin", "cortex")}
	l.env = append(os.Environ(), "PATH="+filepath.Dir(l.bin)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"HOME="+dir, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.invalid", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.invalid")
	build := exec.Command("go", "build", "-o", l.bin, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	if err := os.MkdirAll(l.dir, 0o777); err != nil {
		b.Fatal(err)
	}
	l.run(nil, "git", "init", "-q", "-b", "main", ".")
	l.corpus(n)
	l.run(nil, "git", "add", ".")
	l.run(nil, "git", "commit", "-q", "--allow-empty", "-m", "start")
	l.run(nil, "cortex", "init", "-q")
	l.run(nil, "git", "add", ".")
	l.run(nil, "git", "commit", "-q", "-m", "set up")
	l.run(nil, "cortex", "search", "warm", "up")
	return l
}

func (l *lab) run(stdin []byte, name string, args ...string) []byte {
	if name == "cortex" {
		name = l.bin
	}
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = l.dir, l.env, bytes.NewReader(stdin)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState.ExitCode() != findings {
		l.b.Fatalf("%s %v: %v\n%s%s", name, args, err, errs.Bytes(), out[:min(len(out), 1000)])
	}
	l.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return out
}

// findings is the exit code of `cortex check` where it found something: two of ten thousand
// memories of random words may contradict each other.
const findings = 3

const benchWords = "index storage segment cache commit branch merge journal reader writer lock snapshot token budget parser " +
	"retry timeout queue gauge reading station alert threshold schema column migration release build cluster deploy rollback " +
	"latency throughput buffer checksum header footer encoder decoder filter rank score query fixture benchmark pipeline"

// corpus writes n memories of 60 to 120 words over two years.
func (l *lab) corpus(n int) {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	words := strings.Fields(benchWords)
	types := memory.Types()
	start := time.Date(2024, 11, 1, 9, 0, 0, 0, time.UTC)
	for i := range n {
		m := benchMemory(r, words, types[r.IntN(len(types))], start.Add(time.Duration(i)*2*365*24*time.Hour/time.Duration(n)), i)
		path := filepath.Join(l.dir, ".cortex", "memories", filepath.FromSlash(m.Path()))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			l.b.Fatal(err)
		}
		if err := os.WriteFile(path, memory.Format(m), 0o666); err != nil {
			l.b.Fatal(err)
		}
	}
}

func benchMemory(r *rand.Rand, words []string, t memory.Type, created time.Time, i int) *memory.Memory {
	sentence := func(n int) string {
		var out []string
		for range n {
			w := words[min(r.IntN(len(words)), r.IntN(len(words)))]
			if r.IntN(12) == 0 {
				w += fmt.Sprint(r.IntN(500))
			}
			out = append(out, w)
		}
		return strings.Join(out, " ")
	}
	m := memory.New(t, fmt.Sprintf("Use %s for item %d", sentence(5), i), sentence(60+r.IntN(60))+".", created)
	m.Confidence = 0.5 + float64(r.IntN(50))/100
	m.Tags = []string{words[r.IntN(len(words))]}
	m.Entities = []string{words[r.IntN(len(words))], words[r.IntN(len(words))]}
	m.Source = memory.Source{Agent: "claude-code", Session: fmt.Sprintf("s%04d", i/12), Layer: "answer", Branch: "main"}
	return m
}

// transcript writes a session of about size bytes and returns its path. The
// recorded session of the demo comes first; tool output fills it up.
func (l *lab) transcript(size int, serial int) string {
	var b bytes.Buffer
	session := fmt.Sprintf("bench-%d", serial)
	demo := templates.DemoStorage(l.dir)
	// Other words each time, so that every session brings memories that are new.
	for _, w := range []string{"segment", "reading", "gauge", "storage", "durab", "sqlite", "append"} {
		demo = bytes.ReplaceAll(demo, []byte(w), fmt.Appendf(nil, "%s%d", w, serial))
	}
	b.Write(demo)
	line, _, _ := bytes.Cut(demo, []byte("\n"))
	var first map[string]any
	_ = json.Unmarshal(line, &first)
	for i := 0; b.Len() < size; i++ {
		record, _ := json.Marshal(map[string]any{
			"type": "user", "uuid": fmt.Sprintf("%s-%d", session, i), "sessionId": session, "timestamp": "2026-11-20T10:00:00.000Z",
			"cwd": l.dir, "message": map[string]any{"role": "user", "content": []any{map[string]any{
				"type": "tool_result", "tool_use_id": fmt.Sprintf("t%d", i), "content": strings.Repeat("ok  tidewatch/store  0.021s\n", 40),
			}}},
		})
		b.Write(append(record, '\n'))
	}
	path := filepath.Join(filepath.Dir(l.dir), session+".jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		l.b.Fatal(err)
	}
	return path
}

func (l *lab) payload(event, session, transcript, prompt string) []byte {
	data, _ := json.Marshal(map[string]string{
		"session_id": session, "transcript_path": transcript, "cwd": l.dir, "hook_event_name": event, "source": "startup", "prompt": prompt,
	})
	return data
}

func BenchmarkProcessEmpty(b *testing.B) {
	l := newLab(b, 0)
	for b.Loop() {
		l.run(nil, "cortex", "version")
	}
}

// BenchmarkProcessStop is a stop hook that finds 200 KB of new transcript.
func BenchmarkProcessStop(b *testing.B) {
	for _, n := range []int{0, 10_000} {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			l := newLab(b, n)
			serial := 0
			for b.Loop() {
				b.StopTimer()
				serial++
				session := fmt.Sprintf("bench-%d", serial)
				payload := l.payload("Stop", session, l.transcript(200<<10, serial), "")
				b.StartTimer()
				l.run(payload, "cortex", "hook", "stop")
			}
			if !bytes.Contains(l.run(nil, "cortex", "status", "--json"), []byte(fmt.Sprintf(`"sessions":%d`, serial))) {
				b.Fatal("a stop hook did not capture its session")
			}
		})
	}
}

func BenchmarkProcessSessionStart(b *testing.B) {
	for _, n := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			l := newLab(b, n)
			l.run(l.payload("SessionStart", "first", "", ""), "cortex", "hook", "session-start") // makes the caches
			for i := 0; b.Loop(); i++ {                                                          // a session is briefed once
				payload := l.payload("SessionStart", fmt.Sprint("bench-", i), "", "")
				if out := l.run(payload, "cortex", "hook", "session-start"); len(out) < 1000 {
					b.Fatalf("no briefing: %s", out)
				}
			}
		})
	}
}

func BenchmarkProcessPromptSubmit(b *testing.B) {
	l := newLab(b, 10_000)
	payload := l.payload("UserPromptSubmit", "", "", "what do we use for item 77, and for item 4321")
	for range 3 { // each takes a slice into the table of what can be recalled
		l.run(payload, "cortex", "hook", "user-prompt-submit")
	}
	for b.Loop() {
		l.run(payload, "cortex", "hook", "user-prompt-submit") // random words: mostly it has nothing to say
	}
}

// BenchmarkProcessToolUse is the hook before a command: that it is silent is the
// common case, and it runs before every one.
func BenchmarkProcessToolUse(b *testing.B) {
	sizes := []int{1_000, 10_000}
	if os.Getenv("CORTEX_BENCH_LARGE") != "" {
		sizes = append(sizes, 100_000)
	}
	for _, n := range sizes {
		l := newLab(b, n)
		call := func(command string) []byte {
			return []byte(fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"","cwd":%q,"tool_name":"Bash","tool_input":{"command":%q}}`, l.dir, command))
		}
		for range n/5000 + 1 { // each takes a slice into the table
			l.run(l.payload("UserPromptSubmit", "", "", "what do we use for item 77, and for item 4321"), "cortex", "hook", "user-prompt-submit")
		}
		b.Run(fmt.Sprintf("silent/memories=%d", n), func(b *testing.B) {
			payload := call("go vet ./...")
			for b.Loop() {
				if out := l.run(payload, "cortex", "hook", "pre-tool-use"); len(out) > 0 {
					b.Fatalf("not silent: %s", out)
				}
			}
		})
	}
}

func BenchmarkProcessSearch(b *testing.B) {
	sizes := []int{1_000, 10_000}
	if os.Getenv("CORTEX_BENCH_LARGE") != "" {
		sizes = append(sizes, 100_000)
	}
	for _, n := range sizes {
		b.Run(fmt.Sprintf("memories=%d", n), func(b *testing.B) {
			l := newLab(b, n)
			for b.Loop() {
				l.run(nil, "cortex", "search", "--json", "segment", "checksum", "rollback")
			}
		})
	}
}

// BenchmarkProcessEditSearch changes one of ten thousand memories and searches.
func BenchmarkProcessEditSearch(b *testing.B) {
	l := newLab(b, 10_000)
	r := rand.New(rand.NewPCG(1, 2))
	serial := 0
	for b.Loop() {
		b.StopTimer()
		serial++
		m := benchMemory(r, strings.Fields(benchWords), memory.Learned, time.Date(2026, 11, 2, 0, 0, serial, 0, time.UTC), 1_000_000+serial)
		path := filepath.Join(l.dir, ".cortex", "memories", filepath.FromSlash(m.Path()))
		_ = os.MkdirAll(filepath.Dir(path), 0o777)
		if err := os.WriteFile(path, memory.Format(m), 0o666); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		if out := l.run(nil, "cortex", "search", "--json", fmt.Sprintf("item %d", 1_000_000+serial)); !bytes.Contains(out, []byte(m.ID)) {
			b.Fatalf("the new memory was not found: %.300s", out)
		}
	}
}

func BenchmarkProcessReindex(b *testing.B) {
	l := newLab(b, 10_000)
	for b.Loop() {
		l.run(nil, "cortex", "reindex")
	}
}

// coldAndWarm runs a benchmark with nothing cached, and with the caches of the run
// before.
func (l *lab) coldAndWarm(b *testing.B, run func(b *testing.B)) {
	b.Helper()
	for _, cold := range []bool{true, false} {
		b.Run(fmt.Sprintf("cold=%t", cold), func(b *testing.B) {
			for b.Loop() {
				if cold {
					b.StopTimer()
					if err := os.RemoveAll(filepath.Join(l.dir, ".git", "cortex")); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
				}
				run(b)
			}
		})
	}
}

// BenchmarkProcessList lists ten thousand memories.
func BenchmarkProcessList(b *testing.B) {
	l := newLab(b, 10_000)
	l.coldAndWarm(b, func(b *testing.B) {
		if out := l.run(nil, "cortex", "list"); bytes.Count(out, []byte("\n")) < 10_000 {
			b.Fatalf("%d lines", bytes.Count(out, []byte("\n")))
		}
	})
}

// BenchmarkProcessCheck looks at ten thousand memories, the pages and the merges. Nothing
// is cached in CI.
func BenchmarkProcessCheck(b *testing.B) {
	l := newLab(b, 10_000)
	l.coldAndWarm(b, func(*testing.B) { l.run(nil, "cortex", "check") })
}
