package grounding

import "slices"

// Lost returns what a text names and another one does not: its numbers, paths, identifiers and
// names, and what it quotes, each in the order of the text.
func Lost(text, kept string) []string {
	c := &Claim{Evidence: Fold(kept)}
	have := numbersOf(c.Evidence)
	paths, names := namedIn(text)
	lost := slices.Concat(
		lacking(numbersOf(unlisted(text)), func(n string) bool { return slices.Contains(have, n) }),
		lacking(paths, c.namesPath),
		lacking(names, c.holdsName),
		lacking(quotesIn(text), c.holdsQuote))
	return lacking(lost, func(string) bool { return false })
}
