package origin

import (
	"context"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
)

// Listen reads a transcript from its start to a line, 0-based, and hears all that is said in
// it. relative makes a path that a tool was given one of the repository. It returns the line of
// the first call whose result the transcript does not have, -1 if there is none: from there on
// nobody can tell whose words are the agent's own.
func (t *Tracker) Listen(
	ctx context.Context, in *transcript.Reader, agent string, last int, relative func(string) string,
) (deaf int, err error) {
	h := hearing{t: t, paths: map[string]string{}, relative: relative, mute: agent == transcript.Cursor, deaf: -1}
	in.Hearing = true
	before := func(at transcript.Position) bool { return at.Line <= last }
	err = in.Read(ctx, transcript.Position{}, agent, before, h.event)
	return h.deaf, err
}

// hearing hands the events of a session on to a tracker.
type hearing struct {
	t        *Tracker
	paths    map[string]string // of calls that read a file, by their id
	relative func(string) string
	mute     bool // the transcript has no results
	deaf     int  // line of the first call whose result the transcript does not have, -1 for none
}

func (h *hearing) event(e *transcript.Event) {
	at := e.Record
	switch e.Kind {
	case transcript.Prompt, transcript.Steer:
		typed, pasted := Split(e.Text)
		h.t.Hear(Typed, typed, "", at)
		h.t.Hear(Heard, pasted, "", at)
	case transcript.Call:
		h.call(e)
	case transcript.Result:
		h.result(e)
	}
	e.Said(func(text string) { h.t.Hear(Said, text, "", at) })
	source := h.paths[e.ID]
	e.Heard(func(text string) { h.t.Hear(Heard, strings.TrimSpace(text), source, at) })
}

// call notes which file a call reads, and the first call whose result is missing.
func (h *hearing) call(e *transcript.Event) {
	if e.Tool == transcript.ToolRead && e.ID != "" {
		h.paths[e.ID] = h.relative(e.Path())
	}
	if h.deaf < 0 && h.lacks(e) {
		h.deaf = e.Record
	}
}

// lacks reports whether the transcript lacks what a call brings into the session.
func (h *hearing) lacks(e *transcript.Event) bool { return h.mute && brings(e.Tool) }

// result hears what the person said to a call: a refusal, and answers to questions.
func (h *hearing) result(e *transcript.Event) {
	if e.Refused {
		h.t.Hear(Typed, e.Text, "", e.Record)
	}
	for _, a := range e.Answers {
		h.t.Hear(Typed, a.Question+"\n"+a.Chosen, "", e.Record)
	}
}

// brings reports whether a call brings anything into the session that nobody has said.
func brings(t transcript.Tool) bool {
	switch t {
	case transcript.ToolWrite, transcript.ToolEdit, transcript.ToolTodos, transcript.ToolTaskNew,
		transcript.ToolTaskSet, transcript.ToolPlan:
		return false
	}
	return true
}
