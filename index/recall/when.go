package recall

import (
	"strings"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// layerCurated is the layer of memories that a reader worded.
const layerCurated = "curated"

// named are the calls, files and words that a memory names as when it matters.
func named(a *words.Analyser, m *memory.Memory) []rule {
	var out []rule
	file := byte(ruleFile)
	if m.Source.Layer == layerCurated {
		file = ruleEdit
	}
	for _, v := range m.TriggersOf(memory.TriggerBefore) {
		if v = strings.ReplaceAll(v, `\`, "/"); isPath(v) {
			v = strings.TrimPrefix(v, "./")
			out = append(out, rule{file, []string{v}}, rule{ruleCall, []string{v}})
		} else if call := strings.Fields(v); len(call) > 0 {
			out = append(out, rule{ruleCall, call})
		}
	}
	for _, v := range m.TriggersOf(memory.TriggerWhen) {
		if keys, telling := phrase(a, v); telling {
			out = append(out, rule{ruleSaid, keys})
		}
	}
	return out
}

// phrase are the keys of the words of a phrase that say something, the longest first, and
// whether they tell one moment from others: two words do, of which one is not an everyday
// word, and the name of a symbol or a path.
func phrase(a *words.Analyser, text string) (keys []string, telling bool) {
	rare, named := 0, false
	tokens := a.Analyse(text)
	for i := range tokens {
		t := &tokens[i]
		if outer(tokens, i) != 0 || t.Stem != "" && (len(t.Term) < 2 || words.IsStop(t.Term)) {
			continue
		}
		k := keyOf(t)
		if t.Stem == "" {
			named = true
		} else if !words.IsEveryday(t.Term) {
			rare++
		}
		if len(keys) > 0 && len(k) > len(keys[0]) {
			keys = append([]string{k}, keys...)
		} else {
			keys = append(keys, k)
		}
	}
	return keys, named || rare > 0 && len(keys) > 1
}

// saidMark tells the keys of words from those of programs and files.
const saidMark = "?"

// keyOf is the stem of a word, or a symbol or path as it is.
func keyOf(t *words.Token) string {
	if t.Stem == "" {
		return "=" + t.Term
	}
	return t.Stem
}

// heard are the keys of all words that are said at a moment which is no call, nil for a
// call.
func (m *Moment) heard(a *words.Analyser) map[string]bool {
	var text string
	switch m.Kind {
	case Prompt:
		text = m.Prompt
	case Question:
		text = m.Question
	case Search:
		text = m.Search
	case Error:
		text = m.Error
	}
	if text == "" {
		return nil
	}
	out := map[string]bool{}
	tokens := a.Analyse(strings.ToValidUTF8(plainLinks(text[:min(len(text), maxPart)]), ""))
	for i := range tokens {
		out[keyOf(&tokens[i])] = true
	}
	return out
}

// heard returns the words of the first rule that are all said, "" if there is none.
func heard(rules []rule, said map[string]bool) string {
next:
	for _, r := range rules {
		if r.kind != ruleSaid {
			continue
		}
		for _, k := range r.words {
			if !said[k] {
				continue next
			}
		}
		return strings.ReplaceAll(strings.Join(r.words, " "), "=", "")
	}
	return ""
}

// heardWeight is the score of a memory at a moment that it names itself. It clears the threshold
// alone.
func heardWeight(k Kind) float64 {
	switch k {
	case Prompt:
		return 2
	case Search:
		return 3.5
	case Question:
		return 4
	}
	return ruleWeight
}
