package grounding

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var quotePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("`([^`\n]+)`" + `|"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|„([^“\n]+)“`)
})

// groundedQuotes: what stands in quotation marks or as code stands in the
// evidence as it is.
func groundedQuotes(c *Claim) error {
	var missing []string
	for _, quote := range quotesIn(c.Said()) {
		if !slices.Contains(missing, quote) && !c.holdsQuote(quote) {
			missing = append(missing, quote)
		}
	}
	return c.absent("quotation", missing)
}

// unquote takes the marks from quotations whose words the evidence has, but not so, and
// from single words that were said around it: they are no quotations, and no less true.
func (c *Claim) unquote() {
	plain := func(s string) string {
		return quotePattern().ReplaceAllStringFunc(s, func(m string) string {
			quote := quotesIn(m)[0]
			if c.holdsQuote(quote) {
				return m
			}
			alone := !strings.Contains(quote, " ")
			for w := range strings.FieldsSeq(quote) {
				if w = strings.Trim(w, `.,;:!?()`); w != "" && !holdsWord(c.Evidence, w) && !(alone && c.around(w)) {
					return m
				}
			}
			return strings.Trim(m, "`\"“”«»„")
		})
	}
	c.Title, c.Text = plain(c.Title), plain(c.Text)
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
	return strings.Contains(have, quote) || strings.Contains(have, strings.TrimSuffix(quote, "()")) || IsPath(quote) && c.namesPath(quote)
}
