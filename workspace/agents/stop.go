package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
	"github.com/git-cortex/cortex/workspace/internal/plans"
)

// This file is the way of a stop hook, from its payload to its outcome: which transcript
// is to be read (stop, captureNew), how far it was read and what is new in it (capture),
// what of that is known already (compare), and the one commit of the journal that holds
// the memories, the record of the session and how far was read (commit).

// stop reads what is new in a session whose turn ends, or that ends itself. A nested
// session is read with the one that started it. Copilot CLI writes its transcript later
// than it reports the end, so what was missing the last time is read here too.
func (h *hooks) stop(ctx context.Context, p HookPayload) Outcome {
	if p.Nested {
		return Outcome{Kind: outcome.Nothing}
	}
	o := h.noteHanded(&p, h.captureNew(ctx, p))
	if p.Agent == transcript.Copilot {
		o = o.And(h.capturer.catchUp(ctx, &p))
	}
	return o
}

// captureNew reads what is new in the transcript that a payload names, and in those of
// its subagents.
func (h *hooks) captureNew(ctx context.Context, p HookPayload) Outcome {
	if p.TranscriptPath == "" && derives(p.Agent) {
		return Outcome{Kind: outcome.Nothing} // the session has none yet
	}
	if p.TranscriptPath == "" {
		return Refuse(errors.New("the payload names no transcript"))
	}
	if !filepath.IsAbs(p.TranscriptPath) {
		return Refuse(fmt.Errorf("the transcript path %q is not absolute", p.TranscriptPath))
	}
	if elsewhere(h.capturer.tree, p) {
		h.w.Notice("%s was recorded in another folder, and is left alone; cortex capture reads it all the same",
			p.TranscriptPath)
		return Outcome{Kind: outcome.Elsewhere}
	}
	if _, err := os.Stat(p.TranscriptPath); derives(p.Agent) && errors.Is(err, fs.ErrNotExist) {
		return Outcome{Kind: outcome.Nothing} // it is written later, and caught up with
	}
	out, err := h.capturer.captureFamily(ctx, CaptureInput{
		Path: p.TranscriptPath, Likely: p.Agent, Session: p.SessionID, LastMessage: p.LastMessage, Past: p.Past,
	})
	h.noteForAsking(p.SessionID, out)
	return h.outcomeOf(out, err)
}

// outcomeOf is the outcome of a hook that read a transcript and those of subagents. What
// was kept in the spool is not lost, but it is not in the journal either.
func (h *hooks) outcomeOf(got *Captured, failed error) Outcome {
	o := Outcome{Kind: outcome.Read}
	if got != nil && got.Session != nil {
		o.To, o.Added = got.Session.Cursor.Offset, len(got.Added)
		for _, sub := range got.Subagents {
			o.Added += len(sub.Added)
		}
	}
	if h.w.Journal.Spooled() {
		o.Kind = outcome.Spooled
	}
	return o.And(failed)
}

// reading is one reading of a transcript, from where the last one stopped.
type reading struct {
	*capturer
	in     CaptureInput
	snap   *gitops.Snapshot // of the journal, before it is read
	topic  string           // the branch it is pending for, as git knows it
	branch string           // the same as the journal knows it
	before *session.Session // the record of the last reading; nil for none
	left   []*memory.Memory // by earlier readings, still pending
	said   plans.Listener   // of what was done
}

