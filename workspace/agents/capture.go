package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/places"
)

// CaptureInput names a transcript and what is known about it.
type CaptureInput struct {
	Path        string
	Agent       string // "" detects it
	Likely      string // whose it is when the content does not tell
	Session     string // "" takes the transcript's own
	LastMessage string // the agent's last words, when the transcript may lag behind
	Branch      string // for which branch it is pending; "" is the current one
	Past        bool   // the session is over: branch and commit of now are not its own
	DryRun      bool   // write nothing
}

// Captured is the result of reading a transcript once.
type Captured struct {
	*capture.Result
	Branch string
	Added  []*memory.Memory // new pending memories
	Gone   int              // pending memories that the session took back
	// Subagents are the results of reading the transcripts of those that the session
	// started, as far as they had something new.
	Subagents []*Captured

	met     []repetition
	records records         // of other sessions
	view    *workspace.View // before it was read; nil where there was nothing to compare
}

// ErrTranscript is the cause of every error about a transcript that cannot be
// read at all.
var ErrTranscript = errors.New("cannot be read as a transcript")

// capturer turns transcripts into pending memories. It is for any number of
// goroutines.
type capturer struct {
	w        *workspace.Workspace
	tree     workspace.Folder // the zero one in a bare repository
	timeline *timeline
}

func newCapturer(w *workspace.Workspace) *capturer {
	tree, _ := w.Tree()
	return &capturer{w: w, tree: tree, timeline: newTimeline(context.Background(), w.Repo)}
}

// Capture reads what is new in a transcript, and in those of its subagents, and
// commits what is worth keeping to the journal, together with the record of the
// session and how far it was read. Reading the same words again adds nothing.
func Capture(ctx context.Context, w *workspace.Workspace, in CaptureInput) (*Captured, error) {
	return newCapturer(w).captureFamily(ctx, in)
}

func (x *capturer) capture(ctx context.Context, in CaptureInput) (*Captured, error) {
	f, inode, err := openTranscript(in.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := identify(f, &in); err != nil {
		return nil, err
	}
	snap, err := x.w.Journal(ctx)
	if err != nil {
		return nil, err
	}
	branch := x.w.Repo.Topic
	if in.Branch != "" {
		branch = in.Branch
	}
	ref := branch // as git knows it
	branch = x.w.JournalBranch(ctx, branch)
	previous, earlier, err := x.previously(ctx, snap, in, branch)
	if err != nil {
		return nil, err
	}
	before := readBeforeOf(previous)
	people, stop := x.peopleAhead(ctx, f, previous)
	defer stop()
	now, head := branch, x.w.Repo.Head
	if in.Past {
		now, head = "", "" // the transcript says on which branch
	}
	var use *watch
	if !in.Past && !in.DryRun {
		use = watchFor(x.w, in.Session)
	}
	var event func(*transcript.Event)
	if use != nil {
		event = use.event
	}
	result, err := capture.Run(ctx, f, capture.Options{
		Event: event,
		Agent: in.Agent, Session: in.Session, Branch: now, Head: head,
		Previous: previous, Earlier: earlier, Inode: inode, Now: x.w.Now(),
		Root: x.w.Repo.Root, Exists: x.tree.Exists, LastMessage: in.LastMessage, Redactor: x.w.CaptureRedactor(ctx),
		People: people, Dependencies: x.tree.Dependencies, Unproven: x.unproven(ctx, snap, branch, in.Agent),
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", in.Path, err)
	}
	if previous == nil {
		if err := nothingIn(result); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", in.Path, ErrTranscript, err)
		}
	}
	out := &Captured{Result: result, Branch: branch}
	if err := x.compare(ctx, snap, out, before, ref); err != nil {
		return nil, err
	}
	if in.Past {
		x.timeline.source(ctx, result, x.isHere(in.Path), x.w.Now())
	} else {
		x.anchor(ctx, result)
	}
	if in.DryRun {
		return out, nil
	}
	if !in.Past {
		x.noteUse(use, in.Session)
	}
	if err := x.commit(ctx, out); err != nil {
		return out, err
	}
	x.w.Diary.NoteRead(ctx, in.Path, out.Session.Cursor.Offset)
	x.foldDaily(ctx)
	x.foldOutlived(ctx, previous == nil && !in.Past, out)
	return out, nil
}

// anchor ties what was captured to the commit and the files that are checked out.
func (x *capturer) anchor(ctx context.Context, result *capture.Result) {
	about := map[*memory.Memory][]string{}
	for i := range result.Candidates {
		if c := &result.Candidates[i]; c.Disposition == capture.Kept {
			about[c.Memory] = c.About()
			c.Memory.Source.Commit = workspace.Abbrev(x.w.Repo.Head)
		}
	}
	workspace.Anchor(ctx, x.w.Repo, x.tree, about)
}

// compare takes what was captured apart from what is known, proposes what the user asks
// for again and again, and has it advance the plan that it goes on with.
func (x *capturer) compare(ctx context.Context, snap *gitops.Snapshot, out *Captured, before readBefore, branch string) error {
	if err := x.foldRecipes(ctx, snap, out, branch); err != nil {
		return err
	}
	if err := x.foldKnown(ctx, snap, out, branch); err != nil {
		return err
	}
	if err := x.foldRequests(ctx, snap, out, before.asked, branch); err != nil {
		return err
	}
	return x.advancePlan(ctx, snap, out, before, branch)
}

// Names returns the names of the agents whose transcripts can be read.
func Names() []string { return transcript.Agents() }

// nothingIn says why a first reading found no session: there is nothing to
// record then, not even how far was read.
func nothingIn(r *capture.Result) error {
	switch {
	case r.Turns > 0 || len(r.Candidates) > 0:
		return nil
	case r.Stats.Lines == 0 && r.Stats.BadLines == 0:
		return errors.New("there is no whole line in it")
	case r.Stats.BadLines >= r.Stats.Lines:
		return errors.New("no line of it is a JSON object")
	case r.Session.Agent == "":
		return errors.New("no session of a known agent is in it")
	}
	return nil
}

// openTranscript opens regular files only: a pipe or a device could hold a
// hook for ever.
func openTranscript(name string) (*os.File, uint64, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, fmt.Errorf("%s: there is no such transcript: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading the transcript: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s: %w: it is not a regular file", name, ErrTranscript)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the transcript: %w", err)
	}
	return f, inodeOf(info), nil
}

