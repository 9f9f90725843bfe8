package agents

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/requests"
)

// Bounds of what is made of repeated requests of the user.
const (
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
func (r *reading) foldRequests(ctx context.Context, out *Captured, asked int) error {
	found, err := r.repeated(ctx, out, asked)
	if err != nil || len(found) == 0 {
		return err
	}
	v, err := r.w.View(ctx, workspace.ViewOptions{Branch: r.topic, Folders: true}) // with the rules that were promoted
	if err != nil {
		return err
	}
	isRule := func(m *memory.Memory) bool { return m.Type == memory.Preference }
	dismissed, err := memoriesIn(ctx, r.snap, "dismissed", isRule)
	if err != nil {
		return err
	}
	rules := v.List(ctx, workspace.ListOptions{Types: []memory.Type{memory.Preference}})
	proposed := 0
	for _, h := range found { // what most ask for first
		speaks := func(m *memory.Memory) bool { return h.In(m.Title + "\n" + m.Text) }
		if slices.ContainsFunc(onlyMemories(dismissed), speaks) || slices.ContainsFunc(out.Memories(), speaks) {
			continue
		}
		m := r.ruleOf(ctx, &h, out)
		i := slices.IndexFunc(rules, func(e workspace.Entry) bool { return speaks(e.Memory) })
		switch {
		case i >= 0 && untouched(&rules[i]):
			out.met = append(out.met, stored{rules[i].Path, m})
		case i < 0 && proposed < requestsAtOnce:
			proposed++
			out.Candidates = append(out.Candidates, capture.Candidate{
				Memory: m, Layer: session.LayerUser, Confidence: m.Confidence, Record: m.Source.Record - 1,
				Span: m.Title, Cue: requestCue, Disposition: capture.Kept,
			})
		}
	}
	return nil
}

// repeated are the requests of a session that the user made in others too, if it has new
// ones; what most ask for first.
func (r *reading) repeated(ctx context.Context, out *Captured, asked int) ([]requests.Repeated, error) {
	if len(out.Session.Requests) <= asked || strings.Contains(out.Session.ID, "/") {
		return nil, nil
	}
	now := saidIn(out.Session)
	if len(now) == 0 {
		return nil, nil
	}
	sessions, err := out.records.latest(ctx, r.w, r.snap)
	if err != nil {
		return nil, err
	}
	var before []requests.Said
	for _, s := range sessions {
		if s.ID != out.Session.ID && !strings.Contains(s.ID, "/") {
			before = append(before, saidIn(s)...)
		}
	}
	return requests.Find(now, before), nil
}

// untouched reports whether a memory is pending, and no person edited or pinned it.
func untouched(e *workspace.Entry) bool {
	return e.Stage == index.Pending && e.Memory.Updated.IsZero() && !e.Memory.Pinned
}

// ruleOf is the memory of a repeated request: what the latest session said, and how others did.
func (r *reading) ruleOf(ctx context.Context, h *requests.Repeated, out *Captured) *memory.Memory {
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
	m := memory.New(memory.Preference, prose.Clip(title, passage.TitleLimit), strings.Join(lines, "\n"), r.w.Now())
	m.Confidence = requestConfidence
	if r.w.CaptureRedactor(ctx).Sensitive(m.Title+"\n"+m.Text) != "" {
		m.Hold = memory.HoldPrivate
	}
	s := out.Session
	m.Source = memory.Source{
		Agent: s.Agent, Session: s.ID, Layer: string(session.LayerUser), Branch: s.Branch, Record: 1, Origin: memory.OriginPerson,
	}
	for _, q := range s.Requests {
		if strings.Contains(q.Text, last.Text) {
			m.Source.Record = q.Record + 1
		}
	}
	marks := make([]string, len(h.Said))
	for i, x := range h.Said {
		marks[i] = recipe.SessionMark(x.Session)
	}
	m.Seen = firstOf(marks, seenAtMost)
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
