package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
)

// stagedFile names, in the cache folder, the pending memories that were staged by
// themselves, one a line, the newest last: for which change, a tab, the journal path.
// One that is named for the change at hand and no longer staged was taken out by the
// user; from then on its change is takenOut.
const stagedFile = "staged"

const takenOut = "out"

// maxStaged bounds its lines: memories that have landed since stay in it.
const maxStaged = 1000

type stagedLine struct{ change, path string }

// change names what a commit made now would be: of a working tree, on a branch, after
// a commit. The same memory may wait for the next commit of another one.
func (l *lander) change(ctx context.Context) string {
	head, _ := l.head(ctx) // none before the first commit
	return strings.Join([]string{string(head), l.repo.Topic, filepath.Base(l.repo.GitDir)}, " ")
}

func (l *lander) staged() []stagedLine {
	data, _ := os.ReadFile(filepath.Join(l.repo.CacheDir(), stagedFile)) // without it a memory is staged once more
	var out []stagedLine
	for line := range strings.Lines(string(data)) {
		if change, path, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok {
			out = append(out, stagedLine{change, path})
		}
	}
	return out
}

func (l *lander) keepStaged(lines []stagedLine) {
	var out strings.Builder
	for _, line := range lines[max(0, len(lines)-maxStaged):] {
		out.WriteString(line.change + "\t" + line.path + "\n")
	}
	_ = atomicfile.WritePath(filepath.Join(l.repo.CacheDir(), stagedFile), []byte(out.String()),
		atomicfile.Options{NoSync: true})
}

// withoutTakenOut leaves out what the user has taken out of the index. None of the
// memories is staged now.
func (l *lander) withoutTakenOut(ctx context.Context, waiting []Entry) []Entry {
	lines := l.staged()
	if len(lines) == 0 || len(waiting) == 0 {
		return waiting
	}
	waits := lists.SetOf(waiting, func(e Entry) string { return e.Path })
	now, out, changed := l.change(ctx), map[string]bool{}, false
	for i := range lines {
		line := &lines[i]
		if line.change == now && waits[line.path] {
			line.change, changed = takenOut, true
		}
		if line.change == takenOut {
			out[line.path] = true
		}
	}
	if changed {
		l.keepStaged(lines)
	}
	return lists.Without(waiting, func(e Entry) bool { return out[e.Path] })
}

// noteStaged remembers which of the picked memories landed, and so were staged. `git commit -a`
// stages in an index that it throws away when the commit fails, so that nobody has
// taken anything out of it.
func (l *lander) noteStaged(ctx context.Context, picked, landed []Entry) {
	if len(landed) == 0 || l.repo.StagingArea().Temporary() {
		return
	}
	lines, now := l.staged(), l.change(ctx)
	for _, e := range picked {
		if slices.ContainsFunc(landed, func(l Entry) bool { return l.Memory.ID == e.Memory.ID }) {
			line := stagedLine{now, e.Path}
			lines = lists.Without(lines, func(l stagedLine) bool { return l == line })
			lines = append(lines, line)
		}
	}
	l.keepStaged(lines)
}
