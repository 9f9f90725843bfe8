package index

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel runs work on a few goroutines; each takes numbers below n from next
// until there are no more.
func parallel(n int, work func(next func() (int, bool))) {
	var taken atomic.Int64
	next := func() (int, bool) {
		i := int(taken.Add(1)) - 1
		return i, i < n
	}
	if n <= 1 {
		work(next)
		return
	}
	var group sync.WaitGroup
	for range min(n, workers()) {
		group.Go(func() { work(next) })
	}
	group.Wait()
}

// parallelEach runs work on a few goroutines.
func parallelEach(work func()) {
	var group sync.WaitGroup
	for range workers() {
		group.Go(work)
	}
	group.Wait()
}

func workers() int { return min(runtime.GOMAXPROCS(0), 8) }
