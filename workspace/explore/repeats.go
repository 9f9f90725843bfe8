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
}

// Repeated counts what some sessions did again. Shares are per session: of those that are
// watched for corrections, failures and decisions.
type Repeated struct {
	Sessions     int  `json:"sessions"`
	Watched      int  `json:"watched"` // of them, from whose beginning corrections, failures and decisions were looked for
	Read         Rate `json:"files_read"`
	ReadAgain    Rate `json:"files_read_again"` // that an earlier session had read
	Mapped       Rate `json:"mapped"`           // of those, the ones that the map of their folder named
	DecidedAgain Rate `json:"decided_again"`    // decisions of another session that were made again
	Corrections  Rate `json:"corrections"`      // times that the user stopped the agent or turned a call down
	Failed       Rate `json:"failed"`           // command lines that failed, by program and error
	FailedAgain  Rate `json:"failed_again"`     // that had failed so in an earlier session
}

// Rate is a number, and how many that is per session.
type Rate struct {
	Number     int     `json:"number"`
	PerSession float64 `json:"per_session"`
}

// sitting is a session with its subagents.
type sitting struct {
	start       time.Time
	read        []string
	failed      []string
	again       []memory.ID
	corrections int
	watched     bool
}

// repeatStats counts what the sessions of this clone did again. Records that came from a remote are
// left out: what was told there is not known here.
func repeatStats(ctx context.Context, w *workspace.Workspace, records []*session.Session) RepeatStats {
	received := w.Journal.Marks(ctx)
	own := lists.Without(records, func(s *session.Session) bool { return received.Record(s.Path()) })
	since := w.Diary.Evidence().Since
	s := RepeatStats{Window: repeatWindow}
	if !since.IsZero() {
		s.Since = since.UTC().Format(time.RFC3339)
	}
	sittings := sittingsOf(own)
	for i := range sittings {
		group := &s.Before
		if !since.IsZero() && !sittings[i].start.Before(since) {
			group = &s.After
		}
		group.add(sittings[i], sittings[max(0, i-repeatWindow):i])
	}
	s.Before.share()
	s.After.share()
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
			s = &sitting{start: r.Start, watched: true}
			at[root] = s
		}
		if r.Start.Before(s.start) {
			s.start = r.Start
		}
		s.read, s.failed, s.again = withNew(s.read, r.Read), withNew(s.failed, r.Failed), withNew(s.again, r.Again)
		s.corrections += r.Corrections
		s.watched = s.watched && r.Watched
	}
	return slices.SortedFunc(maps.Values(at), func(a, b *sitting) int {
		return cmp.Or(a.start.Compare(b.start), slices.Compare(a.read, b.read))
	})
}

// withNew is a list with those of another that it lacks.
func withNew[S ~[]T, T comparable](list, more S) S {
	return lists.Unique(list, more)
}

// add counts a session, and what it did again that one of the sessions before it did.
func (r *Repeated) add(s *sitting, before []*sitting) {
	read, failed, known := map[string]bool{}, map[string]bool{}, readingsOf(before)
	for i := range before {
		mark(read, before[i].read)
		mark(failed, before[i].failed)
	}
	r.Sessions++
	r.Read.Number += len(s.read)
	for _, name := range s.read {
		if !read[name] {
			continue
		}
		r.ReadAgain.Number++
		if m, ok := known.of(path.Dir(name)); ok && m.names(name) {
			r.Mapped.Number++
		}
	}
	if !s.watched {
		return
	}
	r.Watched++
	r.Corrections.Number += s.corrections
	r.DecidedAgain.Number += len(s.again)
	r.Failed.Number += len(s.failed)
	for _, key := range s.failed {
		if failed[key] {
			r.FailedAgain.Number++
		}
	}
}

func mark(in map[string]bool, names []string) {
	for _, name := range names {
		in[name] = true
	}
}

// share works out how many there are per session.
func (r *Repeated) share() {
	for _, of := range []*Rate{&r.Read, &r.ReadAgain, &r.Mapped} {
		of.share(r.Sessions)
	}
	for _, of := range []*Rate{&r.DecidedAgain, &r.Corrections, &r.Failed, &r.FailedAgain} {
		of.share(r.Watched)
	}
}

func (r *Rate) share(sessions int) {
	r.PerSession = view.Round3(float64(r.Number) / float64(max(1, sessions)))
}
