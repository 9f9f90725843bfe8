package capture

import (
	"cmp"
	"slices"
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
	if !said || e.Record < stable {
		return
	}
	text := passage.WithTags(e.Text)
	if !strings.Contains(text, passage.TagOpen) {
		return
	}
	for _, line := range prose.Lines(transcript.WithoutBriefing(text)) {
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
		class: classTag, record: e.Record, time: e.Time, cue: passage.TagOpen + " " + inside + "]",
		place: passage.User, person: e.Kind != transcript.Text,
	}
	words := prose.Words(inside)
	d.pinned = slices.Contains(words, "permanent")
	typ := typeNamed(words)
	d.typ = cmp.Or(typ, memory.Learned)
	if typ == "" && !d.pinned && len(prose.Words(body)) < 2 { // the text stands in the brackets
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

// typeWords is how many words a tag has at most of which one names a type.
const typeWords = 2

// typeNamed is the type that the words in a tag name, the last one of several; "" for none.
func typeNamed(words []string) memory.Type {
	for _, typ := range memory.Types() {
		if len(words) > 0 && lexicon().Begins("type "+string(typ), words) == len(words) {
			return typ
		}
	}
	if len(words) > typeWords {
		return ""
	}
	for _, x := range slices.Backward(words) {
		if typ, err := memory.ParseType(x); err == nil {
			return typ
		}
	}
	return ""
}
