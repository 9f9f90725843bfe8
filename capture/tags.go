package capture

import (
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// tags finds explicit requests to remember in the agent's and the user's
// words: "[MEMORY: type] text", "[MEMORY: permanent] text", "[MEMORY: text]". Of a
// type that there is not, the text is kept as learned.
func (w *weigher) tags(e *transcript.Event, stable int) {
	said := e.Kind == transcript.Text || e.Kind == transcript.Prompt || e.Kind == transcript.Steer
	if !said || e.Record < stable || !strings.Contains(e.Text, passage.TagOpen) {
		return
	}
	for _, line := range prose.Lines(transcript.WithoutBriefing(e.Text)) {
		if strings.Contains(line, "`"+passage.TagOpen) { // talk about tags
			continue
		}
		for _, part := range strings.Split(line, passage.TagOpen)[1:] {
			if inside, body, closed := strings.Cut(part, "]"); closed {
				w.tag(strings.TrimSpace(inside), strings.TrimSpace(body), e)
			}
		}
	}
}

func (w *weigher) tag(inside, body string, e *transcript.Event) {
	d := draft{
		class: classTag, typ: memory.Learned, record: e.Record, time: e.Time, cue: passage.TagOpen + " " + inside + "]",
		place: passage.User, person: e.Kind != transcript.Text,
	}
	known := false
	for _, x := range prose.Words(inside) {
		typ, err := memory.ParseType(x)
		switch {
		case x == "permanent":
			known, d.pinned = true, true
		case err == nil && len(prose.Words(inside)) <= 2:
			known, d.typ = true, typ
		}
	}
	if !known && len(prose.Words(body)) < 2 { // the text stands in the brackets
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
