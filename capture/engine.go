package capture

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// contextLimit bounds how much of what was read before is read again, to
// understand words that refer to the turn before them.
const contextLimit = 1 << 20

// openFor opens a transcript, and completes opt with what its head says about
// the session.
func openFor(src io.ReadSeeker, opt Options) (*transcript.Reader, Options, error) {
	rd, err := transcript.Open(src, opt.Agent)
	if err != nil {
		return nil, opt, err
	}
	id := rd.Identity
	opt.Head = cmp.Or(opt.Head, id.Head)
	if id.Subagent && opt.Session == "" { // its lines name the session that started it
		opt.Session = id.Session
	}
	return rd, opt, nil
}

// run is [Run]: position, read, weigh, conclude.
func run(ctx context.Context, rd *transcript.Reader, opt Options) (*Result, error) {
	r := &reading{opt: opt, in: rd, res: &Result{Replaced: map[memory.ID]memory.ID{}}}
	start, err := r.resume()
	if err != nil {
		return nil, err
	}
	if err := r.read(ctx, start); err != nil {
		return nil, err
	}
	r.end = r.in.At()
	if err := r.conclude(ctx); err != nil {
		return nil, err
	}
	return r.res, r.remember()
}

// reading is one run over one transcript.
type reading struct {
	opt    Options
	in     *transcript.Reader
	res    *Result
	s      *session.Session
	book   *book
	w      *weigher
	topics topics
	stable int // turns that begin before this line are context only

	prev      *turn // the turn before the one being weighed
	last      *turn // the last turn weighed
	startLine int
	marks     []transcript.Position // the lines within contextLimit of the end, and the end
	end       transcript.Position   // where reading stopped
	noted     bool                  // the agent wrote a memory down itself
}

// resume decides where to start and restores what earlier runs found.
func (r *reading) resume() (session.Cursor, error) {
	p := r.opt.Previous
	if err := r.trust(p); err != nil {
		return session.Cursor{}, err
	}
	r.s = &session.Session{
		Agent: r.opt.Agent, ID: r.opt.Session, Branch: r.opt.Redactor.Line(r.opt.Branch),
		Head: r.opt.Head, HeadNow: r.opt.Head, Watched: true,
	}
	if p != nil {
		r.continueFrom(p)
	}
	r.w = newWeigher(&r.opt, r.s)
	r.w.model = r.opt.Redactor.Line(r.in.Identity.Model)
	r.topics.s = r.s
	var start session.Cursor
	switch {
	case r.res.Resumed:
		start = p.Cursor
		r.stable = start.Stable
		r.restore(p)
	case p != nil:
		r.expectAgain(p)
	}
	r.book = newBook(r.s, &r.opt, start.Lines)
	r.w.book = r.book
	r.startLine = start.Lines
	return start, nil
}

// trust finds out whether the cursor of an earlier run is one in this file: the bytes before it
// are still the same.
func (r *reading) trust(p *session.Session) error {
	if p == nil || p.Cursor.Offset == 0 || r.inOtherFile(&p.Cursor) {
		return nil
	}
	hash, err := r.in.HashBefore(p.Cursor.Offset)
	r.res.Resumed = hash != "" && hash == p.Cursor.Hash
	return err
}

// inOtherFile reports whether a cursor is one in another file, as far as both are known.
func (r *reading) inOtherFile(c *session.Cursor) bool {
	return r.opt.Inode != 0 && c.Inode != 0 && r.opt.Inode != c.Inode
}

// continueFrom takes over what the record of an earlier run says of the session, whatever became
// of the file.
func (r *reading) continueFrom(p *session.Session) {
	r.s.ID = cmp.Or(r.s.ID, p.ID)
	r.s.Unknown = p.Unknown
	r.s.Adopt(p)
	r.s.Start = p.Start // the record keeps its path
	r.s.Head = cmp.Or(p.Head, r.s.Head)
}

// expectAgain expects what an earlier run found in a transcript that is read from its start: what
// does not come back was taken back by the user, or rests on a last message that was still
// incomplete. A transcript that is not the one read before takes nothing back.
func (r *reading) expectAgain(p *session.Session) {
	from := r.readAgainFrom(p)
	for _, f := range p.Found {
		if f.Record >= from {
			r.w.expect(f)
		}
	}
}

