package grounding

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

var quotePattern = lazy.Pattern("`([^`\n]+)`" + `|"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|„([^“\n]+)“`)

// groundedQuotes: what stands in quotation marks or as code stands in the
// evidence as it is.
func groundedQuotes(c *Claim) error {
	return c.absent("quotation", lacking(quotesIn(c.Said()), c.holdsQuote))
}

// unquote takes the marks from quotations whose words the evidence has, but not so, and
// from single words that were said around it: they are no quotations, and no less true.
func (c *Claim) unquote() {
	plain := func(marked string) string {
		if quote := quotesIn(marked)[0]; c.holdsQuote(quote) || !c.holdsWords(quote) {
			return marked
		}
		return strings.Trim(marked, "`\"“”«»„")
	}
	c.Title = quotePattern().ReplaceAllStringFunc(c.Title, plain)
	c.Text = quotePattern().ReplaceAllStringFunc(c.Text, plain)
}

// holdsWords reports whether each word of a quotation stands in the evidence, or the only one
// around it.
func (c *Claim) holdsWords(quote string) bool {
	list := strings.Fields(quote)
	if len(list) == 1 && c.around(strings.Trim(quote, sentenceMarks)) {
		return true
	}
	return !slices.ContainsFunc(list, func(w string) bool {
		w = strings.Trim(w, sentenceMarks)
		return w != "" && !holdsWord(c.Evidence, w)
	})
}

const sentenceMarks = `.,;:!?()`

// quotesIn are the quotations of a text, folded.
func quotesIn(text string) []string {
	var out []string
	for _, m := range quotePattern().FindAllStringSubmatch(text, -1) {
		quote := strings.ReplaceAll(Fold(strings.Join(m[1:], "")), `"`, "")
		out = append(out, strings.TrimRight(quote, ".,;:"))
	}
	return out
}

func (c *Claim) holdsQuote(quote string) bool {
	have := strings.ReplaceAll(c.Evidence, `"`, "")
	if strings.Contains(have, strings.TrimSuffix(quote, "()")) {
		return true
	}
	return IsPath(quote) && c.namesPath(quote)
}
