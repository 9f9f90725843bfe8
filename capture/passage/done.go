package passage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
)

// OnlyDone reports whether a sentence or an item says no more than what was done, or how
// far the work is, which the history of the repository says better: "Updated the
// docs", "`a.go` — added a check", "Only two files were touched". One that gives a
// reason or a limit, or names a trap, says more.
func OnlyDone(s string) bool {
	if word, _, found := strings.Cut(s, " — "); found && (word == "Fixed" || word == "Done") {
		return !explains(s)
	}
	words := prose.Words(prose.Clip(s, 240))
	said := " " + strings.Join(words, " ") + " "
	if underWay(said) || compared(said) {
		return true
	}
	if len(words) < reportWords && reports(said) && !binds(s) {
		return true
	}
	if listsTest(s) || ofRun(said) {
		return true
	}
	if explains(s) {
		return false
	}
	if Cues(words, "status") > 0 && len(words) < 25 {
		return true
	}
	if len(words) > 0 && strings.HasSuffix(strings.TrimSpace(s), "...") {
		return true // what is under way
	}
	return len(words) < deedWords && doneWord(opening(s)) || untouched(said) || namesTest(s) || checks(s) || ofFile(s)
}

// checks holds for a step that is over with the work: "Verify that the page loads".
func checks(s string) bool {
	words := prose.Words(prose.Clip(sentence.Unnumbered(strings.TrimLeft(s, "-*•✅✓✔☐ ")), 60))
	return len(words) > 1 && slices.Contains([]string{"verify", "confirm", "rerun", "recheck"}, words[0])
}

// ofFile holds for a line that says of a file what is to be done to it: "`gauge.go` - Add a
// lock". The diff says that.
func ofFile(s string) bool {
	for _, mark := range []string{" — ", " – ", " - ", ": "} {
		name, rest, found := strings.Cut(strings.TrimLeft(s, "-*• "), mark)
		if name = strings.Trim(name, "`*"); found && (isFileName(name) || strings.HasSuffix(name, ")") && !strings.Contains(name, " ")) && sentence.Orders(rest) {
			return true
		}
	}
	return false
}

// namesTest holds for a line that begins with the name of a test: what is tested, the
// test says itself.
func namesTest(s string) bool {
	name := strings.TrimLeft(prose.FirstWord(strings.TrimLeft(s, "-*•✅✓✔ ")), "`*")
	rest, found := strings.CutPrefix(name, "Test")
	return found && rest != "" && (rest[0] >= 'A' && rest[0] <= 'Z' || rest[0] == '_')
}

// listsTest holds for a line that says of a test, behind a mark, what it tests: whatever
// reason stands there is one of the test's.
func listsTest(s string) bool {
	for _, mark := range []string{" — ", " – ", " - ", ": "} {
		if name, _, found := strings.Cut(s, mark); found && namesTest(name) && len(strings.Fields(strings.TrimLeft(name, "-*•✅✓✔ "))) == 1 {
			return true
		}
	}
	return false
}

// deedWords is how long a line is, in words, that says something beside its deed.
const deedWords = 8

// reportWords is how long a sentence is, in words, that gives a reason beside its report.
const reportWords = 16

