package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
)

// stagedFile names, in the cache folder, the pending memories that were staged by
// themselves, one journal path a line, the newest last. One that is named and no
// longer staged was taken out by the user.
const stagedFile = "staged"

// maxStaged bounds its lines: memories that have landed since stay in it.
const maxStaged = 1000

func (l *lander) stagedBefore() map[string]bool {
	before := map[string]bool{}
	for _, line := range l.stagedLines() {
		before[line] = true
	}
	return before
}

func (l *lander) stagedLines() []string {
	data, _ := os.ReadFile(filepath.Join(l.repo.CacheDir(), stagedFile)) // without it a memory is staged once more
	return strings.Fields(string(data))
}

// noteStaged remembers which of the picked memories landed, and so were staged. `git commit -a`
// stages in an index that it throws away when the commit fails, so that nobody has
// taken anything out of it.
func (l *lander) noteStaged(picked, landed []Entry) {
	if len(landed) == 0 || l.repo.Index().Temporary() {
		return
	}
	lines := l.stagedLines()
	for _, e := range picked {
		is := slices.ContainsFunc(landed, func(l Entry) bool { return l.Memory.ID == e.Memory.ID })
		if is && !slices.Contains(lines, e.Path) {
			lines = append(lines, e.Path)
		}
	}
	lines = lines[max(0, len(lines)-maxStaged):]
	_ = atomicfile.WritePath(filepath.Join(l.repo.CacheDir(), stagedFile), []byte(strings.Join(lines, "\n")+"\n"), atomicfile.Options{NoSync: true})
}
