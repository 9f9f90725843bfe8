package recall

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

var link = lazy.Pattern(`\b(?:https?|ssh|git)://[^\s<>"'` + "`" + `)\]]+`)

// plainLinks is a text whose links say only what they lead to: the names of the
// site, and on a forge those of owner and repository, stand in every link there.
func plainLinks(text string) string {
	if !strings.Contains(text, "://") {
		return text
	}
	return link().ReplaceAllStringFunc(text, func(s string) string {
		_, rest, _ := strings.Cut(s, "://")
		parts := strings.Split(rest, "/")
		site := parts[0][strings.LastIndexByte(parts[0], '@')+1:]
		parts = parts[1:]
		if slices.Contains(forges(), site) {
			parts = parts[min(len(parts), 2):]
		}
		return strings.Join(parts, " ")
	})
}

// forges are sites whose links begin with owner and repository.
func forges() []string {
	return []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitea.com", "git.sr.ht"}
}
