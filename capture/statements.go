package capture

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
)

// Statement is one thing that was said in a session, as a reader gets to see
// it: what memories can rest on. Of the output of tools there is only what failed
// calls said.
type Statement struct {
	Record int    // 0-based line of the transcript
	Turn   int    // 0-based number of the turn it belongs to
	Kind   string // user, agent, handover, answer, refusal, plan, document, report, summary, commit or failure
	Text   string // whole and without secrets
	Time   time.Time
}

// The kinds of statements.
const (
	SaidByUser   = "user"
	SaidByAgent  = "agent"
	SaidLast     = "handover" // the agent's, after which the user had the word
	SaidAnswer   = "answer"   // a question of the agent with the user's answer
	SaidRefusal  = "refusal"  // what the user said when turning a plan or a tool down
	SaidPlan     = "plan"     // approved by the user
	SaidDocument = "document" // written by the agent
	SaidReport   = "report"   // what a subagent handed back
	SaidSummary  = "summary"  // of the session so far, by the agent
	SaidCommit   = "commit"   // the message of one, or the text of a pull request
	SaidFailure  = "failure"  // a tool call that failed, with what it said
)

// Statements reads a transcript from its start and hands each statement to
// visit, in order. An error means that reading failed or that ctx ended.
func Statements(ctx context.Context, src io.ReadSeeker, opt Options, visit func(Statement)) error {
	rd, opt, err := openFor(src, opt)
	if err != nil {
		return err
	}
	s := &session.Session{Agent: opt.Agent, ID: opt.Session, Branch: opt.Branch}
	turns := 0
	a := newAssembler(newBook(s, &opt, 0), false, func(t *turn) {
		for _, st := range t.statements() {
			st.Turn, st.Text = turns, strings.TrimSpace(transcript.WithoutBriefing(st.Text))
			if st.Text != "" {
				visit(st)
			}
		}
		turns++
	})
	a.sub, a.reader = rd.Identity.Subagent, true
	if err := rd.Read(ctx, transcript.Position{}, opt.Agent, transcript.All, a.event); err != nil {
		return err
	}
	a.close()
	return nil
}

// saidIn names the kind of the statement that an item is, for those that are one as they stand.
var saidIn = [...]string{
	itText: SaidByAgent, itWords: SaidByUser, itRefusal: SaidRefusal, itPlan: SaidPlan,
	itDocument: SaidDocument, itReport: SaidReport, itSummary: SaidSummary, itCommit: SaidCommit,
}

// statements returns the statements of a turn: its prompt, if it has one, and then
// those of its items.
func (t *turn) statements() []Statement {
	var out []Statement
	if t.prompt != "" {
		out = append(out, Statement{Record: t.first, Time: t.time, Kind: SaidByUser, Text: t.prompt})
	}
	for i := range t.items {
		out = append(out, t.items[i].statements()...)
	}
	out = append(out, lists.Map(t.faults, func(f recipe.Fault) Statement {
		return Statement{Record: f.Record, Time: f.Time, Kind: SaidFailure, Text: f.Text}
	})...)
	lists.Sort(out, func(a, b Statement) int { return a.Record - b.Record })
	return out
}

// statements returns the statements that an item holds: each answer is one.
func (it *item) statements() []Statement {
	st := Statement{Record: it.record, Time: it.time, Kind: saidIn[it.kind], Text: it.text}
	switch {
	case it.kind == itAnswer:
		return lists.Map(it.answers, func(a transcript.Answer) Statement {
			return Statement{Record: it.record, Time: it.time, Kind: SaidAnswer, Text: dialogue(a)}
		})
	case it.kind == itText && it.handover:
		st.Kind = SaidLast
	case it.kind == itDocument:
		st.Text = it.path + ":\n" + it.text
	case it.kind == itCommit:
		st.Text = strings.TrimSpace(it.title + "\n\n" + it.text)
	}
	return []Statement{st}
}

// dialogue is a question with its options and what was chosen.
func dialogue(a transcript.Answer) string {
	var b strings.Builder
	b.WriteString("Q: " + a.Question + "\n")
	for _, o := range a.Options {
		b.WriteString("- " + o.Label)
		if o.Description != "" {
			b.WriteString(": " + o.Description)
		}
		b.WriteString("\n")
	}
	b.WriteString("Chosen: " + a.Chosen)
	return b.String()
}
