// Command compare measures what cortex costs, from one program to another, and beside what a user
// would take instead: SQLite FTS5 and ripgrep or grep. Each is a whole process in a scratch
// repository of made-up memories, and all that are compared run in turn.
//
//	go run -C tools ./compare [-cortex PROGRAM] [-against PROGRAM] [-n 1000,10000] [-pending 0,700] [-runs 9]
//
// It prints Markdown: CPU with that of children in milliseconds, least, median and most, and the peak of memory.
// With -against, an older program works in a repository of its own. A program that is missing is left out and named.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/tools/scratch"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	ours := flags.String("cortex", "", "the program to measure; built when not given")
	against := flags.String("against", "", "an older program, to measure beside it")
	sizes := flags.String("n", "1000,10000", "numbers of landed memories")
	pending := flags.String("pending", "0,700", "numbers of pending memories")
	merged := flags.Int("merge", 1000, "memories that each of two branches brings to a merge")
	sessions := flags.Int("backfill", 60, "sessions that a backfill reads")
	runs := flags.Int("runs", 9, "runs of each, of which the median counts")
	only := flags.String("only", "", "measure what this regular expression matches alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("reading -only: %w", err)
	}
	b := &bench{out: out, runs: max(1, *runs), only: pattern}
	if err := b.programs(ctx, *ours, *against); err != nil {
		return err
	}
	defer b.close()
	return errors.Join(
		b.starts(ctx),
		eachSize(*pending, func(n int) error { return b.besidePending(ctx, n) }),
		eachSize(*sizes, func(n int) error { return b.landed(ctx, n) }),
		b.merges(ctx, *merged),
		b.backfills(ctx, *sessions),
		b.exponents(),
	)
}

// eachSize measures with each of a list of numbers; an empty list measures nothing.
func eachSize(list string, measure func(n int) error) error {
	for size := range strings.SplitSeq(list, ",") {
		if size == "" {
			continue
		}
		n, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("reading the size %q: %w", size, err)
		}
		if err := measure(n); err != nil {
			return err
		}
	}
	return nil
}

// bench is one run of this tool.
type bench struct {
	out   io.Writer
	runs  int
	only  *regexp.Regexp
	dir   string
	paths []string // of the programs, ours first
	rows  []row
}

// programs copies the programs, because one that was just linked starts more slowly.
func (b *bench) programs(ctx context.Context, ours, against string) error {
	var err error
	if b.dir, err = os.MkdirTemp("", "cortex-compare-*"); err != nil {
		return fmt.Errorf("making a scratch folder: %w", err)
	}
	if ours == "" {
		ours = filepath.Join(b.dir, "built")
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", ours, "github.com/git-cortex/cortex/cmd/cortex")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building cortex: %w\n%s", err, out)
		}
	}
	for i, path := range []string{ours, against} {
		if path == "" {
			continue
		}
		to := filepath.Join(b.dir, strconv.Itoa(i), "cortex")
		if err := copyProgram(path, to); err != nil {
			return fmt.Errorf("copying the program: %w", err)
		}
		b.paths = append(b.paths, to)
	}
	return nil
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.Mkdir(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o777)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

func (b *bench) close() { _ = os.RemoveAll(b.dir) }

// places are repositories that were made in the same way, one for each program.
func (b *bench) places(ctx context.Context, make func(r *scratch.Repository) error) ([]*scratch.Repository, func(), error) {
	var all []*scratch.Repository
	done := func() {
		for _, r := range all {
			r.Close()
		}
	}
	for _, path := range b.paths {
		search := "PATH=" + filepath.Dir(path) + string(os.PathListSeparator) + os.Getenv("PATH")
		r, err := scratch.New(ctx, path, append(os.Environ(), search))
		if err == nil {
			all = append(all, r)
			err = make(r)
		}
		if err != nil {
			return nil, done, err
		}
	}
	return all, done, nil
}

// wanted reports whether one of the works of a group is to be measured.
func (b *bench) wanted(group string, works []work) bool {
	for _, w := range works {
		if b.only.MatchString(group + "/" + w.name) {
			return true
		}
	}
	return false
}
