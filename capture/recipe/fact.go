package recipe

import (
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// What the lines of a recipe begin with.
const (
	triedLine = memory.TriedMark
	errorLine = memory.ErrorMark
	worksLine = memory.WorksMark
)

// glob: zsh stops a command whose glob matches nothing, which bash does not.
func (f *Follower) glob(c *call, lines []string) (Recipe, bool) {
	l := first(lines, "glob")
	if l == "" || c.tool != transcript.ToolShell {
		return Recipe{}, false
	}
	return Recipe{
		Title: "The shell here is zsh: an unmatched glob aborts the command with `no matches found`",
		Text: f.text(c.line, l) + "\nThe calls that run beside it are cancelled with it. " + worksLine +
			"list the folder above, use `find`, or quote what is no glob.",
		Span:     l,
		Triggers: triggers(onError("no matches found")),
	}, true
}

// missing: a program is not there.
func (f *Follower) missing(c *call, lines []string) (Recipe, bool) {
	name, said := absentProgram(c.line, lines)
	if name == "" || f.worksLater(c, name) {
		return Recipe{}, false
	}
	r := Recipe{
		Title: "`" + name + "` is not available in the shell here",
		Text:  f.text(c.line, said),
		Span:  said,
		Triggers: triggers(
			onError(notFound+name), onCommand(name), onError(Signature(said)),
		),
	}
	if w := f.otherWay(c, name); w != nil {
		r.Text += "\n" + worksLine + f.code(w.line)
	} else if w, ok := f.remedyOf(c, standsIn); ok {
		r.Title += ": `" + f.shown(strings.Join(w.command, " "), 50) + "` is"
		r.Text += "\n" + worksLine + f.way(w)
	}
	r.Text += f.remark(c)
	return r, true
}

// absentProgram finds the program of a command line that the shell did not find, and the
// line that says so.
func absentProgram(line string, lines []string) (program, said string) {
	if line == "" {
		return "", ""
	}
	for _, l := range lines[:min(len(lines), 12)] {
		if name := groupOf("missing program", l); name != "" && runs(line, name) {
			return name, l
		}
	}
	return "", ""
}

// runs reports whether a command line runs the program by its name.
func runs(line, program string) bool {
	return strings.Contains(line, program+" ") || slices.Contains(slices.Concat(redact.Commands(line)...), program)
}

// worksLater reports whether the program ran later in the turn by its bare name:
// it was installed meanwhile.
func (f *Follower) worksLater(c *call, program string) bool {
	return slices.ContainsFunc(f.calls[c.n+1:], func(x *call) bool {
		return x.ranSilently() && strings.HasPrefix(x.line, program+" ")
	})
}

// otherWay is the next call that ran the program by its path.
func (f *Follower) otherWay(c *call, program string) *call {
	return f.next(c, func(x *call) bool { return x.ranSilently() && strings.Contains(x.line, "/"+program+" ") })
}

// keepsFolder stands in the title of each recipe of one trap, whichever program met it.
const keepsFolder = "shell keeps its cwd"

// reentered: the shell stays where an earlier call left it, so that a relative folder is
// not found the second time.
func (f *Follower) reentered(c *call, lines []string) (Recipe, bool) {
	if !strings.Contains(c.line, "cd ") {
		return Recipe{}, false
	}
	l := first(lines, "cd")
	dir := groupOf("cd", l)
	if dir == "" || !strings.Contains(c.line, "cd "+dir) || !f.entered(c, dir) {
		return Recipe{}, false
	}
	return Recipe{
		Title: "The " + keepsFolder + " between calls, so that a relative `cd` fails the second time",
		Text: f.text(c.line, l) + "\nAn earlier call had left the shell in `" + dir + "`. " + worksLine +
			"absolute paths, or a `cd` to the repository root first.",
		Span:     l,
		Triggers: triggers(onError("cd: no such file or directory"), onError(Signature(l)), onCommand("cd")),
	}, true
}

// toRoot goes to the root of the repository from any folder, in whichever clone.
const toRoot = `cd "$(git rev-parse --show-toplevel)" `

// elsewhere: a path from the root of the repository is not found, because an earlier call
// left the shell in another folder.
func (f *Follower) elsewhere(c *call, lines []string) (Recipe, bool) {
	if c.tool != transcript.ToolShell || !c.failed || first(lines, "cd") != "" {
		return Recipe{}, false
	}
	l, w := f.fromRoot(c, lines)
	if w == nil {
		return Recipe{}, false
	}
	head := headIn(c.line, l)
	return Recipe{
		Title: "`" + head + "` does not find its files after a `cd`: the " + keepsFolder,
		Text: f.text(c.line, l) + "\nAn earlier `cd` had left the shell elsewhere than in the repo root. " + worksLine +
			strings.Replace(f.code(w.line), "cd . ", toRoot, 1) +
			", with absolute paths or after a `cd` to the repo root.",
		Span:     l,
		Triggers: triggers(onError(Signature(l)), onCommand(head)),
	}, head != ""
}

// fromRoot is the error of a call that failed because of its folder, and the call
// that then worked from another.
func (f *Follower) fromRoot(c *call, lines []string) (string, *call) {
	if l := first(lines, "absent"); l != "" {
		line := f.local(c.line)
		return l, f.next(c, func(x *call) bool { return x.ran() && samePlace(line, f.local(x.line)) })
	}
	l := blameless(c)
	if l == "" {
		return "", nil
	}
	return l, f.next(c, func(x *call) bool { return x.ran() && isFromRoot(c.line, x.line) })
}

// isFromRoot reports whether b is a from another folder: from the root of the file system
// down, where a has a folder too.
func isFromRoot(a, b string) bool {
	rest, ok := afterFolder(b)
	tried, moved := afterFolder(a)
	if !ok || !same(rest, tried) {
		return false
	}
	return !moved || !strings.HasPrefix(a, "cd /") && strings.HasPrefix(b, "cd /")
}

// entered reports whether the turn shows that dir is a folder of the repository.
func (f *Follower) entered(c *call, dir string) bool {
	return slices.ContainsFunc(f.calls, func(x *call) bool {
		if strings.Contains(strings.ReplaceAll(x.path, `\`, "/"), "/"+dir+"/") {
			return true
		}
		return x != c && x.worked() && (strings.Contains(x.line, "cd "+dir) || strings.Contains(x.line, "/"+dir))
	})
}

// samePlace reports whether b is a without its folder, or with a folder before
// it: "sed x web/a.ts" and "sed x a.ts", "git add a" and "cd /repo && git add a".
func samePlace(a, b string) bool {
	rest, moved := afterFolder(b)
	if rest == a {
		return moved
	}
	x, y := slices.Concat(redact.Commands(a)...), slices.Concat(redact.Commands(rest)...)
	return !slices.Equal(x, y) && slices.EqualFunc(x, y, sameFile)
}

// sameFile reports whether two words are equal, or relative paths of which one ends in the
// other.
func sameFile(p, q string) bool {
	if p == q {
		return true
	}
	if strings.HasPrefix(p, "/") || strings.HasPrefix(q, "/") {
		return false
	}
	return strings.HasSuffix(p, "/"+q) || strings.HasSuffix(q, "/"+p)
}

// afterFolder is the part of a command line behind the folder that it changes to, if that
// is how it begins.
func afterFolder(line string) (string, bool) {
	_, rest, ok := strings.Cut(line, "&&")
	if !ok || !strings.HasPrefix(line, "cd ") {
		return line, false
	}
	return strings.TrimSpace(rest), true
}

// lock: another git works in the repository, and is done soon.
func (f *Follower) lock(c *call, lines []string) (Recipe, bool) {
	head, l := Head(c.line), c.failedWith("lock", lines)
	if l == "" || !strings.HasPrefix(head, "git ") {
		return Recipe{}, false
	}
	w := f.next(c, func(x *call) bool { return x.ran() && Head(x.line) == head })
	return Recipe{
		Title: "`" + head + "` fails on `index.lock` while a commit and its hooks still run: retry",
		Text: f.text(c.line, l) + "\n" + worksLine +
			"wait and retry; git removes the lock by itself when the other command ends.",
		Span: l,
		Triggers: triggers(
			onError(Signature("Unable to create index.lock: File exists")), onError(Signature(l)),
		),
	}, w != nil
}

// mangledPath: on Windows, a program takes a path that begins with a slash for
// one below a drive or below the shell's own folder.
func (f *Follower) mangledPath(c *call, lines []string) (Recipe, bool) {
	l := c.failedWith("absent", lines)
	if l == "" {
		return Recipe{}, false
	}
	took, p := takenFor(c.line, l)
	head := headNaming(c.line, p)
	if p == "" || head == "" {
		return Recipe{}, false
	}
	root := "/" + strings.SplitN(p[1:], "/", 2)[0]
	other := f.shown(strings.TrimSuffix(took, p)+root, 40)
	return Recipe{
		Title: "`" + program(head) + "` takes `" + root + "` for `" + other + "` here, where the shell does not",
		Text: f.text(flat(c.line), l) + "\nThe shell and the program mean different folders by `" + root + "`. " +
			worksLine + "a path with its drive, such as one of the scratchpad, on both sides." + f.remark(c),
		Span:     l,
		Triggers: triggers(onError(Signature(l)), onCommand(head)),
	}, true
}

// takenFor finds a path below a drive in an error that ends in a path of the command line.
func takenFor(line, said string) (took, path string) {
	paths := pattern("root path").FindAllStringSubmatch(line, 20)
	for _, took := range pattern("drive path").FindAllString(said, 4) {
		took = cleanPath(took)
		for _, m := range paths {
			if took != m[1] && strings.HasSuffix(took, m[1]) {
				return took, m[1]
			}
		}
	}
	return "", ""
}

func cleanPath(p string) string {
	return path.Clean(strings.ReplaceAll(strings.ReplaceAll(p, `\`, "/"), "//", "/"))
}

// headNaming is the head of the last command in a line that names a path, or that of the
// line.
func headNaming(line, path string) string {
	head := Head(line)
	for _, words := range redact.Commands(line) {
		if h := headOf(words); h != "" && strings.Contains(strings.Join(words[1:], " "), path) {
			head = h
		}
	}
	return head
}

// mangledScript: the script that an interpreter complains of is not the one that was
// passed on its command line; a shell or a shim changed it.
func (f *Follower) mangledScript(c *call, lines []string) (Recipe, bool) {
	if !c.failed {
		return Recipe{}, false
	}
	head, ran := pythonIn(c.line), groupOf("script line", strings.ReplaceAll(c.output, "\r", ""))
	if head == "" || ran == "" || strings.Contains(c.line, ran) {
		return Recipe{}, false
	}
	return Recipe{
		Title: "`" + head + " -c` with a script of several lines does not arrive as written: use a script file",
		Text: triedLine + "`" + head + " -c` with several lines\n" + errorLine + f.code(ran) +
			", which is not in the script\nThe shell or a shim in between changes it. " + worksLine +
			"a script file, or a here-document." + f.remark(c),
		Span:     ran,
		Triggers: triggers(onError(Signature(ran)), onError(Signature(first(lines, "fault"))), onCommand(head)),
	}, true
}

// pythonIn is the head of the Python that a command line runs, "" for none.
func pythonIn(line string) string {
	if head := Head(line); strings.HasPrefix(head, "py") {
		return head
	}
	for _, words := range slices.Backward(redact.Commands(line)) {
		if h := headOf(words); strings.HasPrefix(h, "python") {
			return h
		}
	}
	return ""
}

// Bounds of the output of a check of nothing.
const (
	idleLines = 20
	idleLine  = 200 // bytes
)

// idle: a check that looked at nothing passes for one that found nothing.
func (f *Follower) idle(c *call, lines []string) (Recipe, bool) {
	head := Head(c.line)
	if len(lines) > idleLines || head == "" || isProbe(head) {
		return Recipe{}, false
	}
	l := first(lines, "idle")
	if l == "" || !checkedNothing(l, lines) {
		return Recipe{}, false
	}
	text := f.text(c.line, l)
	if w := f.last(c, func(x *call) bool { return isSameCheck(c.line, x) }); w != nil {
		text += "\n" + worksLine + f.code(w.line)
	}
	return Recipe{
		Title:    f.title(f.subject(c.line, head), "checks nothing here", strings.TrimLeft(l, "✔✓ ")),
		Text:     text + f.remark(c),
		Span:     l,
		Triggers: triggers(onError(Signature(l)), onCommand(head)), Passed: true,
	}, true
}

// checkedNothing reports whether a short output with this line says nothing of files or tests
// that were looked at. A linter may count only files with issues.
func checkedNothing(line string, lines []string) bool {
	return len(line) <= idleLine && !strings.Contains(line, "issues in 0 files") && first(lines, "counted") == ""
}

// isSameCheck reports whether a call checked something, much as a command line meant to.
func isSameCheck(line string, x *call) bool {
	if !x.ranSilently() || same(line, x.line) || overlap(line, x.line) < 0.4 {
		return false
	}
	return program(Head(x.line)) == program(Head(line)) || Checks(x.line)
}

// text is how a recipe begins: what was tried and the error.
func (f *Follower) text(tried, said string) string {
	return triedLine + f.code(tried) + "\n" + errorLine + f.code(said)
}

// code quotes a command or an error.
func (f *Follower) code(s string) string { return "`" + f.shown(s, 220) + "`" }

// subject is the command of a title: of what stands behind " -- " only that there is something, and the
// head alone where it is long.
func (f *Follower) subject(line, head string) string {
	part, _, passedOn := strings.Cut(partOf(line, head), " -- ")
	if s := f.shown(part, 50); !strings.HasSuffix(s, "…") {
		head = s
	}
	if passedOn {
		head += " -- …"
	}
	return "`" + head + "`"
}

// partOf is the last simple command of a line that has the head.
func partOf(line, head string) string {
	part := head
	for p := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(";|\n&", r) }) {
		p, _, _ = strings.Cut(p, ">")
		p = strings.TrimSuffix(strings.TrimSpace(p), " 2")
		if headOf(strings.Fields(p)) == head {
			part = p
		}
	}
	return part
}

func onError(value string) string   { return memory.Trigger(memory.TriggerError, value) }
func onCommand(value string) string { return memory.Trigger(memory.TriggerCommand, value) }
func onTool(value string) string    { return memory.Trigger(memory.TriggerTool, value) }
func onFile(value string) string    { return memory.Trigger(memory.TriggerFile, value) }

// triggers are those of a list that have a value, each once.
func triggers(list ...string) []string {
	return union(nil, lists.Without(list, func(t string) bool { return t == "" }))
}
