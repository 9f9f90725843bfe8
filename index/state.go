package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	bluge "github.com/blugelabs/bluge/index"
)

// State describes the index on disk for `status` and `doctor`.
type State struct {
	State      string `json:"state"` // "ok", "absent", "damaged"
	Docs       int    `json:"docs"`  // memories in the Bluge index
	Segments   int    `json:"segments"`
	Generation int    `json:"generation"`
	Catalog    int    `json:"catalog"` // memories in the catalog
	Bytes      int64  `json:"bytes"`   // on disk, everything
}

// State describes what is on disk.
func (x *Index) State() State {
	st := State{State: "absent", Catalog: x.catalog.Len()}
	if x.opt.Dir == "" {
		return st
	}
	s, err := openSegments(x.path("index"), x.catalog.hash)
	switch {
	case err == nil:
		defer s.close()
		st.State, st.Docs, st.Segments = "ok", s.docs, len(s.tables)
		st.Generation, _ = generationNumber(s.generation)
	case !errors.Is(err, fs.ErrNotExist):
		st.State = "damaged"
	}
	_, st.Bytes = folderSize(x.path("index"))
	for _, pattern := range []string{"catalog*", "stat-*"} {
		names, _ := filepath.Glob(x.path(pattern))
		for _, n := range names {
			if info, err := os.Lstat(n); err == nil {
				st.Bytes += info.Size()
			}
		}
	}
	return st
}

// Verify reads every file of the index and the catalog and reports what is
// damaged, by path below the cache folder; empty means sound.
func (x *Index) Verify(ctx context.Context) []Problem {
	var out []Problem
	bad := func(name string, err error) {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			out = append(out, Problem{Path: name, Text: err.Error()})
		}
	}
	if x.opt.Dir == "" {
		return nil
	}
	name, err := currentGeneration(x.path("index"))
	bad("index/CURRENT", err)
	if err == nil {
		d := &directory{path: x.path("index", name)}
		for _, kind := range []string{bluge.ItemKindSnapshot, bluge.ItemKindSegment, tableKind} {
			ids, err := d.List(kind)
			bad("index/"+name, err)
			for _, id := range ids {
				if ctx.Err() != nil {
					return out
				}
				_, closer, err := d.Load(kind, id)
				bad("index/"+name+"/"+itemName(kind, id), err)
				if err == nil {
					_ = closer.Close()
				}
			}
		}
	}
	f, err := readCatalog(x.opt.Dir, x.catalog.hash, false)
	defer f.close()
	if err == nil {
		f.verify(bad)
	} else if _, e := os.Lstat(x.path("catalog")); e == nil {
		bad("catalog", err)
	}
	return out
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
