package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/tools/scratch"
)

// landed measures what reads a repository of n memories that are committed.
func (b *bench) landed(ctx context.Context, n int) error {
	corpus := makeCorpus(n)
	works := append(reading(corpus), others(corpus)...)
	group := fmt.Sprintf("%d landed", n)
	if !b.wanted(group, works) {
		return nil
	}
	places, done, err := b.places(ctx, func(r *scratch.Repository) error { return land(ctx, r, corpus) })
	defer done()
	if err != nil {
		return err
	}
	if err := b.measure(ctx, group, n, places, works); err != nil {
		return err
	}
	return b.caches(places)
}

// land commits memories beside what init writes. The commit before them is tagged.
func land(ctx context.Context, r *scratch.Repository, c *corpus) error {
	if err := setUp(ctx, r); err != nil {
		return err
	}
	if err := r.Run(ctx, nil, nil, "git", "tag", "before"); err != nil {
		return err
	}
	if err := c.imported(ctx, r); err != nil {
		return err
	}
	if err := commitAll(ctx, r); err != nil {
		return err
	}
	// Files written in the same moment as the index count as changed: wait.
	time.Sleep(1100 * time.Millisecond)
	return r.Cortex(ctx, nil, nil, "search", "warm")
}

func commitAll(ctx context.Context, r *scratch.Repository) error {
	if err := r.Run(ctx, nil, nil, "git", "add", "."); err != nil {
		return err
	}
	return r.Run(ctx, nil, nil, "git", "-c", "core.hooksPath="+os.DevNull, "commit", "-q", "-m", "memories")
}

func reading(c *corpus) []work {
	program := func(name string, args ...string) func(context.Context, *scratch.Repository, int) (scratch.Cost, error) {
		return func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
			if name == "" {
				return r.Measure(ctx, nil, nil, r.Bin, args...)
			}
			return r.Measure(ctx, nil, nil, name, args...)
		}
	}
	return []work{
		{name: "git ls-files -m", do: program("git", "ls-files", "-m")},
		{name: "search, common words", do: searching(strings.Join(c.query("common", 3), " "))},
		{name: "search, rare words", do: searching(strings.Join(c.query("rare", 3), " "))},
		{name: "search, words nobody holds", do: searching("zzyzx qwfp xkcdq")},
		{name: "session start", do: func(ctx context.Context, r *scratch.Repository, serial int) (scratch.Cost, error) {
			return hook(ctx, r, "session-start", newSession(r, fmt.Sprintf("start-%d", serial)))
		}},
		{name: "prompt", do: func(ctx context.Context, r *scratch.Repository, serial int) (scratch.Cost, error) {
			return hook(ctx, r, "user-prompt-submit", newSession(r, fmt.Sprintf("start-%d", serial)))
		}},
		{name: "list", do: program("", "list")},
		{name: "check", do: program("", "check")},
		{name: "check, nothing cached", once: true, do: withoutCaches("check")},
		{name: "diff, one file new", do: program("", "diff", "HEAD~1", "HEAD")},
		{name: "diff, every file new", once: true, do: program("", "diff", "before", "HEAD")},
		{name: "a later call of MCP", do: laterCall},
		{name: "first index", once: true, do: withoutCaches("reindex", "-q")},
	}
}

func withoutCaches(args ...string) func(context.Context, *scratch.Repository, int) (scratch.Cost, error) {
	return func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
		if err := os.RemoveAll(filepath.Join(r.Dir, ".git", "cortex")); err != nil {
			return scratch.Cost{}, fmt.Errorf("dropping the caches: %w", err)
		}
		return r.Measure(ctx, nil, nil, r.Bin, args...)
	}
}

