package hookstate

import (
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/index/recall"
)

// From so many memory files on, making the table by which memories are recalled would
// be felt at a tool call: anew, or from one that is out of date.
const (
	heavyAnew  = 2_000
	heavyAgain = 20_000
)

// HeavyWith is [Place.Heavy] for who knows how many files of memories there are. It is already
// true a tenth earlier, because [Place.Heavy] counts other files too.
func HeavyWith(dir string, files int) bool {
	p, ok := Find(dir)
	if !ok {
		return false
	}
	most, _, _ := p.most()
	return files > most*9/10
}

// most is how many memory files a tool call makes the table of, and how many memories the
// table has that is there; known is false where it lacks some, or there is none.
func (p Place) most() (most, has int, known bool) {
	table, err := recall.Open(p.Table())
	if err != nil {
		return heavyAnew, 0, false
	}
	defer func() { _ = table.Close() }()
	if table.Stamp() == "" {
		return heavyAnew, 0, false
	}
	return heavyAgain, table.Count(), true
}

// Heavy reports whether a tool call in a working tree must not wait for the table of its memories.
// It is made at the start of a session then, and at prompts. Where there is a table it is renewed
// by what changed, and files are not counted: that alone would be felt.
func (p Place) Heavy() bool {
	most, has, known := p.most()
	if known {
		return has > most
	}
	memories := filepath.Join(p.Root, filepath.FromSlash(MemoriesDir))
	for _, kind := range folders(memories) {
		for _, month := range folders(filepath.Join(memories, kind)) {
			if most -= count(filepath.Join(memories, kind, month), most+1); most < 0 {
				return true
			}
		}
	}
	return false
}

// count is how many names a folder has, or most.
func count(dir string, most int) int {
	f, err := os.Open(dir)
	if err != nil {
		return 0
	}
	defer f.Close()
	names, _ := f.Readdirnames(most) // an error comes with those it could read
	return len(names)
}
