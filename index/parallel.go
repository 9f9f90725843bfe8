package index

import (
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// parallel runs work on a few goroutines. Each takes numbers below n from next
// until there are none left.
func parallel(n int, work func(next func() (int, bool))) {
	_ = parallelErr(n, func(next func() (int, bool)) error {
		work(next)
		return nil
	})
}

// parallelErr is parallel for work that can fail. After a failure next has no
// more numbers for anybody; the error is the first one.
func parallelErr(n int, work func(next func() (int, bool)) error) error {
	var taken atomic.Int64
	next := func() (int, bool) {
		i := int(taken.Add(1)) - 1
		return i, i < n
	}
	if n <= 1 {
		return work(next)
	}
	var group errgroup.Group
	for range min(n, workers()) {
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

// workers is the number of goroutines that share work.
func workers() int { return min(runtime.GOMAXPROCS(0), 8) }
