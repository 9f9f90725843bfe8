package diary

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// recallsFile gathers the memories that were recalled, one id a line, until they
// are counted in the journal. A hyphen before an id is for one that a person looked
// at, which is no recall.
const recallsFile = "recalls"

// recallsSize bounds the file in bytes: where nothing is captured nobody takes it.
const recallsSize = 64 << 10

// NoteRecalls notes memories that were used, or looked up by name. Losing some is
// harmless.
func (d *Diary) NoteRecalls(ids []memory.ID) { d.noteUse("", ids) }

// NoteLooked notes memories that were shown, or that a person looked at and left as
// they are: they are in use, and not recalled. Losing some is harmless.
func (d *Diary) NoteLooked(ids []memory.ID) { d.noteUse("-", ids) }

func (d *Diary) noteUse(mark string, ids []memory.ID) {
	d.mu.Lock() // else a line may go to a file that was read already
	defer d.mu.Unlock()
	f, err := os.OpenFile(d.path(recallsFile), os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return
	}
	if info, err := f.Stat(); err != nil || info.Size() > recallsSize {
		_ = f.Close()
		return
	}
	var b strings.Builder
	for _, id := range ids {
		b.WriteString(mark + string(id) + "\n")
	}
	_, _ = f.WriteString(b.String())
	_ = f.Close()
}

// TakeRecalls takes what NoteRecalls has noted: how often each memory was
// recalled, 0 for one that was only looked at. The caller says with done whether it was counted; if not, it is noted
// again.
func (d *Diary) TakeRecalls() (counts map[memory.ID]int, done func(counted bool)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	aside := fmt.Sprintf("%s.%d.%x", d.path(recallsFile), os.Getpid(), rand.Uint64())
	if os.Rename(d.path(recallsFile), aside) != nil {
		return nil, func(bool) {} // most often there are none
	}
	data, _ := os.ReadFile(aside)
	counts = map[memory.ID]int{}
	for word := range strings.FieldsSeq(string(data)) {
		id, looked := strings.CutPrefix(word, "-")
		if id, err := memory.ParseID(id); err == nil && looked {
			counts[id] += 0
		} else if err == nil {
			counts[id]++
		}
	}
	return counts, func(counted bool) {
		if !counted {
			for id, n := range counts {
				d.NoteRecalls(slices.Repeat([]memory.ID{id}, n))
				if n == 0 {
					d.NoteLooked([]memory.ID{id})
				}
			}
		}
		_ = os.Remove(aside)
	}
}
