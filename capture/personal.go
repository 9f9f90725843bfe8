package capture

import (
	"strings"

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
	text := " " + strings.Join(prose.Words(m.Title+"\n"+m.Text), " ") + " "
	holds := func(list []string) bool {
		for _, words := range list {
			if strings.Contains(text, " "+words+" ") {
				return true
			}
		}
		return false
	}
	if holds(hereWords()) {
		return false
	}
	return holds(everywhereWords()) || m.Type == memory.Preference && holds(selfWords())
}

// hereWords are about the repository, or about people beside the user.
func hereWords() []string {
	return []string{
		"this repo", "this repository", "this project", "this codebase", "this branch", "this file", "this folder", "this package", "this module",
		"the repo", "the repository", "the project", "the codebase", "we", "us", "our", "the team", "contributors", "reviewers",
	}
}

// everywhereWords say that something holds wherever the user works.
func everywhereWords() []string {
	return []string{
		"all my projects", "all my repositories", "all my repos", "all of my projects", "all of my repositories", "all of my repos",
		"all their projects", "all their repositories", "all of their projects", "all of their repositories",
		"every project of mine", "every repository of mine", "every repo of mine", "any project of mine", "any repository of mine", "any repo of mine",
		"every project i", "every repository i", "every repo i", "any project i", "any repository i", "any repo i",
		"across my projects", "across my repositories", "across all my", "everywhere i work", "wherever i work", "whatever i work on",
	}
}

// selfWords are how somebody speaks of themselves, or an agent of its user.
func selfWords() []string {
	return []string{
		"i prefer", "i like", "i dislike", "i hate", "i always", "i never", "i am a", "i am an", "i'm a", "i'm an", "i speak", "i read", "i work in", "i work on",
		"call me", "my name", "my editor", "my shell", "my terminal", "my machine", "my laptop", "my keyboard", "my timezone", "my time zone",
		"answer me", "explain to me", "talk to me", "write to me", "ask me before", "show me",
		"the user prefers", "the user likes", "the user dislikes", "the user hates", "the user always", "the user never", "the user is a", "the user is an",
		"the user speaks", "the user reads", "the user works in", "the user works on", "the user's editor", "the user's shell", "the user's machine",
		"user prefers", "user likes", "user dislikes",
	}
}
