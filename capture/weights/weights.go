// Package weights says how much the signs of a passage speak for keeping it as a
// memory, and for putting it in front of a reviewer.
//
// Call [Builtin] for the table that the program ships, or [Parse] for another
// one, and [Table.Score] with the signs of a passage.
//
// It promises: the same signs have the same verdict everywhere; a sign that the
// table does not have counts nothing; and the table can be read: one row for each
// sign, one column for each question, in hundredths of a logit. It holds none of
// the text that it was learned from, only names of signs that capture computes.
// tools/weigh learns it from labelled transcripts.
package weights

import (
	"bufio"
	"bytes"
	_ "embed" // the table
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

//go:embed table.tsv
var builtin []byte

// The columns of a table.
const (
	Keep  = "keep"
	Lands = "lands"
)

// Bias is the sign that every passage has.
const Bias = "(always)"

// thresholds names the row with the two thresholds, in hundredths.
const thresholds = "(at)"

// Table holds the weights. It is never changed once made.
type Table struct {
	heads  []string
	rows   map[string][]float32
	KeepAt float64 // from this probability on, a passage is kept
	LandAt float64 // from this one on, it may land by itself
}

// Verdict is the score of one passage by a table: two probabilities.
type Verdict struct {
	Keep  float64 // that a reader would want it kept, 0–1
	Lands float64 // that a reviewer would be glad of it, 0–1
}

// Builtin is the table that the program ships.
var Builtin = lazy.Value(func() *Table {
	t, err := Parse(builtin)
	if err != nil {
		panic("parsing the table of weights: " + err.Error())
	}
	return t
})

// New makes a table of rows that have one number for each column.
func New(rows map[string][]float64, keepAt, landAt float64) *Table {
	t := &Table{heads: []string{Keep, Lands}, rows: map[string][]float32{}, KeepAt: keepAt, LandAt: landAt}
	for name, row := range rows {
		numbers := make([]float32, len(row))
		for i, x := range row {
			numbers[i] = float32(math.Round(x*100) / 100)
		}
		t.rows[name] = numbers
	}
	return t
}

// Parse reads a table: lines of fields separated by tabs, the first with the
// names of the columns; lines that begin with "#" are comments.
func Parse(data []byte) (*Table, error) {
	t := &Table{rows: map[string][]float32{}}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(lines.Text(), "\t")
		if strings.HasPrefix(fields[0], "#") || len(fields) < 2 {
			continue
		}
		if err := t.row(fields[0], fields[1:]); err != nil {
			return nil, fmt.Errorf("parsing line %d: %w", n, err)
		}
	}
	switch {
	case !slices.Equal(t.heads, []string{Keep, Lands}):
		return nil, errors.New("parsing the first line: the columns keep and lands are expected")
	case !probable(t.KeepAt), !probable(t.LandAt):
		return nil, errors.New("parsing the thresholds: a row (at) with two numbers from 1 to 99 is expected")
	}
	return t, nil
}

// probable reports whether a threshold is a probability that is neither impossible nor certain.
func probable(at float64) bool { return at > 0 && at < 1 }

// row takes in a row; the first one has the names of the columns.
func (t *Table) row(name string, fields []string) error {
	if t.heads == nil {
		t.heads = fields
		return nil
	}
	row, err := numbers(fields)
	switch {
	case err != nil:
		return err
	case len(row) != len(t.heads):
		return fmt.Errorf("%d columns, expected %d", len(row), len(t.heads))
	case name == thresholds:
		t.KeepAt, t.LandAt = hundredths(row[0]), hundredths(row[1])
	default:
		t.rows[name] = row
	}
	return nil
}

// hundredths is a number of the table as exact as it stands there.
func hundredths(x float32) float64 { return math.Round(float64(x)*100) / 100 }

func numbers(fields []string) ([]float32, error) {
	row := make([]float32, len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return nil, fmt.Errorf("reading %q: a whole number is expected", f)
		}
		row[i] = float32(n) / 100
	}
	return row, nil
}

// Format writes a table as [Parse] reads it, rows in order of their names.
func (t *Table) Format() []byte {
	var b bytes.Buffer
	b.WriteString("sign\t" + strings.Join(t.heads, "\t") + "\n")
	fmt.Fprintf(&b, "%s\t%.0f\t%.0f\n", thresholds, t.KeepAt*100, t.LandAt*100)
	for _, name := range slices.Sorted(maps.Keys(t.rows)) {
		b.WriteString(name)
		for _, x := range t.rows[name] {
			fmt.Fprintf(&b, "\t%.0f", x*100)
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}

// Score gives the verdict on a passage that has these signs, each named once.
func (t *Table) Score(signs []string) Verdict {
	sum := make([]float32, len(t.heads))
	add := func(row []float32) {
		for i, x := range row {
			sum[i] += x
		}
	}
	add(t.rows[Bias])
	for _, s := range signs {
		add(t.rows[s])
	}
	return Verdict{Keep: probability(sum[0]), Lands: probability(sum[1])}
}

func probability(logit float32) float64 { return 1 / (1 + math.Exp(-float64(logit))) }
