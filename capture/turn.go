package capture

import (
	"time"

	"github.com/git-cortex/cortex/capture/redact"
)

// itemKind is what a part of a turn is.
type itemKind int

const (
	itText     itemKind = iota // the agent's words
	itWords                    // the user's words in mid-turn
	itAnswer                   // a question with its answer
	itRefusal                  // a tool call or plan that the user turned down
	itPlan                     // a plan that the user approved or handed over
	itDocument                 // a working document that the agent wrote
	itCommit                   // a commit message or the text of a pull request
)

// item is one part of a turn that can be evidence. Tool output is not.
type item struct {
	kind     itemKind
	record   int
	time     time.Time
	text     string
	title    string   // first line of a commit message
	path     string   // of a document
	whole    bool     // the document was written as a whole, not edited
	handover bool     // text after which the user has the word
	answers  []answer // of itAnswer
	of       tool     // what was refused
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
	if t == nil {
		return ""
	}
	for i := len(t.items) - 1; i >= 0; i-- {
		if t.items[i].kind == itText {
			return t.items[i].text
		}
	}
	return ""
}

// pendingCall is a tool call whose result has not come yet.
type pendingCall struct {
	tool    tool
	record  int
	time    time.Time
	item    *item // what it becomes when it succeeds
	answers []answer
}

// assembler puts events together to turns and hands each one on when it ends.
type assembler struct {
	cur     *turn
	calls   map[string]pendingCall
	handed  int  // index of the last text in cur.items, -1 when a tool call followed it
	started bool // a prompt has been seen, in this run or before
	done    func(*turn)
	book    *book
}

func newAssembler(b *book, started bool, done func(*turn)) *assembler {
	return &assembler{calls: map[string]pendingCall{}, handed: -1, book: b, started: started, done: done}
}

// open begins a turn at a prompt.
func (a *assembler) open(e *event) {
	a.close()
	a.cur = &turn{first: e.record, offset: e.offset, time: e.time, prompted: true, opening: !a.started}
	a.started = true
}

// current gives the turn at hand, making one for what precedes any prompt.
func (a *assembler) current(e *event) *turn {
	if a.cur == nil {
		a.cur = &turn{first: e.record, offset: e.offset, time: e.time}
	}
	return a.cur
}

// close ends the turn at hand; its last text was for the user.
func (a *assembler) close() {
	if a.cur == nil {
		return
	}
	for i := len(a.cur.items) - 1; i >= 0; i-- {
		if a.cur.items[i].kind == itText {
			a.cur.items[i].handover = true
			break
		}
	}
	a.cur.files, a.book.touched = a.book.touched, nil
	a.done(a.cur)
	a.cur, a.handed = nil, -1
	clear(a.calls)
}

// event takes one event in.
//
// Text is redacted here, whole, before anything cuts it: a token cut in two
// would no longer be recognised.
func (a *assembler) event(e *event) {
	e.text = a.book.opt.Redactor.Text(e.text)
	for i := range e.answers {
		redactAnswer(a.book.opt.Redactor, &e.answers[i])
	}
	a.book.event(e)
	defer a.lived(e)
	switch e.kind {
	case evPrompt:
		a.open(e)
		a.cur.prompt, a.cur.command = e.text, e.command
	case evPlan:
		a.open(e)
		a.cur.add(item{kind: itPlan, record: e.record, time: e.time, text: e.text})
	case evSteer:
		a.current(e).add(item{kind: itWords, record: e.record, time: e.time, text: e.text})
		a.handed = -1
	case evText:
		t := a.current(e)
		t.add(item{kind: itText, record: e.record, time: e.time, text: e.text})
		a.handed = len(t.items) - 1
	case evCall:
		a.call(e, a.current(e))
	case evResult:
		a.result(e, a.current(e))
	}
}

// lived notes when the turn at hand was last seen alive.
func (a *assembler) lived(e *event) {
	if a.cur != nil && e.time.After(a.cur.end) {
		a.cur.end = e.time
	}
}

func (a *assembler) call(e *event, t *turn) {
	c := pendingCall{tool: e.tool, record: e.record, time: e.time}
	switch e.tool {
	case toolAsk, toolPlan:
		if a.handed >= 0 && a.handed < len(t.items) {
			t.items[a.handed].handover = true
		}
		if e.tool == toolAsk {
			c.answers = e.questions()
			for i := range c.answers {
				redactAnswer(a.book.opt.Redactor, &c.answers[i])
			}
		} else {
			c.item = &item{kind: itPlan, text: e.plan()}
		}
	case toolWrite, toolEdit:
		c.item = documentOf(e, a.book)
	case toolShell:
		c.item = messageOf(e.shell())
	}
	a.handed = -1
	if e.id != "" && (c.item != nil || c.tool == toolAsk || c.tool == toolPlan || c.tool == toolTaskNew) {
		if c.item != nil {
			c.item.record, c.item.time = e.record, e.time
			c.item.text = a.book.opt.Redactor.Text(c.item.text)
			c.item.title = a.book.opt.Redactor.Text(c.item.title)
		}
		a.calls[e.id] = c
	}
}

func (a *assembler) result(e *event, t *turn) {
	c, known := a.calls[e.id]
	delete(a.calls, e.id)
	switch {
	case e.refused:
		if e.text != "" || c.tool == toolAsk || c.tool == toolPlan {
			it := item{kind: itRefusal, record: e.record, time: e.time, text: e.text, of: c.tool}
			if c.item != nil {
				it.title = c.item.text
			}
			t.add(it)
		}
	case e.failed:
	case len(e.answers) > 0:
		t.add(item{kind: itAnswer, record: e.record, time: e.time, answers: withOptions(e.answers, c.answers)})
	case known && c.item != nil:
		if c.item.kind == itPlan && e.text != "approved" {
			return
		}
		t.add(*c.item)
	}
}

// withOptions completes answers that came without the question's options.
func withOptions(answers, asked []answer) []answer {
	for i := range answers {
		for _, q := range asked {
			if q.question == answers[i].question && len(answers[i].options) == 0 {
				answers[i].header, answers[i].options = q.header, q.options
			}
		}
	}
	return answers
}

// redactAnswer takes the secrets out of a question and its answer.
func redactAnswer(r *redact.Redactor, a *answer) {
	for _, s := range []*string{&a.question, &a.header, &a.chosen} {
		*s = r.Text(*s)
	}
	for i := range a.options {
		a.options[i].label = r.Text(a.options[i].label)
		a.options[i].description = r.Text(a.options[i].description)
	}
}
