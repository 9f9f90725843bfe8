package recall

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Notes stand in a table of their own beside that of the memories: how rare a word is among
// memories does not depend on them. They are quoted where something is looked for or asked that
// they name, and at the error of a trap that one session met.

// notesEnding is the ending of the file of the notes.
const notesEnding = ".notes"

// NotedMark is the text before a note that is quoted.
const NotedMark = "noted in an earlier session, not verified"

// leastNamed is the least weight of a name in the score of a note that is quoted for it.
const leastNamed = 0.5

// QuotesNotes reports whether notes are quoted at a kind of moment.
func QuotesNotes(k Kind) bool { return slices.Contains([]Kind{Search, Question, Error}, k) }

// beside is the table of the notes, which is opened when it is first asked for.
type beside struct {
	once  sync.Once
	path  string
	table *Table
}

func (b *beside) open() *Table {
	b.once.Do(func() { b.table, _ = Open(b.path) }) // without it nothing is quoted
	return b.table
}

// close releases the table if it was opened; it is not opened any more.
func (b *beside) close() error {
	if b == nil {
		return nil
	}
	b.once.Do(func() {})
	return b.table.Close()
}

// Notes is the table of the notes beside a table that was read from a file; nil where there is
// none. It is closed with the table.
func (t *Table) Notes() *Table {
	if t == nil || t.beside == nil {
		return nil
	}
	return t.beside.open()
}

// RenewNotes keeps the notes of sessions beside the table in a file. Records name what the notes of
// each session follow from; those that the file does not have are loaded, at once.
func RenewNotes(path string, records []string, load func(records []string) map[string][]*memory.Memory) error {
	path += notesEnding
	stamp := strings.Join(records, "\n")
	earlier, _ := Open(path)
	defer earlier.Close()
	if earlier != nil && earlier.stamp == stamp {
		return nil
	}
	known := earlier.noted()
	loaded := load(lists.Without(records, func(r string) bool { return known[r] != nil }))
	var docs []Doc
	notes := map[string]*memory.Memory{}
	for _, r := range records {
		for i, m := range loaded[r] {
			name := r + noteMark + strconv.Itoa(i)
			notes[name], known[r] = m, append(known[r], name)
		}
		for _, name := range known[r] {
			docs = append(docs, Doc{Blob: name})
		}
	}
	data := Build(stamp, docs, earlier, len(docs), func(i int) *memory.Memory { return notes[docs[i].Blob] })
	return keep(path, string(data))
}

// noteMark stands between the name of a record and the number of a note in it.
const noteMark = "#"

// noted are the names of the notes of a table by the records that they are of. A record without
// notes has an empty list.
func (t *Table) noted() map[string][]string {
	out := map[string][]string{}
	if t == nil {
		return out
	}
	for record := range strings.SplitSeq(t.stamp, "\n") {
		out[record] = []string{}
	}
	for _, name := range t.names() {
		record, _, _ := strings.Cut(name, noteMark)
		out[record] = append(out[record], name)
	}
	return out
}

// mayBeSaid reports whether a hit is one of its kind of moment: after a failure a trap whose error it is,
// and a note that shares a name with what is looked for or asked.
func (h *Hit) mayBeSaid(k Kind, notes bool) bool {
	switch {
	case k == Error && (notes || h.isTrapOfError()):
		return h.Explains
	case notes:
		return h.isNamed()
	}
	return true
}

// isVague reports whether a hit that no reader worded shares only words with its moment: a prompt is to
// speak of what its title says, or to name what it names and share more; a call is to name it. A trap is
// told at the call that meets it.
func (h *Hit) isVague(k Kind) bool {
	least := k.tuning().names
	if least == 0 || h.isMeant(k) {
		return false
	}
	return h.Score < least || memory.IsTrap(h.Triggers) || !h.isNamed()
}

// isMeant reports whether a hit is in a reader's words, has its moment, or is what a prompt is about.
func (h *Hit) isMeant(k Kind) bool { return h.curated || h.called || h.titled || h.turnsDown(k) }

// turnsDown reports whether a hit was rejected, and a prompt may be about to do it again.
func (h *Hit) turnsDown(k Kind) bool { return k == Prompt && h.Type == memory.Rejected }

// isTrapOfError reports whether a hit is a fix that is known by its errors.
func (h *Hit) isTrapOfError() bool {
	return h.Type == memory.Fix && len(valuesOf(h.Triggers, memory.TriggerError)) > 0
}

// isNamed reports whether a hit shares more names with its moment than by chance: of symbols or paths, and no words.
func (h *Hit) isNamed() bool {
	names := lists.Where(h.Why, func(r Reason) bool { return r.Weight >= leastNamed && r.isName() })
	return len(names) > h.chance
}

// namesEach is after how many bytes a prompt shares a name by chance: a plan that is handed over, or what was pasted,
// names much.
const namesEach = 1024

// chance is how many names a moment shares by chance.
func (m *Moment) chance() int {
	if m.Kind != Prompt {
		return 0
	}
	return len(m.Prompt) / namesEach
}

// isName reports whether a reason is that of a name, and not of two words such as "read-only" or of letters such as
// "e.g".
func (r *Reason) isName() bool {
	return slices.Contains([]string{"symbol", "path"}, r.Kind) && !joinedWords().MatchString(r.Text)
}

// joinedWords matches what prose joins as it likes, and what it shortens.
var joinedWords = lazy.Pattern(`^(?:\pL+[-/]\pL+|\pL(?:\.\pL)+)$`)
