package recall

import (
	"strings"

	"github.com/git-cortex/cortex/index/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// Bounds of what is looked at, in bytes.
const (
	maxText = 8 << 10 // of a memory
	maxPart = 1 << 10 // of each part of a moment
)

// triggerMark stands before what is a trigger and no word of a text. No word
// begins so.
const triggerMark = "\x00"

// term is one thing that a memory and a moment may have in common.
type term struct {
	hash uint32
	text string
	kind string // as in [Reason]
}

// hash is FNV-1a.
func hash(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// termsOf calls yield with each term of a text, repeated ones too.
func termsOf(a *words.Analyser, text string, most int, yield func(term)) {
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	for _, t := range a.Analyse(text) {
		switch {
		case t.Stem == "":
			kind := "symbol"
			if strings.ContainsAny(t.Term, `/\`) {
				kind = "path"
			}
			yield(term{hash("=" + t.Term), t.Term, kind})
		case len(t.Term) > 1 && !words.IsStop(t.Term):
			yield(term{hash(t.Stem), t.Term, "word"})
		}
	}
}

// triggerTerm is the term of an item of a memory's triggers.
func triggerTerm(trigger string) term {
	kind, value, _ := strings.Cut(trigger, ": ")
	return term{hash(triggerMark + trigger), value, kind}
}

// memoryTerms are the hashes of all terms of a memory, sorted, and how many of
// them are no triggers.
func memoryTerms(a *words.Analyser, m *memory.Memory) (hashes []uint32, length int) {
	seen := map[uint32]bool{}
	add := func(t term) {
		if !seen[t.hash] {
			seen[t.hash] = true
			hashes = append(hashes, t.hash)
		}
	}
	left := maxText
	for _, text := range []string{m.Title, m.Text, strings.Join(m.Files, " "), strings.Join(m.Entities, " ")} {
		termsOf(a, text, left, add)
		left = max(0, left-len(text))
	}
	length = len(hashes)
	for _, t := range m.Triggers {
		add(triggerTerm(t))
	}
	return hashes, length
}
