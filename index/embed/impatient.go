package embed

import (
	"context"
	"fmt"
	"time"
)

// Impatient is a [Model] that may keep its caller waiting, such as an endpoint.
type Impatient interface {
	Model
	// EmbedWithin is Embed for a caller that goes on without vectors after wait. It
	// returns by then, whatever the endpoint does, tries once, and does not try at
	// all where [Health] says that it would be in vain.
	EmbedWithin(ctx context.Context, wait time.Duration, texts []string) ([][]float32, error)
}

// Health remembers beyond this process how an endpoint answered, so that one that
// does not work is left alone for a while. A wait of 0 stands for as long as it
// takes. Its methods may be called from several goroutines.
type Health interface {
	// Resting is the reason not to ask now for a caller that would wait so long;
	// nil when the endpoint may be asked.
	Resting(wait time.Duration) error
	// Failed notes that the endpoint did not answer within wait, or, with 0, that it
	// failed in a way that no patience mends.
	Failed(wait time.Duration, err error)
	// Answered notes that the endpoint answered a caller that would have waited so long.
	Answered(wait time.Duration)
}

// robust is the health of an endpoint of which nothing is remembered.
type robust struct{}

func (robust) Resting(time.Duration) error { return nil }
func (robust) Failed(time.Duration, error) {}
func (robust) Answered(time.Duration)      {}

// EmbedWithin implements [Impatient].
func (m *Remote) EmbedWithin(ctx context.Context, wait time.Duration, texts []string) ([][]float32, error) {
	if err := m.opt.Health.Resting(wait); err != nil {
		return nil, fmt.Errorf("asking %s for embeddings: %w", m.url.Host, err)
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	type answer struct {
		vectors [][]float32
		err     error
	}
	done := make(chan answer, 1)
	go func() { // looking up a name may take longer than a context lasts
		vectors, err := m.embed(limited, texts, 0)
		done <- answer{vectors, err}
	}()
	var got answer
	select {
	case got = <-done:
	case <-limited.Done():
		got.err = limited.Err()
	}
	switch {
	case got.err == nil:
		m.opt.Health.Answered(wait)
		return got.vectors, nil
	case ctx.Err() != nil: // the caller left, which says nothing of the endpoint
		return nil, fmt.Errorf("asking %s for embeddings: %w", m.url.Host, ctx.Err())
	case limited.Err() != nil:
		got.err = fmt.Errorf("no answer within %v", wait)
		m.opt.Health.Failed(wait, got.err)
	default:
		m.opt.Health.Failed(0, got.err)
	}
	return nil, fmt.Errorf("asking %s for embeddings: %w", m.url.Host, got.err)
}
