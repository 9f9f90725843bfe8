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
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0), 8) {
		group.Go(func() { work(next) })
	}
	group.Wait()
}
