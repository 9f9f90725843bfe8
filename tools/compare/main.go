// Command compare measures how fast cortex searches, beside what a user would
// take instead: SQLite FTS5 and ripgrep or grep, on the same memories and in one
// run, each as whole processes.
//
//	go run -C tools ./compare [-cortex PROGRAM] [-n 1000,10000] [-runs 15]
//
// It imports made-up memories of 60 to 120 words into a scratch repository, and
// prints a Markdown table of medians in milliseconds and their ratio to ours.
// A program that is missing is left out and named.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

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
	program := flags.String("cortex", "", "the program to measure; built when not given")
	sizes := flags.String("n", "1000,10000", "numbers of memories")
	runs := flags.Int("runs", 15, "runs of each, of which the median counts")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for size := range strings.SplitSeq(*sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			return fmt.Errorf("reading -n: %w", err)
		}
		c := &contest{runs: max(1, *runs), out: out, n: n}
		if err := c.measure(ctx, *program); err != nil {
			return err
		}
	}
	return nil
}

// contest is one number of memories.
type contest struct {
	repo  *scratch.Repository
	out   io.Writer
	runs  int
	n     int
	bytes int64 // of all memory files
}

func (c *contest) measure(ctx context.Context, program string) error {
	var err error
	if c.repo, err = scratch.New(ctx, program, os.Environ()); err != nil {
		return err
	}
	defer c.repo.Close()
	corpus := makeCorpus(c.n)
	took, err := c.once(func() error {
		return c.repo.Cortex(ctx, bytes.NewReader(corpus.jsonl()), nil, "import", "jsonl", "-q", "-")
	})
	if err != nil {
		return err
	}
	if c.bytes, err = folderBytes(c.repo.Dir, ".cortex", "memories"); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "\n%d memories, %.1f MB of text; medians of %d runs\n\n", c.n, float64(c.bytes)/1e6, c.runs)
	fmt.Fprintln(c.out, "| what | ms | against cortex |\n|---|---|---|")
	c.line("import jsonl", took, 0)
	took, err = c.once(func() error { return c.repo.Cortex(ctx, nil, nil, "reindex", "-q") })
	if err != nil {
		return err
	}
	c.line("reindex", took, 0)
	if size, err := folderBytes(c.repo.Dir, ".git", "cortex"); err == nil {
		fmt.Fprintf(c.out, "| index and catalog, times the text | %.2f | |\n", float64(size)/float64(c.bytes))
	}
	// Files written in the same moment as the index count as changed: wait.
	time.Sleep(1100 * time.Millisecond)
	if err := c.repo.Cortex(ctx, nil, nil, "search", "warm"); err != nil {
		return err
	}
	for _, kind := range []string{"common", "rare"} {
		if err := c.race(ctx, corpus, kind); err != nil {
			return err
		}
	}
	return c.edit(ctx)
}

// race searches the same words with everything there is.
func (c *contest) race(ctx context.Context, corpus *corpus, kind string) error {
	query := func(i int) []string { return corpus.query(kind, i) }
	ours, err := c.median(func(i int) error {
		return c.repo.Cortex(ctx, nil, nil, append([]string{"search"}, query(i)...)...)
	})
	if err != nil {
		return err
	}
	c.line("cortex search, three "+kind+" words", ours, 0)
	db := filepath.Join(filepath.Dir(c.repo.Dir), "fts5.db")
	if _, err := exec.LookPath("sqlite3"); err != nil {
		fmt.Fprintln(c.out, "| sqlite3: not installed | | |")
	} else {
		if _, err := os.Stat(db); err != nil {
			if err := c.repo.Run(ctx, strings.NewReader(corpus.sql()), nil, "sqlite3", "-batch", db); err != nil {
				return err
			}
		}
		took, err := c.median(func(i int) error {
			sql := fmt.Sprintf("select id, title, snippet(t, 2, '[', ']', '…', 20) from t where t match '%s' order by bm25(t) limit 10", strings.Join(query(i), " OR "))
			return c.repo.Run(ctx, nil, nil, "sqlite3", db, sql)
		})
		if err != nil {
			return err
		}
		c.line("sqlite3 FTS5, the same", took, ours)
	}
	grep := []string{"rg", "-il", "-e"}
	if _, err := exec.LookPath("rg"); err != nil {
		fmt.Fprintln(c.out, "| ripgrep: not installed, grep instead | | |")
		grep = []string{"grep", "-rilE", "-e"}
	}
	took, err := c.median(func(i int) error {
		args := append(slices.Clone(grep[1:]), strings.Join(query(i), "|"), ".cortex/memories")
		return c.repo.Run(ctx, nil, nil, grep[0], args...)
	})
	if err != nil {
		return err
	}
	c.line(grep[0]+", the same, unranked", took, ours)
	return nil
}

// edit changes one memory before each search.
func (c *contest) edit(ctx context.Context) error {
	var files []string
	err := filepath.WalkDir(filepath.Join(c.repo.Dir, ".cortex", "memories"), func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(p, ".md") {
			files = append(files, p)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("listing the memories: %w", err)
	}
	took, err := c.median(func(i int) error {
		f, err := os.OpenFile(files[i*7%len(files)], os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(f, "Edited, number %d.\n", i)
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return err
		}
		return c.repo.Cortex(ctx, nil, nil, "search", "edited", "number")
	})
	if err != nil {
		return err
	}
	c.line("edit one, then cortex search", took, 0)
	return nil
}

func (c *contest) line(what string, took, ours time.Duration) {
	ratio := ""
	if ours > 0 {
		ratio = fmt.Sprintf("%.2f ×", float64(took)/float64(ours))
	}
	fmt.Fprintf(c.out, "| %s | %.1f | %s |\n", what, float64(took.Microseconds())/1000, ratio)
}

func (c *contest) once(do func() error) (time.Duration, error) {
	start := time.Now()
	err := do()
	return time.Since(start), err
}

func (c *contest) median(do func(i int) error) (time.Duration, error) {
	var all []time.Duration
	for i := range c.runs {
		took, err := c.once(func() error { return do(i) })
		if err != nil {
			return 0, err
		}
		all = append(all, took)
	}
	slices.Sort(all)
	return all[len(all)/2], nil
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
