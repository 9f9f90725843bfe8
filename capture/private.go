package capture

import (
	"context"

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
	case transcript.Text:
		b.asked = redact.Asks(e.Text)
	case transcript.Prompt, transcript.Steer, transcript.Plan:
		said(&e.Text)
		b.answered(e, b.asked, &e.Text, false)
		b.asked = redact.AsksNothing
	case transcript.Result:
		if e.Refused {
			said(&e.Text)
		}
		for i := range e.Answers {
			said(&e.Answers[i].Chosen)
			b.answers(e, &e.Answers[i])
		}
	}
}

// answered takes the secret that the agent asked for out of what the user answered, and out of
// what repeats it later.
func (b *book) answered(e *transcript.Event, asked redact.Asked, words *string, offered bool) {
	kept, secrets := asked.Answer(*words, offered)
	if len(secrets) == 0 {
		return
	}
	*words = kept
	b.hidden.AddSecrets(secrets...)
	b.s.Private = max(b.s.Private, e.Offset)
}

// answers looks at a question with its answer, and at the options it offered.
func (b *book) answers(e *transcript.Event, a *transcript.Answer) {
	asked := max(redact.Asks(a.Question), redact.Asks(a.Header+"?"))
	_, offered := optionNamed(a.Options, a.Chosen)
	b.answered(e, asked, &a.Chosen, offered)
	for i := range a.Options {
		b.answered(e, asked, &a.Options[i].Label, true)
		b.answered(e, asked, &a.Options[i].Description, true)
	}
}

// hideAgain reads the part of the transcript once more that holds private text
// and that this run would pass over: its record says where it is, not what.
func (r *reading) hideAgain(ctx context.Context, start session.Cursor) error {
	end := r.s.Private
	if end == 0 || start.Context == 0 {
		return nil
	}
	before := func(at transcript.Position) bool { return at.Offset < start.Context && at.Offset <= end }
	err := r.in.Read(ctx, transcript.Position{}, r.s.Agent, before, r.book.hide)
	if r.in.At().Offset < start.Context { // what is between is not read, so no question of it is known
		r.book.asked = redact.AsksNothing
	}
	return err
}
