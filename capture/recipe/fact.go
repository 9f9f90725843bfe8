package recipe

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// What the lines of a recipe begin with.
const (
	triedLine = memory.TriedMark
	errorLine = memory.ErrorMark
	worksLine = memory.WorksMark
)

var globbed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:\(eval\):\d+|zsh(?::\d+)?): no matches found: `) })

// glob: zsh stops a command whose glob matches nothing, which bash does not.
func (f *Follower) glob(c *call, lines []string) (Recipe, bool) {
	l := first(lines, globbed())
	if l == "" || c.tool != transcript.ToolShell {
		return Recipe{}, false
	}
	return Recipe{
		Title: "The shell here is zsh: an unmatched glob aborts the command with `no matches found`",
		Text: triedLine + f.code(c.line) + "\n" + errorLine + f.code(l) +
			"\nThe calls that run beside it are cancelled with it. " + worksLine + "list the folder above, use `find`, or quote what is no glob.",
		Span:     l,
		Triggers: triggers(memory.TriggerError, "no matches found"),
	}, true
}

// missingForms are the forms in which shells say that there is no such program,
// in the languages that they speak; the program is the first group. A line with
// the program and the exit code 127 needs none of them.
var missingForms = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range []string{
		`(?:command not found|未找到命令|Befehl nicht gefunden|commande introuvable|orden no encontrada)[:：] ?([\w.+-]+)$`,
		`(?:^|[:：] ?)([\w.+-]+) ?[:：] ?(?:command not found|not found|未找到命令|(?:Kommando|Befehl) nicht gefunden|commande introuvable|orden no encontrada|no se encontró la orden|コマンドが見つかりません)\.?$`,
		`^'([\w.+-]+)' is not recognized as`,
		`The term '([\w.+-]+)' is not recognized`,
	} {
		out = append(out, regexp.MustCompile(s))
	}
	return out
})

// missing: a program is not there.
func (f *Follower) missing(c *call, lines []string) (Recipe, bool) {
	if c.tool != transcript.ToolShell {
		return Recipe{}, false
	}
	program, said := "", ""
	for _, l := range lines[:min(len(lines), 12)] {
		for _, re := range missingForms() {
			if m := re.FindStringSubmatch(l); m != nil && program == "" && runs(c.line, m[1]) {
				program, said = m[1], l
			}
		}
	}
	if program == "" || f.worksLater(c, program) {
		return Recipe{}, false
	}
	r := Recipe{
		Title:    "`" + program + "` is not available in the shell here",
		Text:     triedLine + f.code(c.line) + "\n" + errorLine + f.code(said),
		Span:     said,
		Triggers: triggers(memory.TriggerError, "command not found: "+program, memory.TriggerCommand, program),
	}
	if sig := Signature(said); sig != "" && sig != "command not found: "+program {
		r.Triggers = append(r.Triggers, memory.Trigger(memory.TriggerError, sig))
	}
	if w := f.instead(c, program); w != nil {
		r.Text += "\n" + worksLine + f.code(w.line)
	}
	r.Text += f.remark(c)
	return r, true
}

// runs reports whether a command line runs the program by its name.
func runs(line, program string) bool {
	for _, words := range simple(line) {
		for _, w := range words {
			if w == program {
				return true
			}
		}
	}
	return strings.Contains(line, program+" ")
}

// worksLater reports whether the program ran later in the turn by its bare name:
// it was installed meanwhile.
func (f *Follower) worksLater(c *call, program string) bool {
	for _, x := range f.calls[c.n+1:] {
		if x.tool == transcript.ToolShell && x.done && !x.failed && x.output == "" && strings.HasPrefix(x.line, program+" ") {
			return true
		}
	}
	return false
}

// instead is the next call that ran the program by another way.
func (f *Follower) instead(c *call, program string) *call {
	for _, x := range f.calls[c.n+1 : min(len(f.calls), c.n+9)] {
		if x.tool == transcript.ToolShell && x.done && !x.failed && x.output == "" && (strings.Contains(x.line, "/"+program+" ") ||
			strings.Contains(x.line, program+".exe ") || strings.Contains(x.line, "wsl ") && strings.Contains(x.line, program)) {
			return x
		}
	}
	return nil
}

var gone = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[:：] ?)cd[:：] ?(?:no such file or directory: ?)?([\w.@-][\w./@-]*)(?:[:：]|$)|cd: can't cd to ([\w.@-][\w./@-]*)$`)
})

