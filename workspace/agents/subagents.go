package agents

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/outcome"
)

// Bounds of what one hook reads of subagents' transcripts. The rest is read at the
// next one.
const (
	subagentFiles = 4
	subagentBytes = 4 << 20
)

// subagents reads on in the transcripts of a session's subagents. The session that
// a memory of theirs names is that of the parent, a slash, and the subagent's own
// id. In is what the parent was read with; done is called with each. One that cannot
// be read, now or later, is passed over, with a notice.
func (x *capturer) subagents(ctx context.Context, in CaptureInput, done func(*Captured)) error {
	sizes, read := x.w.Diary.Read(), 0
	var failed error
	for _, path := range transcript.Subagents(in.Path) {
		info, err := os.Stat(path)
		if err != nil || !in.DryRun && info.Size() == sizes[path] {
			continue
		}
		tooMuch := read == subagentFiles || info.Size()-sizes[path] > subagentBytes
		if tooMuch && !in.Past {
			continue
		}
		read++
		sub := in
		sub.Path, sub.Session, sub.LastMessage = path, "", ""
		got, err := x.capture(ctx, sub)
		switch {
		case err == nil:
			done(got)
		case ctx.Err() != nil:
			return err
		case never(err):
			x.w.Notice("a subagent's transcript was passed over: %v", err)
			x.w.Diary.NoteRead(ctx, path, info.Size()) // it would fail again at every turn
		default:
			failed = err // the next hook reads it
		}
	}
	return failed
}

// never reports whether a transcript that could not be read cannot be read later either,
// as it is: an error of git, or of a disk, says nothing of it.
func never(err error) bool {
	return errors.Is(err, ErrTranscript) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}

// captureFamily reads on in a transcript and in those of its subagents. Those of a session
// that is over are read first: once its own is noted as read, nothing leads to them again.
func (x *capturer) captureFamily(ctx context.Context, in CaptureInput) (*Captured, error) {
	var subs []*Captured
	family := func() error {
		return x.subagents(ctx, in, func(got *Captured) { subs = append(subs, got) })
	}
	if in.Past {
		if err := family(); err != nil {
			return nil, err
		}
	}
	out, err := x.capture(ctx, in)
	if err == nil && !in.Past {
		err = family()
	}
	if out != nil {
		out.Subagents = subs
	}
	return out, err
}

// subagentStarts tells a subagent, which sees no briefing, what holds for any task. That is
// noted as told to the subagent: the session neither saw it nor pays for it.
func (h *hooks) subagentStarts(ctx context.Context, p HookPayload) ([]byte, error) {
	p.SessionID = p.Subagent
	if !listens(&p, atTask) || !h.w.Config.Recalls("start") {
		return nil, nil
	}
	b, v, err := h.w.Brief(ctx, workspace.BriefOptions{Task: true})
	if b.Text == "" || !h.w.Diary.Speaks(p.SessionID, p.moment(atTask)) {
		return nil, err // another hook of ours says it
	}
	out, err := say(&p, atTask, b.Text)
	return out, errors.Join(err, h.noteBriefing(&p, b, itemsIn(ctx, h.w, v, b.Shown)))
}

// subagentStopped reads what a subagent said that has just ended, and what its parent
// said so far. The last message of the payload is the subagent's.
func (h *hooks) subagentStopped(ctx context.Context, p HookPayload) Outcome {
	last := p.LastMessage
	p.LastMessage = ""
	o := h.captureNew(ctx, p)
	if o.Err != nil || !filepath.IsAbs(p.SubagentPath) {
		return o
	}
	id := transcript.IdentifyFile(p.SubagentPath)
	if !id.Subagent {
		return o // not written yet: it is read with its parent
	}
	got, err := h.capturer.capture(ctx, CaptureInput{Path: p.SubagentPath, Likely: p.Agent, LastMessage: last})
	if got != nil {
		o.Added += len(got.Added)
	}
	if h.w.Journal.Spooled() {
		o.Kind = outcome.Spooled
	}
	return o.And(err)
}
