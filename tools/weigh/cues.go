package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
)

// cueFields is how many fields a row of the table of cues has: where, group, type, worth and
// phrase.
const cueFields = 5

// worths are those of the rows of the table of cues, in nats: by so much the judgement of
// the examples gets worse without it, each by a table that was learned from the other
// repositories. A row counts where it alone gives its sign.
func worths(all []example, tables map[string]*weights.Table) map[string]float64 {
	out := map[string]float64{}
	for i := range all {
		e := &all[i]
		rows := map[string][]string{} // by sign
		for _, row := range e.cues {
			sign := signOf(row)
			if !slices.Contains(rows[sign], row) {
				rows[sign] = append(rows[sign], row)
			}
		}
		for sign, list := range rows {
			if len(list) == 1 {
				out[list[0]] += e.loss(tables[e.group], sign) - e.loss(tables[e.group], "")
			}
		}
	}
	return out
}

// signOf is the sign of a row: where it is looked for, its group and its phrase.
func signOf(row string) string {
	f := strings.Split(row, "\t")
	switch f[0] {
	case "heading":
		return "heading: " + f[1]
	case "user":
		return "said " + f[1]
	}
	return f[1]
}

// loss is how wrong a table is about keeping an example that lacks a sign, in nats.
func (e *example) loss(t *weights.Table, without string) float64 {
	signs := slices.DeleteFunc(slices.Clone(e.signs), func(s string) bool { return s == without })
	p := t.Score(signs).Keep
	if e.keep {
		return -math.Log(p)
	}
	return -math.Log(1 - p)
}

// typeShares are the shares of the types of the labels that examples hit: of all, and of those
// in which a row of the table of cues stands, with their number.
func typeShares(all []example) (of map[memory.Type]float64, by map[string]map[memory.Type]float64) {
	of, by = map[memory.Type]float64{}, map[string]map[memory.Type]float64{}
	n := 0.0
	for _, e := range all {
		for _, typ := range e.types {
			of[typ]++
			n++
			for _, row := range slices.Compact(slices.Sorted(slices.Values(e.cues))) {
				if by[row] == nil {
					by[row] = map[memory.Type]float64{}
				}
				by[row][typ]++
			}
		}
	}
	for typ := range of {
		of[typ] /= n
	}
	return of, by
}

// typeWorth is how many more labels of a type a row stands at than another row would.
func typeWorth(of map[memory.Type]float64, at map[memory.Type]float64, typ memory.Type) float64 {
	n := 0.0
	for _, x := range at {
		n += x
	}
	return at[typ] - n*of[typ]
}

// rewriteCues writes into a table of cues what each row is worth: in hundredths of a nat for
// what is kept, and in labels for their type. Rows that are worth nothing are dropped.
func rewriteCues(path string, all []example, worth map[string]float64, out io.Writer) error {
	of, by := typeShares(all)
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("reading cues: %w", err)
	}
	var b strings.Builder
	kept, dropped := 0, 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != cueFields || !strings.Contains(f[3], "/") { // a comment, the heads, another language
			b.WriteString(line)
			continue
		}
		row := f[0] + "\t" + f[1] + "\t" + f[4]
		keeps, types := math.Round(100*worth[row]), math.Round(typeWorth(of, by[row], memory.Type(f[2])))
		if keeps <= 0 && types <= 0 {
			dropped++
			continue
		}
		kept++
		f[3] = fmt.Sprintf("%.0f/%.0f", max(0, keeps), max(0, types))
		b.WriteString(strings.Join(f, "\t") + "\n")
	}
	fmt.Fprintf(out, "%d cues kept, %d dropped\n", kept, dropped)
	return atomicfile.WritePath(path, []byte(b.String()), atomicfile.Options{Mode: 0o644})
}
