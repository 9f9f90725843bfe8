package capture

import (
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
)

// fencedCode matches a block of code, up to the end where nothing closes it.
var fencedCode = lazy.Pattern("(?s)```.*?(?:```|$)")

// inEnglish reports whether the prose of a message may be English, its code left
// out. The patterns read no other.
func inEnglish(text string) bool { return prose.English(fencedCode().ReplaceAllString(text, " ")) }
