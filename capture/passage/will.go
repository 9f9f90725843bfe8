package passage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lists"
)

// Stands reports whether a sentence lays down what holds from now on, or asks for it to
// be remembered.
func Stands(s string) bool {
	words := prose.Words(s)
	return in("standing", words) && !in("not standing", words)
}

// Rule is the title of a sentence that lays down what holds from now on and is understood by itself, "" for another.
func Rule(sentence string) string {
	title := upToComma(Bare(sentence))
	words := prose.Words(title)
	if Stands(title) && canStand(title, words) && !Dangles(words) {
		return title
	}
	return ""
}

// Lays reports whether a sentence by itself lays down what holds from now on, or tells of a choice with its reason.
func Lays(sentence string) bool {
	return Rule(sentence) != "" || Decides(sentence)
}

// Decides reports whether words of the user tell of a choice in full. Where one sentence begins with what was taken,
// and says why, it need not say over what: it is decided.
func Decides(s string) bool {
	reasoned := func(sentence string) bool {
		words := prose.Words(Bare(sentence))
		return begins("chose", words) && in("reason", words)
	}
	return Explains(s) || slices.ContainsFunc(prose.Sentences(s), reasoned)
}

// Statements joins what stands in sentences: one that lays something down begins a statement, and what is said of it
// follows. Sentences that state nothing are left out.
func Statements(sentences []string) []string {
	var out []string
	for _, s := range lists.Without(sentences, idle) {
		if len(out) == 0 || Lays(s) {
			out = append(out, "")
		}
		out[len(out)-1] = strings.TrimLeft(out[len(out)-1]+" "+s, " ")
	}
	return out
}

// upToComma is a sentence as a title, up to a comma where it is too long for one.
func upToComma(s string) string {
	comma := strings.LastIndex(s[:min(len(s), TitleLimit)], ", ")
	return cmp.Or(Shortened(s, TitleLimit), s[:max(comma, 0)])
}

// Objects reports whether a question objects to what is being done: "why is X changed
// rather than …", "shouldn't this be …", "did we not …". A question about how
// something works does not.
func Objects(s string) bool {
	words := lexicon().Without("connector", lexicon().Without("reply", prose.Words(s)))
	if len(words) < Few {
		return false
	}
	if begins("objects", words) {
		return true
	}
	asks := strings.HasSuffix(strings.TrimRight(s, ` )"'!`), "?")
	return asks && (begins("objects in a question", words) || asksWhyNot(words))
}

// asksWhyNot reports whether a question asks why something is not done otherwise, and not how it
// works.
func asksWhyNot(words []string) bool {
	return words[0] == "why" && in("other way", words) && !in("how it works", words)
}
