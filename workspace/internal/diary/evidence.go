package diary

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// evidenceFile adds up what sessions were shown, and what became of it. Without it
// the sessions that are still there are added up anew as they go on.
//
// A line has a moment and its five numbers, the id of a memory and its four, or sinceName
// and one, with tabs between. The lines are sorted, so that a hook finds one without reading all.
const evidenceFile = "evidence.tsv"

// keptEvidence bounds the memories that are added up: those shown last stay.
const keptEvidence = 2000

// Evidence counts what hooks said in this clone and how much of it was used, by kind
// of moment and by memory.
type Evidence struct {
	Moments  map[string]Moment
	Memories map[memory.ID]Seen
	Since    time.Time // of the first showing in this clone; the zero time for none
}

// Moment is how hooks did at one kind of moment.
type Moment struct {
	Asked  int // how often a hook ran
	Spoke  int // how often it said something
	Items  int // memories that it said
	Tokens int // of all it said
	Used   int // memories that were used then
}

// Seen counts how often hooks showed one memory, and how often it was used.
type Seen struct {
	Shown int   // at moments other than the start, where it was one of many
	Brief int   // at starts
	Used  int   // showings that were followed by its use
	Last  int64 // time of the last showing, in milliseconds since 1970
}

// StartMoment is the moment at which a session is handed the briefing.
const StartMoment = "start"

// Often is the number of showings from which a memory that was never used is taken
// for one that does not help.
const Often = 4

// Idle reports whether a memory was shown often and never used.
func (s Seen) Idle() bool { return s.isVain(s.Shown, Often) }

// enough is the number of showings after which what was never used is not shown any more.
const enough = 10

// HadItsTurn reports whether a memory was shown at ten moments and never used.
func (s Seen) HadItsTurn() bool { return s.isVain(s.Shown, enough) }

// NamedInVain reports whether a memory was named at so many starts and never used.
func (s Seen) NamedInVain(most int) bool { return s.isVain(s.Brief, most) }

func (s Seen) isVain(shown, most int) bool { return shown >= most && s.Used == 0 }

// A start names a trap that so many of the latest sessions met: most of them.
const (
	latestSessions = 8
	oftenMet       = latestSessions/2 + 1
)

// Rests says of which memories a session is not told as it begins: what ten starts named and no session used, four for
// a wish, and, if the agent is told of traps at its calls, those that no more than half of the latest sessions met.
func (d *Diary) Rests(atCalls bool) func(m *memory.Memory, wish bool) bool {
	seen, met := d.Seen(), lazy.Value(d.metLately)
	return func(m *memory.Memory, wish bool) bool {
		most := enough
		if wish {
			most = Often
		}
		isTold := atCalls && memory.IsTrap(m.Triggers)
		return seen(m.ID).NamedInVain(most) || isTold && met()[m.ID] < oftenMet
	}
}

// metLately counts for each memory those of the latest sessions that were told of it after their start, or used it.
func (d *Diary) metLately() map[memory.ID]int {
	out := map[memory.ID]int{}
	names := d.newest()
	for _, name := range names[:min(len(names), latestSessions)] {
		for id, seen := range sumOf(d.showingsIn(name, `"items"`)).Memories {
			out[id] += min(1, seen.Shown+seen.Used)
		}
	}
	return out
}

// Factor returns the number to multiply the score of a memory by: up to an eighth more
// where its showings were followed by its use, up to an eighth less where they were
// not. A few showings say little. Where it may fade, one that was shown often and used at
// less than one of four showings, as what is worked on anyway may be, loses a twentieth with
// each showing beyond four for each use, and a half at most.
func (s Seen) Factor(fades bool) float64 {
	n := s.Shown
	if n == 0 {
		return 1
	}
	const each, least, perUse = 0.05, 0.5, 4
	if unused := n - perUse*s.Used; fades && n >= Often && unused > 0 {
		return max(least, 1-float64(each*float64(unused)))
	}
	const most, many = 0.125, 2 * Often
	share := (float64(min(s.Used, n)) + 1) / (float64(n) + 2)
	return 1 + float64(most*float64(2*share-1)*min(1, float64(n)/many))
}

