package capture

import (
	"path"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/transcript"
)

// deed is a call of the agent's that says whether the words before it held.
type deed struct {
	record int // line of the call
	kind   deedKind
	path   string   // of the file that was written, relative to the root; "" outside of it
	files  []string // base names of what was taken back; none for all of it
}

type deedKind int

const (
	deedEdit    deedKind = iota // a file was written
	deedPassed                  // a test or another check passed
	deedFailed                  // one failed
	deedCommit                  // the work was committed
	deedDropped                 // work that was not committed was taken back
	deedRevert                  // the last commit was taken back
)

// maxDeeds bounds how many deeds of a turn are held.
const maxDeeds = 1000

// deedOf reads a call; nil for one that settles nothing.
func deedOf(e *transcript.Event) *deed {
	d := deed{record: e.Record}
	switch e.Tool {
	case transcript.ToolWrite, transcript.ToolEdit:
		if isDocument(slashed(e.Path())) {
			return nil
		}
		d.kind = deedEdit
	case transcript.ToolShell:
		line := e.Shell()
		kind, files, back := takenBack(line)
		switch {
		case back:
			d.kind, d.files = kind, files
		case strings.Contains(line, "git commit"):
			d.kind = deedCommit
		case recipe.Checks(line):
			d.kind = deedPassed
		default:
			return nil
		}
	default:
		return nil
	}
	return &d
}

// takenBack reads the git commands that take work back: "git revert HEAD", "git
// checkout -- FILE", "git restore FILE", "git reset --hard".
func takenBack(line string) (kind deedKind, files []string, ok bool) {
	_, rest, found := strings.Cut(line, "git ")
	if !found {
		return 0, nil, false
	}
	rest, _, _ = strings.Cut(rest, "\n")
	for _, end := range []string{"&&", ";", "|"} {
		rest, _, _ = strings.Cut(rest, end)
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return 0, nil, false
	}
	args := words[1:]
	has := func(list ...string) bool {
		for _, a := range args {
			for _, x := range list {
				if a == x {
					return true
				}
			}
		}
		return false
	}
	switch words[0] {
	case "revert":
		return deedRevert, nil, has("HEAD")
	case "reset":
		if !has("--hard") {
			return 0, nil, false
		}
		if has("HEAD~1", "HEAD~", "HEAD^") {
			return deedRevert, nil, true
		}
		return deedDropped, nil, len(args) == 1 || has("HEAD")
	case "restore":
		if has("--staged", "-S") && !has("--worktree", "-W") {
			return 0, nil, false
		}
	case "checkout":
		if !has("--") {
			return 0, nil, false
		}
		for args[0] != "--" {
			args = args[1:]
		}
	default:
		return 0, nil, false
	}
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-"):
		case a == ".":
			return deedDropped, nil, true
		default:
			files = append(files, path.Base(slashed(strings.Trim(a, `'"`))))
		}
	}
	return deedDropped, files, len(files) > 0
}

// did notes a deed when its result has come.
func (t *turn) did(d deed, result *transcript.Event) {
	if result.Failed {
		if d.kind != deedPassed {
			return
		}
		d.kind = deedFailed
	}
	if len(t.deeds) < maxDeeds {
		t.deeds = append(t.deeds, d)
	}
}

// after is the first deed of one of some kinds behind a line, nil when there is none.
func after(all []deed, record int, kinds ...deedKind) *deed {
	for i := range all {
		for _, k := range kinds {
			if all[i].record > record && all[i].kind == k {
				return &all[i]
			}
		}
	}
	return nil
}

// lastBefore is the last deed of a kind ahead of a line, nil when there is none.
func lastBefore(all []deed, record int, kind deedKind) *deed {
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].record < record && all[i].kind == kind {
			return &all[i]
		}
	}
	return nil
}
