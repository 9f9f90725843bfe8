package curate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Options choose a session. The zero value takes the newest one with candidates
// that wait.
type Options struct {
	Session    string // beginning of its id
	Transcript string // its file; "" looks for it
	Home       string // the user's home, below which agents keep their sessions
	Waiting    bool   // of a named session too, only if candidates wait
	Again      bool   // from the start, and with candidates that a reader has left
	Branch     string // only sessions of this branch, and what waits for it; "" for any, and what waits here

	compared int // tokens of a sheet that compares memories alone, if more than others have
}

// maxSessions bounds how far back sessions are looked for.
const maxSessions = 1000

// Next returns the worksheet of the session that waits, and keeps a copy of it
// in the cache folder for [Apply]. The error is [ErrNothingWaits] if there is
// none, and [ErrNoSession] if no session of that id was read.
func Next(ctx context.Context, w *workspace.Workspace, opt Options) (*Sheet, error) {
	v, sessions, err := opt.binders(ctx, w, maxSessions)
	if err != nil {
		return nil, err
	}
	for _, b := range sessions {
		sheet, err := b.sheet(ctx)
		if err != nil {
			return nil, err
		}
		if sheet != nil {
			sheet.compare(ctx, w, v, min(besideTokens, SheetTokens-memory.Tokens(sheet.Text())))
			return sheet.seal(), keep(w, sheet)
		}
	}
	if opt.Session == "" {
		return ofView(ctx, w, v, max(opt.compared, SheetTokens))
	}
	if len(sessions) == 0 {
		return nil, fmt.Errorf("%q: %w", opt.Session, ErrNoSession)
	}
	return nil, ErrNothingWaits
}

// ofView is a worksheet of no session: memories of a view to compare, in so many tokens.
func ofView(ctx context.Context, w *workspace.Workspace, v *workspace.View, tokens int) (*Sheet, error) {
	s := &Sheet{
		Git: []string{}, Files: []string{}, Candidates: []Candidate{}, Known: []Known{}, Passages: []Passage{},
		Branch: v.Branch,
	}
	s.compare(ctx, w, v, tokens-memory.Tokens(s.body()))
	if len(s.Compare) < 2 {
		return nil, ErrNothingWaits
	}
	return s.seal(), keep(w, s)
}

// countedSessions bounds the sessions among which those that wait are counted.
const countedSessions = 100

// Waiting returns how many of the latest hundred sessions have something that waits for a reader.
func Waiting(ctx context.Context, w *workspace.Workspace) (int, error) {
	_, sessions, err := Options{}.binders(ctx, w, countedSessions)
	waiting := lists.Where(sessions, func(b *binder) bool { return len(b.candidates()) > 0 })
	return len(waiting), err
}

// binders are for the latest sessions of a view that are chosen.
func (o Options) binders(ctx context.Context, w *workspace.Workspace, most int) (*workspace.View, []*binder, error) {
	v, err := w.View(ctx, workspace.ViewOptions{Local: true, Branch: o.Branch})
	if err != nil {
		return nil, nil, err
	}
	bySession := map[string][]workspace.Entry{}
	for _, e := range v.Read(ctx, v.Items, true) {
		id := e.Memory.Source.Session
		bySession[id] = append(bySession[id], e)
	}
	sessions, err := w.Journal.Sessions(ctx, most)
	sessions = lists.Where(sessions, o.names)
	return v, lists.Map(sessions, func(s *session.Session) *binder {
		return &binder{w: w, opt: o, session: s, entries: bySession[s.ID]}
	}), err
}

// names reports whether a session is one of those that are chosen.
func (o Options) names(s *session.Session) bool {
	return strings.HasPrefix(s.ID, o.Session) && (o.Branch == "" || s.Branch == o.Branch)
}

// wholly reports whether a session is read although no candidate of it waits: one that was
// named and has something that no reader has seen.
func (o Options) wholly(s *session.Session) bool {
	if o.Session == "" || o.Waiting {
		return false
	}
	return o.Again || s.Curated < s.Cursor.Lines
}

// binder puts the worksheet of one session together.
type binder struct {
	w       *workspace.Workspace
	opt     Options
	session *session.Session
	entries []workspace.Entry // memories of the session
}

// sheet is the worksheet of the session; nil if nothing waits in it.
func (b *binder) sheet(ctx context.Context) (*Sheet, error) {
	waits := b.candidates()
	if len(waits) == 0 && !b.opt.wholly(b.session) {
		return nil, nil
	}
	sheet, err := b.bind(ctx, waits)
	if err != nil || len(sheet.Passages)+len(sheet.Candidates) == 0 {
		return nil, err
	}
	return sheet, nil
}

