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
	have := strings.ReplaceAll(c.Evidence, `"`, "")
	for _, m := range quotePattern().FindAllStringSubmatch(c.Said(), -1) {
		quote := strings.TrimRight(strings.ReplaceAll(Fold(strings.Join(m[1:], "")), `"`, ""), ".,;:")
		if strings.Contains(have, quote) || strings.Contains(have, strings.TrimSuffix(quote, "()")) || isPath(quote) && c.namesPath(quote) {
			continue
		}
		return fmt.Errorf("the quotation %q does not stand in the evidence", Line(quote, 80))
	}
	return nil
}
