package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/workspace"
)

func (a *env) searchCommand() *cobra.Command {
	var opt workspace.SearchOptions
	batch, alpha := "", -1.0
	c := &cobra.Command{
		Use: "search QUERY", Short: "Find memories", Args: args(0, -1),
		Long: `Find memories by what they say. Any word may match; the best match comes first.

Filters go among the words:
  type:decision   tag:search   file:index/   entity:bluge   branch:main
  session:0b2c    status:superseded   stage:pending
  since:2026-11-01   since:2w   until:yesterday   is:pinned   is:open
"a phrase" must occur as it is, -word must not; quote the query for the shell
then. A search without words lists what passes the filters.

Plain words do too: last week, since march, 3 days ago; decisions about …,
open questions, problems with …, rejected approaches. The answer says which
filter they became; in quotes they are words.`,
		Example: `  cortex search why bluge
  cortex search 'type:gotcha since:2w "lock file"'
  cortex search decisions about storage last month
  cortex search 'open questions' --json`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if alpha > 1 || alpha < 0 && cmd.Flags().Changed("alpha") {
				return usagef("--alpha is a weight from 0 to 1")
			}
			opt.Alpha, opt.WordsOnly = max(alpha, 0), alpha == 0
			if len(words) == 0 && batch == "" {
				return &usageError{err: fmt.Errorf("search needs a query"), hint: "cortex search why bluge"}
			}
			return a.with(cmd.Context(), opening{reads: true, global: a.global}, func(w *workspace.Workspace) error {
				if batch != "" {
					opt.Alone = true
					return a.searchBatch(cmd, w, batch, opt)
				}
				answer, err := w.Search(cmd.Context(), strings.Join(words, " "), opt)
				if err != nil {
					return err
				}
				if a.json {
					return writeJSON(a.out, answer)
				}
				a.printAnswer(answer)
				if opt.Sessions {
					a.printSessionHits(answer.Sessions)
				}
				return nil
			})
		},
	}
	a.viewFlags(c, &opt.View)
	c.Flags().BoolVar(&opt.Sessions, "sessions", false, "look through session records and topics too")
	c.Flags().IntVarP(&opt.Limit, "limit", "n", 10, "at most `N` results")
	c.Flags().StringVar(&batch, "batch", "", "answer every {\"id\",\"text\"} line of `FILE` (- is standard input)")
	c.Flags().BoolVar(&opt.Explain, "explain", false, "say what each score is made of")
	c.Flags().Float64Var(&alpha, "alpha", -1, "`WEIGHT` of meaning against words, 0 to 1; by itself as far as both agree")
	c.Flags().StringVar(&opt.Hyde, "hyde", "", "compare the meaning of `TEXT`, an answer you imagine, instead of the query's")
	c.Flags().BoolVar(&opt.Alone, "no-related", false, "only what matches, nothing that is linked to it")
	c.ValidArgsFunction = a.completeFilters
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &usageError{err: err, hint: "a query with -word in it stands in quotes: cortex search 'index -sqlite'"}
	})
	return c
}

func (a *env) searchBatch(cmd *cobra.Command, w *workspace.Workspace, name string, opt workspace.SearchOptions) error {
	in := a.in
	if name != "-" {
		if !filepath.IsAbs(name) {
			name = filepath.Join(a.dir, name)
		}
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("reading the queries: %w", err)
		}
		defer f.Close()
		in = f
	}
	out := bufio.NewWriter(a.out)
	err := a.answerLines(cmd, w, in, out, opt)
	if e := out.Flush(); err == nil {
		err = e
	}
	return err
}

func (a *env) answerLines(cmd *cobra.Command, w *workspace.Workspace, in io.Reader, out io.Writer, opt workspace.SearchOptions) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	searcher, err := w.Searcher(cmd.Context(), opt)
	if err != nil {
		return err
	}
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var q struct {
			ID   json.RawMessage `json:"id"`
			Text string          `json:"text"`
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return withHint(fmt.Errorf("line %d of the queries: %w", n, err), `each line is {"id": …, "text": …}`)
		}
		answer, err := searcher(q.Text)
		if err != nil {
			return err
		}
		if err := writeJSON(out, struct {
			QID json.RawMessage `json:"qid"`
			*workspace.Answer
		}{q.ID, answer}); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading the queries: %w", err)
	}
	return nil
}
