// Package postings says which memories hold a term, and how often: the stored
// inverted index, and one in memory for what is not stored yet.
//
// The stored index is a Bluge index in a [Folder], one document for each blob,
// with the lengths of its fields in a table beside each segment. [Folder.Open]
// gives its [Segments] for reading, [Folder.Generate] writes it anew, and
// [Segments.Append] adds to it. An [Overlay] holds [Document]s in memory. Both
// answer by the same methods, so that a caller scores one like the other.
//
// What the package promises:
//   - Every byte that Bluge maps was verified before, so damage is an error here
//     and never a crash there. The index can be deleted at any time.
//   - Readers take no lock. Writers hold the lock of the folder, which the caller
//     takes.
//   - [Segments] may be read by several goroutines; a [Writer] and an [Overlay]
//     belong to one at a time.
//
// Only this package imports Bluge, and only its low-level half (bluge/index):
// loading the other half would cost 4 ms at every start of the program.
package postings

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	bluge "github.com/blugelabs/bluge/index"
	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/gofrs/flock"
)

const (
	// MergeFrom is the number of segments from which [Segments.Append] lets Bluge
	// merge.
	MergeFrom   = 16
	rebuildFrom = 60 // segments from which merging has not kept up
)

// Folder is where an index lives on disk: generations of it, each in a folder of
// its own, the file CURRENT, which names the one that counts, and the lock that
// writers take.
type Folder struct {
	Path string // made when first written
	Hash int    // bytes of a blob id
	// Number is the number by which the caller knows a blob, given as bytes, or -1.
	// It is stored beside the blob, as a hint. It may be nil for reading.
	Number func(raw string) int
}

// Lock returns the lock of writers, which is not taken yet. It makes the folder.
func (f Folder) Lock() (*flock.Flock, error) {
	if err := os.MkdirAll(f.Path, 0o777); err != nil {
		return nil, fmt.Errorf("making the index: %w", err)
	}
	return flock.New(filepath.Join(f.Path, "lock")), nil
}

// Current reads which generation counts: the name of a folder below Path. The
// error of an index that is not there is [fs.ErrNotExist].
func (f Folder) Current() (string, error) {
	b, err := os.ReadFile(filepath.Join(f.Path, "CURRENT"))
	if err != nil {
		return "", fmt.Errorf("opening the index: %w", err)
	}
	name := strings.TrimSpace(string(b))
	if _, ok := generationNumber(name); !ok {
		return "", fmt.Errorf("opening the index: CURRENT names %q: %w", name, cachefile.ErrDamaged)
	}
	return name, nil
}

// Generate makes a new generation, lets fill write it, makes it the one that
// counts, and removes the others. The caller holds the lock.
func (f Folder) Generate(fill func(w *Writer) error) error {
	names, _ := os.ReadDir(f.Path)
	name := nextGeneration(names)
	w, err := f.openWriter(&preloaded{directory: &directory{path: filepath.Join(f.Path, name)}}, false)
	if err != nil {
		return fmt.Errorf("making a generation of the index: %w", err)
	}
	defer roomToBuild()()
	err = fill(w)
	if e := w.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = cachefile.Replace(filepath.Join(f.Path, "CURRENT"), []byte(name+"\n"))
	}
	if err != nil {
		_ = os.RemoveAll(filepath.Join(f.Path, name))
		return fmt.Errorf("making a generation of the index: %w", err)
	}
	for _, e := range names {
		if strings.HasPrefix(e.Name(), "g-") && e.Name() != name {
			_ = os.RemoveAll(filepath.Join(f.Path, e.Name()))
		}
	}
	return nil
}

// buildMemory is the number of bytes that the process may take while a generation
// is made. Bluge holds a batch in memory, and below that the garbage collector
// would run all the time.
const buildMemory = 160 << 20

// roomToBuild raises the limit of the process to buildMemory, if it is lower,
// and returns what restores it.
func roomToBuild() (restore func()) {
	limit := debug.SetMemoryLimit(-1)
	if limit >= buildMemory {
		return func() {}
	}
	debug.SetMemoryLimit(buildMemory)
	return func() { debug.SetMemoryLimit(limit) }
}

func nextGeneration(names []os.DirEntry) string {
	next := 1
	for _, e := range names {
		if n, ok := generationNumber(e.Name()); ok {
			next = max(next, n+1)
		}
	}
	return generationName(next)
}

// generationName names the folder of generation n.
func generationName(n int) string { return fmt.Sprintf("g-%d-%d", Schema, n) }

// generationNumber is the n of a folder of this schema.
func generationNumber(name string) (int, bool) {
	n := 0
	if _, err := fmt.Sscanf(name, fmt.Sprintf("g-%d-%%d", Schema), &n); err != nil || generationName(n) != name {
		return 0, false
	}
	return n, true
}

// Size is the number of bytes on disk.
func (f Folder) Size() int64 {
	_, size := folderSize(f.Path)
	return size
}

// Verify reads every file of the current generation and calls bad for each that is
// damaged, by its path below the folder. A missing index is reported as
// [fs.ErrNotExist].
func (f Folder) Verify(ctx context.Context, bad func(name string, err error)) {
	name, err := f.Current()
	if err != nil {
		bad("CURRENT", err)
		return
	}
	d := &directory{path: filepath.Join(f.Path, name)}
	for _, kind := range []string{bluge.ItemKindSnapshot, bluge.ItemKindSegment, tableKind} {
		ids, err := d.List(kind)
		if err != nil {
			bad(name, err)
		}
		for _, id := range ids {
			if ctx.Err() != nil {
				return
			}
			if err := d.verify(kind, id); err != nil {
				bad(name+"/"+itemName(kind, id), err)
			}
		}
	}
}

func folderSize(dir string) (files int, size int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				files++
				size += info.Size()
			}
		}
		return nil
	})
	return files, size
}
