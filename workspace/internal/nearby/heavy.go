package nearby

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

// Heavy reports whether a tool call in the working tree that dir is in must not wait for
// the table of its memories. It is made at the start of a session then, and at prompts.
func Heavy(dir string) bool {
	p, ok := Find(dir)
	return ok && p.Heavy()
}

// Heavy is [Heavy] of a working tree.
func (p Place) Heavy() bool {
	most := heavyAnew
	if table, err := recall.Open(p.Table()); err == nil {
		if table.Stamp() != "" {
			most = heavyAgain
		}
		_ = table.Close()
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