// identify fills in agent and session from the head of the transcript, so
// that the record of an earlier reading can be found before it is read.
func identify(f *os.File, in *CaptureInput) error {
	head := make([]byte, 64<<10)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("reading %s: %w", in.Path, err)
	}
	id := transcript.Identify(head[:n])
	if in.Agent == "" {
		in.Agent = cmp.Or(id.Agent, in.Likely)
	}
	if in.Agent == "" && n > 0 {
		return fmt.Errorf("%s: %w: it is of no agent that cortex knows", in.Path, ErrTranscript)
	}
	if in.Session == "" {
		in.Session = id.Session
	}
	if in.Session == "" {
		in.Session = strings.TrimSuffix(filepath.Base(in.Path), filepath.Ext(in.Path))
	}
	return nil
}

// previously finds the record of an earlier reading of the session, and the
// memories it left that are still pending. A journal that could not be read is an
// error: the session would be read as if it were new, and its record be lost.
func (x *capturer) previously(
	ctx context.Context, snap *gitops.Snapshot, in CaptureInput, branch string,
) (*session.Session, []*memory.Memory, error) {
	months, err := snap.Folders(ctx, "sessions")
	if err != nil {
		return nil, nil, err
	}
	name := path.Base((&session.Session{Agent: in.Agent, ID: in.Session}).Path())
	for _, month := range slices.Backward(months) {
		data, there, err := fileAt(ctx, snap, "sessions/"+month+"/"+name)
		if err != nil {
			return nil, nil, err
		}
		if !there {
			continue
		}
		s, err := session.Parse(data)
		if err != nil {
			x.w.Notice("the record of session %s cannot be read and is written anew: %v", in.Session, err)
			return nil, nil, nil
		}
		earlier, err := x.stillPending(ctx, snap, branch, s.ID)
		return s, earlier, err
	}
	return nil, nil, nil
}

// fileAt returns the bytes of a file of the journal, and whether there is one. One that is
// damaged has none.
func fileAt(ctx context.Context, snap *gitops.Snapshot, at string) (data []byte, there bool, err error) {
	entries, err := snap.List(ctx, at)
	if err != nil || len(entries) != 1 || entries[0].Path != at {
		return nil, false, err
	}
	err = snap.Read(ctx, entries, func(_ gitops.Entry, content []byte) error {
		data = content
		return nil
	})
	return data, true, err
}

