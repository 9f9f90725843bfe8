package agents

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
	"github.com/git-cortex/cortex/workspace/internal/requests"
)

// Bounds of what is looked at for repeated requests of the user.
const (
	requestRecords    = 120  // session records, the latest first
	requestDated      = 480  // records that are read at a time to learn when their sessions began
	recordHead        = 4096 // bytes of a record in which it says when the session began
	requestsAtOnce    = 3    // that are proposed when a session is read
	requestSaid       = 3    // sentences that a memory of one quotes
	requestWords      = 32   // of each sentence
	requestConfidence = 0.75 // it waits for a person, as all that a user's raw words say
	requestCue        = "asked for in several sessions"
)

// foldRequests proposes as rules what the user asks for again and again. A rule that is
// known already counts the session, and so comes earlier in briefings; one that was
// dismissed is not proposed again. It reads nothing unless the session has new orders of
// the user in it.
func (x *capturer) foldRequests(ctx context.Context, snap *gitops.Snapshot, out *Captured, asked int, branch string) error {
	s := out.Session
	if len(s.Requests) <= asked || strings.Contains(s.ID, "/") {
		return nil
	}
	now := saidIn(s)
	if len(now) == 0 {
		return nil
	}
	before, err := earlierSaid(ctx, x.w, snap, &out.records, s)
	if err != nil || len(before) == 0 {
		return err
	}
	found := requests.Find(now, before)
	if len(found) == 0 {
		return nil
	}
	v, err := x.w.View(ctx, workspace.ViewOptions{Branch: branch, Folders: true}) // with the rules that were promoted
	if err != nil {
		return err
	}
	dismissed, err := dismissedRules(ctx, snap)
	if err != nil {
		return err
	}
	rules := v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Preference}})
	proposed := 0
	for _, h := range found { // what most ask for first
		m := x.ruleOf(ctx, &h, out)
		speaks := func(m *memory.Memory) bool { return h.In(m.Title + "\n" + m.Text) }
		if slices.ContainsFunc(dismissed, speaks) || slices.ContainsFunc(out.Memories(), speaks) {
			continue
		}
		if i := slices.IndexFunc(rules, func(e workspace.Entry) bool { return speaks(e.Memory) }); i >= 0 {
			have := rules[i].Memory
			if rules[i].Stage == index.Pending && have.Updated.IsZero() && !have.Pinned {
				out.met = append(out.met, repetition{rules[i].Path, m})
			}
			continue
		}
		if proposed++; proposed > requestsAtOnce {
			continue
		}
		out.Candidates = append(out.Candidates, capture.Candidate{
			Memory: m, Layer: session.LayerUser, Confidence: m.Confidence, Record: m.Source.Record - 1, Span: m.Title, Cue: requestCue, Disposition: capture.Kept,
		})
	}
	return nil
}

// ruleOf is the memory of a repeated request: what the latest session said, and how others did.
func (x *capturer) ruleOf(ctx context.Context, h *requests.Repeated, out *Captured) *memory.Memory {
	said := slices.Clone(h.Said[max(0, len(h.Said)-requestSaid):])
	last := said[len(said)-1]
	slices.SortStableFunc(said, func(a, b requests.Said) int { return cmp.Compare(len(a.Text), len(b.Text)) })
	lines := make([]string, len(said))
	for i, s := range said {
		lines[i] = "User: “" + prose.ClipWords(s.Text, requestWords) + "”"
	}
	title := "Asked for again and again: " + strings.TrimRight(said[0].Text, ".!")
	if short := sentence.Shortened(title, passage.TitleLimit); short != "" && h.In(short) {
		title = short
	}
	m := memory.New(memory.Preference, prose.Clip(title, passage.TitleLimit), strings.Join(lines, "\n"), x.w.Now())
	m.Confidence = requestConfidence
	if x.w.CaptureRedactor(ctx).Sensitive(m.Title+"\n"+m.Text) != "" {
		m.Hold = memory.HoldPrivate
	}
	s := out.Session
	m.Source = memory.Source{Agent: s.Agent, Session: s.ID, Layer: string(session.LayerUser), Branch: s.Branch, Record: 1, Origin: memory.OriginPerson}
	for _, q := range s.Requests {
		if strings.Contains(q.Text, last.Text) {
			m.Source.Record = q.Record + 1
		}
	}
	for _, x := range h.Said {
		if mark := recipe.SessionMark(x.Session); len(m.Seen) < seenAtMost && !slices.Contains(m.Seen, mark) {
			m.Seen = append(m.Seen, mark)
		}
	}
	return m
}

// saidIn are the orders of the user in a session.
func saidIn(s *session.Session) []requests.Said {
	var out []requests.Said
	for _, q := range s.Requests {
		for _, text := range requests.Directives(q.Text) {
			out = append(out, requests.Said{Session: s.ID, Text: text})
		}
	}
	return out
}

