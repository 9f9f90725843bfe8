package capture

import (
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// tags finds explicit requests to remember in the agent's and the user's
// words: "[MEMORY: type] text", "[MEMORY: permanent] text", "[MEMORY: text]". Of a
// type that there is not, the text is kept as learned.
func (w *weigher) tags(e *transcript.Event, stable int) {
	switch e.Kind {
	case transcript.Text, transcript.Prompt, transcript.Steer:
	default:
		return
	}
	if e.Record < stable || !strings.Contains(e.Text, passage.TagOpen) {
		return
	}
	for _, line := range prose.Lines(transcript.WithoutBriefing(e.Text)) {
		if strings.Contains(line, "`"+passage.TagOpen) { // talk about tags
			continue
		}
		for {
			_, rest, found := strings.Cut(line, passage.TagOpen)
			if !found {
				break
			}
			inside, after, closed := strings.Cut(rest, "]")
			if !closed {
				break
			}
			body, more, _ := strings.Cut(after, passage.TagOpen)
			line = after[len(body):]
			if more == "" {
				line = ""
			}
			w.tag(strings.TrimSpace(inside), strings.TrimSpace(body), e)
		}
	}
}

func (w *weigher) tag(inside, body string, e *transcript.Event) {
	d := draft{typ: memory.Learned, layer: session.LayerTag, conf: confTag, record: e.Record, time: e.Time, cue: passage.TagOpen + " " + inside + "]", place: passage.User}
	d.person = e.Kind != transcript.Text
	kind := strings.ToLower(inside)
	typ, err := memory.ParseType(kind)
	switch {
	case kind == "permanent":
		d.pinned = true
	case err == nil:
		d.typ = typ
	case strings.Contains(kind, "permanent") && len(prose.Words(kind)) == 2:
		d.pinned = true
		for _, x := range prose.Words(kind) {
			if t, err := memory.ParseType(x); err == nil {
				d.typ = t
			}
		}
	case len(prose.Words(body)) < 2: // the text stands in the brackets
		d.cue, body = passage.TagOpen+" text]", inside
	}
	body = prose.Plain(body)
	if len(prose.Words(body)) < 2 {
		return
	}
	parts := prose.Sentences(body)
	d.title, d.span = parts[0], body
	if len(parts) > 1 || len(parts[0]) > passage.TitleLimit {
		d.text = body
	}
	w.add(d)
}
