package curate

import (
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/capture"
)

// followUp notes in passages what became of what the agent said, and returns how the
// session ended; "" without passages.
func followUp(passages []Passage) string {
	var inTurn, later, replied bool // a commit follows, a commit follows in another turn, the user's words follow
	lastCommit := 0
	for i := range slices.Backward(passages) {
		p := &passages[i]
		switch p.Kind {
		case capture.SaidCommit:
			lastCommit = max(lastCommit, p.Line)
			inTurn = true
		case capture.SaidByUser, capture.SaidRefusal:
			inTurn, later, replied = false, later || inTurn, true
		case capture.SaidAnswer, capture.SaidPlan, capture.SaidFailure: // the kind says it
		default:
			p.State = stateOf(inTurn, later, replied)
		}
	}
	return ending(passages, lastCommit)
}

// stateOf names what became of words of the agent.
func stateOf(committed, later, replied bool) string {
	switch {
	case committed:
		return "committed"
	case later:
		return "committed later"
	case replied:
		return "open"
	}
	return "unanswered"
}

// ending says how a session ended.
func ending(passages []Passage, lastCommit int) string {
	if len(passages) == 0 {
		return ""
	}
	commit := "nothing was committed"
	if lastCommit > 0 {
		commit = fmt.Sprintf("the last commit is on line %d", lastCommit)
	}
	last := passages[len(passages)-1]
	if last.Kind == capture.SaidByUser {
		return fmt.Sprintf("%s; the user's words on line %d were not answered", commit, last.Line)
	}
	return fmt.Sprintf("%s; the last words are on line %d", commit, last.Line)
}
