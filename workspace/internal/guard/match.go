package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// Call is the call of a tool that an agent is about to make.
type Call struct {
	Command string
	Files   []string // that it writes, relative to the root, or as they were named outside of it
	Added   string   // the text that it puts into them
	Removed string   // and the one that goes
}

// writes stands in what a call says if it writes files.
const writes = "\x00"

// unquoted takes away what a shell takes out of words.
var unquoted = lazy.Value(func() *strings.Replacer {
	return strings.NewReplacer("\\\n", "", "\\", "", "'", "", `"`, "")
})

// said is all that a call names, and whether it writes files.
func (c *Call) said() string {
	return unquoted().Replace(c.Command) + strings.Join(append([]string{""}, c.Files...), writes)
}

// words are those of which a call says one if the guard speaks about it, depends on it, or if it may
// be about the folder of guards.
func (g *Guard) words() []string {
	out := lists.Map(slices.Concat(g.Command, g.Needs), func(command string) string {
		return path.Base(strings.Fields(command)[0])
	})
	if len(g.Command) == 0 || len(g.Needs) > 0 {
		out = append(out, strings.Fields(writes+" > "+writers+editors)...)
	}
	return append(out, path.Base(Dir))
}

// Site says on what a call depends beside its words.
type Site struct {
	Branch string                    // that is checked out, "" for none
	Ran    func(command string) bool // whether it ran in this session since the last edit
}

// Strictest is the strictest guard that speaks about a call, nil for none. While any is in force, so
// is one of the folder of guards.
func Strictest(guards []*Guard, c *Call, s *Site) *Guard {
	var out *Guard
	for _, g := range append(guards, own()) {
		if !g.Speaks(c, s) {
			continue
		}
		if out == nil || g.level() > out.level() {
			out = g
		}
	}
	return out
}

// Speaks reports whether a guard speaks about a call.
func (g *Guard) Speaks(c *Call, s *Site) bool {
	if len(g.Command) > 0 {
		return g.ofCommand(c.Command, s)
	}
	files := slices.Concat(c.Files, writtenBy(c.Command))
	if len(g.Path) > 0 && !slices.ContainsFunc(files, g.covers) {
		return false
	}
	adds := func(text string) bool { return strings.Count(c.Added, text) > strings.Count(c.Removed, text) }
	return len(g.Text) == 0 || slices.ContainsFunc(g.Text, adds)
}

// ofCommand reports whether one of the commands in a line is what the guard is about. What it needs
// may stand before in the line.
func (g *Guard) ofCommand(line string, s *Site) bool {
	all := calls(line)
	ran := func(command string) bool { return s.Ran(command) || runs(all, command) }
	if slices.ContainsFunc(g.Needs, ran) {
		return false
	}
	return slices.ContainsFunc(all, func(call []string) bool {
		return slices.ContainsFunc(g.Command, func(command string) bool { return begins(call, command) }) &&
			anyOr(g.With, func(word string) bool { return has(call, word) }) &&
			anyOr(g.Branch, func(pattern string) bool { return changes(call, pattern, s.Branch) })
	})
}

// anyOr reports whether something holds of one of some words, or there are none.
func anyOr(words []string, holds func(string) bool) bool {
	return len(words) == 0 || slices.ContainsFunc(words, holds)
}

// Runs reports whether a line runs a command.
func Runs(line, command string) bool { return runs(calls(line), command) }

func runs(all [][]string, command string) bool {
	return slices.ContainsFunc(all, func(call []string) bool { return begins(call, command) })
}

// begins reports whether a call begins with the words of a command: its program, and what follows
// it once flags and their values are left out. What stands behind the flags of a program that runs
// another one, such as sudo, begins there.
func begins(call []string, command string) bool {
	want, have := strings.Fields(command), plain(call)
	if len(want) == 0 {
		return false
	}
	want[0] = path.Base(want[0])
	if runner().MatchString(have[0]) {
		i := slices.IndexFunc(have, func(w string) bool { return path.Base(w) == want[0] })
		if i < 0 {
			return false
		}
		have = append(want[:1:1], have[i+1:]...)
	}
	return slices.Equal(have[:min(len(want), len(have))], want)
}

// runner matches what a call begins with that runs another program: flags of one, and xargs.
var runner = lazy.Pattern(`^-|^xargs$`)

// has reports whether a call has a word, alone or with a value.
func has(call []string, word string) bool {
	return slices.ContainsFunc(call[1:], func(w string) bool { return w == word || strings.HasPrefix(w, word+"=") })
}

// changes reports whether a call of git changes a branch that a pattern names: a push those that it
// names, or all, and any other call the one that is checked out.
func changes(call []string, pattern, current string) bool {
	isOf := func(flag string) bool { return has(call, flag) }
	return slices.ContainsFunc([]string{"--all", "--mirror"}, isOf) ||
		slices.ContainsFunc(targets(call), func(name string) bool {
			if slices.Contains([]string{"", "HEAD", "@"}, name) {
				name = current
			}
			same, _ := path.Match(pattern, name)
			return same
		})
}

// targets are the branches that a push names, "" for the one that is checked out.
func targets(call []string) []string {
	_, named, _ := strings.Cut(" "+strings.Join(call, " ")+" ", " push ")
	words := lists.Without(strings.Fields(named), func(w string) bool { return strings.HasPrefix(w, "-") })
	refs := append(words, "", "")[1:max(2, len(words))] // behind the name of the remote
	for i, ref := range refs {
		ref = ref[strings.LastIndexByte(ref, ':')+1:]
		refs[i] = strings.TrimPrefix(strings.TrimPrefix(ref, "+"), "refs/heads/")
	}
	return refs
}

// covers reports whether a pattern of the guard covers a file: "dir/" and "dir/**" all that is
// below, anywhere if dir is one name; a pattern without a slash the name of a file; and any other
// one the path.
func (g *Guard) covers(file string) bool {
	return slices.ContainsFunc(g.Path, func(pattern string) bool { return covers(pattern, path.Clean(file)) })
}

func covers(pattern, file string) bool {
	pattern = strings.TrimPrefix(pattern, "./")
	if dir, below := strings.CutSuffix(strings.TrimSuffix(pattern, "**"), "/"); below {
		return isBelow(dir, "/"+file)
	}
	if !strings.Contains(pattern, "/") {
		file = path.Base(file)
	}
	same, _ := path.Match(pattern, file)
	return same
}

// isBelow reports whether a file is below a folder: anywhere if that is one name.
func isBelow(dir, file string) bool {
	name := strings.TrimPrefix(dir, "**/")
	if strings.Contains(name, "/") && name == dir {
		return strings.HasPrefix(file, "/"+dir+"/")
	}
	return strings.Contains(file, "/"+name+"/")
}
