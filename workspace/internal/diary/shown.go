package diary

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// What a session was shown is one file for each session, with a line of JSON for
// each moment at which a hook was asked, appended in one write. A line that is torn
// is passed over.
const (
	shownFolder   = "shown"
	shownSize     = 128 << 10 // bytes of a file from which silence is noted no more
	shownMost     = 256 << 10 // and from which nothing is
	shownSessions = 100       // files that are kept, the newest
)

// Marks among the moments of a session: it began anew, its agent's context was
// compacted, and what came before is in the totals.
const (
	markBegun     = "begun"
	markCompacted = "compacted"
	markUsed      = "used"
	markCounted   = "counted"
	markSpeaking  = "speaking" // a hook is about to speak, see [Diary.Speaks]
)

// keyUnbriefed is the key of the mark of a session that begins without the briefing.
const keyUnbriefed = "unbriefed"

// Moments that are no recall: a session was asked what it settled, and what it noted in
// passing, one title a line, is kept for the next question.
const (
	AskMoment   = "ask"
	NotedMoment = "noted"
)

// GuardMoment begins the name of the moments at which a guard spoke; its name follows.
const GuardMoment = "guard "

// Asking is how a session was asked what it settled.
type Asking struct {
	Times int           // since it began
	Since time.Duration // since it was asked last
	From  int64         // size of its transcript then
	Notes []string      // titles of what it noted in passing since
}

// Asked is how often and when a session was asked, and what it noted since.
func (d *Diary) Asked(session string) Asking {
	var out Asking
	for _, s := range d.showings(session) {
		switch s.Moment {
		case markBegun:
			out = Asking{}
		case AskMoment:
			out.Times, out.Notes, out.From = out.Times+1, nil, s.Offset
			out.Since = d.now().Sub(time.UnixMilli(s.At))
		case NotedMoment:
			out.Notes = strings.Split(s.Text, "\n")
		}
	}
	return out
}

// Showing is one moment at which a hook was asked for memories. Without items it
// was silent.
type Showing struct {
	At     int64  `json:"at"` // milliseconds since 1970; 0 stands for now
	Moment string `json:"moment"`
	Tokens int    `json:"tokens,omitempty"`
	Offset int64  `json:"offset,omitempty"` // size of the transcript then
	Call   string `json:"call,omitempty"`   // the agent's id of the call it is about
	Key    string `json:"key,omitempty"`    // of that call: calls of one key are the same
	Items  []Item `json:"items,omitempty"`
	Text   string `json:"text,omitempty"` // the briefing, of an agent that is given it with every request
}

// Item is a memory that was shown, with what would be evidence of its use.
type Item struct {
	ID       memory.ID `json:"id"`
	Files    []string  `json:"files,omitempty"`    // it is about
	Commands []string  `json:"commands,omitempty"` // it advises, as their heads
	By       string    `json:"by,omitempty"`       // where it was used: the evidence
	Note     bool      `json:"note,omitempty"`     // it is a note, whose use counts nowhere else
}

// shownFile is where a session's moments are kept.
func shownFile(session string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"
	return filepath.Join(shownFolder, strings.Map(func(r rune) rune {
		if strings.ContainsRune(plain, r) {
			return r
		}
		return '_'
	}, session[:min(len(session), 80)]))
}

// NoteShown notes a moment of a session. One without a name has none.
func (d *Diary) NoteShown(session string, s Showing) error {
	if session == "" {
		return nil
	}
	s.At = cmp.Or(s.At, d.now().UnixMilli())
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("noting what was shown: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.appendLine(shownFile(session), line, len(s.Items) == 0 && s.Tokens == 0 && !s.mark()); err != nil {
		return fmt.Errorf("noting what was shown: %w", err)
	}
	return nil
}

func (s *Showing) mark() bool {
	switch s.Moment {
	case markBegun, markCompacted, markUsed, markCounted, markSpeaking, AskMoment, NotedMoment:
		return true
	}
	return false
}

