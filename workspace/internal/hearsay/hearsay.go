// Package hearsay says which memories nobody here stands behind: their words stand in what
// was read, or nobody knows whose they are. Call [Waits] and [Flagged] before a memory lands
// that no person has named. It promises that a reason is one that a person understands, and
// that there is one for whatever `cortex check` would report.
package hearsay

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
)

// Waits says why a memory does not land on an agent's or the policy's word, by whose words
// it holds; "" if it may.
func Waits(m *memory.Memory) string {
	switch {
	case m.Outside():
		return "its words stand in " + m.ReadIn()
	case m.Unsaid():
		return "nobody knows who said it"
	}
	return ""
}

// Unsaid counts the pending memories that wait for a person by whose words they hold.
type Unsaid struct {
	Outside int `json:"outside"` // of something that was read
	Unknown int `json:"unknown"` // of nobody that is known
}

// Add counts m, which may be nil.
func (u *Unsaid) Add(m *memory.Memory) {
	switch {
	case m == nil:
	case m.Outside():
		u.Outside++
	case m.Unsaid():
		u.Unknown++
	}
}

// Text says in a few words how many of the pending memories wait, and why; "" for none.
func (u *Unsaid) Text() string {
	var parts []string
	if u.Outside > 0 {
		parts = append(parts, fmt.Sprintf("%d of them with words of something that was read", u.Outside))
	}
	if u.Unknown > 0 {
		parts = append(parts, fmt.Sprintf("%d of them said by nobody that is known", u.Unknown))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + ": cortex review"
}

// Flagged says which sign `cortex check` sees in a memory; "" for none. Where it is accepted as it is,
// orders in it are none.
func Flagged(m *memory.Memory, accepted bool) string {
	for _, sign := range suspicion.Signs(m) {
		switch {
		case sign.Rule != suspicion.Instruction:
			return "cortex check finds " + sign.Says
		case !accepted:
			return "cortex check says that it " + sign.Says
		}
	}
	return ""
}

// ByPerson reports whether what a memory says is a person's word: they wrote, chose
// or edited it.
func ByPerson(m *memory.Memory) bool {
	edited := m.Source.Agent == memory.Human || !m.Updated.IsZero()
	if m.Outside() { // whoever handed it in did not say it
		return edited
	}
	switch session.Layer(m.Source.Layer) {
	case session.LayerAnswer, session.LayerUser:
		return true
	}
	return edited || m.Source.Agent == ""
}

// OfPerson reports whether only a person may say that a memory holds no longer.
func OfPerson(m *memory.Memory) bool {
	return m.Pinned || ByPerson(m)
}
