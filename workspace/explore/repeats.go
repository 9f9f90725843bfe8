package explore

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// repeatWindow is how many sessions before one are looked at for what it does again. All
// sessions are compared with as many, so that a later one does not seem to repeat more.
const repeatWindow = 20

// RepeatStats counts what sessions of this clone did that an earlier one had done, before
// hooks first told an agent something here and since.
type RepeatStats struct {
	Since  string   `json:"since"`  // when hooks first told an agent something in this clone; "" for never
	Window int      `json:"window"` // how many sessions before each are looked at
	Before Repeated `json:"before"`
	After  Repeated `json:"after"`
	Weeks  []*Week  `json:"weeks"` // in which a session began, the earliest first
	// Compared has the sessions of a span that was asked for, of all time where none was.
	Compared Comparison `json:"compared"`
}

// Repeated counts what some sessions did again. Shares are per session: of those that are
// watched for corrections, failures and decisions.
type Repeated struct {
	Sessions int `json:"sessions"`
	// of them, from whose beginning corrections, failures and decisions were looked for
	Watched      int  `json:"watched"`
	Read         Rate `json:"files_read"`
	ReadAgain    Rate `json:"files_read_again"` // that an earlier session had read
	Mapped       Rate `json:"mapped"`           // of those, the ones that the map of their folder named
	DecidedAgain Rate `json:"decided_again"`    // decisions of another session that were made again
	Corrections  Rate `json:"corrections"`      // times that the user stopped the agent or turned a call down
	Failed       Rate `json:"failed"`           // command lines that failed, by program and error
	FailedAgain  Rate `json:"failed_again"`     // that had failed so in an earlier session
	// FirstEdit says how long sessions took to the first change of a file, and Told what hooks told them.
	FirstEdit FirstEdit `json:"first_edit"`
	Told      Told      `json:"told"`
}

// Rate is a number, and how many that is per session.
type Rate struct {
	Number     int     `json:"number"`
	PerSession float64 `json:"per_session"`
}

// sitting is a session with its subagents.
type sitting struct {
	id          string
	start       time.Time
	read        []string
	failed      []string
	again       []memory.ID
	corrections int
	watched     bool
	edit        *session.Session // in which a file was changed first; nil for none
	told        diary.Moment     // all that hooks told in it
}

// repeatStats counts what the sessions of this clone did again. Records that came from a remote are
// left out: what was told there is not known here.
func repeatStats(ctx context.Context, w *workspace.Workspace, records []*session.Session, c Comparison) RepeatStats {
	received := w.Journal.Marks(ctx)
	own := lists.Without(records, func(s *session.Session) bool { return received.Record(s.Path()) })
	since := w.Diary.Evidence().Since
	s := RepeatStats{Window: repeatWindow, Weeks: []*Week{}, Compared: c}
	if !since.IsZero() {
		s.Since = since.UTC().Format(time.RFC3339)
	}
	sittings := sittingsOf(own)
	for i, it := range sittings {
		it.told = w.Diary.ToldIn(it.id)
		s.Weeks = weekOf(s.Weeks, it.start)
		groups := []*Repeated{&s.After, &s.Weeks[len(s.Weeks)-1].Repeated}
		if since.IsZero() || it.start.Before(since) {
			groups[0] = &s.Before
		}
		if c.holds(it.start) {
			groups = append(groups, s.Compared.group(it, since))
		}
		past := pastOf(sittings[max(0, i-repeatWindow):i])
		for _, g := range groups {
			g.add(it, past)
		}
	}
	for _, week := range s.Weeks {
		week.share()
	}
	for _, g := range []*Repeated{&s.Before, &s.After, &s.Compared.Without, &s.Compared.With} {
		g.share()
	}
	return s
}

// rootOf is the id of the session that a session is part of: of a subagent, that of the agent
// that started it.
func rootOf(s *session.Session) string {
	id, _, _ := strings.Cut(s.ID, "/")
	return id
}

// readingsOf are those of all sittings.
func readingsOf(all []*sitting) readings {
	out := readings{}
	for i := range all {
		out.add(all[i].read)
	}
	return out
}

// sittingsOf brings session records together with those of their subagents, the earliest first.
func sittingsOf(records []*session.Session) []*sitting {
	at := map[string]*sitting{}
	for _, r := range slices.Backward(records) {
		root := r.Agent + "\x00" + rootOf(r)
		s := at[root]
		if s == nil {
			s = &sitting{id: rootOf(r), start: r.Start, watched: true}
			at[root] = s
		}
		if r.Start.Before(s.start) {
			s.start = r.Start
		}
		s.read, s.failed, s.again = withNew(s.read, r.Read), withNew(s.failed, r.Failed), withNew(s.again, r.Again)
		s.corrections += r.Corrections
		s.watched = s.watched && r.Watched
		if r.EditCall > 0 && s.edit == nil {
			s.edit = r
		}
	}
	return slices.SortedFunc(maps.Values(at), func(a, b *sitting) int {
		return cmp.Or(a.start.Compare(b.start), slices.Compare(a.read, b.read))
	})
}

// withNew is a list with those of another that it lacks.
func withNew[S ~[]T, T comparable](list, more S) S {
	return lists.Unique(list, more)
}

// past holds the deeds of the sessions before one.
type past struct {
	read, failed map[string]bool
	known        readings
}

func pastOf(before []*sitting) past {
	p := past{map[string]bool{}, map[string]bool{}, readingsOf(before)}
	for _, s := range before {
		mark(p.read, s.read)
		mark(p.failed, s.failed)
	}
	return p
}

// add counts a session, and what it did again that one of the sessions before it did.
func (r *Repeated) add(s *sitting, before past) {
	r.Sessions++
	r.Read.Number += len(s.read)
	for _, name := range s.read {
		if !before.read[name] {
			continue
		}
		r.ReadAgain.Number++
		if m, _ := before.known.of(path.Dir(name)); m.names(name) {
			r.Mapped.Number++
		}
	}
	r.FirstEdit.add(s.edit)
	r.Told.add(s.told)
	if !s.watched {
		return
	}
	r.Watched++
	r.Corrections.Number += s.corrections
	r.DecidedAgain.Number += len(s.again)
	r.Failed.Number += len(s.failed)
	for _, key := range s.failed {
		if before.failed[key] {
			r.FailedAgain.Number++
		}
	}
}

func mark(in map[string]bool, names []string) {
	for _, name := range names {
		in[name] = true
	}
}

// share works out how many there are per session, and what is in the middle.
func (r *Repeated) share() {
	t, e := &r.Told, &r.FirstEdit
	for sessions, rates := range map[*int][]*Rate{
		&r.Sessions: {&r.Read, &r.ReadAgain, &r.Mapped},
		&r.Watched:  {&r.DecidedAgain, &r.Corrections, &r.Failed, &r.FailedAgain},
		&t.Sessions: {&t.Tokens, &t.Memories, &t.Used},
	} {
		for _, of := range rates {
			of.PerSession = view.Round3(float64(of.Number) / float64(max(1, *sessions)))
		}
	}
	e.Sessions, e.Seconds, e.Calls = len(e.calls), median(e.seconds), median(e.calls)
}
