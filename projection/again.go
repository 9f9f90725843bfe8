package projection

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// Change says what became of the memories of a page since it was rendered, for
// [RenderAgain].
type Change struct {
	Heads   []*memory.Memory              // all memories of now that concern the page; they need no texts
	Changed map[memory.ID]*memory.Memory  // those that are new or other, whole; nil for one that is gone
	Text    func(memory.ID) (text string) // the text of one of Heads, of which few are asked for
}

// RenderAgain renders a page from what [Render] gave for the memories before a change.
// It gives the bytes that Render gives for those after it, and takes the records of what
// did not change as they stand, so that it need not read them all. It is false, and
// nothing is rendered, for a page that shows more than a few texts, for two memories
// with the same id, and where before has other records.
func RenderAgain(kind Kind, before []byte, c Change) ([]byte, bool) {
	if kind == Plan {
		return nil, false // it shows the steps in the texts of all plans
	}
	records := kind.records(c.Heads)
	if len(records) != len(c.Heads) {
		return nil, false
	}
	old, ok := recordLines(before)
	if !ok {
		return nil, false
	}
	w := &writer{layout: Layout, text: c.Text}
	w.Grow(len(before) + 4096)
	w.shown(kind, records)
	slices.SortFunc(records, func(a, b *memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	for _, r := range records {
		m, changed := c.Changed[r.ID]
		if changed && m == nil {
			return nil, false
		}
		if changed {
			w.Write(encodeRecord(kind.reduce(m)))
			w.WriteByte('\n')
			continue
		}
		line := old.skip(c.Changed).next()
		if string(idOfRecord(line)) != string(r.ID) {
			return nil, false
		}
		w.Write(line)
	}
	if old.skip(c.Changed).next() != nil {
		return nil, false
	}
	w.line(pageEnd)
	return w.Bytes(), true
}

// lines are those of the records of a page that are still to be read.
type lines []byte

// recordLines are the lines of the records of a page; false if it has none, or does
// not end behind them.
func recordLines(page []byte) (*lines, bool) {
	start := bytes.LastIndex(page, []byte("\n"+recordsOpen+"\n")) // records hold no "<"
	rest, ended := bytes.CutSuffix(page, []byte(pageEnd+"\n"))
	if start < 0 || !ended {
		return nil, false
	}
	l := lines(rest[start+len(recordsOpen)+2:])
	return &l, true
}

// next takes the next line, with its line break; nil at the end.
func (l *lines) next() []byte {
	i := bytes.IndexByte(*l, '\n') + 1
	line := (*l)[:i:i]
	*l = (*l)[i:]
	if i == 0 {
		return nil
	}
	return line
}

// skip passes by the lines of some records.
func (l *lines) skip(records map[memory.ID]*memory.Memory) *lines {
	for {
		i := bytes.IndexByte(*l, '\n') + 1
		if _, skipped := records[memory.ID(idOfRecord((*l)[:i]))]; !skipped || i == 0 {
			return l
		}
		*l = (*l)[i:]
	}
}

// idOfRecord is the id in the line of a record; nil in another line.
func idOfRecord(line []byte) []byte {
	rest, ok := bytes.CutPrefix(line, []byte(recordOpen))
	if !ok {
		return nil
	}
	id, _, _ := bytes.Cut(rest, []byte(" "))
	return id
}