// readAgainFrom is the line from which on a transcript that is read from its start is the one that was read
// before; beyond all lines where it is none of it.
func (r *reading) readAgainFrom(p *session.Session) int {
	switch {
	case r.in.TakenBack(p.Cursor.Offset):
		return 0
	case r.in.Document() && r.in.Identity.Session == p.ID:
		return p.Cursor.Stable
	}
	return math.MaxInt
}

// restore copies what is settled of an earlier record. What rests on lines
// that are read again is only expected to come back.
func (r *reading) restore(p *session.Session) {
	s := r.s
	s.Branch, s.Start, s.End, s.Title = cmp.Or(s.Branch, p.Branch), p.Start, p.End, p.Title
	if derivedTitle(p) {
		s.Title = ""
	}
	s.Agent = cmp.Or(s.Agent, p.Agent)
	s.Continue(p)
	for _, c := range p.Commands { // versions before this one wrote commands out
		s.Commands = addNew(s.Commands, r.opt.Redactor.Command(c), maxCommands)
	}
	s.Requests = append(s.Requests, lists.Where(p.Requests, func(q session.Request) bool {
		return q.Record < p.Cursor.ContextLines
	})...)
	r.topics.restore(p, r.stable)
	r.settleFindings(p)
}

// settleFindings takes over what earlier runs found before the line that is stable.
func (r *reading) settleFindings(p *session.Session) {
	s := r.s
	earlier := map[memory.ID]*memory.Memory{}
	for _, m := range r.opt.Earlier {
		earlier[m.ID] = m
	}
	for _, f := range p.Found {
		if f.ID == p.PlanID {
			continue
		}
		r.w.expect(f)
		if f.Record < r.stable {
			r.w.settle(f, earlier[f.ID])
		}
	}
	for _, m := range p.Notes {
		if m.Source.Record <= r.stable && m.ID != p.PlanID {
			r.w.settleNote(m)
		}
	}
	s.Weak = append(s.Weak, lists.Where(p.Weak, func(f session.Finding) bool { return f.Record < r.stable })...)
}

// read streams the transcript through assembler and weigher.
func (r *reading) read(ctx context.Context, start session.Cursor) error {
	if err := r.hideAgain(ctx, start); err != nil {
		return err
	}
	r.in.Counted = start.Lines
	from := transcript.Position{Offset: start.Context, Line: start.ContextLines}
	a := newAssembler(r.book, r.stable > 0 && r.res.Resumed && len(r.s.Requests) > 0, r.turn)
	a.sub = r.in.Identity.Subagent
	if err := r.in.Read(ctx, from, r.s.Agent, r.mark, func(e *transcript.Event) { r.event(a, e) }); err != nil {
		return err
	}
	r.s.Agent = cmp.Or(r.in.Agent(), r.s.Agent)
	r.counted(start)
	r.lastMessage(a)
	a.close()
	return nil
}

// event takes one event in, unless it was read before.
func (r *reading) event(a *assembler, e *transcript.Event) {
	r.s.Agent = r.in.Agent()
	r.book.hide(e)
	if r.reemitted(e) {
		return
	}
	r.w.model = cmp.Or(r.opt.Redactor.Line(e.Model), r.w.model)
	if e.Record >= r.startLine {
		r.noted = r.noted || notesDown(e)
		if r.opt.Event != nil {
			r.opt.Event(e)
		}
	}
	a.event(e)
	r.w.tags(e, r.stable)
	r.w.untag(a.summed)
}

// counted notes what was read, and what could not be.
func (r *reading) counted(start session.Cursor) {
	end, met := r.in.At(), r.in.Stats
	r.res.Stats = Stats{
		Bytes: end.Offset - start.Context, Lines: end.Line - start.ContextLines,
		BadLines: met.BadLines, LongLines: met.LongLines, Unknown: met.Unknown,
	}
	r.s.Skipped.Add(session.Skipped{Broken: met.BadLines, TooLong: met.LongLines, Unknown: met.Unknown})
}

