package capture

import (
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
)

// inEnglish reports whether the prose of a message may be English, its code left
// out. The patterns read no other.
func inEnglish(text string) bool {
	if !strings.Contains(text, "```") {
		return prose.English(text)
	}
	var b strings.Builder
	for i, part := range strings.Split(text, "```") {
		if i%2 == 0 {
			b.WriteString(part + " ")
		}
	}
	return prose.English(b.String())
}