// directory: the shell stays where an earlier call left it, so that a path from
// the root of the repository is not found.
func (f *Follower) directory(c *call, lines []string) (Recipe, bool) {
	if c.tool != transcript.ToolShell {
		return Recipe{}, false
	}
	if l := first(lines, gone()); l != "" {
		m := gone().FindStringSubmatch(l)
		dir := m[1] + m[2]
		if dir == "" || !strings.Contains(c.line, "cd "+dir) || !f.entered(c, dir) {
			return Recipe{}, false
		}
		return Recipe{
			Title: "The shell keeps its cwd between calls, so that a relative `cd` fails the second time",
			Text: triedLine + f.code(c.line) + "\n" + errorLine + f.code(l) + "\nAn earlier call had left the shell in `" + dir + "`. " +
				worksLine + "absolute paths, or a `cd` to the repository root first.",
			Span:     l,
			Triggers: triggers(memory.TriggerError, "cd: no such file or directory", memory.TriggerError, Signature(l), memory.TriggerCommand, "cd"),
		}, true
	}
	if !c.failed {
		return Recipe{}, false
	}
	l, w := f.fromRoot(c, lines)
	if w == nil {
		return Recipe{}, false
	}
	head := headIn(c.line, l)
	if head == "" {
		return Recipe{}, false
	}
	return Recipe{
		Title: "`" + head + "` does not find its files after a `cd`: the shell keeps its cwd",
		Text: triedLine + f.code(c.line) + "\n" + errorLine + f.code(l) + "\nAn earlier `cd` had left the shell elsewhere than in the repo root. " +
			worksLine + f.code(w.line) + ", with absolute paths or after a `cd` to the repo root.",
		Span:     l,
		Triggers: triggers(memory.TriggerError, Signature(l), memory.TriggerCommand, head),
	}, true
}

// fromRoot is the error of a call that failed because of its folder, and the call
// that then worked from another.
func (f *Follower) fromRoot(c *call, lines []string) (string, *call) {
	if l := first(lines, absent()); l != "" {
		return l, f.next(c, 8, func(x *call) bool { return samePlace(f.local(c.line), f.local(x.line)) })
	}
	w := f.next(c, 4, func(x *call) bool {
		rest, ok := afterFolder(x.line)
		tried, moved := afterFolder(c.line)
		return ok && same(rest, tried) && (!moved || !strings.HasPrefix(c.line, "cd /") && strings.HasPrefix(x.line, "cd /"))
	})
	if w == nil || blamed().MatchString(c.output) {
		return "", nil
	}
	said := telling(lines)
	if len(said) == 0 {
		return "", nil
	}
	return said[0], w
}

