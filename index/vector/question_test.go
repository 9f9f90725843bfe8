package vector

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index/embed"
)

// slow is a model that answers a few times, and then lets the time of the search run out.
type slow struct {
	embed.Model
	answers int
	over    func() // ends the time of the search; nil if it has ended
	asked   [][]string
}

func (s *slow) EmbedWithin(ctx context.Context, _ time.Duration, texts []string) ([][]float32, error) {
	s.asked = append(s.asked, texts)
	if len(s.asked) <= s.answers {
		return s.Embed(ctx, texts)
	}
	if s.over != nil {
		s.over()
		<-ctx.Done()
	}
	return nil, errors.New("no answer in time")
}

// TestAskKeepsWhatItMade: what a search has time to embed is kept, so that after a
// few of them nothing is lacking.
func TestAskKeepsWhatItMade(t *testing.T) {
	s := newStock(t, 20)
	m := &slow{Model: &hashModel{dims: 8}, answers: 2}
	v := s.open(t, m)
	q := v.Ask(t.Context(), "query", time.Hour)
	m.over = func() { close(q.over) }
	similar, lacking, err := q.Similar(t.Context(), s.view())
	if similar != nil || lacking != 20-chunk || err != nil {
		t.Errorf("%v, %d lacking, %v", similar, lacking, err)
	}
	if len(m.asked) < 2 || len(m.asked[0]) != 1 || len(m.asked[1]) != chunk {
		t.Errorf("asked %q", m.asked)
	}
	if err := v.Flush(); err != nil {
		t.Fatal(err)
	}
	m.answers = 100
	similar, lacking, err = s.open(t, m).Ask(t.Context(), "query", time.Minute).Similar(t.Context(), s.view())
	if len(similar) != 20 || lacking != 0 || err != nil {
		t.Errorf("%v, %d lacking, %v", similar, lacking, err)
	}
}

// TestAskInVain: without the vector of the query there is nothing to compare.
func TestAskInVain(t *testing.T) {
	s := newStock(t, 3)
	m := &slow{Model: &hashModel{dims: 8}}
	if _, _, err := s.open(t, m).Ask(t.Context(), "query", time.Millisecond).Similar(t.Context(), s.view()); err == nil || len(m.asked) != 1 {
		t.Errorf("%v, asked %q", err, m.asked)
	}
}
