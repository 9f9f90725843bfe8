package agents

import (
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Bounds of asking what a session settled: how often, how long apart, from how much on, and how many
// notes are named. Its answer is a tag, which the next stop hook captures.
const (
	mostAsked    = 2
	askedApart   = 20 * time.Minute
	leastSettled = 2
	notesNamed   = 3
	noteNamed    = 90  // bytes of each
	askTokens    = 150 // of a question with its notes
)

const askText = "In your next reply, say what a teammate must know later and the diff does not show: " +
	"at most three lines `[MEMORY: type] subject, what is so, why, what follows` " +
	"(decision, rejected, gotcha, fix or preference). None is a good answer."

// question returns what a session is asked before a call, "" for nothing.
func (t *teller) question(m recall.Moment, p *HookPayload) string {
	closes := m.Kind == recall.Command && slices.ContainsFunc(m.Calls, closesWork)
	if !t.ask || !closes {
		return ""
	}
	asked := t.diary.Asked(p.SessionID)
	if !isWorthAsking(asked, p.TranscriptPath) {
		return ""
	}
	return questionNaming(asked.Notes)
}

// isWorthAsking reports whether a session may be asked once more, and is not known to have settled too
// little since.
func isWorthAsking(asked diary.Asking, file string) bool {
	if !due(asked) {
		return false
	}
	settled, known := transcript.Settled(file, asked.From)
	return !known || settled >= leastSettled
}

// questionNaming returns the question with those of the notes that it has tokens for.
func questionNaming(notes []string) string {
	text := asking("")
	var named []string
	for _, note := range notes {
		if longer := asking(noted(append(named, note))); memory.Tokens(longer) <= askTokens {
			named, text = append(named, note), longer
		}
	}
	return text
}

// asking is the question with what follows it.
func asking(more string) string {
	return memory.BriefingOpen + "\n" + askText + "\n" + more + memory.BriefingClose
}

// noted are notes as a question names them.
func noted(notes []string) string {
	fence := memory.FenceOver(slices.Values(notes))
	text := "Noted, and not kept as it is:\n" + fence.Open() + "\n"
	for _, note := range notes {
		text += "- " + fence.Text(note) + "\n"
	}
	return text + fence.Close() + "\n"
}

// due reports whether a session may be asked once more.
func due(asked diary.Asking) bool {
	switch asked.Times {
	case 0:
		return true
	case mostAsked:
		return false
	}
	return asked.Since >= askedApart
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
	err := t.diary.NoteShown(p.SessionID, diary.Showing{
		Moment: diary.AskMoment, Tokens: memory.Tokens(question), Offset: sizeOf(p.TranscriptPath),
	})
	return strings.TrimPrefix(text+"\n"+question, "\n"), err
}

// noteForAsking keeps what a session noted in passing, so that the next question can name it.
// Where it cannot be kept the question names nothing.
func (h *hooks) noteForAsking(session string, out *Captured) {
	if out == nil || !workspace.Asks(h.w) {
		return
	}
	named := out.notedTitles()
	if len(named) == 0 {
		return
	}
	text := strings.Join(named[:min(len(named), notesNamed)], "\n")
	if err := h.w.Diary.NoteShown(session, diary.Showing{Moment: diary.NotedMoment, Text: text}); err != nil {
		h.w.Notice("%v", err)
	}
}

// notedTitles are the titles of what was kept as a note, in words that somebody here said.
func (out *Captured) notedTitles() []string {
	var titles []string
	for _, c := range out.Candidates {
		if c.Disposition == capture.Noted && !c.Memory.Outside() {
			titles = append(titles, memory.Cut(c.Memory.Title, noteNamed))
		}
	}
	return titles
}
