package capture

import (
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
)

// itemKind says what a part of a turn holds.
type itemKind int

const (
	itText     itemKind = iota // the agent's words
	itWords                    // the user's words in mid-turn
	itAnswer                   // a question with its answer
	itRefusal                  // a tool call or plan that the user turned down
	itPlan                     // a plan that the user approved or handed over
	itDocument                 // a working document that the agent wrote
	itReport                   // what a subagent handed back
	itSummary                  // the summary of a compaction
	itCommit                   // a commit message or the text of a pull request
)

// item is one part of a turn that can be evidence. Tool output is not.
type item struct {
	kind     itemKind
	record   int
	time     time.Time
	text     string
	title    string              // first line of a commit message
	path     string              // of a document
	whole    bool                // the document was written as a whole, not edited
	handover bool                // text after which the user has the word
	answers  []transcript.Answer // of itAnswer
	of       transcript.Tool     // what was refused
	replaced string              // what the words of an edit took the place of
}

// turn is one prompt with all that followed until the next.
type turn struct {
	first    int   // line of the prompt
	offset   int64 // where that line starts
	time     time.Time
	prompt   string
	command  string
	prompted bool // false for what stands before the first prompt
	opening  bool // the first prompt of the session
	items    []item
	size     int       // bytes of text held
	files    []string  // touched in it
	end      time.Time // its last event
	recipes  []recipe.Recipe
	faults   []recipe.Fault // only for a reader
	deeds    []deed         // of its calls, in order
}

// turnLimit bounds the text held for one turn; the oldest is dropped first.
const turnLimit = 4 << 20

func (t *turn) add(it item) {
	t.items = append(t.items, it)
	t.size += len(it.text)
	for t.size > turnLimit && len(t.items) > 1 {
		t.size -= len(t.items[0].text)
		t.items = t.items[1:]
	}
}

// lastText is the agent's last words in the turn.
func (t *turn) lastText() string {
	if it := t.lastMessage(); it != nil {
		return it.text
	}
	return ""
}

// lastMessage is the agent's last message in the turn, nil when there is none.
func (t *turn) lastMessage() *item {
	if t == nil {
		return nil
	}
	for i := range slices.Backward(t.items) {
		if t.items[i].kind == itText {
			return &t.items[i]
		}
	}
	return nil
}

// pendingCall is a tool call whose result has not come yet.
type pendingCall struct {
	tool    transcript.Tool
	item    *item // what it becomes when it succeeds
	answers []transcript.Answer
	deed    *deed // nil for a call that settles nothing
}

// assembler puts events together to turns and hands each one on when it ends.
type assembler struct {
	cur     *turn
	calls   map[string]pendingCall
	handed  int  // index of the last text in cur.items, -1 when a tool call followed it
	started bool // a prompt has been seen, in this run or before
	reader  bool // the turns are for a reader, who is told of failed calls
	done    func(*turn)
	book    *book
	recipes recipe.Follower
	sub     bool  // the session is a subagent's
	summed  []int // records of messages that turned out to be summaries
}

func newAssembler(b *book, started bool, done func(*turn)) *assembler {
	return &assembler{
		calls: map[string]pendingCall{}, handed: -1, book: b, started: started, done: done,
		recipes: newFollower(b),
	}
}

// open begins a turn at a prompt.
func (a *assembler) open(e *transcript.Event) {
	a.close()
	a.cur = &turn{first: e.Record, offset: e.Offset, time: e.Time, prompted: true, opening: !a.started}
	a.started = true
}

// current gives the turn at hand, making one for what precedes any prompt.
func (a *assembler) current(e *transcript.Event) *turn {
	if a.cur == nil {
		a.cur = &turn{first: e.Record, offset: e.Offset, time: e.Time}
	}
	return a.cur
}

// close ends the turn at hand; its last text was for the user, or what a subagent
// hands back, which is read here as it is in the session that gets it.
func (a *assembler) close() {
	if a.cur == nil {
		return
	}
	if last := a.cur.lastMessage(); last != nil {
		last.handover = !a.sub
		if a.sub {
			last.kind = itReport
		}
	}
	a.cur.files, a.book.touched = a.book.touched, nil
	a.cur.recipes = a.recipes.Recipes()
	if a.reader {
		a.cur.faults = a.recipes.Faults()
	}
	a.recipes = newFollower(a.book)
	a.done(a.cur)
	a.cur, a.handed = nil, -1
	clear(a.calls)
}

// event takes one event in.
//
// Text is redacted here, whole, before anything cuts it: a token cut in two
// would no longer be recognised.
func (a *assembler) event(e *transcript.Event) {
	a.book.hide(e)
	e.Text = a.book.opt.Redactor.Text(e.Text)
	for i := range e.Answers {
		redactAnswer(a.book.opt.Redactor, &e.Answers[i])
	}
	a.book.event(e)
	defer a.lived(e)
	a.recipes.Event(e)
	switch e.Kind {
	case transcript.Prompt:
		a.open(e)
		a.cur.prompt, a.cur.command = e.Text, e.Command
	case transcript.Plan:
		a.open(e)
		a.cur.add(item{kind: itPlan, record: e.Record, time: e.Time, text: e.Text})
	case transcript.Steer:
		a.current(e).add(item{kind: itWords, record: e.Record, time: e.Time, text: e.Text})
		a.handed = -1
	case transcript.Text:
		t := a.current(e)
		t.add(item{kind: itText, record: e.Record, time: e.Time, text: e.Text})
		a.handed = len(t.items) - 1
	case transcript.Call:
		a.call(e, a.current(e))
	case transcript.Result:
		a.result(e, a.current(e))
	case transcript.Report:
		if e.Text != "" {
			a.current(e).add(item{kind: itReport, record: e.Record, time: e.Time, text: e.Text})
		}
	case transcript.Compaction:
		a.summary(e)
	}
}