// reemitted recognises a prompt that compaction wrote a second time, older
// than what an earlier run had read already. Within one run the adapter knows
// it by its uuid.
func (r *reading) reemitted(e *transcript.Event) bool {
	if e.Kind != transcript.Prompt || !r.res.Resumed {
		return false
	}
	words, known := r.opt.requestText(e.Text), r.opt.Previous.Requests
	switch {
	case words == "":
		return false // invisible: it is in no record
	case e.Record >= r.startLine:
		same := func(q session.Request) bool { return q.Text == words }
		return e.Time.Before(r.opt.Previous.End) && slices.ContainsFunc(known, same)
	case len(known) >= maxRequests:
		return false
	}
	// What that run took for a prompt is in its record.
	return !slices.ContainsFunc(known, func(q session.Request) bool { return q.Record == e.Record })
}

// lastMessage adds the message that the hook was given but that the
// transcript does not hold yet. Gemini CLI hands over all that was said in the turn.
func (r *reading) lastMessage(a *assembler) {
	msg := strings.TrimSpace(r.opt.LastMessage)
	if msg == "" || a.cur == nil || strings.HasSuffix("\n"+msg, "\n"+strings.TrimSpace(a.cur.lastText())) {
		return
	}
	end := r.in.At()
	e := transcript.Event{
		Kind: transcript.Text, Record: max(0, end.Line-1), Offset: end.Offset, Time: r.opt.Now,
		Text: msg,
	}
	a.event(&e)
	r.w.tags(&e, 0)
}

// mark notes where a line begins, and that it is wanted.
func (r *reading) mark(at transcript.Position) bool {
	r.marks = append(r.marks, at)
	if len(r.marks) > 4096 && r.marks[2048].Offset < at.Offset-contextLimit {
		r.marks = append(r.marks[:0], r.marks[2048:]...)
	}
	return true
}

// turn is called with each turn as it ends.
func (r *reading) turn(t *turn) {
	if t.first >= r.stable {
		r.w.turn(t, r.last)
		r.topics.turn(t, r.last)
	}
	if t.prompted && t.first >= r.startLine {
		r.res.Turns++
	}
	r.prev, r.last = r.last, t
	if r.prev != nil {
		r.prev.items = r.prev.items[max(0, len(r.prev.items)-1):]
	}
}

// conclude makes the result of what has been weighed, and finds out whose words it is.
func (r *reading) conclude(ctx context.Context) error {
	r.s.Agent = cmp.Or(r.s.Agent, r.opt.Agent)
	r.w.plan()
	if r.last != nil {
		r.w.keepBest(r.last.first)
	}
	r.w.finish(r.res)
	if err := r.origins(ctx); err != nil {
		return err
	}
	r.topics.outside = r.outside()
	r.topics.conclude()
	r.s.Start = stamp(r.s.Start, r.opt.Now.UTC().Truncate(time.Second))
	r.res.Session = r.s
	return nil
}

// remember writes the cursor: the next run reads again from the turn before
// the last, within contextLimit, and settles what begins before the last turn.
func (r *reading) remember() error {
	end := r.end
	c := session.Cursor{Inode: r.opt.Inode, Offset: end.Offset, Lines: end.Line}
	c.Context, c.ContextLines, c.Stable = c.Offset, c.Lines, c.Lines
	if r.last != nil {
		c.Context, c.ContextLines, c.Stable = r.last.offset, r.last.first, r.last.first
		if r.prev != nil {
			c.Context, c.ContextLines = r.prev.offset, r.prev.first
		}
	}
	if c.Context < c.Offset-contextLimit {
		near := func(m transcript.Position) bool { return m.Offset >= c.Offset-contextLimit }
		if i := slices.IndexFunc(r.marks[:len(r.marks)-1], near); i >= 0 {
			c.Context, c.ContextLines = r.marks[i].Offset, r.marks[i].Line
		}
		c.Context, c.ContextLines = min(c.Context, c.Offset), min(c.ContextLines, c.Lines)
		c.Stable = max(c.Stable, c.ContextLines)
	}
	r.topics.mark(&c, r.last == nil || c.Stable != r.last.first)
	hash, err := r.in.HashBefore(c.Offset)
	if err != nil {
		return err
	}
	c.Hash = hash
	r.s.Cursor = c
	return nil
}

func stamp(t, fallback time.Time) time.Time {
	if t.IsZero() {
		return fallback
	}
	return t
}
