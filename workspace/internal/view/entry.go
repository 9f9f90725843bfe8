package view

import (
	"bytes"
	"slices"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/journal"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// Entry is a memory together with what its view makes of it. As JSON it has
// the shape "memory" of docs/json.md.
type Entry struct {
	index.Item
	Memory     *memory.Memory
	Recalls    int
	Recalled   time.Time // the last time; zero for never
	Centrality float64
	Unused     bool // of those that [View.List] compares with the code; see [Entry.UnusedSince]
}

// UnusedSince reports whether a memory in force was not learned, changed, said again or used since a time, and so
// is possibly outdated. A pinned one never is.
func (e *Entry) UnusedSince(t time.Time) bool {
	last := slices.MaxFunc([]time.Time{e.Memory.Created, e.Memory.Updated, e.Recalled}, time.Time.Compare)
	return last.Before(t) && e.Status == memory.StatusActive && !e.Memory.Pinned
}

// Gone reports whether the memory is pending for a branch that is gone.
func (e *Entry) Gone() bool { return e.Stage == index.Pending && e.Far == FarGone }

// Received reports whether the memory is pending and came from a remote, by the marks of this
// clone.
func (e *Entry) Received(marks journal.Marks) bool { return marks.Item(&e.Item, e.Memory.ID) }

// MarshalJSON writes the shape "memory" of docs/json.md.
func (e Entry) MarshalJSON() ([]byte, error) { return e.Object(true).End() }

// Object begins the shape "memory" of docs/json.md, with or without the text, for
// a shape that has more members.
func (e Entry) Object(text bool) *jsontext.Object {
	o := jsontext.In(&bytes.Buffer{})
	e.members(o, text)
	return o
}

// WriteJSON appends what [Entry.MarshalJSON] returns to b, for lists that are
// long: an encoder would check and copy the result once more.
func (e Entry) WriteJSON(b *bytes.Buffer) error {
	o := jsontext.In(b)
	e.members(o, true)
	_, err := o.End()
	return err
}

// members adds what every shape of a memory has: its fields, and among them
// what the view makes of it.
func (e Entry) members(o *jsontext.Object, text bool) {
	m := e.Memory
	fields := memory.Fields()
	for i := range fields {
		f := &fields[i]
		switch f.Key {
		case "anchors", "contested": // which stale and the status speak of
		case "pinned": // it stands behind the priority
		case "updated", "triggers", "seen", "scope", "hold":
			value, ok := f.JSON(m)
			o.AddIf(ok, f.Key, value)
		default:
			value, _ := f.JSON(m)
			o.Add(f.Key, value)
		}
		e.after(o, f.Key, text)
	}
	o.Add("stale", e.Stale)
	o.AddIf(e.Unused, "unused", true) // not said again or used in the latest sessions
}

// after adds the members that stand behind a field.
func (e *Entry) after(o *jsontext.Object, key string, text bool) {
	m := e.Memory
	switch key {
	case "id":
		o.Add("ref", m.Source.Ref)
	case "title":
		o.AddIf(text, "text", m.Text)
		o.Add("status", e.Status)
		o.Add("stage", string(e.Stage))
		o.Add("path", e.Path)
		o.AddIf(e.Branch != "", "branch", e.Branch) // of a pending memory
		o.AddIf(e.Gone(), "gone", true)
		o.AddIf(e.Apart, "quarantined", true)
		o.AddIf(m.Outside(), "quoted", m.QuoteMark())
	case "confidence":
		o.Add("effective", Round3(e.Effective))
	case "priority":
		o.AddIf(m.Pinned, "pinned", true)
	}
}

// Acceptance names the memory with its content, as check_accept of config.yaml does.
func (e *Entry) Acceptance() string { return policy.Acceptance(e.Memory, e.Blob) }

// Round3 returns f with three decimals, as JSON shows it.
func Round3(f float64) float64 { return float64(int(f*1000+0.5)) / 1000 }
