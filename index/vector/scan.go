package vector

import (
	"runtime"

	"github.com/git-cortex/cortex/index/internal/mapped"
	"golang.org/x/sync/errgroup"
)

// View is the memories that a search compares, each at a place.
type View struct {
	Size int // memories
	// Blob is the blob of the memory at a place.
	Blob func(place int32) string
	// Place is the place of a blob, -1 when the view does not hold it. It may be
	// called from several goroutines.
	Place func(blob string) int32
}

func (v *Store) locked(view View) (*located, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.locate(view)
}

// located says where the vectors of a view are.
type located struct {
	of    *vectorFile
	file  []int32 // by place in the view: number of the record, −1 for none
	fresh map[int32]record
}

// locate finds the vectors of a view. Damaged records are not found. mu is held.
func (v *Store) locate(view View) (*located, error) {
	v.open()
	rows := &located{of: v.file, file: make([]int32, view.Size), fresh: map[int32]record{}}
	for i := range rows.file {
		rows.file[i] = -1
	}
	count, size := v.file.count(), v.idSize()
	places := make([]int32, count)
	err := inHalves(count, func(from, to int) error {
		for i := from; i < to; i++ {
			places[i] = -1
			if r := v.file.at(i); r != nil {
				places[i] = view.Place(r.blob(size))
			}
		}
		return nil
	})
	if err != nil {
		return rows, err
	}
	for i, at := range places {
		if at >= 0 {
			rows.file[at] = int32(i)
		}
	}
	for blob, r := range v.fresh {
		if at := view.Place(blob); at >= 0 {
			rows.fresh[at] = r
		}
	}
	return rows, nil
}

// lacking are the places of a view that have no vector.
func (r *located) lacking() []int32 {
	var out []int32
	for at, i := range r.file {
		if _, ok := r.fresh[int32(at)]; !ok && i < 0 {
			out = append(out, int32(at))
		}
	}
	return out
}

// similarities are the cosines of all items with a query; 0 for those without
// a vector. mu is held.
func (v *Store) similarities(rows *located, q queryVector) ([]float32, error) {
	out, idSize := make([]float32, len(rows.file)), v.idSize()
	size := 0
	if v.file != nil {
		size = v.file.recordSize()
	}
	err := inHalves(len(rows.file), func(from, to int) error {
		for at := from; at < to; at++ {
			if i := int(rows.file[at]); i >= 0 {
				out[at] = q.similarity(record(v.file.data[i*size:(i+1)*size]), idSize)
			}
		}
		return nil
	})
	for at, r := range rows.fresh {
		out[at] = q.similarity(r, idSize)
	}
	return out, err
}

// compare are the similarities of a view once the query is embedded, or how
// many of its items have no vector after all: the file may have been replaced
// since it was looked at, or be of another number of dimensions than a remote
// model turned out to have. mu is held.
func (v *Store) compare(q queryVector, rows *located, view View) ([]float32, int, error) {
	if v.file != nil && v.file.dims != len(q.numbers) {
		v.file.close()
		v.file = nil
	}
	if v.file != rows.of {
		var err error
		if rows, err = v.locate(view); err != nil {
			return nil, 0, err
		}
	}
	for blob, r := range v.fresh {
		if at := view.Place(blob); at >= 0 {
			rows.fresh[at] = r
		}
	}
	if lacking := len(rows.lacking()); lacking > 0 {
		return nil, lacking, nil
	}
	out, err := v.similarities(rows, q)
	return out, 0, err
}

// inHalves runs work over parts of n on two goroutines, or on one if n is
// small. Work reads a mapped file.
func inHalves(n int, work func(from, to int) error) error {
	const small = 4000
	if n < small || runtime.GOMAXPROCS(0) == 1 {
		return mapped.Guard(func() error { return work(0, n) })
	}
	var group errgroup.Group
	group.Go(func() error { return mapped.Guard(func() error { return work(0, n/2) }) })
	group.Go(func() error { return mapped.Guard(func() error { return work(n/2, n) }) })
	return group.Wait()
}
