package capture

import (
	"context"
	"errors"
	"io"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
)

// hide takes what the user marked as private out of their words, before
// anything else sees them. What repeats it later the redactor takes out.
func (b *book) hide(e *transcript.Event) {
	said := func(s *string) {
		kept, parts := redact.Private(*s)
		if len(parts) == 0 && kept == *s {
			return
		}
		*s = kept
		b.hidden.Add(parts...)
		b.s.Private = max(b.s.Private, e.Offset)
	}
	switch e.Kind {
	case transcript.Prompt, transcript.Steer, transcript.Plan:
		said(&e.Text)
	case transcript.Result:
		if e.Refused {
			said(&e.Text)
		}
		for i := range e.Answers {
			said(&e.Answers[i].Chosen)
		}
	}
}

// hideAgain reads the part of the transcript once more that holds private text
// and that this run would pass over: its record says where it is, not what.
func (r *reading) hideAgain(ctx context.Context, start session.Cursor) error {
	end := r.s.Private
	if end == 0 || start.Context == 0 {
		return nil
	}
	if err := r.in.Start(transcript.Position{}, r.s.Agent); err != nil {
		return err
	}
	for at := r.in.At(); at.Offset <= end && at.Offset < start.Context; at = r.in.At() {
		err := r.in.Next(ctx, r.book.hide)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	return nil
}
