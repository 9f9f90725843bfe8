package diary

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// shownFile is where the ids that a session was shown are kept.
func shownFile(session string) string {
	return filepath.Join("shown", strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, session[:min(len(session), 80)]))
}

// Shown returns the memories that a session has been given already. A session
// without a name has been given none.
func (d *Diary) Shown(session string) map[memory.ID]bool {
	out := map[memory.ID]bool{}
	data, err := os.ReadFile(d.path(shownFile(session)))
	if session == "" || err != nil {
		return out
	}
	for word := range strings.FieldsSeq(string(data)) {
		if id, err := memory.ParseID(word); err == nil {
			out[id] = true
		}
	}
	return out
}

// AddShown adds to what a session has been given. Afresh forgets what it was
// given before.
func (d *Diary) AddShown(session string, ids []memory.ID, afresh bool) error {
	if session == "" || len(ids) == 0 {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	all := map[memory.ID]bool{}
	if !afresh {
		all = d.Shown(session)
	}
	for _, id := range ids {
		all[id] = true
	}
	var b strings.Builder
	for id := range all {
		b.WriteString(string(id) + "\n")
	}
	return d.write(shownFile(session), []byte(b.String()))
}

// ForgetShown forgets what a session was given.
func (d *Diary) ForgetShown(session string) {
	if session != "" {
		_ = os.Remove(d.path(shownFile(session)))
	}
}
