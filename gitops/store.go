package gitops

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

// store reads and stages objects of one repository. Reading tries the loose
// file first, since what a journal's tip reaches was written lately, then small packs,
// and starts git only for what is in none. It is for one goroutine.
type store struct {
	objects *objects
	batch   *gitcmd.Batch
	staged  map[ObjectID]object // written by flush
	written written             // where flush has put them
	known   map[ObjectID]object // trees and commits already read
	trees   map[ObjectID][]gitobject.Entry
	spare   map[ObjectID]object // read, and staged, where git has lost them; see safe
	sound   map[ObjectID]bool   // blobs that verify has read; nil where it need not know
	visits  int                 // entries that the walk under way may still visit
	small   []smallPack
	listed  bool // small is
}

func newStore(o *objects) *store {
	return &store{
		objects: o, staged: make(map[ObjectID]object), known: make(map[ObjectID]object),
		trees: make(map[ObjectID][]gitobject.Entry),
	}
}

// fork is a store that has read and staged the same, and takes over the git
// process.
func (s *store) fork() *store {
	f := &store{
		objects: s.objects, batch: s.batch, staged: maps.Clone(s.staged), known: maps.Clone(s.known),
		trees: maps.Clone(s.trees),
	}
	s.batch = nil
	return f
}

func (s *store) close() {
	if s.batch != nil {
		s.batch.Close()
		s.batch = nil
	}
}

// ask sends one request to git; a process that died is replaced at the next.
func (s *store) ask(ctx context.Context, name string, limit int64) (gitcmd.Answer, error) {
	if err := s.start(ctx); err != nil {
		return gitcmd.Answer{}, err
	}
	a, err := s.batch.Ask(ctx, name, limit)
	if err != nil {
		s.close()
		return gitcmd.Answer{}, err
	}
	return a, nil
}

func (s *store) start(ctx context.Context) error {
	if s.batch != nil {
		return nil
	}
	b, err := s.objects.git.OpenBatch(ctx, false)
	s.batch = b
	return err
}

// read returns an object of the given kind. What is missing, damaged or of
// another kind wraps errDamaged: everything asked for was referred to.
func (s *store) read(ctx context.Context, id ObjectID, kind string) ([]byte, error) {
	o, ok := s.staged[id]
	if !ok {
		o, ok = s.known[id]
	}
	if !ok {
		var err error
		if o, err = s.fetch(ctx, id); err != nil {
			return nil, err
		}
		if o.kind != "blob" {
			s.known[id] = o
		}
	}
	if o.kind != kind {
		return nil, fmt.Errorf("reading object %s: %w: a %s, not a %s", id, errDamaged, o.kind, kind)
	}
	return o.data, nil
}

func (s *store) fetch(ctx context.Context, id ObjectID) (object, error) {
	o, err := s.readFile(id, maxObject)
	if err == nil {
		return o, nil
	}
	// A damaged loose object may have a good copy in a pack.
	o, err = s.askObject(ctx, id)
	if again, ok := s.spare[id]; ok && errors.Is(err, errDamaged) {
		s.staged[id] = again
		return again, nil
	}
	return o, err
}

// askObject reads an object from git. Missing is an errDamaged too.
func (s *store) askObject(ctx context.Context, id ObjectID) (object, error) {
	a, err := s.ask(ctx, string(id), maxObject)
	if err != nil {
		return object{}, err
	}
	if a.ID != id || a.Data == nil {
		return object{}, fmt.Errorf("reading object %s: %w: %w", id, errDamaged, errMissing)
	}
	return object{a.Kind, a.Data}, nil
}

// readFile reads an object of at most limit bytes without git. The error is that of its
// loose file.
func (s *store) readFile(id ObjectID, limit int64) (object, error) {
	o, err := s.objects.readLoose(id, limit)
	if err != nil {
		if small, ok := s.readSmall(id, limit); ok {
			return small, nil
		}
	}
	return o, err
}

// readBlobs hands the blobs to yield in order, nil for what is unreadable or
// over limit, asking git for the packed ones in one stream per chunk.
func (s *store) readBlobs(ctx context.Context, ids []ObjectID, limit int64, yield func(int, []byte) error) error {
	at := 0
	for part := range slices.Chunk(ids, readPart) {
		found, err := s.readChunk(ctx, part, limit)
		if err != nil {
			return err
		}
		for _, id := range part {
			if err := yield(at, found[id]); err != nil {
				return err
			}
			at++
		}
	}
	return ctx.Err()
}

func (s *store) readChunk(ctx context.Context, ids []ObjectID, limit int64) (map[ObjectID][]byte, error) {
	found := make(map[ObjectID][]byte, len(ids))
	packed := s.readHere(ids, limit, found)
	for len(packed) > 0 {
		done, err := s.readPacked(ctx, packed, limit, found)
		if err != nil && !errors.Is(err, errDamaged) {
			return nil, err
		}
		packed = packed[min(done, len(packed)):] // git died on the last one; the others are asked again
	}
	maps.Copy(s.staged, s.readSpare(ids, limit, found))
	return found, nil
}

// readSpare adds to found those blobs that are not there and that the safe holds, and returns them.
func (s *store) readSpare(ids []ObjectID, limit int64, found map[ObjectID][]byte) map[ObjectID]object {
	back := make(map[ObjectID]object)
	for _, id := range ids {
		o, ok := s.spare[id]
		if ok && found[id] == nil && o.isBlob(limit) {
			found[id], back[id] = o.data, o
		}
	}
	return back
}

// isBlob reports whether an object is a blob of at most limit bytes.
func (o object) isBlob(limit int64) bool { return o.kind == "blob" && int64(len(o.data)) <= limit }

// readHere adds to found those blobs that are staged, or in files that need no git, and returns the
// others.
func (s *store) readHere(ids []ObjectID, limit int64, found map[ObjectID][]byte) (others []ObjectID) {
	for _, id := range ids {
		o, ok := s.staged[id]
		if !ok {
			var err error
			if o, err = s.readFile(id, limit); err != nil {
				others = append(others, id)
				continue
			}
		}
		if o.isBlob(limit) {
			found[id] = o.data
		}
	}
	return others
}

// readPacked asks git for blobs, and adds them to found. Done is how many it has gone through, with the
// one that it died on.
func (s *store) readPacked(ctx context.Context, ids []ObjectID, limit int64, found map[ObjectID][]byte) (done int,
	err error,
) {
	if err := s.start(ctx); err != nil {
		return 0, err
	}
	err = s.batch.Each(ctx, ids, limit, func(id ObjectID, a gitcmd.Answer) error {
		done++
		if a.Kind == "blob" {
			found[id] = a.Data
		}
		return nil
	})
	if err != nil {
		s.close()
		done++
	}
	return done, err
}

// stage remembers an object for flush and returns its id.
func (s *store) stage(kind string, data []byte) ObjectID {
	id := s.objects.format.ID(kind, data)
	s.staged[id] = object{kind, data}
	return id
}

// flush writes what was staged, synced.
func (s *store) flush(ctx context.Context) (err error) {
	s.written, err = s.objects.write(ctx, s.staged)
	return err
}

// confirm writes again what a concurrent `git gc --prune=now` took away between
// flush and the update of the ref. After that update nothing can be pruned.
func (s *store) confirm(ctx context.Context) error {
	gone := make(map[ObjectID]object)
	for id, o := range s.staged {
		if !s.objects.has(s.written, id) {
			gone[id] = o
		}
	}
	return s.objects.writeLoose(ctx, gone)
}
