package capture

import (
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/memory"
)

// surePersonal is the confidence above which a memory may be taken for one about the
// user, who then is asked whether to keep it for all repositories.
const surePersonal = 0.8

// Personal reports whether a memory is about the user and not about the repository, by
// its words alone. What names a file of the repository, or speaks of it or of a team, is not.
func Personal(m *memory.Memory) bool {
	words := prose.Words(m.Title + "\n" + m.Text)
	if m.Confidence <= surePersonal || len(m.Files) > 0 || in("here", words) {
		return false
	}
	return speaksOfUser(m.Type, words)
}

// speaksOfUser reports whether words say that they hold in all projects of a user, or are a
// preference in which somebody speaks of themselves.
func speaksOfUser(typ memory.Type, words []string) bool {
	return in("everywhere", words) || typ == memory.Preference && in("oneself", words)
}
