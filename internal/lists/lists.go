// Package lists sorts lists, picks from them, and makes sets of them.
//
// Call [Sort] where a slice of structs is sorted once in a command. The sorts of the package slices
// are compiled again for each type of element, up to 25 KB of the program each; Sort sorts the
// indices, by code that all types share. Strings, numbers, pointers, and what a search sorts in its
// inner loops, stay with the package slices.
package lists

import (
	"cmp"
	"reflect"
	"slices"
)

// Sort sorts list by compare and leaves elements that compare as equal in the order they had.
func Sort[S ~[]T, T any](list S, compare func(a, b T) int) {
	arrange(len(list), func(a, b int) int { return compare(list[a], list[b]) }, reflect.Swapper(list))
}

// arrange swaps n elements into the order of compare, which it asks before the first swap.
func arrange(n int, compare func(a, b int) int, swap func(i, j int)) {
	from := make([]int, n) // where the element of each place is
	for i := range from {
		from[i] = i
	}
	slices.SortFunc(from, func(a, b int) int { return cmp.Or(compare(a, b), a-b) })
	for to := range from {
		for from[to] != to { // to and from[to] are in one cycle of the permutation
			next := from[to]
			if from[next] != next {
				swap(to, next)
			}
			from[to], to = to, next
		}
	}
}

// Where returns the elements of a list that are wanted, in their order; nil for none. It and [Without]
// are compiled once for each type of element, where inlining would repeat their loops in each caller.
//
//go:noinline
func Where[T any](list []T, wanted func(T) bool) []T {
	var out []T
	for _, one := range list {
		if wanted(one) {
			out = append(out, one)
		}
	}
	return out
}

// Without returns the elements of a list but for those to drop, in their order: a list of its own, so
// that the given one stays as it is. It is nil for nil alone.
//
//go:noinline
func Without[S ~[]T, T any](list S, drop func(T) bool) S {
	out := list[:0:0]
	for i := range list {
		if !drop(list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// First returns the first elements of a list, so many at most; all where that is not positive.
func First[S ~[]T, T any](list S, most int) S {
	if most <= 0 {
		return list
	}
	return list[:min(len(list), most)]
}

// Unique returns the elements of some lists, each at its first place; nil for none.
func Unique[T comparable](lists ...[]T) []T {
	var out []T
	for _, one := range slices.Concat(lists...) {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// Map returns what f makes of each element of a list, nil for none.
func Map[S, T any](list []S, f func(S) T) []T {
	var out []T
	for _, one := range list {
		out = append(out, f(one))
	}
	return out
}

// Set returns the elements of a list as a set.
func Set[T comparable](list []T) map[T]bool {
	return SetOf(list, func(x T) T { return x })
}

// SetOf returns the keys of the elements of a list as a set.
func SetOf[T any, K comparable](list []T, key func(T) K) map[K]bool {
	set := make(map[K]bool, len(list))
	for _, x := range list {
		set[key(x)] = true
	}
	return set
}
