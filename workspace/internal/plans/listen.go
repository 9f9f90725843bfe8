package plans

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
)

// Report is something that was said, which may say that a step of a plan was done.
type Report struct {
	Text   string
	Record int                // 0-based line
	Sure   bool               // what it names was done, whatever its words: a tag, or the subject of a commit
	Call   string             // the id of the call that commits
	Tag    *capture.Candidate // that says so; nil for none
}

// Bounds of what is gathered of one reading.
const (
	mostReports   = 400
	longestReport = 400 // bytes
)

// Listener gathers what an agent says, and what it edits and commits. The zero value is ready.
type Listener struct {
	heard  []Report
	worked int // the line of the last call to edit or commit, from 1; 0 for none since the user stopped the agent
}

// Event takes in what happened.
func (l *Listener) Event(e *transcript.Event) {
	switch e.Kind {
	case transcript.Text:
		l.heard = append(l.heard, Report{Text: e.Text, Record: e.Record})
	case transcript.Call:
		l.call(e)
	case transcript.Result:
		l.result(e)
	case transcript.Interrupt:
		l.worked = 0
	}
}

// call takes in a call. One that fails was work all the same: mostly another way follows.
func (l *Listener) call(e *transcript.Event) {
	if e.Tool.Edits() {
		l.worked = e.Record + 1
	}
	if subject, _ := transcript.Message(e.Shell()); subject != "" {
		l.heard = append(l.heard, Report{Text: subject, Record: e.Record, Sure: true, Call: e.ID})
		l.worked = e.Record + 1
	}
}

// result takes back what a call that failed would have committed.
func (l *Listener) result(e *transcript.Event) {
	if e.Failed {
		l.heard = slices.DeleteFunc(l.heard, func(r Report) bool { return r.Sure && r.Call == e.ID })
	}
}

// Silent reports whether nothing was said and nothing committed.
func (l *Listener) Silent() bool { return len(l.heard) == 0 }

// reports are the sentences of what was heard that say that something was done. Taking all of it apart costs
// more than hearing it.
func (l *Listener) reports() (out []Report) {
	var by reader
	for _, heard := range l.heard {
		if heard.Sure {
			out = append(out, heard)
			continue
		}
		for sentence := range strings.Lines(strings.ReplaceAll(passage.WithoutTags(heard.Text), ". ", "\n")) {
			for _, part := range parted(sentence) {
				if by.read(part).done {
					out = append(out, Report{Text: part, Record: heard.Record})
				}
			}
		}
	}
	out = lists.Where(out, func(r Report) bool { return len(r.Text) <= longestReport })
	return out[:min(len(out), mostReports)]
}

// parted are the parts of a sentence between colons and semicolons, and the whole of it: "It works: I added the table"
// says that by a part, "[x] Table: add it" as a whole.
func parted(sentence string) []string {
	parts := strings.Split(strings.ReplaceAll(sentence, "; ", ": "), ": ")
	return lists.Unique(append(parts, sentence))
}

// counts reports whether what was heard keeps count of steps, by numbers or tags.
func (l *Listener) counts() bool {
	return slices.ContainsFunc(l.reports(), func(r Report) bool {
		return r.Tag != nil || stepNumbers().MatchString(r.Text)
	})
}

// Tags takes in what tags say was done.
func (l *Listener) Tags(kept []*capture.Candidate) {
	for _, c := range kept {
		isTag := c.Layer == session.LayerTag
		if isTag && c.Memory.Type == memory.Progress {
			l.heard = append(l.heard, Report{Text: c.Memory.Title, Record: c.Record, Sure: true, Tag: c})
		}
	}
}

// IsOpen reports whether a plan has steps that nothing among records says are done.
func IsOpen(plan *memory.Memory, records []*memory.Memory) bool {
	return slices.ContainsFunc(projection.Steps(plan, records), func(s projection.Step) bool { return !s.Done })
}

// ToDo is the to-do list of a session.
func ToDo(s *session.Session) []Step {
	return lists.Map(s.Plan, func(step session.Step) Step {
		return Step{Text: step.Text, Done: step.Status == "completed", Worked: step.Worked}
	})
}
