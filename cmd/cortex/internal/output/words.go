// Package output prints for people what the commands found and did: memories, search hits,
// the state of a clone, and the outcome of each command. The functions take the values that
// package workspace and its rooms return, and a [console.Printer], which lays them out and
// cleans them.
//
// It promises that the same thing is said in the same words in every command, that every
// memory is named by its id with the reason why it is shown, and that each problem comes
// with what to do about it.
package output

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/workspace"
)

// Facts are the facts shown with every memory, such as its type, stage, age and
// confidence, as of now.
func Facts(e workspace.Entry, now time.Time) []string {
	m := e.Memory
	out := []string{string(m.Type), string(e.Stage)}
	if e.Gone() {
		from := "from " + e.Branch + ", gone"
		if e.Branch == "" {
			from = "from a detached HEAD"
		}
		out = append(out, from)
	}
	if e.Status != "active" {
		out = append(out, string(e.Status))
	}
	out = append(out, m.Created.Format("2006-01-02")+" ("+Ago(now.Sub(m.Created))+")", confidenceText(e))
	if m.Pinned {
		out = append(out, "pinned")
	}
	if e.Stale {
		out = append(out, "the code it is about has changed")
	}
	if e.Unused {
		out = append(out, "possibly outdated: the latest sessions did not use it")
	}
	return out
}

func confidenceText(e workspace.Entry) string {
	text := fmt.Sprintf("confidence %.2f", e.Memory.Confidence)
	if e.Memory.Confidence-e.Effective >= 0.05 {
		text += fmt.Sprintf(", now %.2f", e.Effective)
	}
	return text
}

// Source says where a memory comes from.
func Source(e workspace.Entry) string {
	s := e.Memory.Source
	var parts []string
	add := func(format, value string) {
		if value != "" {
			parts = append(parts, fmt.Sprintf(format, value))
		}
	}
	add("%s", s.Agent)
	add("model %s", s.Model)
	add("session %s", s.Session)
	add("%s", s.LayerText())
	add("branch %s", s.Branch)
	add("at commit %s", s.Commit)
	if s.Record > 0 {
		parts = append(parts, fmt.Sprintf("line %d", s.Record))
	}
	add("imported as %s", s.Ref)
	return strings.Join(parts, ", ")
}

// Record says how often a memory was shown to agents, and used then; "" for never.
func Record(shown, used int) string {
	switch {
	case shown+used == 0:
		return ""
	case used == 0:
		return "shown " + console.Plural(shown, "time", "times") + ", never used"
	case shown == 0:
		return "used " + console.Plural(used, "time", "times")
	}
	return fmt.Sprintf("shown %s, used %d", console.Plural(shown, "time", "times"), used)
}

// GoneBranch says which memories wait for a branch that is gone.
func GoneBranch(s workspace.GoneBranch) string {
	switch {
	case s.Branch == workspace.DetachedName:
		return console.Plural(s.Pending, "memory was", "memories were") + " learned with a detached HEAD"
	case s.Renamed != "":
		return console.Plural(s.Pending, "memory waits", "memories wait") + " for " + s.Branch +
			", which was renamed to " + s.Renamed
	}
	return console.Plural(s.Pending, "memory waits", "memories wait") + " for " + s.Branch + ", a branch that is gone"
}

// Highlighted marks the matched words of a snippet.
func Highlighted(s index.Snippet) console.Text {
	marks := make([][2]int, len(s.Marks))
	for i, m := range s.Marks {
		marks[i] = [2]int{m.Start, m.End}
	}
	return console.Highlighted(s.Text, marks)
}

// Failure is the message of an error, with a hint on how to get at the memory if
// it is on another branch.
func Failure(err error) string {
	var elsewhere *workspace.ElsewhereError
	if errors.As(err, &elsewhere) {
		return err.Error() + "; " + answer.ElsewhereHint(elsewhere)
	}
	return err.Error()
}

// Landing says in a few words when pending memories land, by the team's policy.
func Landing(policy string) string {
	switch policy {
	case "branch":
		return "before this branch is reviewed: cortex land"
	case "manual":
		return "none lands by itself: cortex land"
	}
	return "those that are sure enough land with your next commits, for the others: cortex review"
}