// opening returns the first word of what a line says of its subject: behind a mark
// in the list, a file or a part that it is about, and a label.
func opening(s string) string {
	s = sentence.Unnumbered(strings.TrimLeft(s, "-*•✅✓✔ "))
	for range 2 {
		for _, mark := range []string{" — ", " – ", " - ", ": "} {
			head, rest, found := strings.Cut(s, mark)
			if found && len(head) <= 60 && len(strings.Fields(head)) <= 4 && rest != "" {
				s = rest
				break
			}
		}
	}
	words := prose.Words(prose.Clip(s, 60))
	for len(words) > 1 {
		switch words[0] {
		case "now", "also", "all", "both", "i", "we", "i've", "we've", "have", "then", "was", "were", "has", "been", "just":
			words = words[1:]
			continue
		}
		break
	}
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// doneWord reports whether a word says that something was done.
func doneWord(w string) bool {
	switch w {
	case "built", "wrote", "made", "ran", "put", "rewrote", "done", "new", "spawning", "regenerated", "identical", "created":
		return true
	case "need", "needed", "based", "speed", "feed", "seed", "embed", "shared", "nested", "typed", "named", "unused", "indeed", "deprecated", "advanced", "encrypted", "untrusted", "trusted", "generated":
		return false
	}
	return len(w) > 4 && strings.HasSuffix(w, "ed")
}

// underWay reports whether words say how far the work in a tree is, whatever reason
// they give.
func underWay(t string) bool {
	return containsAny(
		t, " files changed ", " file changed ", " files touched ", " was touched ", " were touched ", " i touched ", " only files ",
		" files modified ", " not pushed ", " is queued ", " wasn't touched ", " weren't touched ",
		" commits behind ", " commit behind ", " commits ahead of ", " up to date with origin ", " is green now ", " are green now ", " queued here ", " unstaged files ", " untracked files ",
		" current state clean ", " from the previous branch ", " already merged ", " head and origin ", " the diff is ", " tracked diff ", " tracked change ", " modified paths ",
		" pre existing on ", " are pre existing ", " right now ", " dry run no longer ", " is now rerunnable ", " actually wait ", " wait actually ", " have approved the changes ", " has approved the changes ",
	)
}

// ofRun reports whether words say how one run of a check or a branch stands at the moment:
// the next run says something else. What is always so of them is no such report.
func ofRun(t string) bool {
	return containsAny(t, " ci run ", " workflow run ", " e2e job ", " ci job ", " this run ", " latest run ", " rerun ", " the pipeline ", " this pr ", " pr is ", " the branch ", " release run ") &&
		!containsAny(t, " only ", " must ", " never ", " always ", " whenever ", " every ") &&
		containsAny(t, " is green ", " are green ", " is red ", " queued ", " triggered ", " re triggered ", " is running ", " passed ", " in progress ", " is safe to ", " still needs to be ", " is clean ", " looks ready ", " is ready ", " succeeded ", " is still at ")
}

// outcome holds for a line that says how a check ended, or where somebody can look at it,
// and not for "Never merge until it is green", nor for "The office is at https://…".
func outcome(s string) bool {
	words := strings.Fields(strings.TrimRight(s, ".!✅ "))
	if len(words) == 0 || len(words) > 12 || binds(s) {
		return false
	}
	switch last := words[len(words)-1]; last {
	case "passed", "passes", "passing", "succeeded", "succeeds", "green", "clean":
		return !containsAny(" "+strings.Join(words, " ")+" ", " when ", " once ", " if ", " before ", " after ")
	default:
		return len(words) < 8 && (strings.HasPrefix(last, "https://") || strings.HasPrefix(last, "http://")) &&
			(strings.HasSuffix(words[max(0, len(words)-2)], ":") || !sentence.States(s))
	}
}

// binds reports whether words say what holds at any time, and not how it went once.
func binds(s string) bool {
	return slices.ContainsFunc(prose.Words(s), func(w string) bool {
		return slices.Contains([]string{"must", "never", "always", "unless", "until"}, w)
	})
}

// compared reports whether words say how a branch stands to that of the remote.
func compared(t string) bool {
	return containsAny(t, " origin main ", " origin master ", " origin head ", " on main ", " on master ") &&
		containsAny(t, " matches ", " match ", " up to date ", " ahead ", " behind ", " not on origin ", " even with ", " in sync ")
}

// reports reports whether words tell how the work of a session went, to somebody who waits
// for it: nobody asks for that later.
func reports(t string) bool {
	return containsAny(
		t, " shipped on branch ", " main untouched ", " full test suite run ", " no tests were run ", " docs only change ", " no blockers ", " unblocked ",
		" will work now ", " no remaining issues ", " pending tasks ", " squash merged ", " been merged to ", " was merged to ", " requirements are met ", " explains the scenario ", " is complete ", " pass complete ", " test passes ", " tests pass ", " now passes ", " reply posted ", " errors have stopped ", " callers updated ", " clean removal ", " ready for review ", " exactly as specified ", " spec compliant ", " i've successfully ", " has been successfully ", " have been successfully ", " ready to merge ", " ready for another look ", " stands as committed ",
	)
}

// untouched reports whether words say which parts of a work tree a change is in.
func untouched(t string) bool {
	return containsAny(t, " working tree ", " pre existing ", " no behavior changed ", " not part of ", " unrelated to this ")
}

// containsAny reports whether a text contains one of some phrases.
func containsAny(t string, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(t, p) })
}

// explains reports whether a sentence gives a reason or a limit, or names a trap.
func explains(s string) bool {
	n := cues().Hits(prose.Words(prose.Clip(s, 240)))
	return n != nil && n[groupNamed("cause")]+n[groupNamed("limit")]+n[groupNamed("trap")]+n[groupNamed("norm")] > 0
}

// telling keeps the sentences of a list of them that say more than what was done.
func telling(list []string) []string {
	var out []string
	for _, s := range list {
		s = pointed(sentence.Settled(s))
		if !OnlyDone(s) && !filed(s) && !bare(s) {
			out = append(out, s)
		}
	}
	return out
}

// pointed gives what a sentence says that begins with what its writer is about to do: its
// reason, or what follows a colon, and the sentence itself where that says nothing.
func pointed(s string) string {
	if !Announces(s) {
		return s
	}
	point := cmp.Or(sentence.Point(strings.TrimSuffix(s, ".")), sentence.Reason(strings.TrimSuffix(s, ".")))
	if point == "" {
		return s
	}
	return prose.Sentence(point) + "."
}

// bare holds for a line of a list that only names something: "`gauge.go`", "Line 78".
func bare(s string) bool {
	s = strings.TrimLeft(s, "-*• ")
	first, rest, _ := strings.Cut(s, " ")
	if strings.IndexFunc(s, func(r rune) bool { return r >= 0x2e80 }) >= 0 {
		return false // of a script without spaces
	}
	return names(s) || strings.Trim(rest, "0123456789-–,: ") == "" && len(prose.Words(first)) < 2
}

// filed holds for a line that files a note away: "Area: web", "Created: 2026-02-21 (today)".
func filed(s string) bool {
	label, rest, found := strings.Cut(strings.TrimLeft(s, "-*• "), ": ")
	switch strings.ToLower(label) {
	case "area", "created", "date", "status", "priority", "severity", "author", "location", "file", "files", "branch", "commit", "pr", "pr created", "pull request", "requirements", "dependencies":
		return found && len(prose.Words(rest)) < 25 && !sentence.States(rest)
	case "pros": // of a remedy that was only weighed
		return strings.Contains(rest, "Cons: ")
	}
	return false
}

// intended is the share of the sentences of a unit that are orders from which on it is
// a plan of its writer's own.
const intended = 0.5

// Intends reports whether a unit is mostly what its writer is about to do: the steps of
// a plan for the next few calls.
func (p *Passage) Intends() bool {
	orders, all := 0, 0
	for i := range p.Parts {
		for _, s := range p.Parts[i].Own() {
			all++
			if sentence.Orders(s) {
				orders++
			}
		}
	}
	return orders > 1 && float64(orders) >= intended*float64(all)
}
