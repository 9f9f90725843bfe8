package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) backfillCommand() *cobra.Command {
	var in workspace.BackfillInput
	c := &cobra.Command{
		Use: "backfill [PATH...]", Short: "Read past sessions", Args: args(0, -1),
		Long: `Read the sessions that agents had before cortex was here: by default those of
Claude Code in this repository, with --all those of every agent that cortex
knows, or the files and folders that are named. It can be stopped at any time;
the next run goes on where this one was.`,
		Example: "  cortex backfill\n  cortex backfill --all\n  cortex backfill ~/old-laptop/.claude/projects/app",
		RunE: func(cmd *cobra.Command, paths []string) error {
			in.Home = a.home()
			for _, p := range paths {
				if !filepath.IsAbs(p) {
					p = filepath.Join(a.dir, p)
				}
				in.Paths = append(in.Paths, p)
			}
			return a.with(cmd.Context(), opening{global: a.global}, func(w *workspace.Workspace) error {
				start := a.now()
				in.Progress = a.backfillProgress(start)
				out, err := w.Backfill(cmd.Context(), in)
				if err != nil {
					return err
				}
				took := a.now().Sub(start)
				if a.json {
					return writeJSON(a.out, map[string]any{
						"files": out.Files, "bytes": out.Bytes, "sessions": out.Sessions, "added": out.Added,
						"skipped": empty(out.Skipped), "took_ms": float64(took.Microseconds()) / 1000,
					})
				}
				a.printBackfill(out, took)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&in.All, "all", false, "every session of this repository, of every agent")
	return c
}

// backfillProgress draws a bar on a terminal; nil elsewhere.
func (a *env) backfillProgress(start time.Time) func(workspace.Backfilled) {
	if !a.dialogue || a.quiet || a.json {
		return nil
	}
	p := a.errPrinter()
	return func(b workspace.Backfilled) {
		if b.Done == b.Files {
			p.raw("\r\x1b[K")
			return
		}
		full := int(30 * b.Read / max(b.Bytes, 1))
		p.raw("\r\x1b[K[" + strings.Repeat("#", full) + strings.Repeat(".", 30-full) + "] ")
		p.printf("%d/%d, %s, %s", b.Done, b.Files, throughput(b.Read, a.now().Sub(start)), plural(b.Added, "memory", "memories"))
	}
}

func throughput(bytes int64, took time.Duration) string {
	return fmt.Sprintf("%.1f MB/s", float64(bytes)/1e6/max(took.Seconds(), 0.001))
}

func (a *env) printBackfill(out workspace.Backfilled, took time.Duration) {
	p := a.printer()
	if out.Files == 0 {
		p.printf("No past sessions of this repository were found. %s\n", dim("cortex backfill FOLDER reads others."))
		return
	}
	p.printf("Read %s (%.1f MB) in %s, %s.\n", plural(out.Files, "session", "sessions"), float64(out.Bytes)/1e6,
		took.Round(10*time.Millisecond), throughput(out.Bytes, took))
	p.printf("%s from %s; the surest land with your next commits.\n", plural(out.Added, "new memory", "new memories"), plural(out.Sessions, "session", "sessions"))
	for i, s := range out.Skipped {
		if i == 5 {
			p.printf("%s and %d more\n", warn("!"), len(out.Skipped)-i)
			break
		}
		p.printf("%s %s\n", warn("!"), s)
	}
}
