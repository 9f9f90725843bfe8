package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
	s, err := x.folder().Open()
	switch {
	case err == nil:
		defer s.Close()
		st.State, st.Docs, st.Segments, st.Generation = "ok", s.Docs(), s.Parts(), s.Generation()
	case !errors.Is(err, fs.ErrNotExist):
		st.State = "damaged"
	}
	st.Bytes = x.folder().Size()
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
	x.folder().Verify(ctx, func(name string, err error) { bad("index/"+name, err) })
	if ctx.Err() != nil {
		return out
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
