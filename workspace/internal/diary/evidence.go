package diary

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// evidenceFile adds up what sessions were shown, and what became of it. Without it
// the sessions that are still there are added up anew as they go on.
const evidenceFile = "evidence.json"

// keptEvidence bounds the memories that are added up: those shown last stay.
const keptEvidence = 4000

// Evidence is what hooks said in this clone, and what came of it.
type Evidence struct {
	Moments  map[string]Moment  `json:"moments"`
	Memories map[memory.ID]Seen `json:"memories"`
}

// Moment is how hooks did at one kind of moment.
type Moment struct {
	Asked  int `json:"asked"`  // how often a hook ran
	Spoke  int `json:"spoke"`  // how often it said something
	Items  int `json:"items"`  // memories that it said
	Tokens int `json:"tokens"` // of all it said
	Used   int `json:"used"`   // memories that were used then
}

// Seen is what became of one memory.
type Seen struct {
	Shown int   `json:"shown"` // at moments other than the start, where it was one of many
	Brief int   `json:"brief"` // at starts
	Used  int   `json:"used"`  // showings that were followed by its use
	Last  int64 `json:"last"`  // time of the last showing, in milliseconds since 1970
}

// StartMoment is the moment at which a session is handed the briefing.
const StartMoment = "start"

// Often is the number of showings from which a memory that was never used is taken
// for one that does not help.
const Often = 4

// Idle reports whether a memory was shown often and never used.
func (s Seen) Idle() bool { return s.Shown >= Often && s.Used == 0 }

// Factor is what the record makes of the score of a memory: up to an eighth more
// where its showings were followed by its use, up to an eighth less where they were
// not. A few showings say little.
func (s Seen) Factor() float64 {
	n := s.Shown
	if n == 0 {
		return 1
	}
	const most, enough = 0.125, 2 * Often
	share := (float64(min(s.Used, n)) + 1) / (float64(n) + 2)
	return 1 + float64(most*float64(2*share-1)*min(1, float64(n)/enough))
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
	var e Evidence
	if data, err := os.ReadFile(d.path(evidenceFile)); err != nil || json.Unmarshal(data, &e) != nil {
		e = Evidence{}
	}
	if e.Moments == nil {
		e.Moments = map[string]Moment{}
	}
	if e.Memories == nil {
		e.Memories = map[memory.ID]Seen{}
	}
	return e
}

// Evidence returns all that is known: the totals, and what has not been added to
// them yet. It reads the files of all sessions.
func (d *Diary) Evidence() Evidence {
	e := d.Totals()
	entries, _ := os.ReadDir(d.path(shownFolder))
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			e.add(uncounted(d.showingsIn(filepath.Join(shownFolder, entry.Name()))))
		}
	}
	return e
}

// Count adds what a session was shown to the totals.
func (d *Diary) Count(session string) error {
	fresh := uncounted(d.showings(session))
	if len(fresh) == 0 {
		return nil
	}
	if err := d.NoteShown(session, Showing{Moment: markCounted}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	e := d.Totals()
	e.add(fresh)
	e.bound()
	d.prune()
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return d.write(evidenceFile, data)
}

// bound forgets the memories that were shown longest ago.
func (e *Evidence) bound() {
	if len(e.Memories) <= keptEvidence {
		return
	}
	ids := make([]memory.ID, 0, len(e.Memories))
	for id := range e.Memories {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b memory.ID) int {
		return cmp.Or(cmp.Compare(e.Memories[b].Last, e.Memories[a].Last), cmp.Compare(a, b))
	})
	for _, id := range ids[keptEvidence*3/4:] {
		delete(e.Memories, id)
	}
}

// SessionTokens returns how many tokens each session that is still known was shown,
// those of briefings left out.
func (d *Diary) SessionTokens() []int {
	entries, _ := os.ReadDir(d.path(shownFolder))
	var out []int
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		sum, any := 0, false
		for _, s := range d.showingsIn(filepath.Join(shownFolder, entry.Name())) {
			if any = any || !s.mark(); s.Moment != StartMoment {
				sum += s.Tokens
			}
		}
		if any {
			out = append(out, sum)
		}
	}
	slices.Sort(out)
	return out
}
