package agents

import (
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// A session's own agent knows best what it settled. It is asked for that where it is about to
// close its work with words anyway: before a command that commits or opens a pull request.
// What it answers is a tag, which the next stop hook captures.

// Bounds of asking: how often in a session, how long apart, and how many notes are named.
const (
	mostAsked  = 2
	askedApart = 20 * time.Minute
	notesNamed = 3
	noteNamed  = 90 // bytes of each
)

const askText = "In your next reply, say what a teammate must know later and the diff does not show: " +
	"at most three lines `[MEMORY: type] subject, what is so, why, what follows` " +
	"(decision, rejected, gotcha, fix or preference). None is a good answer."

// question is what a session is asked before a call, "" for nothing.
func (t *teller) question(m recall.Moment, p *HookPayload) string {
	if !t.ask || m.Kind != recall.Command || !slices.ContainsFunc(m.Calls, closesWork) {
		return ""
	}
	asked := t.diary.Asked(p.SessionID)
	if asked.Times >= mostAsked || asked.Times > 0 && asked.Since < askedApart {
		return ""
	}
	text := askText
	if len(asked.Notes) > 0 {
		text += " Noted so far, in passing: " + strings.Join(asked.Notes, "; ") + "."
	}
	return memory.BriefingOpen + "\n" + text + "\n" + memory.BriefingClose
}

// closesWork reports whether a call commits, or opens a pull request.
func closesWork(call []string) bool {
	said := strings.Join(call[:min(len(call), 3)], " ")
	return strings.HasPrefix(said, "git commit") || said == "gh pr create"
}

// withQuestion adds to what a moment tells what the session is asked then.
func (t *teller) withQuestion(text string, m recall.Moment, p *HookPayload) (string, error) {
	question := t.question(m, p)
	if question == "" {
		return text, nil
	}
	err := t.diary.NoteShown(p.SessionID, diary.Showing{Moment: diary.AskMoment, Tokens: memory.Tokens(question)})
	return strings.TrimPrefix(text+"\n"+question, "\n"), err
}

// noteForAsking keeps what a session noted in passing, so that the next question can name it.
func (h *hooks) noteForAsking(session string, out *Captured) error {
	if out == nil || out.Session == nil || !h.w.Asks() {
		return nil
	}
	var named []string
	for _, c := range out.Candidates {
		if c.Disposition == capture.Noted && !c.Memory.Outside() && len(named) < notesNamed {
			named = append(named, memory.Cut(c.Memory.Title, noteNamed))
		}
	}
	if len(named) == 0 {
		return nil
	}
	return h.w.Diary.NoteShown(session, diary.Showing{Moment: diary.NotedMoment, Text: strings.Join(named, "\n")})
}
