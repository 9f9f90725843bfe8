package index

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

var updateRanking = flag.Bool("update", false, "write what the ranking test wants")

// rankedCorpus is the invented team's memories, by the names that queries use.
type rankedCorpus struct {
	index *Index
	view  View
	names map[memory.ID]string
}

// loadRanked reads testdata/ranking/memories.txt: a memory a line, its fields
// divided by "|", the text with \n for line breaks.
func loadRanked(t *testing.T) *rankedCorpus {
	t.Helper()
	c := &rankedCorpus{index: Open(Options{Dir: filepath.Join(t.TempDir(), "cache")}), names: map[memory.ID]string{}}
	t.Cleanup(func() { _ = c.index.Close() })
	for _, line := range rankingLines(t, "memories.txt") {
		f := strings.SplitN(line, "|", 6)
		if len(f) != 6 {
			t.Fatalf("memories.txt: %q", line)
		}
		typ, err := memory.ParseType(f[1])
		days, errDays := strconv.Atoi(f[2])
		if err != nil || errDays != nil {
			t.Fatalf("memories.txt: %q: %v, %v", line, err, errDays)
		}
		m := memory.New(typ, f[4], strings.ReplaceAll(f[5], `\n`, "\n"), testNow.AddDate(0, 0, -days))
		m.Files = []string{f[3]}
		if other, ok := c.names[m.ID]; ok {
			t.Fatalf("%s and %s are the same", f[0], other)
		}
		c.names[m.ID] = f[0]
		data := memory.Format(m)
		item := Item{Blob: BlobID(data, false), Path: m.Path(), Stage: Landed, Status: memory.StatusActive}
		item.Effective = memory.DefaultDecay().Effective(m, testNow, memory.Use{}, 0)
		item.Prior = 0.5*item.Effective + 0.02*float64(m.Priority)
		item.Open = slices.Contains([]memory.Type{memory.Question, memory.Problem, memory.Plan}, typ)
		c.index.Catalog().Add(item.Blob, m.Path(), data)
		c.view.Items = append(c.view.Items, item)
	}
	update(t, c.index, c.view)
	return c
}

func rankingLines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "ranking", name))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(s string) bool { return s == "" || strings.HasPrefix(s, "#") })
}

// measure sums the quality of results over queries: the share of the wanted memories
// that come first and among the first five, and the reciprocal of the place of the
// first wanted one.
type measure struct {
	queries               int
	recall1, recall5, mrr float64
}

func (m *measure) add(got, want []string) {
	m.queries++
	for i, name := range got {
		if !slices.Contains(want, name) {
			continue
		}
		if i < 1 {
			m.recall1++ // of several, one can be first
		}
		if i < 5 {
			m.recall5 += 1 / float64(min(5, len(want)))
		}
		if !slices.ContainsFunc(got[:i], func(s string) bool { return slices.Contains(want, s) }) {
			m.mrr += 1 / float64(i+1)
		}
	}
}

func (m *measure) String() string {
	n := float64(m.queries)
	return fmt.Sprintf("%3d queries  recall@1 %.3f  recall@5 %.3f  MRR %.3f", m.queries, m.recall1/n, m.recall5/n, m.mrr/n)
}

// TestRanking compares what the queries find with testdata/ranking/golden.txt.
// A change of the ranking shows there as a diff: read it, then run with -update.
func TestRanking(t *testing.T) {
	c := loadRanked(t)
	var kinds []string
	by, all := map[string]*measure{}, &measure{}
	var lists strings.Builder
	for _, line := range rankingLines(t, "queries.txt") {
		f := strings.SplitN(line, " | ", 3)
		if len(f) != 3 {
			t.Fatalf("queries.txt: %q", line)
		}
		kind, query, want := f[0], f[1], strings.Split(f[2], ",")
		var got []string
		r := find(t, c.index, c.view, query, 10)
		for _, h := range r.Hits {
			got = append(got, c.names[h.Memory.ID])
		}
		if by[kind] == nil {
			kinds, by[kind] = append(kinds, kind), &measure{}
		}
		by[kind].add(got, want)
		all.add(got, want)
		fmt.Fprintf(&lists, "\n%s: %s\n", kind, query)
		for i, h := range r.Hits[:min(5, len(r.Hits))] {
			mark := " "
			if slices.Contains(want, got[i]) {
				mark = "*"
			}
			fmt.Fprintf(&lists, "%s %s  %s\n", mark, got[i], h.Memory.Title)
		}
		for _, name := range want {
			if at := slices.Index(got, name); at < 0 {
				fmt.Fprintf(&lists, "  missing: %s\n", name)
			} else if at >= 5 {
				fmt.Fprintf(&lists, "  at %d: %s\n", at+1, name)
			}
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# Written by go test ./index -run TestRanking -update. * is what was wanted.\n%-10s %s\n", "all", all)
	for _, k := range kinds {
		fmt.Fprintf(&out, "%-10s %s\n", k, by[k])
	}
	out.WriteString(lists.String())
	golden := filepath.Join("testdata", "ranking", "golden.txt")
	if *updateRanking {
		writeFile(t, golden, []byte(out.String()))
		return
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(data), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("the ranking changed (-golden +now):\n%s", diff)
	}
}
