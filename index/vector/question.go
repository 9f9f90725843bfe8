package vector

import (
	"context"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index/embed"
)

// Question is a text whose vector is being made.
type Question struct {
	store *Store
	wait  time.Duration
	over  chan struct{} // closed when the caller waits no longer; nil for one that does
	done  chan struct{} // closed when vector or err is there

	vector []float32
	err    error
}

// Ask begins to make the vector of a text, which [Question.Similar] compares. A
// caller that goes on without vectors after a while says how long it waits; 0 is as
// long as it takes. Only a model that is [embed.Impatient] heeds that.
func (v *Store) Ask(ctx context.Context, text string, wait time.Duration) *Question {
	q := &Question{store: v, wait: wait, done: make(chan struct{})}
	if _, ok := v.opt.Model.(embed.Impatient); ok && wait > 0 {
		q.over = make(chan struct{})
		time.AfterFunc(wait, func() { close(q.over) })
	}
	go func() {
		defer close(q.done)
		var vectors [][]float32
		if vectors, q.err = v.made(ctx, []string{text}, wait); q.err == nil {
			q.vector = vectors[0]
		}
	}()
	return q
}

// Similar returns how similar the memories of a view are to the text, the cosine
// of their vectors, by place. A few memories without a vector are embedded first;
// when more than that lack one, or the time is over before, only the number of
// those is returned. Both are zero when the model knows no word of the text.
func (q *Question) Similar(ctx context.Context, view View) (similar []float32, lacking int, err error) {
	v := q.store
	rows, err := v.locked(view)
	if err != nil {
		return nil, 0, err
	}
	select {
	case <-q.done:
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	places := rows.lacking()
	switch {
	case q.err != nil:
		return nil, 0, q.err
	case len(places) > Now:
		return nil, len(places), nil
	}
	blobs := make([]string, len(places))
	for i, at := range places {
		blobs[i] = view.Blob(at)
	}
	if err := q.fill(ctx, blobs); err != nil {
		return nil, 0, err
	}
	vector := newQueryVector(q.vector)
	if vector.scale == 0 {
		return nil, 0, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.compare(vector, rows, view)
}

// fill makes the vectors of memories: all of them, or as many as there is time for.
func (q *Question) fill(ctx context.Context, blobs []string) error {
	if q.over == nil {
		return q.store.embed(ctx, blobs, 0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-q.over:
			cancel()
		case <-ctx.Done():
		}
	}()
	for part := range slices.Chunk(blobs, chunk) {
		err := q.store.embed(ctx, part, 2*q.wait) // the end of ctx comes first, and is no failure
		if ctx.Err() != nil {
			return nil //nolint:nilerr // what is left is for the next search
		}
		if err != nil {
			return err
		}
	}
	return nil
}