// candidates are the notes and the pending memories that a program worded and nobody has
// looked at, in the order of the session.
func (b *binder) candidates() []Candidate {
	out := b.notes()
	for _, e := range b.entries {
		m := e.Memory
		if !untouched(&e) || !readable(session.Layer(m.Source.Layer)) {
			continue
		}
		if b.opt.Again || !b.session.DecidedOn(m.ID) {
			out = append(out, Candidate{
				ID: m.ID, Type: m.Type, Layer: m.Source.Layer, Line: m.Source.Record,
				Title: m.Title, Text: m.Text, Path: e.Path, Blob: e.Blob,
			})
		}
	}
	lists.Sort(out, func(a, b Candidate) int {
		return cmp.Or(a.Line-b.Line,
			strings.Compare(string(a.ID), string(b.ID)))
	})
	return out
}

// notes are the notes of the session that nobody has looked at and that are no memory.
func (b *binder) notes() []Candidate {
	var out []Candidate
	for _, m := range b.session.OpenNotes() {
		known := slices.ContainsFunc(b.entries, func(e workspace.Entry) bool { return e.Memory.ID == m.ID })
		if known || !b.opt.Again && b.session.DecidedOn(m.ID) {
			continue
		}
		out = append(out, Candidate{
			ID: m.ID, Type: m.Type, Layer: m.Source.Layer, Line: m.Source.Record, Title: m.Title, Text: m.Text,
			Path: b.session.Path(), Blob: string(b.w.Repo.Hash(memory.Format(m))), Note: true,
		})
	}
	return out
}

// untouched reports whether a memory is pending, and no person edited or pinned it.
func untouched(e *workspace.Entry) bool {
	return e.Stage == index.Pending && e.Memory.Updated.IsZero() && !e.Memory.Pinned
}

// readable reports whether a program worded the memories of a layer, which a reader may
// word better.
func readable(l session.Layer) bool {
	switch l {
	case session.LayerAnswer, session.LayerUser, session.LayerStructure, session.LayerPattern, session.LayerLLM:
		return true
	}
	return false
}

func (b *binder) bind(ctx context.Context, waits []Candidate) (*Sheet, error) {
	s := b.session
	sheet := &Sheet{
		Session: s.ID, Agent: s.Agent, Branch: s.Branch, Title: s.Title, Record: s.Path(),
		Commit: s.HeadNow[:min(len(s.HeadNow), 12)], Lines: s.Cursor.Lines,
		Received: b.received(ctx), Git: b.commits(ctx), Files: fileList(s.Modified, s.Read), Known: b.known(waits),
		Candidates: []Candidate{}, Passages: []Passage{},
	}
	passages, err := b.transcript(ctx, waits)
	if err != nil {
		return nil, err
	}
	sheet.Source = "transcript"
	if passages == nil {
		sheet.Source, passages = "record", b.record(waits)
	}
	lists.Sort(passages, func(a, b Passage) int { return a.Line - b.Line }) // queued words come late
	sheet.End = followUp(passages)
	sheet.fill(passages, waits)
	return sheet, nil
}

// received reports whether the session, or a candidate of it, came from a remote
// and was not accepted here.
func (b *binder) received(ctx context.Context) bool {
	marks := b.w.Journal.Marks(ctx)
	return marks.Record(b.session.Path()) ||
		slices.ContainsFunc(b.entries, func(e workspace.Entry) bool { return e.Received(marks) })
}

// commits are the subjects of commits that were made while the session ran.
func (b *binder) commits(ctx context.Context) []string {
	out := []string{}
	log, err := b.w.Repo.History().Log(ctx, "HEAD", nil, 40)
	if err != nil {
		return out
	}
	from, until := b.session.Start.Add(-time.Minute), b.session.End.Add(time.Hour)
	log = lists.Without(log, func(c gitops.Commit) bool { return c.Time.Before(from) || c.Time.After(until) })
	return append(out, lists.Map(lists.First(log, 8), func(c gitops.Commit) string {
		return b.w.CaptureRedactor(ctx).Line(c.Subject)
	})...)
}

// known are memories of the session that are no candidates. A curated one that
// is pending may be replaced.
func (b *binder) known(waits []Candidate) []Known {
	out := []Known{}
	for _, e := range b.entries {
		m := e.Memory
		if slices.ContainsFunc(waits, func(c Candidate) bool { return c.ID == m.ID }) {
			continue
		}
		k := Known{Type: m.Type, Title: m.Title}
		if untouched(&e) && m.Source.Layer == string(session.LayerCurated) {
			k.ID, k.Path, k.Blob = m.ID, e.Path, e.Blob
		}
		out = append(out, k)
	}
	return out
}

