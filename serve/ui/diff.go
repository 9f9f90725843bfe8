package ui

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/internal/linediff"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
)

// Bounds of a comparison: what a memory has beyond them is left out of it.
const (
	comparedLines = 200 // of either memory
	comparedBytes = 16 << 10
)

// comparison holds the lines of two memories: of the earlier one alone, of the one that
// waits alone, and of both.
type comparison struct {
	Title          string // of the earlier memory
	Lines          []linediff.Line
	Removed, Added int
	Cut            bool // whether one of them is longer than what is compared
}

// earlier returns the memories that items replace or contradict, by id.
func earlier(ctx context.Context, view *workspace.View, items []review.Item) map[memory.ID]*memory.Memory {
	out := map[memory.ID]*memory.Memory{}
	for i := range items {
		for _, c := range items[i].Replaces {
			out[c.ID] = nil
		}
		for _, c := range items[i].Contradict {
			out[c.ID] = nil
		}
	}
	for i := range view.Items {
		id := view.ID(i)
		if _, wanted := out[id]; !wanted {
			continue
		}
		if e, err := view.Entry(ctx, view.Items[i]); err == nil { // else the page names it, and compares nothing
			out[id] = e.Memory
		}
	}
	return out
}

// Against compares the memory that waits with an earlier one; nil if that one cannot be
// read or both say the same.
func (w waiting) Against(id memory.ID) *comparison {
	was := w.earlier[id]
	if was == nil {
		return nil
	}
	c := compare(was, w.Memory)
	if c.Removed+c.Added == 0 && !c.Cut {
		return nil
	}
	return c
}

// compare compares what two memories say, line by line.
func compare(was, now *memory.Memory) *comparison {
	a, cutA := statedLines(was)
	b, cutB := statedLines(now)
	c := &comparison{Title: was.Title, Lines: linediff.Compare(a, b), Cut: cutA || cutB}
	for _, l := range c.Lines {
		switch l.Sign {
		case linediff.Removed:
			c.Removed++
		case linediff.Added:
			c.Added++
		}
	}
	return c
}

// statedLines returns what a memory says: its title, its text and the fields that people
// set, without its id, its dates and where it came from, by which any two differ. cut
// reports that something was left out.
func statedLines(m *memory.Memory) (lines []string, cut bool) {
	lines = append(lines, m.Title, "type: "+string(m.Type))
	for _, list := range []struct {
		name   string
		values []string
	}{{"tags", m.Tags}, {"files", m.Files}, {"entities", m.Entities}} {
		if len(list.values) > 0 {
			lines = append(lines, list.name+": "+strings.Join(list.values, ", "))
		}
	}
	if text := strings.TrimSpace(m.Text); text != "" {
		lines = append(append(lines, ""), strings.Split(text, "\n")...)
	}
	left := comparedBytes
	for i := range lines {
		if left -= len(lines[i]); left < 0 {
			kept := max(0, len(lines[i])+left)
			lines[i] = strings.ToValidUTF8(lines[i][:kept], "")
			return lines[:min(i+1, comparedLines)], true
		}
	}
	return lines[:min(len(lines), comparedLines)], len(lines) > comparedLines
}