// appendLine appends a line to a bounded file, behind a line that may be torn. A
// line that can be done without is left out sooner.
func (d *Diary) appendLine(name string, line []byte, dispensable bool) error {
	f, err := d.openShown(name)
	if err != nil {
		return err
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size > shownMost || dispensable && size > shownSize {
		return err
	}
	torn, err := isTorn(f, size)
	if err != nil {
		return err
	}
	if torn {
		line = append([]byte{'\n'}, line...)
	}
	_, err = f.Write(append(line, '\n'))
	return err
}

// isTorn reports whether the last line of a file has no end.
func isTorn(f *os.File, size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	last := make([]byte, 1)
	_, err := f.ReadAt(last, size-1)
	return last[0] != '\n', err
}

// openShown opens a file to append to it, and makes its folder where that is missing.
func (d *Diary) openShown(name string) (*os.File, error) {
	const flags = os.O_RDWR | os.O_APPEND | os.O_CREATE
	f, err := os.OpenFile(d.path(name), flags, 0o666)
	if !os.IsNotExist(err) {
		return f, err
	}
	if err := os.MkdirAll(filepath.Dir(d.path(name)), 0o777); err != nil {
		return nil, err
	}
	return os.OpenFile(d.path(name), flags, 0o666)
}

// spokenFor is how long the hook that speaks first of a moment keeps others quiet.
const spokenFor = 10 * time.Second

// Speaks reports whether a hook is the first to speak of a moment of a session. An
// agent for which cortex is set up twice, as by a plugin and in the project, runs
// both hooks at once. Key tells the moment from others of the session.
func (d *Diary) Speaks(session, key string) bool {
	if session == "" {
		return true
	}
	own := Showing{At: d.now().UnixMilli(), Moment: markSpeaking, Key: key, Call: rand.Text()}
	if d.NoteShown(session, own) != nil {
		return true
	}
	first := own
	isStart := strings.HasPrefix(key, StartMoment)
	for _, s := range slices.Backward(d.showings(session)) {
		if s.isSpokenWith(own) {
			first = s
		}
		if s.forgets() && !isStart {
			break // what was said before is not in the agent's context
		}
	}
	return first.Call == own.Call
}

// isSpokenWith reports whether a hook spoke, or is about to, of the same moment as another one.
func (s *Showing) isSpokenWith(own Showing) bool {
	return s.Moment == markSpeaking && s.Key == own.Key && own.At-s.At < spokenFor.Milliseconds()
}

// forgets reports whether the context of a session was emptied or summarised.
func (s *Showing) forgets() bool {
	return slices.Contains([]string{markBegun, markCompacted}, s.Moment)
}

// Begun notes that a session begins with an empty context: what it was shown under
// the same name before is not there any more.
func (d *Diary) Begun(session string) error {
	if _, err := os.Lstat(d.path(shownFile(session))); err != nil {
		return nil //nolint:nilerr // it was shown nothing
	}
	return d.NoteShown(session, Showing{Moment: markBegun})
}

// BegunUnbriefed notes that a session begins whose agent is given the briefing later.
func (d *Diary) BegunUnbriefed(session string) error {
	return d.NoteShown(session, Showing{Moment: markBegun, Key: keyUnbriefed})
}

// Compacted notes that the context of a session was summarised: what it was shown
// may be given again, in few words.
func (d *Diary) Compacted(session string) error {
	if _, err := os.Lstat(d.path(shownFile(session))); err != nil {
		return nil //nolint:nilerr // it was shown nothing
	}
	return d.NoteShown(session, Showing{Moment: markCompacted})
}

// CompactedBy is [Diary.Compacted] of a session whose agent says so in its transcript
// alone. Key names the summary, "" for none; the same one is noted once. It is not asked
// of a session that was shown nothing.
func (d *Diary) CompactedBy(session string, key func() string) error {
	shown := d.showings(session)
	if len(shown) == 0 {
		return nil
	}
	name := key()
	noted := func(s Showing) bool { return s.Moment == markCompacted && s.Key == name }
	if name == "" || slices.ContainsFunc(shown, noted) {
		return nil
	}
	return d.NoteShown(session, Showing{Moment: markCompacted, Key: name})
}

// Unbriefed reports whether a session is to be given the briefing: since it had one, its
// context was summarised, or it has begun, and its agent is given it later.
func (d *Diary) Unbriefed(session string) bool {
	for _, s := range slices.Backward(d.showings(session)) {
		switch s.Moment {
		case markCompacted:
			return true
		case StartMoment:
			return false
		case markBegun:
			return s.Key == keyUnbriefed
		}
	}
	return false
}

// briefingFor is how long a briefing is given again in the same words. No model's cache holds
// them longer, and what is known has changed.
const briefingFor = 24 * time.Hour

// Briefed returns how a session was given the briefing last: the zero Showing where it was not.
// Its Text is "" where its words were not kept, or are old.
func (d *Diary) Briefed(session string) (last Showing) {
	for _, s := range d.showings(session) {
		if s.Moment == StartMoment {
			last = s
		}
	}
	if d.now().Sub(time.UnixMilli(last.At)) >= briefingFor {
		last.Text = ""
	}
	return last
}

// showings are the moments of a session, the first first.
func (d *Diary) showings(session string) []Showing {
	if session == "" {
		return nil
	}
	return d.showingsIn(shownFile(session), "")
}

// showingsIn are the moments in a file, of those lines that hold a text.
func (d *Diary) showingsIn(name, text string) []Showing {
	f, err := os.Open(d.path(name))
	if err != nil {
		return nil
	}
	defer f.Close()
	data, _ := io.ReadAll(io.LimitReader(f, 2*shownMost))
	var out []Showing
	for line := range bytes.Lines(data) {
		var s Showing
		if !bytes.Contains(line, []byte(text)) || json.Unmarshal(line, &s) != nil || s.Moment == "" {
			continue
		}
		s.Items = lists.Without(s.Items, func(it Item) bool {
			_, err := memory.ParseID(string(it.ID))
			return err != nil
		})
		out = append(out, s)
	}
	return out
}

// Shown are the memories that a session was given.
type Shown struct {
	Now     map[memory.ID]bool // at a moment; the agent has them in its context still
	Briefed map[memory.ID]bool // in the briefing, which says little of each; as Now
	Before  map[memory.ID]bool // before its context was summarised
}

// Has reports whether the agent has a memory in its context.
func (s *Shown) Has(id memory.ID) bool { return s.Now[id] || s.Briefed[id] }

// Shown returns the memories that a session was given since it began.
func (d *Diary) Shown(session string) Shown {
	out := Shown{map[memory.ID]bool{}, map[memory.ID]bool{}, map[memory.ID]bool{}}
	for _, s := range d.showings(session) {
		switch s.Moment {
		case markBegun:
			clear(out.Now)
			clear(out.Briefed)
			clear(out.Before)
		case markCompacted:
			maps.Copy(out.Before, out.Now)
			maps.Copy(out.Before, out.Briefed)
			clear(out.Now)
			clear(out.Briefed)
		case markUsed, markSpeaking:
		case StartMoment:
			add(out.Briefed, s.Items)
		default:
			add(out.Now, s.Items)
		}
	}
	return out
}

func add(in map[memory.ID]bool, items []Item) {
	for _, it := range items {
		in[it.ID] = true
	}
}

// Unused returns the moments at which a session was shown memories of whose use
// there is no evidence yet, with those memories alone.
func (d *Diary) Unused(session string) []Showing {
	all := d.showings(session)
	used := map[memory.ID]bool{}
	for _, s := range all {
		if s.Moment == markUsed {
			for _, it := range s.Items {
				used[it.ID] = true
			}
		}
	}
	var out []Showing
	for _, s := range all {
		if s.mark() {
			continue
		}
		s.Items = lists.Without(s.Items, func(it Item) bool { return used[it.ID] })
		if len(s.Items) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// NoteUsed notes memories that a session was shown at a moment, and used. Each item
// says by what.
func (d *Diary) NoteUsed(session, moment string, items []Item) error {
	if len(items) == 0 {
		return nil
	}
	return d.NoteShown(session, Showing{Moment: markUsed, Key: moment, Items: items})
}

// prune forgets the oldest sessions.
func (d *Diary) prune() {
	names := d.newest()
	for _, name := range names[min(len(names), shownSessions):] {
		_ = os.Remove(d.path(name))
	}
}

// newest are the files of all sessions that are still known, that of the one that was active last first.
func (d *Diary) newest() []string {
	entries, _ := os.ReadDir(d.path(shownFolder))
	at := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			at[filepath.Join(shownFolder, e.Name())] = info.ModTime()
		}
	}
	names := slices.Collect(maps.Keys(at))
	lists.Sort(names, func(a, b string) int { return cmp.Or(at[b].Compare(at[a]), cmp.Compare(a, b)) })
	return names
}
