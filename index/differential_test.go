package index

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// world is a tree, and what a run without any cache answers over it.
type world struct {
	dir, root string
	queries   []string
	want      []answer
}

func newWorld(t *testing.T, seed uint64, n int) *world {
	t.Helper()
	dir := t.TempDir()
	c := newCorpus(seed)
	w := &world{dir: dir, root: filepath.Join(dir, "memories")}
	writeTree(t, w.root, c.memories(n))
	w.queries = append(c.queries(10), `"journal snapshot"`, "cache -test", "type:decision index", "stemmer since:30d",
		"parse frontmatter", "rm -rf", "--no-verify", "scan.go", "nothingmatchesthis", "", "tag:cache")
	w.refresh(t)
	return w
}

func (w *world) refresh(t *testing.T) {
	t.Helper()
	x := Open(Options{})
	w.want = answers(t, x, viewOf(scan(t, x, w.root)), w.queries)
}

func (w *world) open() *Index { return Open(Options{Dir: filepath.Join(w.dir, "cache")}) }

// check opens the caches as they are and compares answers.
func (w *world) check(t *testing.T, label string) *Result {
	t.Helper()
	x := w.open()
	defer x.Close()
	v := viewOf(scan(t, x, w.root))
	if diff := cmp.Diff(w.want, answers(t, x, v, w.queries)); diff != "" {
		t.Fatalf("%s: answers differ from those without caches (-want +got):\n%s", label, diff)
	}
	return find(t, x, v, "cache", 1)
}

