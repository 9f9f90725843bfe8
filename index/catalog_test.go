package index

import (
	"fmt"
	"sync"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestFlushAtOnce: what several goroutines write at once is on disk once.
func TestFlushAtOnce(t *testing.T) {
	opt := Options{Dir: t.TempDir()}
	x := Open(opt)
	var adding sync.WaitGroup
	for g := range 4 {
		adding.Go(func() {
			for i := range 200 {
				data := memory.Format(memory.New(memory.Fix, fmt.Sprint("Note ", g, i), "It is so.", testNow))
				x.Catalog().Add(BlobID(data, false), "x.md", data)
				if err := x.Flush(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	adding.Wait()
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = Open(opt)
	defer x.Close()
	if n := x.Catalog().Len(); n != 4*200 {
		t.Errorf("%d entries of %d memories", n, 4*200)
	}
}
