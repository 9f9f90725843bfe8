package grounding

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

var quotePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`([^`\n]+)`" + `|"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|„([^“\n]+)“`)
})

// groundedQuotes: what stands in quotation marks or as code stands in the
// evidence as it is.
func groundedQuotes(c *Claim) error {
	for _, quote := range quotesIn(c.Said()) {
		if !c.holdsQuote(quote) {
			return fmt.Errorf("the quotation %q does not stand in the evidence", Line(quote, 80))
		}
	}
	return nil
}

// quotesIn are the quotations of a text, folded.
func quotesIn(text string) []string {
	var out []string
	for _, m := range quotePattern().FindAllStringSubmatch(text, -1) {
		out = append(out, strings.TrimRight(strings.ReplaceAll(Fold(strings.Join(m[1:], "")), `"`, ""), ".,;:"))
	}
	return out
}

func (c *Claim) holdsQuote(quote string) bool {
	have := strings.ReplaceAll(c.Evidence, `"`, "")
	return strings.Contains(have, quote) || strings.Contains(have, strings.TrimSuffix(quote, "()")) || isPath(quote) && c.namesPath(quote)
}