// earlierSaid are the orders of the user in other sessions, the latest first, without
// those of sessions that came from a remote: they may be somebody else's.
func earlierSaid(
	ctx context.Context, w *workspace.Workspace, snap *gitops.Snapshot, read *records, but *session.Session,
) ([]requests.Said, error) {
	sessions, err := read.latest(ctx, w, snap)
	if err != nil {
		return nil, err
	}
	var out []requests.Said
	for _, s := range sessions {
		if s.ID != but.ID && !strings.Contains(s.ID, "/") {
			out = append(out, saidIn(s)...)
		}
	}
	return out, nil
}

// records are session records that were read already, by blob: at the end of a turn they
// are looked at more than once. The zero one has none.
type records map[gitops.ObjectID]*session.Session

// latest returns the records of the sessions of this clone that began last, the latest
// first, with those of their subagents. They are not to be changed.
func (r *records) latest(ctx context.Context, w *workspace.Workspace, snap *gitops.Snapshot) ([]*session.Session, error) {
	others := w.Received(ctx)
	months, err := snap.Folders(ctx, "sessions")
	if err != nil {
		return nil, fmt.Errorf("listing session records: %w", err)
	}
	var entries []gitops.Entry
	for _, month := range slices.Backward(months) {
		of, err := snap.List(ctx, "sessions/"+month)
		if err != nil {
			return nil, fmt.Errorf("listing session records: %w", err)
		}
		for _, e := range of {
			if !others.Record(e.Path) {
				entries = append(entries, e)
			}
		}
		if len(entries) >= requestRecords {
			break
		}
	}
	if len(entries) > requestRecords {
		known := facts.Read(w.Repo, facts.Began)
		var words []string
		if entries, words, err = latest(ctx, entries, known, snap.Read); err != nil {
			return nil, err
		}
		if !slices.Equal(words, known) {
			facts.Write(w.Repo, facts.Began, words)
		}
	}
	if *r == nil {
		*r = records{}
	}
	unread := slices.DeleteFunc(slices.Clone(entries), func(e gitops.Entry) bool { return (*r)[e.Blob] != nil })
	err = snap.Read(ctx, unread, func(e gitops.Entry, data []byte) error {
		if s, err := session.Parse(data); err == nil {
			(*r)[e.Blob] = s
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading session records: %w", err)
	}
	var sessions []*session.Session
	for _, e := range entries {
		if s := (*r)[e.Blob]; s != nil {
			sessions = append(sessions, s)
		}
	}
	slices.SortStableFunc(sessions, func(a, b *session.Session) int { return b.Start.Compare(a.Start) })
	return sessions, nil
}

// latest are the records of the sessions that began last, as many as are looked at. Their
// names do not tell; of a record only the lines above its text are read, and when it began
// is kept, as pairs of its blob and that time. Of records that are not known yet some are
// read each time, so that it takes no longer however many there are; the rest comes later.
func latest(ctx context.Context, entries []gitops.Entry, known []string, read func(context.Context, []gitops.Entry, func(gitops.Entry, []byte) error) error) (found []gitops.Entry, words []string, err error) {
	began := make(map[gitops.ObjectID]string, len(entries))
	for pair := range slices.Chunk(known, 2) {
		if len(pair) == 2 {
			began[gitops.ObjectID(pair[0])] = pair[1]
		}
	}
	var unknown []gitops.Entry
	for _, e := range slices.Backward(entries) {
		if _, ok := began[e.Blob]; !ok && len(unknown) < requestDated {
			unknown = append(unknown, e)
		}
	}
	err = read(ctx, unknown, func(e gitops.Entry, data []byte) error {
		began[e.Blob] = "-"
		if _, from, ok := bytes.Cut(data[:min(len(data), recordHead)], []byte("\nstart: ")); ok {
			stamp, _, _ := bytes.Cut(from, []byte("\n"))
			began[e.Blob] = strings.Join(strings.Fields(string(stamp)), "")
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("reading when sessions began: %w", err)
	}
	for _, e := range entries {
		if stamp, ok := began[e.Blob]; ok {
			found, words = append(found, e), append(words, string(e.Blob), cmp.Or(stamp, "-"))
		}
	}
	slices.SortFunc(found, func(a, b gitops.Entry) int {
		return cmp.Or(cmp.Compare(began[b.Blob], began[a.Blob]), cmp.Compare(a.Path, b.Path))
	})
	return found[:min(len(found), requestRecords)], words, nil
}

// dismissedRules are the preferences that somebody dismissed.
func dismissedRules(ctx context.Context, snap *gitops.Snapshot) ([]*memory.Memory, error) {
	entries, err := snap.List(ctx, "dismissed")
	if err != nil {
		return nil, fmt.Errorf("listing what is dismissed: %w", err)
	}
	var out []*memory.Memory
	err = snap.Read(ctx, entries, func(e gitops.Entry, data []byte) error {
		if m, err := memory.Parse(e.Path, data); err == nil && m.Type == memory.Preference {
			out = append(out, m)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading what is dismissed: %w", err)
	}
	return out, nil
}
