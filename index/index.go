// Package index finds memories: it keeps what was parsed, knows which files of
// the working tree changed, and answers queries in milliseconds.
//
// Call [Open] first; it never fails, because everything it keeps is a cache
// under one folder that can be deleted at any time. [Index.Scan] lists the
// memories of a working tree for the price of one stat each. A [View] lists the
// memories that a command sees, named by the git blob id of their bytes, from
// whatever branch or store. [Index.Fill] makes sure that each of them is in
// the [Catalog], and [Index.Search] ranks them against a [query.Query].
//
// What the package promises:
//   - Answers depend on the view and the query alone, bit for bit: not on what
//     is indexed already, in which order, or on memories outside the view.
//   - A reader never waits for a lock. What is not indexed yet is analysed in
//     memory and scored by the same formula.
//   - A damaged, outdated or missing cache is rebuilt without a word, and a
//     file that is not a memory is reported as a [Problem] and stops nothing.
//
// The stored index (index/internal/postings) holds one document for each blob, so
// switching branches indexes nothing again. The package implements the section
// "Search" of docs/behaviour.md.
package index

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/index/internal/postings"
	"github.com/git-cortex/cortex/index/internal/readfile"
	"github.com/git-cortex/cortex/index/internal/tree"
	"github.com/git-cortex/cortex/internal/lazy"
)

// Options says where an index lives. The zero value keeps nothing on disk.
type Options struct {
	Dir    string // the cache folder, <git common dir>/cortex; made when first written
	SHA256 bool   // the repository names objects by SHA-256 instead of SHA-1
	// OneShot says that the process ends with its first index: what is read may
	// stay mapped until then, which is cheaper than a copy.
	OneShot bool
	// Watch says that the process lives on: it has the system tell what happens to
	// large trees, where the system can, instead of looking at each file every time.
	Watch  bool
	Prefix string // what the paths of scanned files begin with, as ".cortex/memories/"
}

// Index is an open index. Its methods may be called from several goroutines.
type Index struct {
	opt     Options
	catalog *Catalog

	mu     sync.Mutex
	reader *postings.Segments // the Bluge index; nil when there is none
	opened bool               // it was tried
	trees  map[string][]Item  // scanned so far, by root
	fetch  Fetch              // the last one that Fill was given

	statsMu sync.Mutex
	stats   map[string]func() *tree.Cache // read ahead of a scan, by root
	warming sync.WaitGroup

	watchMu sync.Mutex
	watches map[string]*watched // by root

	lastFold keptFold

	overlayMu sync.Mutex
	overlay   *postings.Overlay

	ranker Ranker
}

// Open opens the index in opt.Dir. It reads nothing yet and never fails: what
// is missing or damaged is made again when it is needed.
func Open(opt Options) *Index {
	x := &Index{
		opt: opt, catalog: newCatalog(opt), overlay: postings.NewOverlay(),
		trees: map[string][]Item{}, stats: map[string]func() *tree.Cache{}, watches: map[string]*watched{},
	}
	x.catalog.heal = x.heal
	return x
}

// Warm starts reading the catalog, the index, and what is known of the trees at
// roots, in the background, so that it happens while the caller waits for
// something else. Calling it is optional.
func (x *Index) Warm(roots ...string) {
	x.warming.Go(x.catalog.load)
	for _, root := range roots {
		x.warming.Go(func() { x.knownStats(root)() })
	}
	x.warming.Go(func() {
		if s := x.segments(); s != nil {
			s.Close()
		}
	})
}

// knownStats is the stat cache of a tree, read once; the scan that takes it
// leaves none behind.
func (x *Index) knownStats(root string) func() *tree.Cache {
	x.statsMu.Lock()
	defer x.statsMu.Unlock()
	load, ok := x.stats[root]
	if !ok {
		opt := tree.Options{Root: root, Dir: x.opt.Dir, Prefix: x.opt.Prefix, OneShot: x.opt.OneShot}
		load = lazy.Value(func() *tree.Cache { return tree.Load(opt) })
		x.stats[root] = load
	}
	return load
}

// Lives reports whether the process lives on: see [Options].
func (x *Index) Lives() bool { return x.opt.Watch }

// Catalog returns the catalog of the index, which holds every memory seen so far.
func (x *Index) Catalog() *Catalog { return x.catalog }