// sumOf adds up moments.
func sumOf(all []Showing) Evidence {
	e := Evidence{Moments: map[string]Moment{}, Memories: map[memory.ID]Seen{}}
	e.add(all)
	return e
}

// add takes the moments of a session in.
func (e *Evidence) add(all []Showing) {
	for _, s := range all {
		if s.Moment == markUsed {
			m := e.Moments[s.Key]
			for _, it := range s.Items {
				m.Used++
				seen := e.Memories[it.ID]
				seen.Used++
				e.Memories[it.ID] = seen
			}
			e.Moments[s.Key] = m
			continue
		}
		if s.mark() {
			continue
		}
		m := e.Moments[s.Moment]
		m.Asked++
		if len(s.Items) > 0 {
			m.Spoke++
		}
		m.Items, m.Tokens = m.Items+len(s.Items), m.Tokens+s.Tokens
		e.Moments[s.Moment] = m
		for _, it := range s.Items {
			seen := e.Memories[it.ID]
			if s.Moment == StartMoment {
				seen.Brief++
			} else {
				seen.Shown++
			}
			seen.Last = max(seen.Last, s.At)
			e.Memories[it.ID] = seen
		}
	}
}

// beginWith takes in when something was first shown in a session, whether or not it is counted:
// earlier versions did not keep that.
func (e *Evidence) beginWith(all []Showing) {
	i := slices.IndexFunc(all, func(s Showing) bool { return len(s.Items) > 0 && !s.mark() })
	if i >= 0 {
		e.began(time.UnixMilli(all[i].At))
	}
}

// began notes that something was shown at a time.
func (e *Evidence) began(at time.Time) {
	if e.Since.IsZero() || at.Before(e.Since) {
		e.Since = at.UTC()
	}
}

// sinceName stands before the time of the first showing, in milliseconds since 1970, as the
// moments and ids do before their numbers.
const sinceName = "since"

// uncounted are the moments behind the last mark of the totals.
func uncounted(all []Showing) []Showing {
	for i, s := range slices.Backward(all) {
		if s.Moment == markCounted {
			return all[i+1:]
		}
	}
	return all
}

// Totals returns what has been added up, as of the last [Diary.Count].
func (d *Diary) Totals() Evidence {
	e := Evidence{Moments: map[string]Moment{}, Memories: map[memory.ID]Seen{}}
	data, err := atomicfile.Read(d.path(evidenceFile), maxEvidence)
	if err != nil {
		return e
	}
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		switch n, _ := numbers(rest); len(n) {
		case 1:
			if name == sinceName {
				e.began(time.UnixMilli(int64(n[0])))
			}
		case 5:
			e.Moments[name] = Moment{Asked: n[0], Spoke: n[1], Items: n[2], Tokens: n[3], Used: n[4]}
		case 4:
			if id, err := memory.ParseID(name); err == nil {
				e.Memories[id] = Seen{Shown: n[0], Brief: n[1], Used: n[2], Last: int64(n[3])}
			}
		}
	}
	return e
}

// Seen returns what became of single memories, as of the last [Diary.Count]: for
// hooks, which have no time to read the totals of all.
func (d *Diary) Seen() func(memory.ID) Seen {
	lines := lazy.Value(func() []string {
		data, err := atomicfile.Read(d.path(evidenceFile), maxEvidence)
		if err != nil {
			return nil
		}
		return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	})
	return func(id memory.ID) Seen {
		all := lines()
		i, _ := slices.BinarySearch(all, string(id)) // the tab behind it comes before any letter
		if i == len(all) {
			return Seen{}
		}
		rest, ok := strings.CutPrefix(all[i], string(id)+"\t")
		if n, good := numbers(rest); ok && good && len(n) == 4 {
			return Seen{Shown: n[0], Brief: n[1], Used: n[2], Last: int64(n[3])}
		}
		return Seen{}
	}
}

