// Package linediff compares texts line by line.
//
// Call Compare with the lines of both. It promises that the lines of both texts are in the
// answer, each in its order, and as many as can be are said to be in both. It takes time
// and memory by the product of the two lengths: callers bound what they compare.
package linediff

import "slices"

// The signs of a line.
const (
	Same    = " " // it is in both texts
	Removed = "-" // in the earlier one alone
	Added   = "+" // in the later one alone
)

// Line is a line of two texts, with its sign.
type Line struct{ Sign, Text string }

// Compare returns the lines of two texts by their longest common subsequence; what was
// removed stands before what came in its place.
func Compare(was, now []string) []Line {
	common := commonOf(was, now)
	var out []Line
	i, j := 0, 0
	for i < len(was) && j < len(now) {
		switch {
		case was[i] == now[j]:
			out = append(out, Line{Same, was[i]})
			i, j = i+1, j+1
		case common.at(i+1, j) >= common.at(i, j+1):
			out = append(out, Line{Removed, was[i]})
			i++
		default:
			out = append(out, Line{Added, now[j]})
			j++
		}
	}
	return append(append(out, all(Removed, was[i:])...), all(Added, now[j:])...)
}

// all gives lines one sign.
func all(sign string, lines []string) []Line {
	out := make([]Line, len(lines))
	for i, text := range lines {
		out[i] = Line{sign, text}
	}
	return out
}

// table holds, for each i and j, how many lines the rests a[i:] and b[j:] have in common in
// their order.
type table struct {
	width int
	cells []int
}

func (t *table) at(i, j int) int { return t.cells[i*t.width+j] }

func commonOf(a, b []string) *table {
	t := &table{len(b) + 1, make([]int, (len(a)+1)*(len(b)+1))}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			n := max(t.at(i+1, j), t.at(i, j+1))
			if a[i] == b[j] {
				n = t.at(i+1, j+1) + 1
			}
			t.cells[i*t.width+j] = n
		}
	}
	return t
}
