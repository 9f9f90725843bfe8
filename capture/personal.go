package capture

import (
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/memory"
)

// surePersonal is the confidence above which a memory may be taken for one about the
// user, who then is asked whether to keep it for all repositories.
const surePersonal = 0.8

// Personal reports whether a memory is about the user and not about the repository, by
// its words alone: it says that it holds in all of their projects, or it is a
// preference in which somebody speaks of themselves. What names a file of the
// repository, or speaks of it or of a team, is not.
func Personal(m *memory.Memory) bool {
	if m.Confidence <= surePersonal || len(m.Files) > 0 {
		return false
	}
	words := prose.Words(m.Title + "\n" + m.Text)
	if in("here", words) {
		return false
	}
	return in("everywhere", words) || m.Type == memory.Preference && in("oneself", words)
}
