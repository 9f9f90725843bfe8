// Package order sorts slices of large values with little code.
//
// Call [Sort] where a slice of structs is sorted once in a command. The sorts of the package slices
// are compiled again for each type of element, up to 25 KB of the program each; Sort sorts the
// indices, by code that all types share. Strings, numbers, pointers, and what a search sorts in its
// inner loops, stay with the package slices.
package order

import (
	"cmp"
	"slices"
)

// Sort sorts list by compare and leaves elements that compare as equal in the order they had.
func Sort[S ~[]T, T any](list S, compare func(a, b T) int) {
	if len(list) < 2 {
		return
	}
	indices := sorted(len(list), func(a, b int) int { return compare(list[a], list[b]) })
	before := slices.Clone(list)
	for to, from := range indices {
		list[to] = before[from]
	}
}

// sorted returns the numbers below n, sorted by compare, and by themselves where that finds no difference.
func sorted(n int, compare func(a, b int) int) []int {
	indices := make([]int, n)
	for i := range indices {
		indices[i] = i
	}
	slices.SortFunc(indices, func(a, b int) int { return cmp.Or(compare(a, b), a-b) })
	return indices
}