// capture reads what is new in one transcript, leaves out what is known, and commits the
// rest.
func (x *capturer) capture(ctx context.Context, in CaptureInput) (*Captured, error) {
	f, inode, err := openTranscript(in.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := x.begin(ctx, f, in)
	if err != nil {
		return nil, err
	}
	if in.Past && r.readWhole(ctx, f) {
		x.w.Diary.NoteRead(ctx, in.Path, r.before.Cursor.Offset)
		return &Captured{Result: &capture.Result{Session: r.before}, Branch: r.branch}, nil
	}
	use := r.watch()
	out, err := r.run(ctx, f, inode, use)
	if err != nil {
		return nil, err
	}
	if err := r.compare(ctx, out); err != nil {
		return nil, err
	}
	r.locate(ctx, out)
	if in.DryRun {
		return out, nil
	}
	if !in.Past {
		x.noteUse(use, r.in.Session)
	}
	if err := x.commit(ctx, out); err != nil {
		return out, err
	}
	x.w.Diary.NoteRead(ctx, in.Path, out.Session.Cursor.Offset)
	x.foldDaily(ctx)
	return out, nil
}

// begin finds out whose session a transcript holds and what earlier readings of it left
// in the journal.
func (x *capturer) begin(ctx context.Context, f *os.File, in CaptureInput) (*reading, error) {
	if err := identify(f, &in); err != nil {
		return nil, err
	}
	snap, err := x.w.Journal.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	r := &reading{capturer: x, in: in, snap: snap, topic: cmp.Or(in.Branch, x.w.Repo.Topic)}
	r.branch = x.w.Secrets.Branch(ctx, r.topic)
	if !in.DryRun { // which shows what the whole transcript gives
		r.before, r.left, err = x.previously(ctx, snap, in, r.branch)
	}
	return r, err
}

// readWhole reports whether nothing was added to a transcript since this clone read it last.
func (r *reading) readWhole(ctx context.Context, f *os.File) bool {
	return r.before != nil && !r.w.Journal.Marks(ctx).Record(r.before.Path()) &&
		transcript.ReadTo(f, r.before.Cursor.Offset, r.before.Cursor.Hash)
}

// watch returns the watch over the use of memories that the session was shown; nil for none.
func (r *reading) watch() *watch {
	if r.in.Past || r.in.DryRun {
		return nil
	}
	return watchFor(r.w, r.in.Session)
}

// run reads the transcript on from where the last reading stopped.
func (r *reading) run(ctx context.Context, f *os.File, inode uint64, use *watch) (*Captured, error) {
	people, stop := r.peopleAhead(ctx, f, r.before)
	defer stop()
	branch, head := r.branch, r.w.Repo.Head
	if r.in.Past {
		branch, head = "", "" // the transcript says on which branch
	}
	event := r.said.Event
	if use != nil {
		event = func(e *transcript.Event) { use.event(e); r.said.Event(e) }
	}
	result, err := capture.Run(ctx, f, capture.Options{
		Event: event,
		Agent: r.in.Agent, Session: r.in.Session, Branch: branch, Head: head,
		Previous: r.before, Earlier: r.left, Inode: inode, Now: r.w.Now(),
		Root: r.w.Repo.Root, Exists: r.tree.Exists, LastMessage: r.in.LastMessage, Redactor: r.w.CaptureRedactor(ctx),
		People: people, Dependencies: r.tree.Dependencies, Unproven: r.unproven(ctx),
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", r.in.Path, err)
	}
	if err := nothingIn(result); r.before == nil && err != nil {
		return nil, fmt.Errorf("%s: %w: %w", r.in.Path, ErrTranscript, err)
	}
	return &Captured{Result: result, Branch: r.branch}, nil
}

// compare takes out of what was captured what is known, and records the steps of the plan
// that the session went on with.
func (r *reading) compare(ctx context.Context, out *Captured) error {
	if err := r.foldRecipes(ctx, out); err != nil {
		return err
	}
	if err := r.foldKnown(ctx, out); err != nil {
		return err
	}
	r.holdRemoved(ctx, out)
	return r.advancePlan(ctx, out)
}

// locate ties what was captured to a commit and to files: those that are checked out, or
// those of the time of a past session.
func (r *reading) locate(ctx context.Context, out *Captured) {
	if r.in.Past {
		r.timeline.source(ctx, out.Result, r.isHere(r.in.Path), r.w.Now())
		return
	}
	about := map[*memory.Memory][]string{}
	for _, c := range out.kept() {
		about[c.Memory] = c.About()
		c.Memory.Source.Commit = workspace.Abbrev(r.w.Repo.Head)
	}
	workspace.Anchor(ctx, r.w.Repo, r.tree, about)
}

// commit writes memories, session record and cursor in one commit.
func (x *capturer) commit(ctx context.Context, out *Captured) error {
	recalls, done := x.w.Diary.TakeRecalls()
	err := x.w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c, err := x.changeOf(ctx, snap, out)
		if err != nil {
			return c, err
		}
		return c, x.w.PutRecalls(ctx, snap, &c, recalls)
	})
	done(err == nil)
	return err
}
