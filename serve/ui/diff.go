package ui

import (
	"context"
	"strings"

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
	Lines          []line
	Removed, Added int
	Cut            bool // whether one of them is longer than what is compared
}

// line is a line of a comparison. Its sign is "−" for a line of the earlier memory
// alone, "+" for one of the later memory alone, and "" for one of both.
type line struct{ Sign, Text string }

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
	c := &comparison{Title: was.Title, Lines: differing(a, b), Cut: cutA || cutB}
	for _, l := range c.Lines {
		switch l.Sign {
		case "−":
			c.Removed++
		case "+":
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

// differing returns the lines of a and b in order, with as many of both as there can be.
func differing(a, b []string) []line {
	common := commonLines(a, b)
	var out []line
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, line{"", a[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			out = append(out, line{"−", a[i]})
			i++
		default:
			out = append(out, line{"+", b[j]})
			j++
		}
	}
	for _, text := range a[i:] {
		out = append(out, line{"−", text})
	}
	for _, text := range b[j:] {
		out = append(out, line{"+", text})
	}
	return out
}

// commonLines is how many lines a[i:] and b[j:] have in common in their order, for each i and j.
func commonLines(a, b []string) [][]int {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	return common
}
