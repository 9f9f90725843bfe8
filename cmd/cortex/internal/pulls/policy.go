package pulls

import (
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// OfPolicy are the changes of settings and the like that weaken a check, as its findings, and where
// nothing lands by itself what no reviewer committed.
func (s *Scope) OfPolicy() []doctor.Finding {
	var out []doctor.Finding
	if s.manual {
		out = ofReviewers(s.Unreviewed)
	}
	for _, p := range s.Policy {
		if p.Weakens == "" {
			continue
		}
		text := strings.TrimPrefix(p.Key+": "+p.Weakens, ": ") // the file as a whole has no key
		out = append(out, doctor.Finding{Path: p.Path, Rule: "setting", Text: text})
	}
	return out
}

// unreviewedText says which memory file no reviewer committed.
func unreviewedText(u changes.Unreviewed) string {
	return memory.OneLine(u.Path) + ", by " + memory.OneLine(u.Author)
}

// ofReviewers are the files that no reviewer committed, as findings of a check.
func ofReviewers(files []changes.Unreviewed) []doctor.Finding {
	return lists.Map(files, func(u changes.Unreviewed) doctor.Finding {
		return doctor.Finding{Path: u.Path, Rule: "reviewer", Text: u.Author + " committed it, and is no reviewer"}
	})
}

// longestValue is how much of a value or a line is shown, in columns.
const longestValue = 300

// policyText says what became of a setting, a line or a file, without its path.
func policyText(p changes.Policy) string {
	from, to := memory.Cut(memory.OneLine(p.From), longestValue), memory.Cut(memory.OneLine(p.To), longestValue)
	switch p.Kind {
	case changes.Setting:
		return settingText(p.Key, from, to)
	case changes.Attributes:
		if to == "" {
			return "without " + from
		}
		return "with " + to
	}
	switch {
	case from == "":
		return "added"
	case to == "":
		return "removed"
	}
	return "changed"
}

// settingText says in a few words how a setting changed.
func settingText(key, from, to string) string {
	switch {
	case key == "":
		return "it cannot be used any more"
	case from == "":
		return key + ": now " + to
	case to == "":
		return key + ": " + from + ", now the default"
	}
	return key + ": " + from + ", now " + to
}

// policyPart is a change of a setting, a line or a file in a comment.
func policyPart(p changes.Policy) part {
	return oneLine(code(p.Path) + ": " + inert(policyText(p)))
}

// policy prints the same for a terminal.
func (t *texter) policy(p changes.Policy) {
	t.p.Printf("  %s\n", console.Bold(memory.OneLine(p.Path)))
	t.below(policyText(p))
}
