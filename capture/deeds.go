package capture

import (
	"path"
	"slices"
	"strings"

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
	words := gitWords(line)
	if len(words) == 0 {
		return 0, nil, false
	}
	switch args := words[1:]; words[0] {
	case "revert":
		return deedRevert, nil, slices.Contains(args, "HEAD")
	case "reset":
		return resetTo(args)
	case "restore":
		return restored(args)
	case "checkout":
		_, paths, _ := strings.Cut(strings.Join(args, " ")+" ", "-- ")
		return droppedFiles(strings.Fields(paths))
	}
	return 0, nil, false
}

// restored reads the words behind "git restore": files whose changes are dropped, unless it only
// takes them out of the index.
func restored(args []string) (kind deedKind, files []string, ok bool) {
	names := func(flags ...string) bool {
		return slices.ContainsFunc(flags, func(flag string) bool { return slices.Contains(args, flag) })
	}
	if names("--staged", "-S") && !names("--worktree", "-W") {
		return 0, nil, false
	}
	return droppedFiles(args)
}

// resetTo reads the words behind "git reset": the last commit is taken back, or what was not
// committed is dropped.
func resetTo(args []string) (kind deedKind, files []string, ok bool) {
	if !slices.Contains(args, "--hard") {
		return 0, nil, false
	}
	isFlag := func(arg string) bool { return strings.HasPrefix(arg, "-") }
	switch strings.Join(slices.DeleteFunc(slices.Clone(args), isFlag), " ") {
	case "", "HEAD":
		return deedDropped, nil, true
	case "HEAD~1", "HEAD~", "HEAD^":
		return deedRevert, nil, true
	}
	return 0, nil, false
}

// gitWords are the words of the first git command of a line, without "git".
func gitWords(line string) []string {
	_, rest, _ := strings.Cut(line, "git ")
	for _, end := range []string{"\n", "&&", ";", "|"} {
		rest, _, _ = strings.Cut(rest, end)
	}
	return strings.Fields(rest)
}

// droppedFiles are the base names of the files that a command drops the changes of, none for
// all of them.
func droppedFiles(args []string) (kind deedKind, files []string, ok bool) {
	if slices.Contains(args, ".") {
		return deedDropped, nil, true
	}
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			files = append(files, path.Base(slashed(strings.Trim(a, `'"`))))
		}
	}
	return deedDropped, files, len(files) > 0
}

// did notes a deed when its result has come.
func (t *turn) did(d deed, result *transcript.Event) {
	if !result.Failed && len(t.deeds) < maxDeeds {
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
