package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/cmd/internal/usage"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/curate"
)

// searchOptions are the words and flags of search.
type searchOptions struct {
	workspace.SearchOptions // but for what follows
	view                    viewOptions
	hub                     hubOptions
	words                   []string
	batch                   string   // file of queries, "" for none
	alpha                   *float64 // nil: as far as words and meaning agree
	few                     bool     // the best alone, for an agent
}

func newSearchCommand(e *env) *cobra.Command {
	var opt searchOptions
	alpha := -1.0
	c := &cobra.Command{
		Use: "search QUERY", Short: "Find memories", Args: args(0, -1),
		Long: `Find memories by what they say. Any word may match; the best match comes first.

Filters go among the words:
  type:decision   tag:search   file:index/   entity:bluge   branch:main
  session:0b2c    session:3 (as [s3] in briefings)
  status:superseded   stage:pending
  since:2026-11-01   since:2w   until:yesterday   is:pinned   is:open
  after:2026-11-01   before:march (without the day or month itself)
A "quoted phrase" must occur as it is, and -word must not occur; put the whole
query in single quotes then. A query of filters alone lists what they match.

Plain language works too: last week, since march, 3 days ago; decisions about
…, open questions, problems with …, rejected approaches; what happened in the
last three sessions. The answer shows which filters were understood. To search
for such words themselves, quote them.

Below the memories stand up to three notes: passages of sessions that may matter
and that nobody stands behind yet. "cortex show ID" shows one, and "cortex
restore ID" makes a memory of it.

An agent gets the best five in short, what is outdated marked first, or with
--limit as many as it says, at length.

With --hyde the command in cortex.llm imagines an answer to the query, and what
means much the same is found; --hyde=TEXT takes yours.

With --hub the hub answers whose address is cortex.hub.url in your own git
configuration ("cortex hub login" sets it), from all repositories that you may
read there. No memory leaves this clone. Where the hub does not answer, a line
says so, and the answer is that of this clone.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.words = words
			if err := opt.hub.check(cmd, "limit"); err != nil {
				return err
			}
			long := slices.ContainsFunc([]string{"limit", "explain", "notes", "sessions", "batch", "json"},
				cmd.Flags().Changed)
			if opt.few = e.agents() && !long; opt.few {
				opt.Limit = output.FewHits
			}
			if cmd.Flags().Changed("alpha") {
				opt.alpha = &alpha
			}
			return runSearch(cmd.Context(), e, opt)
		},
		ValidArgsFunction: completeFilters(e, &opt.view),
	}
	viewFlags(c, e, &opt.view)
	hubFlags(c, &opt.hub)
	c.Flags().BoolVar(&opt.Sessions, "sessions", false, "also search session records and topics")
	c.Flags().BoolVar(&opt.Notes, "notes", false,
		"search only notes: passages of sessions that nobody stands behind yet")
	c.Flags().IntVarP(&opt.Limit, "limit", "n", 10, "show at most `N` results; 0 means all")
	c.Flags().StringVar(&opt.batch, "batch", "", "answer each {\"id\",\"text\"} line of `FILE` (- for standard input)")
	c.Flags().BoolVar(&opt.Explain, "explain", false, "show how each score was computed")
	c.Flags().Float64Var(&alpha, "alpha", -1,
		"`WEIGHT` of meaning against words, from 0 to 1; by default it depends on how far the two agree")
	c.Flags().Lookup("alpha").DefValue = "0" // which help does not print; -1 would say nothing
	c.Flags().StringVar(&opt.Hyde, "hyde", "",
		"search by the meaning of an imagined answer, =`TEXT` or what cortex.llm makes of the query")
	c.Flags().Lookup("hyde").NoOptDefVal = byModel
	c.Flags().BoolVar(&opt.Alone, "no-related", false, "leave out memories that are only linked to a match")
	c.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		hint := "cortex search --help"
		if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
			hint = "filters are words, and a query with -word in it goes in quotes: " +
				"cortex search 'type:fix index -sqlite'"
		}
		return usage.Flag(cmd, err, hint)
	})
	return c
}

func runSearch(ctx context.Context, e *env, opt searchOptions) error {
	if opt.alpha != nil {
		if !(*opt.alpha >= 0 && *opt.alpha <= 1) { // NaN too
			return usagef("--alpha must be from 0 to 1")
		}
		opt.Alpha, opt.WordsOnly = *opt.alpha, *opt.alpha == 0
	}
	if len(opt.words) == 0 && opt.batch == "" {
		return &usageError{Err: errors.New("search needs a query"), Hint: `cortex search "why do we pin go"`}
	}
	if opt.hub.ask {
		q := client.Question{Query: strings.Join(opt.words, " "), Limit: opt.Limit}
		return opt.hub.search(ctx, e, q, func() error { return runSearch(ctx, e, opt) })
	}
	if opt.Limit == 0 {
		opt.Limit = -1 // 0 is the default below
	}
	opt.View = opt.view.ViewOptions
	return e.with(ctx, opt.view.reading(), func(w *workspace.Workspace) error {
		if opt.batch != "" {
			opt.Alone, opt.Twins = true, true
			return searchBatch(ctx, e, w, opt)
		}
		if err := opt.imagine(ctx, e, w); err != nil {
			return err
		}
		found, err := w.Search(ctx, strings.Join(opt.words, " "), opt.SearchOptions)
		if err != nil {
			return err
		}
		w.NoteFound(ctx, found)
		return e.show(nil, found, func(p *console.Printer) {
			output.Answered(p, found, opt.SearchOptions, opt.few, e.now(), e.quiet)
		})
	})
}

// byModel stands for the text of --hyde where the user's model is to imagine it.
const byModel = "model"

// imagine has the user's model imagine the answer whose meaning is searched for, where --hyde gives none.
func (o *searchOptions) imagine(ctx context.Context, e *env, w *workspace.Workspace) (err error) {
	if o.Hyde != byModel {
		return nil
	}
	if ok, err := w.Meaning(ctx); !ok {
		return answer.WithHint(cmp.Or(err, errNoMeaning), "to set a model: cortex embed")
	}
	o.Hyde, err = curate.Imagine(ctx, w, strings.Join(o.words, " "), e.runModel)
	return err
}

var errNoMeaning = errors.New("no model compares meanings here, which --hyde is about")

// searchBatch answers the queries of a file.
func searchBatch(ctx context.Context, e *env, w *workspace.Workspace, opt searchOptions) error {
	in := e.in
	if opt.batch != "-" {
		f, err := os.Open(e.file(opt.batch))
		if err != nil {
			return fmt.Errorf("reading the queries: %w", err)
		}
		defer f.Close()
		in = f
	}
	searcher, err := w.Searcher(ctx, opt.SearchOptions)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(e.out)
	err = output.Batch(searcher, in, out)
	if failed := out.Flush(); err == nil {
		err = failed
	}
	return err
}