// entered reports whether the turn shows that dir is a folder of the repository.
func (f *Follower) entered(c *call, dir string) bool {
	for _, x := range f.calls {
		if x != c && x.done && !x.failed && (strings.Contains(x.line, "cd "+dir) || strings.Contains(x.line, "/"+dir)) ||
			strings.Contains(strings.ReplaceAll(x.path, `\`, "/"), "/"+dir+"/") {
			return true
		}
	}
	return false
}

// samePlace reports whether b is a without its folder, or with a folder before
// it: "sed x web/a.ts" and "sed x a.ts", "git add a" and "cd /repo && git add a".
func samePlace(a, b string) bool {
	if a == b {
		return false
	}
	if rest, ok := afterFolder(b); ok && rest == a {
		return true
	}
	x, y := simple(a), simple(b)
	if rest, ok := afterFolder(b); ok {
		y = simple(rest)
	}
	if len(x) == 0 || len(x) != len(y) {
		return false
	}
	shifted := false
	for i := range x {
		if len(x[i]) != len(y[i]) {
			return false
		}
		for j := range x[i] {
			p, q := x[i][j], y[i][j]
			if p == q {
				continue
			}
			if path.Base(p) != path.Base(q) || strings.HasPrefix(p, "/") || strings.HasPrefix(q, "/") || !strings.HasSuffix(p, "/"+q) && !strings.HasSuffix(q, "/"+p) {
				return false
			}
			shifted = true
		}
	}
	return shifted
}

func afterFolder(line string) (string, bool) {
	if !strings.HasPrefix(line, "cd ") {
		return line, false
	}
	_, rest, ok := strings.Cut(line, "&&")
	return strings.TrimSpace(rest), ok
}

var locked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`index\.lock'?: `) })

// lock: another git works in the repository, and is done soon.
func (f *Follower) lock(c *call, lines []string) (Recipe, bool) {
	head := Head(c.line)
	if !c.failed || !strings.HasPrefix(head, "git ") {
		return Recipe{}, false
	}
	l := first(lines, locked())
	if l == "" {
		return Recipe{}, false
	}
	if f.next(c, 10, func(x *call) bool { return Head(x.line) == head }) == nil {
		return Recipe{}, false
	}
	return Recipe{
		Title:    "`" + head + "` fails on `index.lock` while a commit and its hooks still run: retry",
		Text:     triedLine + f.code(c.line) + "\n" + errorLine + f.code(l) + "\n" + worksLine + "wait and retry; git removes the lock by itself when the other command ends.",
		Span:     l,
		Triggers: triggers(memory.TriggerError, Signature("Unable to create index.lock: File exists"), memory.TriggerError, Signature(l), memory.TriggerCommand, "git"),
	}, true
}

var (
	drivePath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[A-Za-z]:[\\/][^\s'"<>|:]*`) })
	rootPath  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s'"=(])(/[\w.-]+(?:/[\w.-]+)+)`) })
)

// mangledPath: on Windows, a program takes a path that begins with a slash for
// one below a drive or below the shell's own folder.
func (f *Follower) mangledPath(c *call, lines []string) (Recipe, bool) {
	if c.tool != transcript.ToolShell || !c.failed {
		return Recipe{}, false
	}
	l := first(lines, absent())
	if l == "" {
		return Recipe{}, false
	}
	var named []string
	for _, m := range rootPath().FindAllStringSubmatch(c.line, 20) {
		named = append(named, m[1])
	}
	for _, took := range drivePath().FindAllString(l, 4) {
		took = path.Clean(strings.ReplaceAll(strings.ReplaceAll(took, `\`, "/"), "//", "/"))
		for _, p := range named {
			head := Head(c.line)
			for _, words := range simple(c.line) {
				if h := headOf(words); h != "" && strings.Contains(strings.Join(words[1:], " "), p) {
					head = h // the last to name it
				}
			}
			if !strings.HasSuffix(took, p) || took == p || head == "" {
				continue
			}
			root := "/" + strings.SplitN(p[1:], "/", 2)[0]
			return Recipe{
				Title: "`" + program(head) + "` takes `" + root + "` for `" + f.shown(strings.TrimSuffix(took, p)+root, 40) + "` here, where the shell does not",
				Text: triedLine + f.code(flat(c.line)) + "\n" + errorLine + f.code(l) + "\nThe shell and the program mean different folders by `" + root + "`. " +
					worksLine + "a path with its drive, such as one of the scratchpad, on both sides." + f.remark(c),
				Span:     l,
				Triggers: triggers(memory.TriggerError, Signature(l), memory.TriggerCommand, head),
			}, true
		}
	}
	return Recipe{}, false
}

var quotedScript = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`File "<string>", line \d+\s*\n\s*(\S[^\n]*?)\s*\n`)
})

// mangled: the script that an interpreter complains of is not the one that was
// passed on its command line; a shell or a shim changed it.
func (f *Follower) mangled(c *call, _ []string) (Recipe, bool) {
	head := Head(c.line)
	if !c.failed || !strings.HasPrefix(head, "python") && !strings.HasPrefix(head, "py") {
		head = ""
		for _, words := range simple(c.line) {
			if h := headOf(words); strings.HasPrefix(h, "python") {
				head = h
			}
		}
	}
	m := quotedScript().FindStringSubmatch(strings.ReplaceAll(c.output, "\r", ""))
	if head == "" || m == nil || !c.failed || strings.Contains(c.line, m[1]) {
		return Recipe{}, false
	}
	l := first(saidLines(c.output), faultWords())
	r := Recipe{
		Title: "`" + head + " -c` with a script of several lines does not arrive as written: use a script file",
		Text: triedLine + "`" + head + " -c` with several lines\n" + errorLine + f.code(m[1]) + ", which is not in the script\nThe shell or a shim in between changes it. " +
			worksLine + "a script file, or a here-document.",
		Span:     m[1],
		Triggers: triggers(memory.TriggerError, Signature(m[1]), memory.TriggerError, Signature(l), memory.TriggerCommand, head),
	}
	r.Text += f.remark(c)
	return r, true
}

var idled = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bno tests? (?:were )?found\b|\bin 0 files\b|\b0 files (?:scanned|checked|linted|matched|processed)\b|\bchecked 0 files\b|\bcollected 0 items\b|\bno files matching\b`)
})

var counted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[1-9]\d* (?:files?|tests?)\b`) })

// idle: a check that looked at nothing passes for one that found nothing.
func (f *Follower) idle(c *call, lines []string) (Recipe, bool) {
	head := Head(c.line)
	if c.tool != transcript.ToolShell || head == "" || probe(head) || len(lines) > 20 {
		return Recipe{}, false
	}
	l := first(lines, idled())
	if strings.Contains(l, "issues in 0 files") { // of a linter that counts only files with issues
		l = ""
	}
	if l == "" || len(l) > 200 || first(lines, counted()) != "" {
		return Recipe{}, false
	}
	r := Recipe{
		Title:    f.title(f.subject(c.line, head), "checks nothing here", strings.TrimLeft(l, "✔✓ ")),
		Text:     triedLine + f.code(c.line) + "\n" + errorLine + f.code(l),
		Span:     l,
		Triggers: triggers(memory.TriggerError, Signature(l), memory.TriggerCommand, head),
	}
	w := f.last(c, 10, func(x *call) bool {
		return x.output == "" && (program(Head(x.line)) == program(head) || runner(x.line)) && overlap(c.line, x.line) >= 0.4 && !same(c.line, x.line)
	})
	if w != nil {
		r.Text += "\n" + worksLine + f.code(w.line)
	}
	r.Text += f.remark(c)
	return r, true
}

func first(lines []string, re *regexp.Regexp) string {
	for _, l := range lines {
		if re.MatchString(l) {
			return l
		}
	}
	return ""
}

// code quotes a command or an error.
func (f *Follower) code(s string) string { return "`" + f.shown(s, 220) + "`" }

// subject is the command of a title: without what stands behind " -- ", and the
// head alone where it is long.
func (f *Follower) subject(line, head string) string {
	part, _, _ := strings.Cut(f.part(line, head), " -- ")
	if s := f.shown(part, 50); !strings.HasSuffix(s, "…") {
		return "`" + s + "`"
	}
	return "`" + head + "`"
}

// part is the last simple command of a line that has the head.
func (f *Follower) part(line, head string) string {
	part := head
	for p := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ';' || r == '|' || r == '\n' || r == '&' }) {
		p, _, _ = strings.Cut(p, ">")
		if p = strings.TrimSuffix(strings.TrimSpace(p), " 2"); headOf(strings.Fields(p)) == head {
			part = p
		}
	}
	return part
}

// triggers makes a list of pairs of kind and value.
func triggers(pairs ...any) []string {
	var out []string
	for i := 0; i+1 < len(pairs); i += 2 {
		kind, _ := pairs[i].(memory.TriggerKind)
		value, _ := pairs[i+1].(string)
		if t := memory.Trigger(kind, value); t != "" && !meet([]string{t}, out) {
			out = append(out, t)
		}
	}
	return out
}
