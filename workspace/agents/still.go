package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/memory"
)

// askedEach is after how many tellings of a memory a session is asked whether it still holds.
const askedEach = 10

// stillSo asks about the first of the memories told that this is the tenth telling of, "" for none. A yes names the
// memory, which counts as its use; a no is a tag that supersedes it, and is decided on like any other.
func (t *teller) stillSo(told []telling, shown []memory.ID) string {
	seen := t.diary.Seen()
	i := slices.IndexFunc(told, func(x telling) bool {
		times := seen(x.item.ID).Shown + 1
		return times%askedEach == 0 && !x.item.Note && slices.Contains(shown, x.item.ID)
	})
	if i < 0 {
		return ""
	}
	lost, id := "", told[i].item.ID.Short()
	if slices.ContainsFunc(told[i].item.Files, t.isGone) { // its name would stand outside the fence
		lost = " A file that it names is not there any more."
	}
	return fmt.Sprintf("%s\n%s was told %d times.%s Does it still hold? In your next reply, name %[2]s if it does, "+
		"or else say `[MEMORY: learned] what is so now; this supersedes %[2]s`.\n%[5]s\n",
		memory.BriefingOpen, id, seen(told[i].item.ID).Shown+1, lost, memory.BriefingClose)
}

// isGone reports whether a file of the working tree is there neither under its name nor under its present one.
func (t *teller) isGone(file string) bool {
	if now, renamed := t.former()[file]; renamed {
		file = now
	}
	_, err := os.Lstat(filepath.Join(t.root, filepath.FromSlash(file)))
	return os.IsNotExist(err)
}
