package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

func (a *app) searchCommand() *cobra.Command {
	var opt workspace.SearchOptions
	batch := ""
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
  cortex search decisions about storage --json`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 && batch == "" {
				return &usageError{err: fmt.Errorf("search needs a query"), hint: "cortex search why bluge"}
			}
			return a.with(cmd.Context(), func(w *workspace.Workspace) error {
				if batch != "" {
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
	viewFlags(c, &opt.View)
	c.Flags().BoolVar(&opt.Sessions, "sessions", false, "look through session records and topics too")
	c.Flags().IntVarP(&opt.Limit, "limit", "n", 10, "at most `N` results")
	c.Flags().StringVar(&batch, "batch", "", "answer every {\"id\",\"text\"} line of `FILE` (- is standard input)")
	c.ValidArgsFunction = completeFilters
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return &usageError{err: err, hint: "a query with -word in it stands in quotes: cortex search 'index -sqlite'"}
	})
	return c
}

func completeFilters(_ *cobra.Command, _ []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if strings.HasPrefix(prefix, "type:") {
		var out []string
		for _, t := range memory.Types() {
			out = append(out, "type:"+string(t))
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
	return []string{"type:", "tag:", "file:", "entity:", "branch:", "session:", "status:", "stage:", "since:", "until:", "is:"},
		cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (a *app) searchBatch(cmd *cobra.Command, w *workspace.Workspace, name string, opt workspace.SearchOptions) error {
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

func (a *app) answerLines(cmd *cobra.Command, w *workspace.Workspace, in io.Reader, out io.Writer, opt workspace.SearchOptions) error {
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

func (a *app) printAnswer(answer *workspace.Answer) {
	p := a.printer()
	for _, key := range slices.Sorted(maps.Keys(answer.Filters)) {
		p.printf("%s\n", dim("filter "+key+": "+strings.Join(answer.Filters[key], " or ")))
	}
	for _, n := range answer.Notes {
		p.printf("%s", wrap(n, p.width, dim("~ ")))
	}
	for _, h := range answer.Hints {
		p.printf("%s %s\n", warn("?"), h)
	}
	for i, f := range answer.Results {
		if i > 0 {
			p.printf("\n")
		}
		m := f.Entry.Memory
		p.printf("%s  %s\n", bold(m.ID.Short()), bold(cut(m.Title, p.width-9)))
		p.printf("         %s\n", dim(cut(strings.Join(facts(f.Entry, a), " · "), p.width-9)))
		if s := strings.TrimSpace(highlighted(f.Snippet)); s != "" && f.Snippet.Text != m.Title {
			p.printf("%s", wrap(s, p.width, "         "))
		}
		p.printf("         %s\n", dim(f.Entry.Path))
	}
	if len(answer.Results) == 0 {
		p.printf("Nothing found for %q in %s.\n", answer.Query, countText(answer.View))
		p.printf("%s\n", dim("Fewer or other words? --all-branches looks further; cortex list shows all."))
		return
	}
	if !a.quiet {
		branch := answer.View.Branch
		if branch == "" {
			branch = "no branch"
		}
		p.printf("\n%s\n", dim(fmt.Sprintf("%d of %d, in %s on %s, %s", len(answer.Results), answer.Total, countText(answer.View), branch, milliseconds(answer.TookMS))))
	}
}

func countText(v workspace.ViewShape) string {
	text := plural(v.Landed, "memory", "memories")
	if v.Pending > 0 {
		text += fmt.Sprintf(" and %d pending", v.Pending)
	}
	return text
}

// highlighted marks the matched words of a snippet.
func highlighted(s index.Snippet) string {
	var b strings.Builder
	at := 0
	for _, m := range s.Marks {
		if m.Start < at || m.End > len(s.Text) {
			continue
		}
		b.WriteString(s.Text[at:m.Start] + match(s.Text[m.Start:m.End]))
		at = m.End
	}
	return b.String() + s.Text[at:]
}
