package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/git-cortex/cortex/tools/scratch"
)

// work is something whose cost is measured.
type work struct {
	name string
	do   func(ctx context.Context, r *scratch.Repository, serial int) (scratch.Cost, error)
	once bool // it takes so long, or can be done once alone, that it is not repeated
}

// row is the figures of one work, of each program.
type row struct {
	name string
	size int
	of   []figures
}

type figures struct {
	least, median, most time.Duration // of CPU
	peak                int64
}

// measure does works in each repository in turn, and prints a table.
func (b *bench) measure(ctx context.Context, group string, size int, places []*scratch.Repository, works []work) error {
	fmt.Fprintf(b.out, "\n%s\n\n| what | CPU ms, least / median / most | peak MB |%s\n|---|---|---|%s\n",
		group, b.heading(" before | peak MB | now to before |"), b.heading("---|---|---|"))
	for _, w := range works {
		if !b.only.MatchString(group + "/" + w.name) {
			continue
		}
		costs := make([][]scratch.Cost, len(places))
		runs := b.runs
		if w.once {
			runs = 1
		}
		for serial := range runs {
			for i, place := range places {
				cost, err := w.do(ctx, place, serial)
				if err != nil {
					return err
				}
				costs[i] = append(costs[i], cost)
			}
		}
		r := row{name: w.name, size: size}
		for _, c := range costs {
			r.of = append(r.of, figuresOf(c))
		}
		b.rows = append(b.rows, r)
		b.print(r)
	}
	return nil
}

func (b *bench) heading(text string) string {
	if len(b.paths) < 2 {
		return ""
	}
	return text
}

func figuresOf(costs []scratch.Cost) figures {
	slices.SortFunc(costs, func(a, b scratch.Cost) int { return int(a.CPU - b.CPU) })
	f := figures{least: costs[0].CPU, median: costs[len(costs)/2].CPU, most: costs[len(costs)-1].CPU}
	for _, c := range costs {
		f.peak = max(f.peak, c.Peak)
	}
	return f
}

func (b *bench) print(r row) {
	fmt.Fprintf(b.out, "| %s |", r.name)
	for _, f := range r.of {
		fmt.Fprintf(b.out, " %.1f / %.1f / %.1f | %.0f |", ms(f.least), ms(f.median), ms(f.most), float64(f.peak)/1e6)
	}
	if len(r.of) > 1 {
		fmt.Fprintf(b.out, " %.2f |", ms(r.of[0].median)/ms(r.of[1].median))
	}
	fmt.Fprintln(b.out)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// exponents says how the cost of each work grows: 0 not at all, 1 as its size does.
func (b *bench) exponents() error {
	var lines []string
	for i, small := range b.rows {
		for _, large := range b.rows[i+1:] {
			if large.name == small.name && small.size > 0 && large.size > small.size {
				grown := ms(large.of[0].median) / ms(small.of[0].median)
				exponent := math.Log(grown) / math.Log(float64(large.size)/float64(small.size))
				lines = append(lines, fmt.Sprintf("| %s | %d | %d | %.2f |", small.name, small.size, large.size, exponent))
				break
			}
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(b.out, "\nGrowth of CPU\n\n| what | from | to | exponent |\n|---|---|---|---|\n")
	}
	for _, line := range lines {
		fmt.Fprintln(b.out, line)
	}
	return nil
}
