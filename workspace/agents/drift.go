package agents

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// DriftRun says how the rules by which memories are captured have changed since sessions
// were captured. As JSON it has the shape of docs/json.md.
type DriftRun struct {
	At       string        `json:"at"`
	Sessions int           `json:"sessions"` // that were read again
	Missing  int           `json:"missing"`  // recorded sessions whose transcript is not here, or no longer as it was
	Then     int           `json:"then"`     // memories that were kept of them when they were captured
	Now      int           `json:"now"`      // that the present rules keep
	Same     int           `json:"same"`     // of both
	Reworded int           `json:"reworded"` // kept by both, in other words or as another type
	Layers   []DriftCount  `json:"layers"`
	Types    []DriftCount  `json:"types"`
	Gained   []DriftMemory `json:"gained"`         // what the present rules keep and those of then did not
	Lost     []DriftMemory `json:"lost"`           // the other way round
	Last     *LastDrift    `json:"last,omitempty"` // the run before, over the sessions that both read
}

// DriftCount counts memories by layer or type.
type DriftCount struct {
	Name   string `json:"name"`
	Then   int    `json:"then"`
	Now    int    `json:"now"`
	Gained int    `json:"gained"`
	Lost   int    `json:"lost"`
}

// DriftMemory is one memory that only the rules of one time keep.
type DriftMemory struct {
	ID         memory.ID     `json:"id"`
	Type       memory.Type   `json:"type"`
	Layer      session.Layer `json:"layer"`
	Confidence float64       `json:"confidence"`
	Title      string        `json:"title"`
	Session    string        `json:"session"`
	Line       int           `json:"line"` // of the transcript, from 1
}

// LastDrift compares a run with the one before it, over the sessions that both read.
type LastDrift struct {
	At       string `json:"at"`
	Sessions int    `json:"sessions"`
	Gained   int    `json:"gained"`
	Lost     int    `json:"lost"`
}

// DriftInput says where transcripts are.
type DriftInput struct {
	Home string // below which agents keep their sessions
	// Progress hears how many transcripts are read, of how many; nil is fine.
	Progress func(done, all int)
}

// Drift reads the transcripts of recorded sessions again with the present rules, each as
// far as it was read then, and compares what these keep with what was kept. It changes no
// memory and no record; what it found is kept in the clone, for the next run.
func Drift(ctx context.Context, w *workspace.Workspace, in DriftInput) (*DriftRun, error) {
	x := newCapturer(w)
	paths, err := x.knownTranscripts(in.Home)
	if err != nil {
		return nil, err
	}
	sessions, err := w.Journal.Sessions(ctx, math.MaxInt)
	if err != nil {
		return nil, err
	}
	records := map[string]*session.Session{}
	for _, s := range sessions {
		records[s.Path()] = s
	}
	run := diary.Drift{At: w.Now().UTC().Truncate(time.Second), Sessions: map[string][]memory.ID{}}
	out := &DriftRun{At: run.At.Format(time.RFC3339), Layers: []DriftCount{}, Types: []DriftCount{}, Gained: []DriftMemory{}, Lost: []DriftMemory{}}
	options := x.driftOptions(ctx)
	for i, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if record, now := x.readAgain(ctx, path, records, options); now != nil {
			delete(records, record.Path())
			out.Sessions++
			out.compare(record, now)
			run.Sessions[record.Path()] = idsOf(now)
		}
		if in.Progress != nil {
			in.Progress(i+1, len(paths))
		}
	}
	out.Missing = len(records)
	out.finish(w.Diary.LastDrift(), run)
	if out.Sessions == 0 {
		return out, nil
	}
	if err := w.Diary.NoteDrift(run); err != nil {
		w.Notice("the next drift run cannot compare with this one: %v", err)
	}
	return out, nil
}

// knownTranscripts are those that this clone has read, and others of this repository
// that agents keep.
func (x *capturer) knownTranscripts(home string) ([]string, error) {
	files, err := x.transcripts(BackfillInput{Home: home, All: true})
	if err != nil {
		return nil, err
	}
	paths := lists.SetOf(files, func(f transcriptFile) string { return f.path })
	for p := range x.w.Diary.Read() {
		paths[p] = true
	}
	return slices.Sorted(maps.Keys(paths)), nil
}

// driftOptions are those of every reading of a drift run.
func (x *capturer) driftOptions(ctx context.Context) capture.Options {
	names := people(ctx, x.w.Repo)
	return capture.Options{
		Now: x.w.Now(), Root: x.w.Repo.Root, Exists: x.tree.Exists, Redactor: x.w.CaptureRedactor(ctx),
		People: func() []string { return names }, Dependencies: x.tree.Dependencies,
	}
}

