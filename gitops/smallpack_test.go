package gitops

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/google/go-cmp/cmp"
)

// TestSmallPacks: what captures of many objects wrote, and what git packed whole of a
// small repository, is read without a git process; what git packed as a difference, with
// one.
func TestSmallPacks(t *testing.T) {
	formats(t, func(t *testing.T, r *Repo) {
		want := map[string]string{}
		for _, n := range []int{40, 30} {
			c := many(n)
			for path, data := range c.Put {
				c.Put[path] = append(data, strings.Repeat("y", n)...)
				want[path] = string(c.Put[path])
			}
			capture(t, r, c)
		}
		git := r.git.Binary
		without := func(binary, when string) {
			t.Helper()
			r.git.Binary = binary
			defer func() { r.git.Binary = git }()
			if diff := cmp.Diff(want, contents(t, r)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", when, diff)
			}
		}
		none := filepath.Join(t.TempDir(), "none")
		without(none, "two packs")
		runGit(t, r.Root, "repack", "-q", "-a", "-d", "--window=0")
		without(none, "one pack of git's")
		runGit(t, r.Root, "repack", "-q", "-a", "-d", "-f")
		without(git, "with differences")
		runGit(t, r.Root, "-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d", "-f")
		without(git, "an older index")
	})
}

// TestSmallPackDamaged: an object whose pack is damaged is read of another pack, and
// missing without one.
func TestSmallPackDamaged(t *testing.T) {
	dir := initRepo(t)
	r := openRepo(t, dir)
	c := many(40)
	capture(t, r, c)
	var pack, index string
	for _, file := range packs(t, r) {
		switch filepath.Ext(file) {
		case ".pack":
			pack = file
		case ".idx":
			index = file
		}
	}
	sound := readFile(t, pack)
	var of string
	for path := range c.Put {
		of = path
	}
	id := r.Hash(c.Put[of])
	read := func() bool {
		s := newStore(r.objects)
		defer s.close()
		o, err := s.fetch(t.Context(), id)
		if err == nil && string(o.data) != string(c.Put[of]) {
			t.Errorf("read %.40q", o.data)
		}
		return err == nil
	}
	if !read() {
		t.Fatal("a sound pack was not read")
	}
	if err := os.Chmod(pack, 0o666); err != nil {
		t.Fatal(err)
	}
	zeroes := strings.Repeat("\x00", len(sound)-12-20)
	writeFile(t, pack, sound[:12]+zeroes+sound[len(sound)-20:])
	if read() {
		t.Error("an object was read of a pack full of zeroes")
	}
	for from, to := range map[string]string{sound: ".pack", readFile(t, index): ".idx"} {
		writeFile(t, filepath.Join(filepath.Dir(pack), "pack-"+strings.Repeat("0", 40)+to), from)
	}
	if !read() {
		t.Error("the object is not read of the sound pack beside the damaged one")
	}
	for _, content := range []string{"", "\xfftOc\x00\x00\x00\x02", readFile(t, index)[:1200]} {
		if err := os.Chmod(index, 0o666); err != nil {
			t.Fatal(err)
		}
		writeFile(t, index, content)
		if !read() {
			t.Errorf("an index of %d bytes hides another pack", len(content))
		}
	}
}

// TestLargeInSmallPack: a file that is too large for the journal costs no memory, whether
// it is loose or in a small pack, as when a remote has many of them.
func TestLargeInSmallPack(t *testing.T) {
	r := openRepo(t, initRepo(t))
	large := object{"blob", make([]byte, 60<<20)}
	id := r.Hash(large.data)
	write := map[string]func() error{
		"pack": func() error {
			_, err := r.objects.writePack(t.Context(), []gitobject.Object{{ID: id, Kind: large.kind, Data: large.data}})
			return err
		},
		"loose": func() error { return r.objects.writeLoose(t.Context(), map[ObjectID]object{id: large}) },
	}
	for _, as := range []string{"pack", "loose"} {
		if err := write[as](); err != nil {
			t.Fatal(err)
		}
		s := newStore(r.objects)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found, err := s.readChunk(t.Context(), []ObjectID{id}, MaxFile)
		runtime.ReadMemStats(&after)
		s.close()
		if err != nil || found[id] != nil {
			t.Errorf("%s: %d bytes, %v", as, len(found[id]), err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 2*MaxFile {
			t.Errorf("%s: %d bytes of memory", as, n)
		}
	}
}
