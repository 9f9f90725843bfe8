package agents

import (
	"maps"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
)

// find returns what the table has for a moment, and for the same moment under the earlier names of the
// files that it is about, which memories still name.
func (t *teller) find(m recall.Moment, opt recall.Options) []recall.Hit {
	hits := t.table.Find(m, opt)
	former := t.former()
	for _, old := range slices.Sorted(maps.Keys(former)) {
		earlier, ok := withFormer(m, former[old], old)
		if !ok {
			continue
		}
		for _, hit := range t.table.Find(earlier, opt) {
			if !slices.ContainsFunc(hits, func(have recall.Hit) bool { return have.ID == hit.ID }) {
				hit.Files = append(slices.Clone(hit.Files), former[old]) // where its use is seen
				hits = append(hits, hit)
			}
		}
	}
	return hits
}

// former returns the files that have another name now, see [workspace.Former].
func (h *hooks) former() map[string]string { return h.w.Former() }

// withFormer returns a moment with the earlier name of a file. It reports false where the moment does
// not name the file.
func withFormer(m recall.Moment, now, old string) (recall.Moment, bool) {
	before := m
	if m.File == now {
		before.File = old
		before.Triggers = slices.Clone(m.Triggers)
		if i := slices.Index(m.Triggers, memory.Trigger(memory.TriggerFile, now)); i >= 0 {
			before.Triggers[i] = memory.Trigger(memory.TriggerFile, old)
		}
	}
	before.Command, before.Prompt = renamedIn(m.Command, now, old), renamedIn(m.Prompt, now, old)
	if before.Command != m.Command {
		before.Calls = recipe.Calls(before.Command)
	}
	differs := before.File != m.File || before.Command != m.Command || before.Prompt != m.Prompt
	return before, differs
}

// renamedIn returns a text with another name of a file, wherever a word of it is that file.
func renamedIn(text, now, old string) string {
	if !strings.Contains(text, now) {
		return text
	}
	words := strings.Split(text, " ")
	for i, word := range words {
		if strings.Trim(strings.TrimPrefix(word, "./"), "`\"',;:.!?()") == now {
			words[i] = strings.Replace(word, now, old, 1)
		}
	}
	return strings.Join(words, " ")
}