// readAgain reads a transcript as far as its record says that it was read; nil for one
// without a record, or that is not what was read then.
func (x *capturer) readAgain(ctx context.Context, path string, records map[string]*session.Session, opt capture.Options) (record, now *session.Session) {
	f, _, err := openTranscript(path)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	in := CaptureInput{Path: path}
	if err := identify(f, &in); err != nil {
		return nil, nil
	}
	record = recordOf(records, in)
	info, err := f.Stat()
	if record == nil || err != nil || info.Size() < record.Cursor.Offset {
		return nil, nil
	}
	opt.Agent, opt.Session = in.Agent, in.Session
	result, err := capture.Run(ctx, io.NewSectionReader(f, 0, record.Cursor.Offset), opt)
	if err != nil || result.Session.Cursor.Hash != record.Cursor.Hash {
		return nil, nil
	}
	return record, result.Session
}

// recordOf is the record of the session of a transcript; nil for none. In which month it
// lies depends on when the session began.
func recordOf(records map[string]*session.Session, in CaptureInput) *session.Session {
	for _, s := range records {
		if s.ID == in.Session && s.Agent == in.Agent {
			return s
		}
	}
	return nil
}

// compare counts what was kept of a session and what would be.
func (d *DriftRun) compare(then, now *session.Session) {
	var lost []session.Finding
	left := slices.Clone(now.Found)
	for _, f := range then.Found {
		if i := slices.IndexFunc(left, func(n session.Finding) bool { return n.ID == f.ID }); i >= 0 {
			left = slices.Delete(left, i, i+1)
			d.Same++
		} else {
			lost = append(lost, f)
		}
	}
	lost = lists.Without(lost, func(f session.Finding) bool {
		said := sameness.Signature(f.Title)
		i := slices.IndexFunc(left, func(n session.Finding) bool {
			return sameness.Jaccard(said, sameness.Signature(n.Title)) >= sameness.Candidate
		})
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
		d.Reworded++
		return true
	})
	d.Then, d.Now = d.Then+len(then.Found), d.Now+len(now.Found)
	d.count(then.Found, func(c *DriftCount) { c.Then++ })
	d.count(now.Found, func(c *DriftCount) { c.Now++ })
	d.count(left, func(c *DriftCount) { c.Gained++ })
	d.count(lost, func(c *DriftCount) { c.Lost++ })
	d.Gained, d.Lost = append(d.Gained, driftOf(now.ID, left)...), append(d.Lost, driftOf(now.ID, lost)...)
}

func (d *DriftRun) count(found []session.Finding, add func(*DriftCount)) {
	at := func(list *[]DriftCount, name string) {
		i := slices.IndexFunc(*list, func(c DriftCount) bool { return c.Name == name })
		if i < 0 {
			i = len(*list)
			*list = append(*list, DriftCount{Name: name})
		}
		add(&(*list)[i])
	}
	for _, f := range found {
		at(&d.Layers, string(f.Layer))
		at(&d.Types, string(f.Type))
	}
}

func driftOf(of string, found []session.Finding) []DriftMemory {
	return lists.Map(found, func(f session.Finding) DriftMemory {
		return DriftMemory{f.ID, f.Type, f.Layer, f.Confidence, f.Title, of, f.Record + 1}
	})
}

func idsOf(s *session.Session) []memory.ID {
	out := []memory.ID{}
	for _, f := range s.Found {
		out = append(out, f.ID)
	}
	return out
}

// finish puts what was counted in order, the surest first, and compares it with the last
// run.
func (d *DriftRun) finish(last, now diary.Drift) {
	for _, list := range [][]DriftCount{d.Layers, d.Types} {
		lists.Sort(list, func(a, b DriftCount) int {
			return cmp.Or(cmp.Compare(b.Now, a.Now), cmp.Compare(b.Then, a.Then), cmp.Compare(a.Name, b.Name))
		})
	}
	for _, list := range [][]DriftMemory{d.Gained, d.Lost} {
		lists.Sort(list, func(a, b DriftMemory) int {
			return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Session, b.Session), cmp.Compare(a.Line, b.Line), cmp.Compare(a.ID, b.ID))
		})
	}
	if last.At.IsZero() {
		return
	}
	d.Last = &LastDrift{At: last.At.UTC().Format(time.RFC3339)}
	for name, before := range last.Sessions {
		kept, ok := now.Sessions[name]
		if !ok {
			continue
		}
		d.Last.Sessions++
		d.Last.Gained += lacking(kept, before)
		d.Last.Lost += lacking(before, kept)
	}
}

// lacking counts the ids that only the first list has.
func lacking(a, b []memory.ID) int {
	return len(lists.Where(a, func(id memory.ID) bool { return !slices.Contains(b, id) }))
}

// Signed is a difference as people read it: "+3", "-1", "±0".
func (c DriftCount) Signed() string {
	if c.Now == c.Then {
		return "±0"
	}
	return fmt.Sprintf("%+d", c.Now-c.Then)
}
