package capture

import (
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// surePersonal is the confidence above which a memory may be taken for one about the user.
const surePersonal = 0.8

// Personal reports whether a memory is about the user and not about the repository, by
// its words alone. What names a file of the repository, or speaks of it or of a team, is not.
func Personal(m *memory.Memory) bool {
	words := prose.Words(m.Title + "\n" + m.Text)
	if len(m.Files) > 0 || in("here", words) {
		return false
	}
	typed := m.Source.Layer == string(session.LayerUser)
	return typed && in("oneself typed", prose.Words(m.Title)) || speaksOfUser(m, words)
}

// speaksOfUser reports whether words say that they hold in all projects of a user, or are a preference
// in which somebody speaks of themselves. A preference for all projects counts however sure it is.
func speaksOfUser(m *memory.Memory, words []string) bool {
	rule := m.Type == memory.Preference
	if m.Confidence <= surePersonal {
		return rule && in("everywhere", words)
	}
	return in("everywhere", words) || rule && in("oneself", words)
}
