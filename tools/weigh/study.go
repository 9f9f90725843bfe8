package main

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// figures count how what capture kept compares with the labels.
type figures struct {
	want, got          int // labels of importance 2 and 3, those that were hit
	kept, right        int // candidates kept, those that hit a label
	negatives, mistook int
	hit, typed         int // labels hit, those with a candidate of their type
	landed, glad       int
	landable, reached  int
}

func (f *figures) add(g figures) {
	f.want += g.want
	f.got += g.got
	f.kept += g.kept
	f.right += g.right
	f.negatives += g.negatives
	f.mistook += g.mistook
	f.hit += g.hit
	f.typed += g.typed
	f.landed += g.landed
	f.glad += g.glad
	f.landable += g.landable
	f.reached += g.reached
}

func (f *figures) String() string {
	part := func(a, b int) string {
		if b == 0 {
			return "-"
		}
		return fmt.Sprintf("%d/%d=%.2f", a, b, float64(a)/float64(b))
	}
	return fmt.Sprintf("recall(2,3) %s  precision %s  negatives hit %s  type right %s  landed: glad %s recall %s",
		part(f.got, f.want), part(f.right, f.kept), part(f.mistook, f.negatives), part(f.typed, f.hit), part(f.glad, f.landed), part(f.reached, f.landable))
}

// landsFrom is the confidence from which a memory lands by default.
const landsFrom = 0.85

func (s *session) score(t *weights.Table) (figures, error) {
	var f figures
	cands, err := s.captured(t, nil)
	if err != nil {
		return f, err
	}
	f.kept = len(cands)
	for i := range s.labels {
		s.count(&s.labels[i], cands, &f)
	}
	for i := range cands {
		c := &cands[i]
		right, glad := false, false
		for j := range s.labels {
			l := &s.labels[j]
			if !l.Negative && c.hits(l) {
				right = true
				glad = glad || l.Lands != nil && *l.Lands
			}
		}
		if right {
			f.right++
		}
		if s.landing && c.Confidence >= landsFrom {
			f.landed++
			if glad {
				f.glad++
			}
		}
	}
	return f, nil
}

// count adds what became of one label.
func (s *session) count(l *label, cands []found, f *figures) {
	hit, typed, landed, only := false, false, false, false
	for i := range cands {
		c := &cands[i]
		if !c.hits(l) {
			continue
		}
		hit = true
		typed = typed || c.Memory.Type == l.Type
		landed = landed || c.Confidence >= landsFrom
		only = only || !slices.ContainsFunc(s.labels, func(o label) bool { return !o.Negative && c.hits(&o) })
	}
	if l.Negative {
		f.negatives++
		if only {
			f.mistook++
		}
		return
	}
	if hit {
		f.hit++
	}
	if typed {
		f.typed++
	}
	if l.Importance >= 2 {
		f.want++
		if hit {
			f.got++
		}
	}
	if l.Lands != nil && *l.Lands {
		f.landable++
		if landed {
			f.reached++
		}
	}
}

func study(sessions []*session, set settings, out io.Writer) error {
	var all []example
	var groups []string
	for _, s := range sessions {
		ex, err := examplesOf(s)
		if err != nil {
			return err
		}
		all = append(all, ex...)
		if !slices.Contains(groups, s.group) {
			groups = append(groups, s.group)
		}
	}
	report(all, out)
	tables := map[string]*weights.Table{}
	var mu sync.Mutex
	var wait sync.WaitGroup
	for _, g := range groups {
		wait.Go(func() {
			var others []example
			for _, e := range all {
				if e.group != g {
					others = append(others, e)
				}
			}
			t := learn(others, set)
			mu.Lock()
			tables[g] = t
			mu.Unlock()
		})
	}
	wait.Wait()
	if err := crossed(sessions, groups, tables, set, out); err != nil {
		return err
	}
	if set.cues != "" {
		return rewriteCues(set.cues, all, worths(all, tables), out)
	}
	if !set.fitted && set.out == "" {
		return nil
	}
	t := learn(all, set)
	var f figures
	for _, s := range sessions {
		g, err := s.score(t)
		if err != nil {
			return err
		}
		f.add(g)
	}
	fmt.Fprintf(out, "%-40s %s\n", "fitted", f.String())
	if set.out != "" {
		return atomicfile.WritePath(set.out, t.Format(), atomicfile.Options{Mode: 0o644})
	}
	return nil
}

// shipped prints the figures of the table of the program, of each group and of all.
func shipped(sessions []*session, out io.Writer) error {
	var all figures
	by := map[string]*figures{}
	var groups []string
	for _, s := range sessions {
		f, err := s.score(nil)
		if err != nil {
			return err
		}
		if by[s.group] == nil {
			by[s.group] = new(figures)
			groups = append(groups, s.group)
		}
		by[s.group].add(f)
		all.add(f)
	}
	for _, g := range groups {
		fmt.Fprintf(out, "%-40s %s\n", g, by[g])
	}
	fmt.Fprintf(out, "%-40s %s\n", "shipped", &all)
	return nil
}

// crossed prints the figures of every group under the table learned without it.
func crossed(sessions []*session, groups []string, tables map[string]*weights.Table, set settings, out io.Writer) error {
	levels := [][2]float64{{set.keep, set.lands}}
	if set.show {
		levels = nil
		for _, x := range []float64{0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50} {
			levels = append(levels, [2]float64{x, x})
		}
	}
	for _, at := range levels {
		var sum figures
		for _, g := range groups {
			var f figures
			t := *tables[g]
			t.KeepAt, t.LandAt = at[0], at[1]
			for _, s := range sessions {
				if s.group != g {
					continue
				}
				one, err := s.score(&t)
				if err != nil {
					return err
				}
				f.add(one)
			}
			if len(levels) == 1 {
				fmt.Fprintf(out, "%-40s %s\n", g, f.String())
			}
			sum.add(f)
		}
		fmt.Fprintf(out, "%-40s %s\n", fmt.Sprintf("all, left out, keep %.2f lands %.2f", at[0], at[1]), sum.String())
	}
	return nil
}

func report(all []example, out io.Writer) {
	keep, lands := 0, 0
	for _, e := range all {
		if e.keep {
			keep++
		}
		if e.lands {
			lands++
		}
	}
	fmt.Fprintf(out, "%d judged, %d of them worth keeping, %d worth landing\n", len(all), keep, lands)
}
