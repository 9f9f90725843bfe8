package explore

import (
	"cmp"
	"path"
	"slices"
)

// Map lists what sessions read that read in a folder, as if to find out how it works. It is
// derived from session records each time that it is asked for.
type Map struct {
	Folder   string     `json:"folder"`   // "." for the top
	Sessions int        `json:"sessions"` // that read at least two files of it
	Files    []*MapFile `json:"files"`    // in the order in which they were read, on average
}

// MapFile is a file of a map.
type MapFile struct {
	Path     string `json:"path"`
	Sessions int    `json:"sessions"` // of those of the map, that read it

	places int // the sum of its places in the order of each
}

// Bounds of a map.
const (
	leastRead = 2 // files of a folder that a session reads to find out how it works
	mostFiles = 8
)

// readings hold the files that sessions read, each in order, by the folders of which they read enough.
type readings map[string][][]string

// add takes in what a session read.
func (all readings) add(r []string) {
	files := map[string]int{}
	for _, f := range r {
		files[path.Dir(f)]++
	}
	for folder, n := range files {
		if n >= leastRead {
			all[folder] = append(all[folder], r)
		}
	}
}

// of returns the map of a folder; false where no session read in it. Its files are those that
// most sessions read. A file elsewhere is among them if at least two read it, and half of all.
func (all readings) of(folder string) (Map, bool) {
	list := all[folder]
	at := map[string]*MapFile{}
	for _, r := range list {
		for i, name := range r {
			if at[name] == nil {
				at[name] = &MapFile{Path: name}
			}
			at[name].Sessions++
			at[name].places += i
		}
	}
	out := Map{Folder: folder, Sessions: len(list)}
	for name, f := range at {
		if path.Dir(name) == folder || f.Sessions >= max(2, (len(list)+1)/2) {
			out.Files = append(out.Files, f)
		}
	}
	slices.SortFunc(out.Files, func(a, b *MapFile) int {
		return cmp.Or(cmp.Compare(b.Sessions, a.Sessions), cmp.Compare(a.Path, b.Path))
	})
	out.Files = out.Files[:min(len(out.Files), mostFiles)]
	slices.SortFunc(out.Files, func(a, b *MapFile) int {
		return cmp.Or(cmp.Compare(a.place(), b.place()), cmp.Compare(a.Path, b.Path))
	})
	return out, len(list) > 0
}

// place is where a file stands among those that a session reads, on average.
func (f *MapFile) place() float64 { return float64(f.places) / float64(f.Sessions) }

// names reports whether a map names a file.
func (m *Map) names(name string) bool {
	return slices.ContainsFunc(m.Files, func(f *MapFile) bool { return f.Path == name })
}