// stillPending are memories of the session that it may still take back. What a
// person has edited since is theirs, and what a reader has worded the reader's.
func (x *capturer) stillPending(ctx context.Context, snap *gitops.Snapshot, branch, of string) ([]*memory.Memory, error) {
	entries, err := snap.List(ctx, gitops.PendingPrefix(branch))
	if err != nil {
		return nil, err
	}
	var out []*memory.Memory
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if m, err := memory.Parse(e.Path, data); err == nil && m.Source.Session == of && isCaptures(m) {
			out = append(out, m)
		}
		return nil
	})
	return out, err
}

// isCaptures reports whether a memory is still as capture left it, and no step of a plan.
func isCaptures(m *memory.Memory) bool {
	if !m.Updated.IsZero() || len(m.Linked(memory.StepOf)) > 0 {
		return false
	}
	return m.Source.Layer != string(session.LayerCurated)
}

// knownIn says why the journal has no use for a captured memory, "" if it has: somebody
// dismissed it, it was folded into the record of the session, or it is pending already.
type knownIn struct {
	snap     *gitops.Snapshot
	pending  places.Finder
	folded   map[memory.ID]bool
	received workspace.Marks
}

func (k *knownIn) reason(ctx context.Context, id memory.ID) (string, error) {
	if gone, err := places.Has(ctx, k.snap, workspace.DismissedPath(id)); err != nil || gone {
		return "it was dismissed before", err
	}
	if k.folded[id] {
		return "it was folded into the session's record", nil
	}
	if k.received.Memory(id) {
		return "", nil
	}
	there, err := k.pending(id)
	if err != nil || len(there) == 0 {
		return "", err
	}
	return "it is pending already", nil
}

// foldKnown marks candidates that the view holds already, or that somebody
// dismissed, as duplicates. The view is only read when there is something to
// compare.
func (x *capturer) foldKnown(ctx context.Context, snap *gitops.Snapshot, result *Captured, branch string) error {
	fresh := 0
	pending, err := places.Pending(ctx, snap, result.Branch)
	if err != nil {
		return err
	}
	folded, err := foldedIn(ctx, snap, result.Session.Path())
	if err != nil {
		return err
	}
	received := x.w.Received(ctx)
	if err := received.Unreadable(); err != nil {
		return err
	}
	journal := knownIn{snap, pending, folded, received}
	for i := range result.Candidates {
		c := &result.Candidates[i]
		if c.Disposition != capture.Kept {
			continue
		}
		reason, err := journal.reason(ctx, c.Memory.ID)
		if err != nil {
			return err
		}
		if reason != "" {
			c.Disposition, c.Reason = capture.Duplicate, reason
			continue
		}
		fresh++
	}
	if fresh == 0 {
		return nil
	}
	v, err := x.w.View(ctx, workspace.ViewOptions{Branch: branch, Bare: true, Folders: true})
	if err != nil {
		return err
	}
	result.view = v
	var kept []*capture.Candidate
	var signatures [][]uint32
	for i := range result.Candidates {
		if c := &result.Candidates[i]; c.Disposition == capture.Kept {
			kept = append(kept, c)
			signatures = append(signatures, memory.Signature(c.Memory.Title, c.Memory.Text))
		}
	}
	known := map[memory.ID]string{} // paths of candidates that the view holds, by id
	for _, c := range kept {
		known[c.Memory.ID] = ""
	}
	own := ownIn(v, received, known)
	twins := map[memory.ID]memory.ID{}
	near := x.w.Index.Alike(own, signatures, min(alikeFrom, kinFrom))
	for i, alike := range near {
		c := kept[i]
		if path := known[c.Memory.ID]; path != "" {
			c.Disposition, c.Reason = capture.Duplicate, "the same as "+path
			twins[c.Memory.ID] = c.Memory.ID
		} else if have, reason := x.twin(ctx, c.Memory, alike, result); have != nil {
			c.Disposition, c.Reason = capture.Duplicate, reason
			twins[c.Memory.ID] = have.ID
		}
	}
	if err := x.resolveLinks(ctx, v, result, twins); err != nil {
		return err
	}
	x.relate(ctx, kept, near, result)
	return nil
}

// ownIn returns what a view holds without what only a remote says, and enters in known
// the paths of those that are among it.
func ownIn(v *workspace.View, received workspace.Marks, known map[memory.ID]string) []index.Item {
	own := v.Items
	if len(received) > 0 {
		own = nil
	}
	for i, it := range v.Items {
		id := v.ID(i)
		if it.Stage == index.Pending && received.Memory(id) {
			continue
		}
		if len(received) > 0 {
			own = append(own, it)
		}
		if _, ok := known[id]; ok {
			known[id] = it.Path
		}
	}
	return own
}

