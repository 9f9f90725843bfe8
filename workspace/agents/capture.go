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
	"github.com/git-cortex/cortex/internal/lists"
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

	met []stored // what is pending and was met or said again, in the words of this session
}

// kept are the candidates that are to become memories, as they are now.
func (out *Captured) kept() []*capture.Candidate { return out.held(capture.Kept) }

// held are the candidates of some dispositions.
func (out *Captured) held(as ...capture.Disposition) []*capture.Candidate {
	var list []*capture.Candidate
	for i := range out.Candidates {
		if c := &out.Candidates[i]; slices.Contains(as, c.Disposition) {
			list = append(list, c)
		}
	}
	return list
}

// ErrTranscript is the cause of every error about a transcript that cannot be
// read at all.
var ErrTranscript = errors.New("cannot be read as a transcript")

// capturer turns transcripts into pending memories. It is safe for concurrent use.
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

// Names returns the names of the agents whose transcripts can be read.
func Names() []string { return transcript.Agents() }

// nothingIn says why a first reading found no session: there is nothing to
// record then, not even how far was read.
func nothingIn(r *capture.Result) error {
	switch {
	case r.Turns > 0, len(r.Candidates) > 0:
		return nil
	case r.Stats.Lines+r.Stats.BadLines == 0:
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
	in.Agent = cmp.Or(in.Agent, id.Agent, in.Likely)
	if in.Agent == "" && n > 0 {
		return fmt.Errorf("%s: %w: it is of no agent that cortex knows", in.Path, ErrTranscript)
	}
	in.Session = cmp.Or(in.Session, id.Session, strings.TrimSuffix(filepath.Base(in.Path), filepath.Ext(in.Path)))
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
		left, err := stillPending(ctx, snap, branch, s.ID, s.Kept())
		return s, left, err
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

// stillPending are those memories of the session that it may still take back, among ids. What a
// person has edited since is theirs, and what a reader has worded the reader's.
func stillPending(
	ctx context.Context, snap *gitops.Snapshot, branch, of string, ids []memory.ID,
) ([]*memory.Memory, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	entries, err := snap.List(ctx, gitops.PendingPrefix(branch))
	if err != nil {
		return nil, err
	}
	named := lists.SetOf(ids, memory.ID.Short)
	entries = lists.Where(entries, func(e gitops.Entry) bool {
		short, _ := places.Short(e.Path)
		return named[memory.ID(short).Short()]
	})
	found, err := memoriesAt(ctx, snap, entries, func(m *memory.Memory) bool {
		return m.Source.Session == of && isCaptures(m)
	})
	return onlyMemories(found), err
}

// isCaptures reports whether a memory is still as capture left it, and no step of a plan.
func isCaptures(m *memory.Memory) bool {
	if !m.Updated.IsZero() || m.IsStep() {
		return false
	}
	return m.Source.Layer != string(session.LayerCurated)
}
