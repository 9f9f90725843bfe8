package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"unicode"
)

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// fts5 asks SQLite's full-text index: Porter stems, any of the words, bm25.
func (s *set) fts5(ctx context.Context) (map[string][]string, error) {
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		return nil, err
	}
	var sql strings.Builder
	quote := func(t string) string {
		return "'" + strings.ReplaceAll(strings.ReplaceAll(t, "\x00", " "), "'", "''") + "'"
	}
	sql.WriteString("create virtual table t using fts5(id unindexed, title, body, tokenize='porter unicode61');\nbegin;\n")
	for _, d := range s.docs {
		fmt.Fprintf(&sql, "insert into t values(%s,%s,%s);\n", quote(d.id), quote(d.title), quote(d.text))
	}
	sql.WriteString("commit;\n")
	for i, q := range s.queries {
		var any []string
		for _, w := range words(q.text) {
			any = append(any, `"`+w+`"`)
		}
		if len(any) > 0 {
			fmt.Fprintf(&sql, "select %d, id from t where t match %s order by bm25(t) limit 20;\n", i, quote(strings.Join(any, " OR ")))
		}
	}
	cmd := exec.CommandContext(ctx, program, "-batch", "-separator", "\t", ":memory:")
	cmd.Stdin = strings.NewReader(sql.String())
	data, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running sqlite3: %w", err)
	}
	out := map[string][]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		number, id, _ := strings.Cut(lines.Text(), "\t")
		i := 0
		if _, err := fmt.Sscan(number, &i); err == nil && i < len(s.queries) {
			out[s.queries[i].id] = append(out[s.queries[i].id], id)
		}
	}
	return out, lines.Err()
}

// grep ranks by how many different words of the query a document holds, as
// counting the files that grep -il names for each word would; of as many, the
// one with more of them in all.
func (s *set) grep() map[string][]string {
	type hit struct {
		doc, different, all int
	}
	texts := make([]string, len(s.docs))
	for i, d := range s.docs {
		texts[i] = strings.ToLower(d.title + "\n" + d.text)
	}
	out := map[string][]string{}
	for _, q := range s.queries {
		asked := words(q.text)
		slices.Sort(asked)
		asked = slices.Compact(asked)
		var hits []hit
		for i, t := range texts {
			h := hit{doc: i}
			for _, w := range asked {
				if n := strings.Count(t, w); n > 0 {
					h.different++
					h.all += n
				}
			}
			if h.different > 0 {
				hits = append(hits, h)
			}
		}
		slices.SortStableFunc(hits, func(a, b hit) int {
			if a.different != b.different {
				return b.different - a.different
			}
			return b.all - a.all
		})
		for _, h := range hits[:min(20, len(hits))] {
			out[q.id] = append(out[q.id], s.docs[h.doc].id)
		}
	}
	return out
}
