package recall

import (
	"slices"
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
func phrase(a *words.Analyser, text string) (keys []string, tells bool) {
	var telling []words.Token
	tokens := a.Analyse(text)
	for i := range tokens {
		t := &tokens[i]
		if saysNothing(t) || outer(tokens, i) != 0 {
			continue
		}
		telling = append(telling, *t)
		keys = insertKey(keys, keyOf(t))
	}
	named := slices.ContainsFunc(telling, func(t words.Token) bool { return t.Stem == "" })
	rare := slices.ContainsFunc(telling, func(t words.Token) bool { return !words.IsEveryday(t.Term) })
	return keys, named || rare && len(keys) > 1
}

// saysNothing reports whether a token is a word that says nothing by itself.
func saysNothing(t *words.Token) bool {
	return t.Stem != "" && (len(t.Term) < 2 || words.IsStop(t.Term))
}

// insertKey adds a key, before the others if it is longer than the first of them.
func insertKey(keys []string, key string) []string {
	if len(keys) > 0 && len(key) > len(keys[0]) {
		return slices.Insert(keys, 0, key)
	}
	return append(keys, key)
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
	said := m.Kind.tuning().said
	if said == nil {
		return nil
	}
	text := said(m)
	out := map[string]bool{}
	tokens := a.Analyse(strings.ToValidUTF8(plainLinks(text[:min(len(text), maxPart)]), ""))
	for i := range tokens {
		out[keyOf(&tokens[i])] = true
	}
	return out
}

// heard returns the words of the first rule that are all said, "" if there is none.
func heard(rules []rule, said map[string]bool) string {
	for _, r := range rules {
		if r.kind == ruleSaid && !slices.ContainsFunc(r.words, func(k string) bool { return !said[k] }) {
			return strings.ReplaceAll(strings.Join(r.words, " "), "=", "")
		}
	}
	return ""
}