func (w *world) update(t *testing.T) {
	t.Helper()
	x := w.open()
	update(t, x, viewOf(scan(t, x, w.root)))
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestIncrementalEqualsRebuild(t *testing.T) {
	w := newWorld(t, 11, 80)
	w.check(t, "nothing indexed")
	w.update(t)
	if r := w.check(t, "all indexed"); r.Overlay != 0 {
		t.Fatalf("%d memories were not indexed", r.Overlay)
	}
	c := newCorpus(12)
	for round := range 22 { // past the number of segments from which Bluge merges
		writeTree(t, w.root, c.memories(1+round%5))
		if round%4 == 3 {
			removeSome(t, w.root, c.rand)
		}
		w.refresh(t)
		if r := w.check(t, "part indexed"); r.Overlay == 0 {
			t.Fatal("the overlay was not used")
		}
		w.update(t)
		if r := w.check(t, "all indexed"); r.Overlay != 0 {
			t.Fatalf("%d memories were not indexed", r.Overlay)
		}
	}
	x := w.open()
	if st := x.State(); st.State != "ok" || st.Segments > mergeFrom+1 {
		t.Errorf("segments were not merged: %+v", st)
	}
	if err := x.Rebuild(context.Background(), viewOf(scan(t, x, w.root)), nil); err != nil {
		t.Fatal(err)
	}
	_ = x.Close()
	w.check(t, "rebuilt")
	if err := os.RemoveAll(filepath.Join(w.dir, "cache")); err != nil {
		t.Fatal(err)
	}
	w.check(t, "caches deleted")
}

func removeSome(t *testing.T, root string, r *rand.Rand) {
	t.Helper()
	for _, name := range treeFiles(t, root) {
		if r.IntN(20) == 0 {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func treeFiles(t *testing.T, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(p string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestViewsDoNotMix holds that memories outside the view change no score.
func TestViewsDoNotMix(t *testing.T) {
	w := newWorld(t, 21, 80)
	w.update(t)
	other := filepath.Join(w.dir, "other")
	writeTree(t, other, newCorpus(22).memories(200))
	x := w.open()
	update(t, x, viewOf(scan(t, x, other)))
	_ = x.Close()
	if r := w.check(t, "beside another branch"); r.Overlay != 0 {
		t.Errorf("%d memories were not indexed", r.Overlay)
	}
}

var faults = flag.Int("faults", 0, "damage each file of the caches that many times")

// TestDamage damages each cache file in many ways; every answer must stay.
func TestDamage(t *testing.T) {
	w := newWorld(t, 31, 30)
	w.update(t)
	c := newCorpus(32)
	writeTree(t, w.root, c.memories(5))
	w.refresh(t)
	w.update(t)
	cache := filepath.Join(w.dir, "cache")
	whole := snapshotTree(t, cache)
	r := rand.New(rand.NewPCG(33, 1))
	rounds := 2
	if *faults > 0 {
		rounds = *faults
	}
	for name, data := range whole {
		if len(data) == 0 {
			continue
		}
		for range rounds {
			restoreTree(t, cache, whole)
			damage(t, filepath.Join(cache, name), data, r)
			w.check(t, name)
			w.update(t)
			if res := w.check(t, name+" after healing"); res.Overlay != 0 {
				t.Fatalf("%s: not healed: %d memories are not indexed", name, res.Overlay)
			}
		}
	}
}

func damage(t *testing.T, name string, data []byte, r *rand.Rand) {
	t.Helper()
	at := r.IntN(len(data))
	bad := append([]byte(nil), data...)
	switch r.IntN(5) {
	case 0:
		bad = bad[:at]
	case 1:
		bad[at] ^= 1 << r.IntN(8)
	case 2:
		for i := at; i < min(len(bad), at+4096); i++ {
			bad[i] = 0
		}
	case 3:
		bad = append(bad, bad[:at]...)
	case 4:
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		return
	}
	writeFile(t, name, bad)
}

func snapshotTree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range treeFiles(t, dir) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(dir, name)
		out[rel] = data
	}
	return out
}

func restoreTree(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		writeFile(t, filepath.Join(dir, name), data)
	}
}

// TestForeignFiles holds that files of others in the cache folder do no harm.
func TestForeignFiles(t *testing.T) {
	w := newWorld(t, 41, 40)
	w.update(t)
	gen, err := currentGeneration(filepath.Join(w.dir, "cache", "index"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"zz.seg", "notes.txt", "00000000ffff.seg", "00000000ffff.snp", ".tmp-9"} {
		writeFile(t, filepath.Join(w.dir, "cache", "index", gen, name), []byte("not a segment"))
	}
	w.check(t, "with foreign files")
	writeTree(t, w.root, newCorpus(42).memories(3))
	w.refresh(t)
	w.update(t)
	if r := w.check(t, "updated among foreign files"); r.Overlay != 0 {
		t.Errorf("%d memories were not indexed", r.Overlay)
	}
}

// TestTwoWriters holds that writers side by side lose nothing and readers
// beside them always answer.
func TestTwoWriters(t *testing.T) {
	w := newWorld(t, 51, 30)
	w.update(t)
	var group sync.WaitGroup
	roots := []string{filepath.Join(w.dir, "a"), filepath.Join(w.dir, "b")}
	for i, root := range roots {
		group.Go(func() {
			c := newCorpus(uint64(60 + i))
			for range 12 {
				writeTree(t, root, c.memories(2))
				x := w.open()
				if tree, err := x.Scan(context.Background(), root); err != nil {
					t.Error(err)
				} else if _, err := x.Update(context.Background(), viewOf(tree)); err != nil {
					t.Error(err)
				}
				_ = x.Close()
			}
		})
	}
	for range 15 {
		w.check(t, "beside two writers")
	}
	group.Wait()
	x := w.open()
	defer x.Close()
	for _, root := range roots {
		v := viewOf(scan(t, x, root))
		update(t, x, v)
		if r := find(t, x, v, "cache", 1); r.Overlay != 0 || r.View != 24 {
			t.Errorf("%s: %d of %d not indexed", root, r.Overlay, r.View)
		}
	}
	if bad := x.Verify(context.Background()); len(bad) > 0 {
		t.Errorf("damaged: %v", bad)
	}
}

func TestBusyLock(t *testing.T) {
	w := newWorld(t, 71, 20)
	x := w.open()
	defer x.Close()
	v := viewOf(scan(t, x, w.root))
	lock, err := x.lock()
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	if n := update(t, x, v); n != 0 {
		t.Errorf("%d memories indexed without the lock", n)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := x.Rebuild(ctx, v, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Rebuild with a busy lock: %v", err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	if n := update(t, x, v); n != 20 {
		t.Errorf("%d memories indexed, want 20", n)
	}
}

func TestReadOnlyCache(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	w := newWorld(t, 81, 10)
	cache := filepath.Join(w.dir, "cache")
	if err := os.Mkdir(cache, 0o555); err != nil {
		t.Fatal(err)
	}
	w.check(t, "in a folder that cannot be written")
}

func TestVerify(t *testing.T) {
	w := newWorld(t, 91, 20)
	w.update(t)
	x := w.open()
	defer x.Close()
	if bad := x.Verify(context.Background()); len(bad) != 0 {
		t.Fatalf("sound caches: %v", bad)
	}
	for _, name := range treeFiles(t, filepath.Join(w.dir, "cache", "index")) {
		if strings.HasSuffix(name, ".seg") {
			data, _ := os.ReadFile(name)
			data[len(data)/2] ^= 1
			writeFile(t, name, data)
		}
	}
	if bad := x.Verify(context.Background()); len(bad) != 1 {
		t.Errorf("one damaged segment: %v", bad)
	}
	if st := x.State(); st.State != "damaged" {
		t.Errorf("state %q", st.State)
	}
}