// Fetch returns the bytes of blobs by handing each to yield, in any order. A
// blob that cannot be had is left out. An error of yield must be returned.
type Fetch func(ctx context.Context, blobs []string, yield func(blob string, data []byte) error) error

// Fill makes sure that the catalog knows every item. What it lacks is read from
// the trees scanned so far if it is there unchanged, and fetched otherwise. Fill
// returns what is not a memory, and what nothing can fetch; those items are
// invisible to [Index.Search].
func (x *Index) Fill(ctx context.Context, items []Item, fetch Fetch) ([]Problem, error) {
	if fetch != nil {
		x.mu.Lock()
		x.fetch = fetch
		x.mu.Unlock()
	}
	missing := x.catalog.lacking(items)
	x.reread(missing)
	if len(missing) > 0 && fetch != nil {
		if err := fetch(ctx, sortedKeys(missing), func(blob string, data []byte) error {
			if path, ok := missing[blob]; ok {
				_ = x.catalog.Add(blob, path, data) // reported below
				delete(missing, blob)
			}
			return nil
		}); err != nil {
			return nil, fmt.Errorf("fetching memories that are new here: %w", err)
		}
	}
	return x.problems(items), nil
}

// heal reads one blob again, of which the catalog had to forget what it knew.
func (x *Index) heal(ctx context.Context, blob string) bool {
	missing := map[string]string{blob: ""}
	x.reread(missing)
	x.mu.Lock()
	fetch := x.fetch
	x.mu.Unlock()
	if len(missing) > 0 && fetch != nil {
		_ = fetch(ctx, []string{blob}, func(got string, data []byte) error {
			if got == blob {
				_ = x.catalog.Add(blob, "", data)
			}
			return nil
		})
	}
	return x.catalog.Has(blob)
}

// reread takes blobs that a scan named but whose text was lost from the files.
func (x *Index) reread(missing map[string]string) {
	if len(missing) == 0 {
		return
	}
	x.mu.Lock()
	trees := maps.Clone(x.trees)
	x.mu.Unlock()
	for root, items := range trees {
		for i := range items {
			f := &items[i]
			if _, ok := missing[f.Blob]; !ok {
				continue
			}
			data, err := readfile.Read(x.fileName(root, f.Path))
			if err == nil && BlobID(data, x.opt.SHA256) == f.Blob {
				_ = x.catalog.Add(f.Blob, f.Path, data) // it was a memory before
				delete(missing, f.Blob)
			}
		}
	}
}

// fileName is where the file of a path lies that a scan of root found.
func (x *Index) fileName(root, path string) string {
	return filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(path, x.opt.Prefix)))
}

func (x *Index) problems(items []Item) []Problem {
	var out []Problem
	for _, it := range x.catalog.notMemories(items) {
		p, bad := x.catalog.Problem(it.Blob)
		if !bad {
			p = Problem{Text: "its bytes cannot be read (blob " + it.Blob + ")", Unread: true}
		}
		p.Path = it.Path
		out = append(out, p)
	}
	return out
}

// Flush writes what was learned since Open (the catalog), unless another
// process is doing so at this moment: it waits for none.
func (x *Index) Flush() error { return x.catalog.flush() }

// Close flushes and releases files. The index must not be used afterwards.
func (x *Index) Close() error {
	x.watchMu.Lock()
	for _, s := range x.watches {
		s.close()
	}
	x.watchMu.Unlock()
	x.warming.Wait()
	err := x.catalog.flush()
	x.catalog.close()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.reader != nil {
		x.reader.Close()
		x.reader = nil
	}
	return err
}

// Problem is a file that is not a memory. It is data, not a failure.
type Problem struct {
	Path string `json:"path"`
	Line int    `json:"line"` // 1-based; 0 means the file as a whole
	Text string `json:"text"`
	// Unread says that the bytes could not be had now. There may well be a
	// memory in them, so nothing may be concluded from its absence.
	Unread bool `json:"-"`
}

// Error makes a Problem usable as an error: "path:line: text".
func (p Problem) Error() string {
	if p.Line == 0 {
		return p.Path + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Text)
}

func (x *Index) path(name ...string) string {
	return filepath.Join(append([]string{x.opt.Dir}, name...)...)
}

// CacheFile returns the path of a file of the cache; "" when nothing is kept.
func (x *Index) CacheFile(name string) string {
	if x.opt.Dir == "" {
		return ""
	}
	return x.path(name)
}