func fileList(all ...[]string) []string {
	names := lists.Unique(all...)
	return append([]string{}, names[:min(len(names), 60)]...)
}

// passageBytes bounds the text that is held for one passage.
const passageBytes = 64 << 10

// transcript reads what was said since the last worksheet, and the turns in
// which candidates wait. It is nil if the transcript is not on this machine.
func (b *binder) transcript(ctx context.Context, waits []Candidate) ([]Passage, error) {
	f, err := b.openTranscript()
	if err != nil || f == nil {
		return nil, err
	}
	defer f.Close()
	out, turn, number := []Passage{}, []Passage(nil), -1
	opt := capture.Options{
		Agent: b.session.Agent, Session: b.session.ID, Redactor: b.w.CaptureRedactor(ctx),
		Root: b.w.Repo.Root, Now: b.w.Now(),
	}
	err = capture.Statements(ctx, f, opt, func(s capture.Statement) {
		if s.Turn != number {
			out = append(out, b.unread(turn, waits)...)
			turn, number = nil, s.Turn
		}
		turn = append(turn, Passage{
			Line: s.Record + 1, Kind: s.Kind, Text: s.Text[:min(len(s.Text), passageBytes)],
			Time: s.Time,
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", f.Name(), err)
	}
	return append(out, b.unread(turn, waits)...), nil
}

// openTranscript opens the transcript of the session; nil if it is not on this machine.
func (b *binder) openTranscript() (*os.File, error) {
	path := b.opt.Transcript
	if path == "" {
		path = transcriptOf(b.w, b.session.ID, b.opt.Home)
	}
	if path == "" {
		return nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		if b.opt.Transcript == "" { // it went away meanwhile
			return nil, nil
		}
		return nil, fmt.Errorf("reading the transcript: %w", err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		_ = f.Close()
		return nil, fmt.Errorf("reading the transcript: %s is not a regular file", path)
	}
	return f, nil
}

// unread are the passages of a turn that no sheet has had. If a candidate waits in
// the part that was laid before a reader already, the turn is told again from that
// candidate on, behind what the user asked. Each sheet then holds the first
// candidate that waits, so that a turn longer than a sheet comes to an end.
func (b *binder) unread(turn []Passage, waits []Candidate) []Passage {
	if b.opt.Again || len(turn) == 0 {
		return turn
	}
	again := b.firstUnread(turn, waits)
	for i := range turn {
		turn[i].told = turn[i].Line < again
	}
	rest := lists.Without(turn, func(p Passage) bool { return p.told })
	return withAsk(turn[0], rest)
}

// withAsk puts what the user asked in a turn before the rest of it, if that was told on an earlier sheet.
func withAsk(ask Passage, rest []Passage) []Passage {
	if len(rest) == 0 || !ask.told || ask.Kind != capture.SaidByUser {
		return rest
	}
	return slices.Insert(rest, 0, ask)
}

// firstUnread is the line of a turn from which on it is to be read: behind what was read before,
// or that of a candidate in the turn that waits.
func (b *binder) firstUnread(turn []Passage, waits []Candidate) int {
	first, last := turn[0].Line, turn[len(turn)-1].Line
	from := b.session.Curated + 1
	for _, c := range waits {
		if first <= c.Line && c.Line <= last {
			from = min(from, c.Line)
		}
	}
	return from
}

// transcriptOf returns the file on this machine that holds a session, "" when
// there is none: one that was read here before, or one that an agent keeps below
// home for this working tree.
func transcriptOf(w *workspace.Workspace, session, home string) string {
	paths := slices.Sorted(maps.Keys(w.Diary.Read()))
	for _, dir := range transcript.Folders(home, w.Repo.Root, false) {
		paths = append(paths, transcript.Below(dir)...)
	}
	for _, path := range paths {
		if id := transcript.IdentifyFile(path); id.Session == session {
			return path
		}
	}
	return ""
}

// record returns the passages of the session that its record holds, for a clone that
// has no transcript.
func (b *binder) record(waits []Candidate) []Passage {
	s := b.session
	out := []Passage{}
	add := func(record int, kind, text string, at time.Time) {
		if text != "" && (record >= s.Curated || len(waits) > 0) {
			out = append(out, Passage{Line: record + 1, Kind: kind, Text: text, Time: at})
		}
	}
	for _, q := range s.Requests {
		add(q.Record, capture.SaidByUser, q.Text, s.Start)
	}
	add(s.PlanRecord, capture.SaidPlan, s.PlanText, s.Start)
	for _, t := range s.Topics {
		add(t.Record, capture.SaidByAgent, t.Summary[1], t.Start)
	}
	return out
}
