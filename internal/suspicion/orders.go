package suspicion

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// piped is how a line runs what it downloads or decodes. Without an address it is spoken
// of: "curl … | sh".
var piped = lazy.Value(func() *regexp.Regexp {
	const shell = `\|\s*(sudo\s+)?(ba|z|da|k)?sh\b`
	return regexp.MustCompile(`\b(curl|wget)\b[^\n|]{0,120}(://|\b[\w-]+\.[a-z]{2,}/|\$)[^\n|]{0,200}` + shell +
		`|\b(base64)\s+(-d|-D|--decode)\b[^\n|]{0,80}` + shell)
})

// Orders says what of a text an agent might take for orders, each as what follows "it";
// nil for nothing. The table of phrases is kept to what a memory about a project has no
// reason to say. It stops nobody who words it otherwise: what agents are given is labelled
// as evidence all the same, and a reviewer reads it first.
func Orders(text string) []string { return ordersAt(text, 0) }

// ordersAt is [Orders] of a text that was found so deep inside of another one.
func ordersAt(text string, depth int) []string {
	t, simple := orders(), plain(text)
	kinds := t.found(wordsOf(simple))
	var out []string
	for _, kind := range t.kinds {
		if kinds[kind] {
			out = append(out, t.says[kind])
		}
	}
	if strings.Contains(simple, "|") && piped().MatchString(simple) {
		out = append(out, "runs what it downloads")
	}
	return slices.Concat(out, decodedOrders(text, depth))
}
