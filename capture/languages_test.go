package capture

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// label is a row of a file of labels: what a session teaches, or what must not be kept of it.
type label struct {
	keep bool
	line string
	typ  string   // "-" for any
	keys []string // all of them stand in a memory that meets the label
}

func labelsOf(t *testing.T, file string) []label {
	t.Helper()
	var out []label
	for line := range strings.Lines(string(load(t, file))) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := strconv.Atoi(cells[1]); err != nil || len(cells) != 4 || cells[0] != "keep" && cells[0] != "not" {
			t.Fatalf("%s: %q is no label", file, line)
		}
		keys := strings.Split(strings.ToLower(cells[3]), "|")
		out = append(out, label{keep: cells[0] == "keep", line: cells[1], typ: cells[2], keys: keys})
	}
	return out
}

// met reports whether a memory says what is labelled.
func (l label) met(text string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(l.keys, func(key string) bool { return !strings.Contains(text, key) })
}

// tally counts what was kept of labelled sessions.
type tally struct{ wanted, found, typed, kept, good, refused, wrong int }

func (a *tally) add(b tally) {
	a.wanted, a.found, a.typed = a.wanted+b.wanted, a.found+b.found, a.typed+b.typed
	a.kept, a.good = a.kept+b.kept, a.good+b.good
	a.refused, a.wrong = a.refused+b.refused, a.wrong+b.wrong
}

func (a tally) recall() float64    { return float64(a.found) / float64(a.wanted) }
func (a tally) precision() float64 { return float64(a.good) / float64(max(1, a.kept)) }

func (a tally) String() string {
	return fmt.Sprintf("of what must be kept, kept %.2f (%d of %d), of the right type %d; of what is kept, worth it %.2f (%d of %d); "+
		"of what must not be kept, kept %d of %d",
		a.recall(), a.found, a.wanted, a.typed, a.precision(), a.good, a.kept, a.wrong, a.refused)
}

// keptOf are the memories of a session, and what it noted of traps and of reasons for fixes: that becomes
// a memory when another session meets it, or somebody says so.
func keptOf(res *Result) []*memory.Memory {
	out := res.Memories()
	for _, m := range res.Session.Notes {
		if recipe.Is(m) || m.Type == memory.Fix && m.Source.Layer == string(session.LayerStructure) {
			out = append(out, m)
		}
	}
	return out
}

// compare holds the memories of a session against its labels.
func compare(t *testing.T, name string, res *Result, labels []label) tally {
	var sum tally
	good := map[int]bool{}
	memories := keptOf(res)
	for _, l := range labels {
		found, typed := false, false
		for i, m := range memories {
			if l.met(m.Title + "\n" + m.Text) {
				found, good[i] = true, good[i] || l.keep
				typed = typed || l.typ == "-" || string(m.Type) == l.typ
			}
		}
		switch {
		case l.keep:
			sum.add(tally{wanted: 1, found: count(found), typed: count(typed)})
		default:
			sum.add(tally{refused: 1, wrong: count(found)})
		}
		if l.keep != found || found && !typed && l.keep {
			t.Logf("%s, line %s: kept %t, right type %t: %s", name, l.line, found, typed, strings.Join(l.keys, " | "))
		}
	}
	for i, m := range memories {
		if sum.kept++; good[i] {
			sum.good++
		} else {
			t.Logf("%s: kept and not wanted: %s %s", name, m.Type, m.Title)
		}
	}
	return sum
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestLabelledLanguages: what twelve sessions in six languages teach is kept, and little else.
func TestLabelledLanguages(t *testing.T) {
	sums := inLanguages(t, "testdata/languages/*.jsonl")
	for _, language := range slices.Sorted(maps.Keys(sums)) {
		sum := sums[language]
		t.Logf("%s: %s", language, sum)
		if sum.recall() < 0.9 || sum.precision() < 0.9 || sum.wrong > 0 {
			t.Errorf("%s: less is kept than must be, or more: %s", language, sum)
		}
	}
}

// TestLaterLanguages tells what is kept of six sessions that were written and labelled after
// the rules, for docs/evaluation.md. No rule is mended for them.
func TestLaterLanguages(t *testing.T) {
	sums := inLanguages(t, "testdata/languages/later/*.jsonl")
	for _, language := range slices.Sorted(maps.Keys(sums)) {
		t.Logf("%s: %s", language, sums[language])
	}
}

// inLanguages counts what is kept of the sessions that a pattern names, by language and in all.
func inLanguages(t *testing.T, pattern string) map[string]*tally {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions at %s: %v", pattern, err)
	}
	sums := map[string]*tally{"all": {}}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		sum := compare(t, name, capture(t, load(t, file), Options{}), labelsOf(t, strings.TrimSuffix(file, ".jsonl")+".labels.tsv"))
		language, _, _ := strings.Cut(name, "-")
		if sums[language] == nil {
			sums[language] = &tally{}
		}
		sums[language].add(sum)
		sums["all"].add(sum)
	}
	return sums
}
