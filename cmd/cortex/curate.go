package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/curate"
)

// curateOptions are the flags of curate.
type curateOptions struct {
	curate.Options
	apply  string // file with an answer, "-" for standard input
	schema bool
	run    bool
}

func newCurateCommand(e *env) *cobra.Command {
	var opt curateOptions
	c := &cobra.Command{
		Use: "curate", Short: "Have a reader word what was captured", Args: args(0, 0),
		Long: `Print a worksheet: the candidates of one session that wait, what was said around
them, and instructions. Whoever reads it answers in JSON: you, your agent, or
the command in cortex.llm. --apply checks an answer and keeps what passes as
memories of layer curated. A memory whose numbers, names, paths or quotations do
not stand in the evidence is refused. What the answer drops can be restored.

The newest session comes first. Run it again for the next worksheet. When no
session waits, it lists memories that may contradict each other, whatever their
words; what the answer names as a contradiction waits for you in review.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runCurate(cmd.Context(), e, opt) },
	}
	f := c.Flags()
	f.StringVar(&opt.apply, "apply", "", "check the answer in `FILE`, - for standard input, and keep what passes")
	f.BoolVar(&opt.schema, "schema", false, "print the JSON schema of an answer")
	f.BoolVar(&opt.run, "run", false, "have the command in cortex.llm read the worksheet now")
	f.StringVar(&opt.Session, "session", "", "the session whose id begins with `ID`")
	f.StringVar(&opt.Transcript, "transcript", "", "read the session from `FILE`; found by default")
	f.BoolVar(&opt.Again, "again", false, "start the session over, with candidates that a reader has left")
	c.MarkFlagsMutuallyExclusive("apply", "schema", "run")
	return c
}

func runCurate(ctx context.Context, e *env, opt curateOptions) error {
	if opt.schema {
		_, err := e.out.Write(curate.Schema())
		return err
	}
	if opt.Transcript != "" {
		opt.Transcript = e.file(opt.Transcript)
	}
	opt.Home = e.home()
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		switch {
		case opt.apply != "":
			data, err := readAnswer(e, opt.apply)
			if err != nil {
				return err
			}
			out, err := curate.Apply(ctx, w, data)
			return printOutcome(e, out, err)
		case opt.run:
			out, err := curate.Run(ctx, w, opt.Options, e.runModel)
			return printOutcome(e, out, err)
		}
		sheet, err := curate.Next(ctx, w, opt.Options)
		if err != nil {
			return err
		}
		if e.json {
			return answer.Write(e.out, answer.NewSheet(sheet))
		}
		if e.terminal {
			e.errPrinter().Printf("This is for your agent to read: have it run cortex curate. A model reads such\n" +
				"worksheets by itself after: cortex init --curate claude\n\n")
		}
		_, err = io.WriteString(e.out, sheet.Text())
		return err
	})
}

// readAnswer reads a file, or standard input, as far as an answer may go.
func readAnswer(e *env, name string) ([]byte, error) {
	in := e.in
	if name != "-" {
		f, err := os.Open(e.file(name))
		if err != nil {
			return nil, fmt.Errorf("reading the answer: %w", err)
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
			return nil, fmt.Errorf("reading the answer: %s is not a regular file", name)
		}
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, curate.AnswerBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	return data, nil
}

func printOutcome(e *env, out *curate.Outcome, err error) error {
	if err != nil {
		return err
	}
	return e.show(nil, answer.NewOutcome(out), func(p *console.Printer) { output.Curated(p, out, e.quiet) })
}
