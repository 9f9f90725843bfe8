package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// tags finds explicit requests to remember in the agent's and the user's
// words, and in what a subagent hands back: "[MEMORY: type] text", "[MEMORY: permanent] text", "[MEMORY: text]". Of a
// type that there is not, the text is kept as learned.
func (w *weigher) tags(e *transcript.Event, stable int) {
	said := []transcript.Kind{transcript.Text, transcript.Report, transcript.Prompt, transcript.Steer}
	if e.Record < stable || !slices.Contains(said, e.Kind) {
		return
	}
	text := passage.WithTags(e.Text)
	if !strings.Contains(text, passage.TagOpen) {
		return
	}
	for _, line := range prose.Lines(transcript.WithoutBriefing(text)) {
		if !strings.Contains(line, "`"+passage.TagOpen) { // talk about tags
			w.tagsIn(line, e)
		}
	}
}

// untag takes back the tags of messages that turned out to be summaries, in which an agent
// quotes what was said, or was not.
func (w *weigher) untag(records []int) {
	w.found = lists.Without(w.found, func(f *finding) bool {
		return f.class == classTag && slices.Contains(records, f.c.Record)
	})
}

// tagsIn takes in the tags of a line.
func (w *weigher) tagsIn(line string, e *transcript.Event) {
	for _, part := range strings.Split(line, passage.TagOpen)[1:] {
		if inside, body, closed := strings.Cut(part, "]"); closed {
			w.tag(strings.TrimSpace(inside), strings.TrimSpace(body), e)
		}
	}
}

func (w *weigher) tag(inside, body string, e *transcript.Event) {
	d := draft{
		class: classTag, record: e.Record, time: e.Time, cue: passage.TagOpen + " " + inside + "]",
		place: passage.User, person: slices.Contains([]transcript.Kind{transcript.Prompt, transcript.Steer}, e.Kind),
	}
	typ := typeNamed(inside)
	d.pinned = slices.Contains(prose.Words(inside), "permanent")
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

// typeNamed is the type that a tag names, in English the last one of several; "" for none.
func typeNamed(inside string) memory.Type {
	types := memory.Types()
	i := slices.IndexFunc(types, func(t memory.Type) bool { return is("type "+string(t), strings.ToLower(inside)) })
	if i >= 0 {
		return types[i]
	}
	words := prose.Words(inside)
	if len(words) > typeWords {
		return ""
	}
	named := memory.Type("")
	for _, x := range words {
		if typ, err := memory.ParseType(x); err == nil {
			named = typ
		}
	}
	return named
}
