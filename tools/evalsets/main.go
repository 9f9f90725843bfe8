// Command evalsets measures how well cortex ranks, on retrieval sets.
//
//	go run -C tools ./evalsets [-cortex PROGRAM] [-arg ARG]... DIR...
//
// A set is a folder with docs.jsonl {"id","title","text"}, queries.jsonl
// {"id","text"} and qrels.tsv (query, document, grade); a folder of such folders
// is all of them. Each is imported into a scratch repository by the real
// program, searched with --batch, and scored; beside it stand SQLite FTS5
// (Porter stems, bm25, any word; needs the program sqlite3) and what counting
// words with grep would give. It prints a Markdown table, and nothing of a set.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/tools/scratch"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "evalsets:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("evalsets", flag.ContinueOnError)
	program := flags.String("cortex", "", "the program to measure; built when not given")
	var extra []string
	flags.Func("arg", "an argument more for cortex search", func(s string) error { extra = append(extra, s); return nil })
	if err := flags.Parse(args); err != nil {
		return err
	}
	dirs, err := setsIn(flags.Args())
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "| set | documents | queries | by | recall@1 | @5 | @10 | @20 | MRR@10 | nDCG@10 | ± |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|---|---|")
	for _, dir := range dirs {
		s, err := loadSet(dir)
		if err != nil {
			return err
		}
		if err := s.measure(ctx, out, *program, extra); err != nil {
			return err
		}
	}
	return nil
}

// setsIn finds the sets among folders and the folders in them.
func setsIn(dirs []string) ([]string, error) {
	var out []string
	isSet := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "qrels.tsv"))
		return err == nil
	}
	for _, dir := range dirs {
		if isSet(dir) {
			out = append(out, dir)
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("reading the sets: %w", err)
		}
		for _, e := range entries {
			if sub := filepath.Join(dir, e.Name()); isSet(sub) {
				out = append(out, sub)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("there is no set: a folder with docs.jsonl, queries.jsonl and qrels.tsv is one")
	}
	return out, nil
}

// measure prints a line for cortex and one for each baseline.
func (s *set) measure(ctx context.Context, out io.Writer, program string, extra []string) error {
	ours, err := s.cortex(ctx, program, extra)
	if err != nil {
		return fmt.Errorf("measuring %s: %w", s.name, err)
	}
	own := s.score(ours)
	line := func(by string, sc scores, difference string) {
		fmt.Fprintf(out, "| %s | %d | %d | %s | %s | %s |\n", s.name, len(s.docs), sc.queries, by, sc, difference)
	}
	line("cortex", own, "")
	base, err := s.fts5(ctx)
	if err != nil {
		fmt.Fprintf(os.Stderr, "evalsets: no FTS5: %v\n", err)
	} else {
		sc := s.score(base)
		line("FTS5", sc, fmt.Sprintf("%+.3f", own.ndcg()-sc.ndcg()))
	}
	sc := s.score(s.grep())
	line("grep", sc, fmt.Sprintf("%+.3f", own.ndcg()-sc.ndcg()))
	return nil
}

// cortex asks the real program.
func (s *set) cortex(ctx context.Context, program string, extra []string) (map[string][]string, error) {
	r, err := scratch.New(ctx, program, os.Environ())
	if err != nil {
		return nil, err
	}
	defer r.Close()
	docs, err := filepath.Abs(filepath.Join(s.dir, "docs.jsonl"))
	if err != nil {
		return nil, err
	}
	if err := r.Cortex(ctx, nil, nil, "import", "jsonl", "-q", docs); err != nil {
		return nil, err
	}
	queries, err := os.Open(filepath.Join(s.dir, "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	defer queries.Close()
	var answers bytes.Buffer
	if err := r.Cortex(ctx, queries, &answers, append([]string{"search", "--batch", "-", "--limit", "20"}, extra...)...); err != nil {
		return nil, err
	}
	out := map[string][]string{}
	lines := bufio.NewScanner(&answers)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var a struct {
			QID     any `json:"qid"`
			Results []struct {
				Ref string `json:"ref"`
			} `json:"results"`
		}
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			return nil, fmt.Errorf("reading an answer: %w", err)
		}
		qid := fmt.Sprint(a.QID)
		for _, r := range a.Results {
			if !slices.Contains(out[qid], r.Ref) {
				out[qid] = append(out[qid], r.Ref)
			}
		}
	}
	return out, lines.Err()
}

// words cuts a text as both baselines do: runs of letters and digits.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !isWord(r) })
}