// others are the same searches by what a user would take instead.
func others(c *corpus) []work {
	var all []work
	if _, err := exec.LookPath("sqlite3"); err == nil {
		all = append(all, work{name: "sqlite3 FTS5, common words", do: fts(c, "common")}, work{name: "sqlite3 FTS5, rare words", do: fts(c, "rare")})
	}
	grep := []string{"rg", "-il", "-e"}
	if _, err := exec.LookPath("rg"); err != nil {
		grep = []string{"grep", "-rilE", "-e"}
	}
	for _, kind := range []string{"common", "rare"} {
		all = append(all, work{name: grep[0] + ", " + kind + " words, unranked", do: func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
			return r.Measure(ctx, nil, nil, grep[0], append(grep[1:3:3], strings.Join(c.query(kind, 3), "|"), ".cortex/memories")...)
		}})
	}
	return all
}

// fts searches a copy of the memories that SQLite holds, made at the first search.
func fts(c *corpus, kind string) func(context.Context, *scratch.Repository, int) (scratch.Cost, error) {
	return func(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
		db := filepath.Join(filepath.Dir(r.Dir), "fts5.db")
		if _, err := os.Stat(db); err != nil {
			if err := c.copied(ctx, r, db); err != nil {
				return scratch.Cost{}, err
			}
		}
		const ranked = "select id, title, snippet(t, 2, '[', ']', '…', 20) from t where t match '%s' order by bm25(t) limit 10"
		return r.Measure(ctx, nil, nil, "sqlite3", db, fmt.Sprintf(ranked, strings.Join(c.query(kind, 3), " OR ")))
	}
}

// manyCalls are enough for the clock by which the system counts the CPU of a process that runs.
const manyCalls = 20

// laterCall is a call of a server that has answered one before.
func laterCall(ctx context.Context, r *scratch.Repository, _ int) (scratch.Cost, error) {
	cmd := r.Command(ctx, r.Bin, "mcp")
	in, err := cmd.StdinPipe()
	if err != nil {
		return scratch.Cost{}, fmt.Errorf("starting a server: %w", err)
	}
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return scratch.Cost{}, fmt.Errorf("starting a server: %w", err)
	}
	defer func() {
		_ = in.Close()
		_ = cmd.Wait()
	}()
	out := bufio.NewReaderSize(pipe, 1<<20)
	ask := func(line string) error {
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			return fmt.Errorf("asking a server: %w", err)
		}
		if _, err := out.ReadBytes('\n'); err != nil {
			return fmt.Errorf("reading what a server says: %w", err)
		}
		return nil
	}
	call := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cortex_search","arguments":{"query":"segment checksum rollback"}}}`
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"compare","version":"1"}}}`,
		call, call,
	} {
		if err := ask(line); err != nil {
			return scratch.Cost{}, err
		}
	}
	before := cpuOf(cmd.Process.Pid)
	for range manyCalls {
		if err := ask(call); err != nil {
			return scratch.Cost{}, err
		}
	}
	return scratch.Cost{CPU: (cpuOf(cmd.Process.Pid) - before) / manyCalls, Peak: residentOf(cmd.Process.Pid)}, nil
}

// cpuOf returns the CPU that a running process has used; 0 where the system does not say.
func cpuOf(pid int) time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:15] { // of itself, in user and system mode, and of its children
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

func residentOf(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kb, _ := strconv.ParseInt(fields[0], 10, 64)
	return kb << 10
}

// caches prints how large all caches are beside the text of the memories.
func (b *bench) caches(places []*scratch.Repository) error {
	for i, r := range places {
		text, err := folderBytes(r.Dir, ".cortex", "memories")
		if err != nil {
			return err
		}
		cached, err := folderBytes(r.Dir, ".git", "cortex")
		if err != nil {
			return err
		}
		fmt.Fprintf(b.out, "\nCaches of program %d: %.1f MB, %.2f times the text of %.1f MB.\n", i, float64(cached)/1e6, float64(cached)/float64(text), float64(text)/1e6)
	}
	return nil
}

func folderBytes(parts ...string) (int64, error) {
	total := int64(0)
	err := filepath.WalkDir(filepath.Join(parts...), func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total, err
}
