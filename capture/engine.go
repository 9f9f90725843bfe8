package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// contextLimit bounds how much of what was read before is read again, to
// understand words that refer to the turn before them.
const contextLimit = 256 << 10

// hashSpan is how many bytes before a cursor are hashed.
const hashSpan = 4 << 10

// run is [Run]: position, read, weigh, conclude.
func run(ctx context.Context, src io.ReadSeeker, opt Options) (*Result, error) {
	r := &reading{opt: opt, ctx: ctx, res: &Result{Replaced: map[memory.ID]memory.ID{}}}
	start, err := r.resume(src)
	if err != nil {
		return nil, err
	}
	if _, err := src.Seek(start.Context, io.SeekStart); err != nil {
		return nil, fmt.Errorf("seeking in transcript: %w", err)
	}
	if err := r.read(src, start); err != nil {
		return nil, err
	}
	r.conclude()
	if err := r.remember(src); err != nil {
		return nil, err
	}
	return r.res, nil
}

// reading is one run over one transcript.
type reading struct {
	opt    Options
	ctx    context.Context //nolint:containedctx // lives for one call of run
	res    *Result
	s      *Session
	book   *book
	w      *weigher
	topics topics
	lines  *lineReader
	stable int // turns that begin before this line are context only

	prev      *turn // the turn before the one being weighed
	last      *turn // the last turn weighed
	oldPlan   memory.ID
	startLine int
	marks     []mark // starts of the lines within contextLimit of the end
}

type mark struct {
	offset int64
	line   int
}

// resume decides where to start and restores what earlier runs found.
func (r *reading) resume(src io.ReadSeeker) (Cursor, error) {
	p := r.opt.Previous
	if p != nil && p.Cursor.Offset > 0 && (r.opt.Inode == 0 || p.Cursor.Inode == 0 || r.opt.Inode == p.Cursor.Inode) {
		hash, err := hashBefore(src, p.Cursor.Offset)
		if err != nil {
			return Cursor{}, err
		}
		r.res.Resumed = hash != "" && hash == p.Cursor.Hash
	}
	r.s = &Session{Agent: r.opt.Agent, ID: r.opt.Session, Branch: r.opt.Redactor.Line(r.opt.Branch), Head: r.opt.Head, HeadNow: r.opt.Head}
	var start Cursor
	if p != nil {
		if r.s.ID == "" {
			r.s.ID = p.ID
		}
		r.s.Unknown, r.oldPlan = p.Unknown, p.PlanID
		r.s.Start = p.Start // the record keeps its path
		if p.Head != "" {
			r.s.Head = p.Head
		}
	}
	r.w = newWeigher(&r.opt, r.s)
	r.topics.s = r.s
	if r.res.Resumed {
		start = p.Cursor
		r.stable = start.Stable
		r.restore(p)
	} else if p != nil && r.opt.rewound { // what is not found again was taken back by the user
		for _, f := range p.Found {
			r.w.expect(f)
		}
	}
	// A transcript that is not the one read before is read from its start and
	// takes nothing back: what was captured stays captured.
	r.book = newBook(r.s, &r.opt, start.Lines)
	r.w.book = r.book
	r.startLine = start.Lines
	return start, nil
}

// restore copies what is settled of an earlier record. What rests on lines
// that are read again is only expected to come back.
func (r *reading) restore(p *Session) {
	s := r.s
	s.Branch, s.Start, s.End, s.Title = p.Branch, p.Start, p.End, p.Title
	if r.opt.Branch != "" {
		s.Branch = r.opt.Redactor.Line(r.opt.Branch)
	}
	if s.Agent == "" {
		s.Agent = p.Agent
	}
	s.Turns, s.Errors = p.Turns, p.Errors
	s.Modified = append(s.Modified, p.Modified...)
	s.Read = append(s.Read, p.Read...)
	s.Commands = append(s.Commands, p.Commands...)
	s.Plan = append(s.Plan, p.Plan...)
	s.PlanText, s.PlanRecord = p.PlanText, p.PlanRecord
	for _, q := range p.Requests {
		if q.Record < p.Cursor.ContextLines {
			s.Requests = append(s.Requests, q)
		}
	}
	r.topics.restore(p, r.stable)
	earlier := map[memory.ID]*memory.Memory{}
	for _, m := range r.opt.Earlier {
		earlier[m.ID] = m
	}
	for _, f := range p.Found {
		if f.ID == p.PlanID {
			continue
		}
		if f.Record < r.stable {
			r.w.settle(f, earlier[f.ID])
		} else {
			r.w.expect(f)
		}
	}
	for _, f := range p.Weak {
		if f.Record < r.stable {
			s.Weak = append(s.Weak, f)
		}
	}
}

