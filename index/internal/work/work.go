// Package work shares work among the cores, and picks the best of many.
//
// Call [Share], or [ShareErr] for work that can fail. The order in which work is done is
// not fixed, so its results belong to places that the caller made before.
package work

import (
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Share runs work on a few goroutines. Each takes numbers below n from next
// until there are none left.
func Share(n int, work func(next func() (int, bool))) {
	_ = ShareErr(n, func(next func() (int, bool)) error {
		work(next)
		return nil
	})
}

// ShareErr is Share for work that can fail. After a failure next has no
// more numbers for anybody; the error is the first one.
func ShareErr(n int, work func(next func() (int, bool)) error) error {
	var taken atomic.Int64
	next := func() (int, bool) {
		i := int(taken.Add(1)) - 1
		return i, i < n
	}
	if n <= 1 {
		return work(next)
	}
	var group errgroup.Group
	for range min(n, Workers()) {
		group.Go(func() error {
			err := work(next)
			if err != nil {
				taken.Store(int64(n))
			}
			return err
		})
	}
	return group.Wait()
}

// Workers is the number of goroutines that share work.
func Workers() int { return min(runtime.GOMAXPROCS(0), 8) }

// Best returns the n best of list, best first. It changes the list.
func Best[T any](list []T, n int, compare func(a, b T) int) []T {
	kept := list[:min(n, len(list))]
	slices.SortFunc(kept, compare)
	for _, one := range list[len(kept):] {
		last := len(kept) - 1
		if last < 0 || compare(one, kept[last]) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(kept, one, compare)
		copy(kept[at+1:], kept[at:last])
		kept[at] = one
	}
	return kept
}
