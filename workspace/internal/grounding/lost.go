package grounding

import "slices"

// Lost returns what a text names and another one does not, in the order of the first:
// its numbers, paths, identifiers, names, and what it quotes.
func Lost(text, kept string) []string {
	c := &Claim{Evidence: Fold(kept)}
	var out []string
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	have := numbersOf(c.Evidence)
	for _, n := range numbersOf(unlisted(text)) {
		if !slices.Contains(have, n) {
			add(n)
		}
	}
	for _, t := range tokensIn(text) {
		switch {
		case IsPath(t.text):
			if !c.namesPath(t.text) {
				add(t.text)
			}
		case t.named() && !c.holdsName(t.text):
			add(t.text)
		}
	}
	for _, quote := range quotesIn(text) {
		if !c.holdsQuote(quote) {
			add(quote)
		}
	}
	return out
}
