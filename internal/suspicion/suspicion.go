// Package suspicion judges what a memory says by itself: whether it hides text or a
// secret, imitates other words or an agent's harness, or speaks to an agent as its user
// would. Call [Signs]. `cortex check` reports what it returns, and nothing that has a sign
// lands without a person's word. It reads neither files nor settings: whether a person accepted
// a memory as it is, and what in it is a secret, is for the caller to ask.
package suspicion

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Rules of a [Sign], as `cortex check` names them.
const (
	HiddenText  = "hidden-text"
	HarnessTag  = "harness-tag"
	Homoglyph   = "homoglyph"
	Secret      = "secret"      // in parts: one in a piece is for the caller to find
	Instruction = "instruction" // the one that check_accept can accept
)

// Sign is one reason to have a person read a memory before any agent does.
type Sign struct {
	Rule string // one of the constants above
	Says string // what the memory does, for a person; of an instruction what follows "it"
}

// Signs returns all reasons to suspect a memory, in a fixed order; nil for none.
func Signs(m *memory.Memory) []Sign {
	var out []Sign
	shown := strings.Join(slices.Concat([]string{m.Title, m.Text, m.Unknown, m.Source.Branch},
		m.Tags, m.Files, m.Entities, m.Triggers), "\n")
	clean := memory.Clean(shown)
	if clean != shown {
		out = append(out, Sign{HiddenText, "characters that a reader cannot see, or that control a terminal"})
	}
	if memory.Untag(clean) != clean {
		out = append(out, Sign{
			HarnessTag, "text that looks like an agent's own tags: they are disarmed wherever it is shown",
		})
	}
	if word := imitated(shown); word != "" {
		out = append(out, Sign{Homoglyph, "letters of another script that are taken for Latin ones: " + word})
	}
	if pieces(m.Title + "\n" + m.Text) {
		out = append(out, Sign{Secret, "what looks like a secret in parts"})
	}
	said := slices.Concat([]string{m.Title, m.Text, m.Unknown}, m.Tags, m.Triggers)
	for _, says := range Orders(strings.Join(said, "\n\n")) {
		out = append(out, Sign{Instruction, says})
	}
	return out
}
