package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/internal/testrun"
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
	const rounds = 22 // past the number of segments from which Bluge merges
	for round := range rounds {
		writeTree(t, w.root, c.memories(1+round%5))
		if round%4 == 3 {
			removeSome(t, w.root, c.rand)
		}
		looks := round%4 == 0 || round == rounds-1 || testrun.Full()
		if looks {
			w.refresh(t)
			if r := w.check(t, "part indexed"); r.Overlay == 0 {
				t.Fatal("the overlay was not used")
			}
		}
		w.update(t)
		if !looks {
			continue
		}
		if r := w.check(t, "all indexed"); r.Overlay != 0 {
			t.Fatalf("%d memories were not indexed", r.Overlay)
		}
	}
	x := w.open()
	if st := x.State(); st.State != "ok" || st.Segments > postings.MergeFrom+1 {
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

// TestDamage damages each cache file in many ways; every answer must stay, and
// the next update mends what is broken. CORTEX_SEED=N takes other places.
func TestDamage(t *testing.T) {
	t.Parallel()
	seed := uint64(33)
	if n, err := strconv.ParseUint(os.Getenv("CORTEX_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("CORTEX_SEED=%d", seed)
	w := newWorld(t, 31, 30)
	w.queries = append(w.queries[8:12:12], "type:decision index", "parse frontmatter", "")
	w.update(t)
	c := newCorpus(32)
	writeTree(t, w.root, c.memories(5))
	w.refresh(t)
	w.update(t)
	w.check(t, "the whole caches") // makes the seals
	cache := filepath.Join(w.dir, "cache")
	whole := snapshotTree(t, cache)
	names := slices.DeleteFunc(sortedKeys(whole), func(name string) bool { return len(whole[name]) == 0 })
	rounds := 1
	switch {
	case testrun.Nightly():
		rounds = 200
	case testrun.Full():
		rounds = 200/len(names) + 1
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for _, name := range names {
		for range rounds {
			restoreTree(t, cache, whole)
			how := damage(t, filepath.Join(cache, name), whole[name], r)
			w.check(t, name+" "+how)
			w.update(t)
			if res := w.check(t, name+" "+how+", after healing"); res.Overlay != 0 {
				t.Fatalf("%s %s: not healed: %d memories are not indexed", name, how, res.Overlay)
			}
		}
	}
	t.Logf("%d files, each damaged %d times: %v", len(names), rounds, names)
}

// TestOtherVersions has caches of an older and of a newer version: nobody
// reads them, and the next update makes its own.
func TestOtherVersions(t *testing.T) {
	for _, by := range []int{-1, 1} {
		w := newWorld(t, 35, 20)
		w.update(t)
		cache := filepath.Join(w.dir, "cache")
		raised := 0
		for name, data := range snapshotTree(t, cache) {
			switch {
			case name == "catalog", strings.HasPrefix(name, "stat-"): // magic, then the version
				data[4] += byte(by)
				raised++
			case filepath.Base(name) == "CURRENT":
				old := strings.TrimSpace(string(data))
				name = strings.Replace(old, fmt.Sprintf("g-%d-", postings.Schema), fmt.Sprintf("g-%d-", postings.Schema+by), 1)
				if err := os.Rename(filepath.Join(cache, "index", old), filepath.Join(cache, "index", name)); err != nil {
					t.Fatal(err)
				}
				data, name = []byte(name+"\n"), filepath.Join("index", "CURRENT")
				raised++
			default:
				continue
			}
			writeFile(t, filepath.Join(cache, name), data)
		}
		if raised != 3 {
			t.Fatalf("%d files have a version", raised)
		}
		if r := w.check(t, "of another version"); r.Overlay != 20 {
			t.Errorf("version %+d: %d memories came from the overlay", by, r.Overlay)
		}
		w.update(t)
		if r := w.check(t, "made again"); r.Overlay != 0 {
			t.Errorf("version %+d: %d memories are not indexed", by, r.Overlay)
		}
	}
}

// damage does something to a file and says what.
func damage(t *testing.T, name string, data []byte, r *rand.Rand) (how string) {
	t.Helper()
	at := r.IntN(len(data))
	bad := append([]byte(nil), data...)
	switch r.IntN(5) {
	case 0:
		bad, how = bad[:at], fmt.Sprintf("cut at %d", at)
	case 1:
		bit := r.IntN(8)
		bad[at] ^= 1 << bit
		how = fmt.Sprintf("with bit %d of byte %d flipped", bit, at)
	case 2:
		clear(bad[at:min(len(bad), at+4096)])
		how = fmt.Sprintf("zeroed from %d", at)
	case 3:
		bad, how = append(bad, bad[:at]...), fmt.Sprintf("with %d bytes appended", at)
	case 4:
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		return "removed"
	}
	writeFile(t, name, bad)
	return how
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
	gen, err := (postings.Folder{Path: filepath.Join(w.dir, "cache", "index")}).Current()
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
	lock, err := x.folder().Lock()
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

// TestOneShot holds that mapped caches answer alike, also while another process
// adds to them.
func TestOneShot(t *testing.T) {
	w := newWorld(t, 91, 420)
	w.update(t)
	open := func() *Index { return Open(Options{Dir: filepath.Join(w.dir, "cache"), OneShot: true}) }
	x := open()
	x.Warm(w.root)
	v := viewOf(scan(t, x, w.root))
	want := w.want
	if len(x.catalog.file.data) < mapped.StayFrom {
		t.Fatalf("%d bytes are not mapped", len(x.catalog.file.data))
	}
	writeTree(t, w.root, newCorpus(92).memories(20))
	w.refresh(t)
	w.update(t)
	w.check(t, "after adding")
	if diff := cmp.Diff(want, answers(t, x, v, w.queries)); diff != "" {
		t.Errorf("the older process answers otherwise (-want +got):\n%s", diff)
	}
	_ = x.Close()
	x = open()
	defer x.Close()
	if diff := cmp.Diff(w.want, answers(t, x, viewOf(scan(t, x, w.root)), w.queries)); diff != "" {
		t.Errorf("a new process answers otherwise (-want +got):\n%s", diff)
	}
}