// read streams the transcript through adapter, assembler and weigher.
func (r *reading) read(src io.Reader, start Cursor) error {
	r.lines = newLineReader(src, start.Context, start.ContextLines)
	if start.Context > 0 {
		r.lines.skipBreak()
	}
	var ad adapter
	a := newAssembler(r.book, r.stable > 0 && r.res.Resumed && len(r.s.Requests) > 0, r.turn)
	var offset int64
	emit := func(e *event) {
		if r.reemitted(e) {
			return
		}
		a.event(e, offset)
		r.w.tags(e, r.stable)
	}
	agent := r.s.Agent
	for n := 0; ; n++ {
		if n%256 == 0 && r.ctx.Err() != nil {
			return fmt.Errorf("reading transcript: %w", r.ctx.Err())
		}
		offset = r.lines.offset
		line, number, err := r.lines.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("reading transcript: %w", err)
		}
		r.mark(offset, number)
		if len(line) == 0 {
			continue
		}
		if ad == nil {
			if agent == "" {
				agent = Detect(line)
			}
			if ad = newAdapter(agent, r.opt.cwd); ad == nil {
				if agent != "" || n > detectLimit {
					agent = ""
				}
				if !wholeObject(line) {
					r.res.Stats.BadLines++
				}
				continue
			}
			r.s.Agent = agent
		}
		ad.line(number, line, &r.res.Stats, emit)
	}
	r.res.Stats.Bytes = r.lines.offset - start.Context
	r.res.Stats.Lines = r.lines.line - start.ContextLines
	r.res.Stats.LongLines = r.lines.tooBig
	r.lastMessage(a, offset)
	a.close()
	return nil
}

// reemitted recognises a prompt that compaction wrote a second time, older
// than what an earlier run had read already. Within one run the adapter knows
// it by its uuid.
func (r *reading) reemitted(e *event) bool {
	if e.kind != evPrompt || e.text == "" || !r.res.Resumed {
		return false
	}
	words := r.opt.requestText(e.text)
	if words == "" {
		return false // invisible: it is in no record
	}
	known := r.opt.Previous.Requests
	if e.record < r.startLine { // what that run took for a prompt is in its record
		return len(known) < maxRequests && !slices.ContainsFunc(known, func(q Request) bool { return q.Record == e.record })
	}
	return e.time.Before(r.opt.Previous.End) && slices.ContainsFunc(known, func(q Request) bool { return q.Text == words })
}

// lastMessage adds the message that the hook was given but that the
// transcript does not hold yet.
func (r *reading) lastMessage(a *assembler, offset int64) {
	msg := strings.TrimSpace(r.opt.LastMessage)
	if msg == "" || a.cur != nil && strings.TrimSpace(a.cur.lastText()) == msg || a.cur == nil {
		return
	}
	e := event{kind: evText, record: max(0, r.lines.line-1), time: r.opt.Now, text: msg}
	a.event(&e, offset)
	r.w.tags(&e, 0)
}

func (r *reading) mark(offset int64, line int) {
	r.marks = append(r.marks, mark{offset, line})
	if len(r.marks) > 4096 && r.marks[2048].offset < offset-contextLimit {
		r.marks = append(r.marks[:0], r.marks[2048:]...)
	}
}

// turn is called with each turn as it ends.
func (r *reading) turn(t *turn) {
	if t.first >= r.stable {
		r.w.turn(t, r.last)
		r.topics.turn(t)
	}
	if t.prompted && t.first >= r.startLine {
		r.res.Turns++
	}
	r.prev, r.last = r.last, t
	if r.prev != nil && len(r.prev.items) > 0 {
		r.prev.items = r.prev.items[len(r.prev.items)-1:]
	}
}

// conclude makes the result of what has been weighed.
func (r *reading) conclude() {
	if r.s.Agent == "" {
		r.s.Agent = r.opt.Agent
	}
	r.w.plan(r.oldPlan, r.res.Resumed)
	r.w.finish(r.res)
	if r.s.Title == "" && len(r.s.Requests) > 0 {
		r.s.Title = clip(r.s.Requests[0].Text, titleLimit)
	}
	r.topics.conclude()
	if r.s.Start.IsZero() && !r.opt.Now.IsZero() {
		r.s.Start = r.opt.Now.UTC().Truncate(time.Second)
	}
	r.res.Session = r.s
}

// remember writes the cursor: the next run reads again from the turn before
// the last, within contextLimit, and settles what begins before the last turn.
func (r *reading) remember(src io.ReadSeeker) error {
	c := Cursor{Inode: r.opt.Inode, Offset: r.lines.offset, Lines: r.lines.line}
	c.Context, c.ContextLines, c.Stable = c.Offset, c.Lines, c.Lines
	if r.last != nil {
		c.Context, c.ContextLines, c.Stable = r.last.offset, r.last.first, r.last.first
		if r.prev != nil {
			c.Context, c.ContextLines = r.prev.offset, r.prev.first
		}
	}
	if c.Context < c.Offset-contextLimit {
		for _, m := range r.marks {
			if m.offset >= c.Offset-contextLimit {
				c.Context, c.ContextLines = m.offset, m.line
				break
			}
		}
		c.Context, c.ContextLines = min(c.Context, c.Offset), min(c.ContextLines, c.Lines)
		c.Stable = max(c.Stable, c.ContextLines)
	}
	r.topics.mark(&c, r.last == nil || c.Stable != r.last.first)
	hash, err := hashBefore(src, c.Offset)
	if err != nil {
		return err
	}
	c.Hash = hash
	r.s.Cursor = c
	return nil
}

// hashBefore hashes the up to hashSpan bytes before an offset; "" when src is
// shorter than that.
func hashBefore(src io.ReadSeeker, offset int64) (string, error) {
	from := max(0, offset-hashSpan)
	if _, err := src.Seek(from, io.SeekStart); err != nil {
		return "", fmt.Errorf("seeking in transcript: %w", err)
	}
	h := sha256.New()
	n, err := io.CopyN(h, src, offset-from)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading transcript: %w", err)
	}
	if n < offset-from {
		return "", nil
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

func stamp(t, fallback time.Time) time.Time {
	if t.IsZero() {
		return fallback
	}
	return t
}
