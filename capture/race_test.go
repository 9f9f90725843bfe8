package capture

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/session"
)

// TestRunsAtOnce reads all fixtures in several goroutines at once, as a server
// might: each must find the same as a run alone. Run it with -race.
func TestRunsAtOnce(t *testing.T) {
	redactor, _ := redact.New([]string{"harbou?r-[0-9]+"})
	files := append(bundles(t), fixtures(t)...)
	read := func(file string) string {
		res := capture(t, load(t, file), Options{Redactor: redactor})
		return describe(res) + string(session.Format(res.Session))
	}
	got := make([][]string, 4)
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { // the first to run builds the tables, so none may run before
			for _, file := range files {
				got[i] = append(got[i], read(file))
			}
		})
	}
	all.Wait()
	for i, file := range files {
		want := read(file)
		for _, g := range got {
			if d := cmp.Diff(want, g[i]); d != "" {
				t.Errorf("%s (-alone +at once):\n%s", file, d)
			}
		}
	}
}
