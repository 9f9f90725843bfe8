package diary

import (
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
)

// Other is a memory of another repository that says something of what this one uses, as it was pulled from a hub. No
// repository can bring one.
type Other struct {
	ID         memory.ID   `json:"id"`
	Type       memory.Type `json:"type"`
	Title      string      `json:"title"`
	Repository string      `json:"repository"`
	Created    time.Time   `json:"created"`
	Pulled     time.Time   `json:"pulled"` // set by [Diary.SetOthers]
}

// OthersTime is how long what was pulled is told.
const OthersTime = 7 * 24 * time.Hour

const othersFile = "hub/briefing.json"

// SetOthers replaces what was pulled, the most telling first; nothing removes it. What may give an agent orders is left
// out, whoever sent it, and what is kept is returned.
func (d *Diary) SetOthers(list []Other) ([]Other, error) {
	list = lists.Without(list, Other.isSuspicious)
	for i := range list {
		list[i].Pulled = d.now().UTC()
	}
	if len(list) == 0 {
		return nil, os.RemoveAll(d.path(othersFile))
	}
	return list, store(d, othersFile, map[string][]Other{"others": list})
}

// Others are those that were pulled within [OthersTime].
func (d *Diary) Others() []Other {
	return lists.Without(load[[]Other](d, othersFile)["others"], func(o Other) bool {
		age := d.now().Sub(o.Pulled)
		return age < 0 || age > OthersTime || o.isSuspicious()
	})
}

// Told are the lines of a briefing about other repositories, but about muted memories.
func (d *Diary) Told(muted []memory.ID) (lines []string) {
	spoken := lists.Without(d.Others(), func(o Other) bool { return slices.Contains(muted, o.ID) })
	for _, one := range spoken {
		lines = append(lines, fmt.Sprintf("%s: %s (%s, %s, `cortex show --hub %s`)", one.Type,
			memory.Cut(one.Title, maxOther), one.Repository, one.Created.UTC().Format("2 Jan 2006"), one.ID.Short()))
	}
	return lines
}

// maxOther is how many characters of a title are told.
const maxOther = 120

// isSuspicious reports whether a person should read it first.
func (o Other) isSuspicious() bool {
	return len(suspicion.Signs(&memory.Memory{Type: o.Type, Title: o.Title + "\n" + o.Repository})) > 0
}