// twin finds among memories that are alike the one that m restates (see restates),
// and says so; nil if there is none. One that is pending counts the session that
// said it again.
func (x *capturer) twin(ctx context.Context, m *memory.Memory, alike []index.Alike, out *Captured) (*memory.Memory, string) {
	if stated(m) { // which reading the others would not change
		return nil, ""
	}
	for i := range alike {
		it := &alike[i].Item
		if !alike[i].Reaches(alikeFrom) {
			break
		}
		have, ok := x.w.Index.Catalog().MemoryOf(ctx, it)
		if !ok {
			continue
		}
		if _, gone := out.Replaced[have.ID]; gone {
			continue
		}
		if as := restates(have, m, it.Stage == index.Pending); as != saysMore {
			return have, out.metBefore(m, have, it, as)
		}
	}
	return nil, ""
}

// commit writes memories, session record and cursor in one commit.
func (x *capturer) commit(ctx context.Context, out *Captured) error {
	read := out.Session
	recalls, done := x.w.Diary.TakeRecalls()
	err := x.w.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		out.Added, out.Gone = nil, 0
		if err := adoptDecided(ctx, snap, read); err != nil {
			return gitops.Change{}, err
		}
		c := gitops.Change{When: x.w.Now(), Trailers: x.w.Trailers(read.ID, out.Branch), Put: map[string][]byte{read.Path(): session.Format(read)}}
		pending, err := places.Pending(ctx, snap, out.Branch)
		if err != nil {
			return c, err
		}
		if err := x.putKept(ctx, snap, out, pending, &c); err != nil {
			return c, err
		}
		if err := x.takeBack(ctx, snap, out, pending, &c); err != nil {
			return c, err
		}
		if err := x.raise(ctx, snap, out, &c); err != nil {
			return gitops.Change{}, err
		}
		if err := x.prove(ctx, snap, out.Proved, pending, &c); err != nil {
			return c, err
		}
		c.Remove = append(c.Remove, workspace.MarkOf(read.Path(), "")) // from now on the record is our own
		c.Message = fmt.Sprintf("capture: %s from %s %s", workspace.CountMemories(len(out.Added)), read.Agent, read.ID[:min(len(read.ID), 8)])
		if out.Branch != "" {
			c.Message += " (" + out.Branch + ")"
		}
		return c, workspace.PutRecalls(ctx, x.w, snap, &c, recalls)
	})
	done(err == nil)
	return err
}

// adoptDecided takes over what a reader has decided of a session meanwhile.
func adoptDecided(ctx context.Context, snap *gitops.Snapshot, read *session.Session) error {
	data, there, err := fileAt(ctx, snap, read.Path())
	if err != nil || !there {
		return err
	}
	if now, err := session.Parse(data); err == nil {
		read.Adopt(now)
	}
	return nil
}

// putKept adds what was captured to a change, where the journal does not have it.
func (x *capturer) putKept(
	ctx context.Context, snap *gitops.Snapshot, out *Captured, pending places.Finder, c *gitops.Change,
) error {
	received := x.w.Received(ctx)
	if err := received.Unreadable(); err != nil {
		return err
	}
	for _, m := range out.Memories() {
		there, err := pending(m.ID)
		if err != nil {
			return err
		}
		switch {
		case len(there) == 0:
			at, err := places.New(ctx, snap, out.Branch, m)
			if err != nil {
				return err
			}
			c.Put[at] = memory.Format(m)
			out.Added = append(out.Added, m)
		case received.Memory(m.ID): // from now on it is our own
			c.Put[there[0]] = memory.Format(m)
			c.Remove = append(c.Remove, workspace.MarkOf(there[0], m.ID), workspace.ReceivedFolder+m.ID.Short())
		}
	}
	return nil
}

// takeBack removes what the session has withdrawn and nobody relies on.
func (x *capturer) takeBack(
	ctx context.Context, snap *gitops.Snapshot, out *Captured, pending places.Finder, c *gitops.Change,
) error {
	if len(out.Withdrawn) == 0 {
		return nil
	}
	earlier, err := x.stillPending(ctx, snap, out.Branch, out.Session.ID)
	if err != nil {
		return err
	}
	for _, m := range earlier {
		if !slices.Contains(out.Withdrawn, m.ID) || reliedOn(m) {
			continue
		}
		paths, err := pending(m.ID)
		if err != nil {
			return err
		}
		c.Remove = append(c.Remove, paths...)
		out.Gone++
	}
	return nil
}