// maxEvidence is the size in bytes from which the totals are not read.
const maxEvidence = 1 << 20

// numbers are those of a line, none of which is negative.
func numbers(text string) (out []int, ok bool) {
	for field := range strings.SplitSeq(text, "\t") {
		n, err := strconv.Atoi(field)
		if err != nil || n < 0 {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

// format writes e in its one form: the lines are sorted.
func (e *Evidence) format() []byte {
	lines := make([]string, 0, len(e.Moments)+len(e.Memories))
	for name, m := range e.Moments {
		lines = append(lines,
			fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\n", name, m.Asked, m.Spoke, m.Items, m.Tokens, m.Used))
	}
	if !e.Since.IsZero() {
		lines = append(lines, fmt.Sprintf("%s\t%d\n", sinceName, e.Since.UnixMilli()))
	}
	for id, s := range e.Memories {
		lines = append(lines, fmt.Sprintf("%s\t%d\t%d\t%d\t%d\n", id, s.Shown, s.Brief, s.Used, s.Last))
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, ""))
}

// Evidence returns all that is known: the totals, and what has not been added to
// them yet. It reads the files of all sessions.
func (d *Diary) Evidence() Evidence {
	e := d.Totals()
	for all := range d.sessions {
		e.beginWith(all)
		e.add(uncounted(all))
	}
	return e
}

// sessions calls yield with the moments of each session that is still known, of the one that was active last first.
func (d *Diary) sessions(yield func([]Showing) bool) {
	for _, name := range d.newest() {
		if !yield(d.showingsIn(name, "")) {
			return
		}
	}
}

// Count adds what a session was shown to the totals.
func (d *Diary) Count(session string) error {
	all := d.showings(session)
	fresh := uncounted(all)
	if len(fresh) == 0 {
		return nil
	}
	if err := d.NoteShown(session, Showing{Moment: markCounted}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.Totals()
	e.beginWith(all)
	e.add(fresh)
	e.bound()
	d.prune()
	return d.write(evidenceFile, e.format())
}

// bound forgets the memories that were shown longest ago.
func (e *Evidence) bound() {
	if len(e.Memories) <= keptEvidence {
		return
	}
	ids := slices.Collect(maps.Keys(e.Memories))
	lists.Sort(ids, func(a, b memory.ID) int {
		return cmp.Or(cmp.Compare(e.Memories[b].Last, e.Memories[a].Last), cmp.Compare(a, b))
	})
	for _, id := range ids[keptEvidence*3/4:] {
		delete(e.Memories, id)
	}
}

// SessionTokens returns how many tokens each session that is still known was shown,
// those of briefings left out.
func (d *Diary) SessionTokens() []int {
	var out []int
	for all := range d.sessions {
		if m, started := told(all); m.Asked > 0 {
			out = append(out, m.Tokens-started.Tokens)
		}
	}
	slices.Sort(out)
	return out
}

// ToldIn adds up what one session was told, at all moments; nothing was asked in one that is not known
// any more.
func (d *Diary) ToldIn(session string) Moment {
	m, _ := told(d.showings(session))
	return m
}

// told adds up what a session was told at all moments, and as it started.
func told(showings []Showing) (all, started Moment) {
	e := sumOf(showings)
	for _, m := range e.Moments {
		all.Asked, all.Items = all.Asked+m.Asked, all.Items+m.Items
		all.Tokens, all.Used = all.Tokens+m.Tokens, all.Used+m.Used
	}
	return all, e.Moments[StartMoment]
}

// atCall reports whether a hook ran at a call of a tool.
func (s *Showing) atCall() bool {
	return !s.mark() && s.Moment != StartMoment && s.Moment != promptMoment
}

// promptMoment is the moment of a user's request; all other moments of recall are at calls.
const promptMoment = "prompt"