// summary takes in that the session was summed up. What a summary says was said before,
// or was not said: nothing is learned from it, nor from the same words where an agent
// also keeps them as a message of its own.
func (a *assembler) summary(e *transcript.Event) {
	if e.Text == "" {
		return
	}
	t := a.current(e)
	isSummary := func(it item) bool {
		return it.kind == itText && len(it.text) >= leastSummary && strings.Contains(e.Text, strings.TrimSpace(it.text))
	}
	a.summed = lists.Map(lists.Where(t.items, isSummary), func(it item) int { return it.record })
	t.items = lists.Without(t.items, isSummary)
	a.handed = -1
	t.add(item{kind: itSummary, record: e.Record, time: e.Time, text: e.Text})
}

// leastSummary is how long a message is at least that can be a summary, in bytes.
const leastSummary = 80

// lived notes when the turn at hand was last seen alive.
func (a *assembler) lived(e *transcript.Event) {
	if a.cur != nil && e.Time.After(a.cur.end) {
		a.cur.end = e.Time
	}
}

func (a *assembler) call(e *transcript.Event, t *turn) {
	c := a.pending(e, t)
	a.handed = -1
	if e.ID == "" || !c.matters() {
		return
	}
	if c.item != nil {
		c.item.record, c.item.time = e.Record, e.Time
		c.item.text = a.book.opt.Redactor.Text(c.item.text)
		c.item.title = a.book.opt.Redactor.Text(c.item.title)
	}
	a.calls[e.ID] = c
}

// pending reads a call: what it becomes when it succeeds, and what it settles.
func (a *assembler) pending(e *transcript.Event, t *turn) pendingCall {
	c := pendingCall{tool: e.Tool, deed: deedOf(e)}
	if c.deed != nil && c.deed.kind == deedEdit {
		c.deed.path = a.book.relative(e.Path())
	}
	switch e.Tool {
	case transcript.ToolAsk:
		a.handOver(t)
		c.answers = e.Questions()
		for i := range c.answers {
			redactAnswer(a.book.opt.Redactor, &c.answers[i])
		}
	case transcript.ToolPlan:
		a.handOver(t)
		c.item = &item{kind: itPlan, text: e.Plan()}
	case transcript.ToolWrite, transcript.ToolEdit:
		c.item = documentOf(e, a.book)
	case transcript.ToolShell:
		c.item = messageOf(e.Shell())
	}
	return c
}

// handOver notes that the agent's last words led to a question.
func (a *assembler) handOver(t *turn) {
	if a.handed >= 0 && a.handed < len(t.items) {
		t.items[a.handed].handover = true
	}
}

// asksUser reports whether the calls of a tool put something to the user.
func asksUser(tool transcript.Tool) bool {
	return slices.Contains([]transcript.Tool{transcript.ToolAsk, transcript.ToolPlan}, tool)
}

// matters reports whether the result of a call is worth waiting for.
func (c *pendingCall) matters() bool {
	return c.deed != nil || c.item != nil || asksUser(c.tool)
}

func (a *assembler) result(e *transcript.Event, t *turn) {
	c := a.calls[e.ID]
	delete(a.calls, e.ID)
	if e.Refused {
		t.refused(e, &c)
		return
	}
	if e.Failed {
		return
	}
	t.did(c.deed)
	switch {
	case len(e.Answers) > 0:
		answers := withOptions(e.Answers, c.answers)
		t.add(item{kind: itAnswer, record: e.Record, time: e.Time, answers: answers})
	case c.takesEffect(e):
		t.add(*c.item)
	}
}

// takesEffect reports whether a call that worked is evidence: a plan only if it was approved.
func (c *pendingCall) takesEffect(result *transcript.Event) bool {
	return c.item != nil && (c.item.kind != itPlan || result.Text == "approved")
}

// refused adds that the user turned a call down, where that says anything.
func (t *turn) refused(e *transcript.Event, c *pendingCall) {
	if e.Text == "" && !asksUser(c.tool) {
		return
	}
	it := item{kind: itRefusal, record: e.Record, time: e.Time, text: e.Text, of: c.tool}
	if c.item != nil {
		it.title = c.item.text
	}
	t.add(it)
}

// withOptions completes answers that came without the question's options.
func withOptions(answers, asked []transcript.Answer) []transcript.Answer {
	for i, a := range answers {
		at := slices.IndexFunc(asked, func(q transcript.Answer) bool { return q.Question == a.Question })
		if at >= 0 && len(a.Options) == 0 {
			answers[i].Header, answers[i].Options = asked[at].Header, asked[at].Options
		}
	}
	return answers
}

// redactAnswer takes the secrets out of a question and its answer.
func redactAnswer(r *redact.Redactor, a *transcript.Answer) {
	for _, s := range []*string{&a.Question, &a.Header, &a.Chosen} {
		*s = r.Text(*s)
	}
	for i := range a.Options {
		a.Options[i].Label = r.Text(a.Options[i].Label)
		a.Options[i].Description = r.Text(a.Options[i].Description)
	}
}
