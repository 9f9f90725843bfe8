package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// set is a retrieval set.
type set struct {
	dir, name string
	docs      []document
	queries   []document
	grades    map[string]map[string]int // by query and document; above 0
}

type document struct{ id, title, text string }

func loadSet(dir string) (*set, error) {
	s := &set{dir: dir, name: filepath.Base(filepath.Clean(dir)), grades: map[string]map[string]int{}}
	var err error
	if s.docs, err = loadLines(filepath.Join(dir, "docs.jsonl")); err != nil {
		return nil, err
	}
	if s.queries, err = loadLines(filepath.Join(dir, "queries.jsonl")); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, "qrels.tsv"))
	if err != nil {
		return nil, fmt.Errorf("reading what is relevant: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(f) < 2 {
			continue
		}
		grade := 1
		if len(f) > 2 {
			if grade, err = strconv.Atoi(f[2]); err != nil {
				continue // the head of the table
			}
		}
		if grade > 0 {
			if s.grades[f[0]] == nil {
				s.grades[f[0]] = map[string]int{}
			}
			s.grades[f[0]][f[1]] = grade
		}
	}
	return s, nil
}

func loadLines(name string) ([]document, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading a set: %w", err)
	}
	defer f.Close()
	var out []document
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var d struct {
			ID          any `json:"id"`
			Title, Text string
		}
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			return nil, fmt.Errorf("reading %s: %w", filepath.Base(name), err)
		}
		out = append(out, document{fmt.Sprint(d.ID), d.Title, d.Text})
	}
	return out, lines.Err()
}

// scores are means over the queries that have something relevant.
type scores struct {
	queries int
	sums    [6]float64 // recall@1, 5, 10, 20, MRR@10, nDCG@10
}

func (s scores) String() string {
	var cells []string
	for _, sum := range s.sums {
		cells = append(cells, fmt.Sprintf("%.3f", sum/float64(max(1, s.queries))))
	}
	return strings.Join(cells, " | ")
}

func (s scores) ndcg() float64 { return s.sums[5] / float64(max(1, s.queries)) }

// score measures ranked lists of documents by query.
//
// Recall@k is the share of the relevant documents among the first k; MRR the
// mean of one over the place of the first; nDCG the sum of grade/log2(place+1)
// over that of the best possible order.
func (s *set) score(results map[string][]string) scores {
	var out scores
	for _, q := range s.queries {
		grades := s.grades[q.id]
		if len(grades) == 0 {
			continue
		}
		out.queries++
		got := results[q.id]
		for i, k := range []int{1, 5, 10, 20} {
			hits := 0
			for _, id := range got[:min(k, len(got))] {
				if grades[id] > 0 {
					hits++
				}
			}
			out.sums[i] += float64(hits) / float64(len(grades))
		}
		gain, first := 0.0, 0
		for i, id := range got[:min(10, len(got))] {
			if grades[id] > 0 {
				gain += float64(grades[id]) / math.Log2(float64(i+2))
				if first == 0 {
					first = i + 1
				}
			}
		}
		if first > 0 {
			out.sums[4] += 1 / float64(first)
		}
		var ideal []int
		for _, g := range grades {
			ideal = append(ideal, g)
		}
		slices.Sort(ideal)
		slices.Reverse(ideal)
		best := 0.0
		for i, g := range ideal[:min(10, len(ideal))] {
			best += float64(g) / math.Log2(float64(i+2))
		}
		out.sums[5] += gain / best
	}
	return out
}
