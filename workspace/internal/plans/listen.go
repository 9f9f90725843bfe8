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

// Listener gathers what an agent says was done, in words and by commits. The zero value is ready.
type Listener struct {
	Reports []Report
	reader  reader
}

// Event takes in what happened.
func (l *Listener) Event(e *transcript.Event) {
	switch e.Kind {
	case transcript.Text:
		l.text(e)
	case transcript.Call:
		subject, _ := transcript.Message(e.Shell())
		l.add(Report{Text: subject, Record: e.Record, Sure: true, Call: e.ID})
	case transcript.Result:
		l.result(e)
	}
}

// result takes back what a call that failed would have committed.
func (l *Listener) result(e *transcript.Event) {
	for i := range l.Reports {
		r := &l.Reports[i]
		if e.Failed && r.Call == e.ID {
			r.Text = ""
		}
	}
}

// text takes in the sentences of the agent that say that something was done.
func (l *Listener) text(e *transcript.Event) {
	lines := strings.NewReplacer(". ", "\n", "; ", "\n").Replace(passage.WithoutTags(e.Text))
	for sentence := range strings.Lines(lines) {
		if l.reader.read(sentence).done {
			l.add(Report{Text: sentence, Record: e.Record})
		}
	}
}

// add adds a report that says something.
func (l *Listener) add(r Report) {
	says := r.Text != "" && len(r.Text) <= longestReport
	if says && len(l.Reports) < mostReports {
		l.Reports = append(l.Reports, r)
	}
}

// Tagged are the reports that tags make of what was done.
func Tagged(kept []*capture.Candidate) (out []Report) {
	for _, c := range kept {
		isTag := c.Layer == session.LayerTag
		if isTag && c.Memory.Type == memory.Progress {
			out = append(out, Report{Text: c.Memory.Title, Record: c.Record, Sure: true, Tag: c})
		}
	}
	return out
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
