package recipe

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
)

// reach is how many calls after a failure its repair may come.
const reach = 10

// after are the calls in reach of one that failed.
func (f *Follower) after(c *call) []*call { return f.calls[c.n+1 : min(len(f.calls), c.n+1+reach)] }

// next is the first of the calls in reach that fits.
func (f *Follower) next(c *call, fits func(*call) bool) *call {
	after := f.after(c)
	i := slices.IndexFunc(after, fits)
	if i < 0 {
		return nil
	}
	return after[i]
}

// last is the last of them: what came before it may have failed unnoticed.
func (f *Follower) last(c *call, fits func(*call) bool) *call {
	for _, x := range slices.Backward(f.after(c)) {
		if fits(x) {
			return x
		}
	}
	return nil
}

// repair: a command failed, and soon another one for the same purpose worked,
// with no file of the repository edited in between.
func (f *Follower) repair(c *call, _ []string) (Recipe, bool) {
	if !isRepairable(c) {
		return Recipe{}, false
	}
	w := f.next(c, func(x *call) bool { return x.ran() && sameGoal(c.line, x.line) && !f.edited(c, x) })
	if w == nil {
		return Recipe{}, false
	}
	said := misuse(c)
	head := Head(c.line)
	tried, works := difference(f.shown(flat(c.line), lineSize), f.shown(flat(w.line), lineSize))
	r := Recipe{
		Title:    f.wants(head, tried, works, said),
		Text:     f.text(tried, said) + "\n" + worksLine + f.code(works) + f.remark(c),
		Span:     said,
		Triggers: triggers(onError(Signature(said)), onCommand(head)),
	}
	return r, said != "" && tried != works && len(r.Triggers) > 1
}

// isRepairable reports whether the failure of a call may be one of how it was called: git
// and ssh say themselves what to do, and the faults of scripts are their own.
func isRepairable(c *call) bool {
	if !failedAtWork(c) {
		return false
	}
	advises := isA("own advice", program(Head(c.line))) || matches("script or commit", c.line)
	return !advises || matches("remote says", c.output) // a rule of the server, of which git knows nothing
}

// failedAtWork reports whether a call failed that does more than look.
func failedAtWork(c *call) bool {
	head := Head(c.line)
	return c.failed && head != "" && !isProbe(head)
}

// sameGoal reports whether two command lines differ, and are for the same purpose.
func sameGoal(a, b string) bool {
	x, y := Head(a), Head(b)
	return program(x) == program(y) && sameVerb(x, y) && !same(a, b) && overlap(a, b) >= 0.5
}

// blameless is the line of an output that tells most, "" where that is none or the code was
// to blame.
func blameless(c *call) string {
	said := c.telling()
	if len(said) == 0 || matches("code to blame", c.output) {
		return ""
	}
	return said[0]
}

// misuse is the line of an output that says how the call was wrong, "" for none.
func misuse(c *call) string {
	said := blameless(c)
	if matches("absent", said) || matches("transient", c.output) {
		return ""
	}
	if Checks(c.line) && !matches("misused", said) {
		return ""
	}
	return said
}

// flat is a command of several lines on one.
func flat(line string) string { return strings.Join(strings.Fields(line), " ") }

// wants is a title that names the one word that made the difference, or the
// error.
func (f *Follower) wants(head, tried, works, said string) string {
	a, b := argumentsOf(tried), argumentsOf(works)
	out, in := without(a, b), without(b, a)
	if len(out) == 1 && len(in) == 1 && !matches("remote says", said) && tells(head, out[0], in[0]) {
		return "`" + head + "` wants `" + in[0] + "` here, not `" + out[0] + "`"
	}
	return f.title("`"+head+"`", "fails as first tried", said)
}

// argumentsOf are the words of a command line, without the signs around them.
func argumentsOf(line string) []string {
	return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"',;(){}", r) })
}

func without(list, others []string) []string {
	return lists.Without(list, func(w string) bool { return slices.Contains(others, w) })
}

// tells reports whether two words, one in place of the other, make a title.
func tells(head, a, b string) bool {
	if min(len(a), len(b)) <= 3 || len(a)+len(b)+len(head) >= 70 {
		return false
	}
	return !strings.ContainsAny(a+b, "…$")
}

// sameVerb reports whether two heads of one program have the same verb, or one of them
// none.
func sameVerb(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	return len(x) < 2 || len(y) < 2 || x[1] == y[1]
}

// same reports whether two command lines are one but for white space and for
// where their output goes.
func same(a, b string) bool { return bare(a) == bare(b) }

func bare(line string) string { return flat(pattern("no difference").ReplaceAllString(line, "")) }

// committed reports whether a command line commits or pushes.
func committed(line string) bool { return matches("commit", line) }

// edited reports whether a file of the repository was written between two calls.
func (f *Follower) edited(a, b *call) bool {
	return slices.ContainsFunc(f.calls[a.n+1:b.n], f.writes)
}

// writes reports whether a call writes a file of the repository.
func (f *Follower) writes(x *call) bool {
	switch x.tool {
	case transcript.ToolEdit, transcript.ToolWrite:
		return f.relative(x.path) != ""
	}
	return matches("edit", x.line)
}

// relative is a path as the repository has it, "" outside of it.
func (f *Follower) relative(p string) string { return f.Relative(p) }

// overlap is the share of the smaller command's words that the other has too;
// words that say nothing about the purpose do not count.
func overlap(a, b string) float64 {
	x, y := purposeOf(a), purposeOf(b)
	least := min(len(x), len(y))
	if least < 2 {
		return 0
	}
	return float64(len(x)-len(without(x, y))) / float64(least)
}

// maxPurpose bounds the words of a command line that are compared.
const maxPurpose = 200

// purposeOf are the words of a command line that say what it is for, each once.
func purposeOf(line string) []string {
	split := func(r rune) bool { return strings.ContainsRune(" \t\n\"'`|&;(){}[]<>=,:$\\/", r) }
	words := strings.FieldsFunc(strings.ToLower(line), split)
	words = lists.Without(words, func(w string) bool { return len(w) < 2 || isA("no purpose", w) })
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), maxPurpose)]
}

// difference shortens two long commands to where they differ, with some words
// around it.
func difference(a, b string) (x, y string) {
	if max(len(a), len(b)) < 160 {
		return a, b
	}
	u, v := strings.Fields(a), strings.Fields(b)
	from := 0
	for from < min(len(u), len(v)) && u[from] == v[from] {
		from++
	}
	from -= 4
	return wordsFrom(u, from), wordsFrom(v, from)
}

// wordsFrom are fourteen words of a command, with its first one before them.
func wordsFrom(words []string, from int) string {
	if from < 2 {
		return strings.Join(words[:min(len(words), 14)], " ")
	}
	from = min(from, len(words))
	return words[0] + " … " + strings.Join(words[from:min(len(words), from+14)], " ")
}

// isRefused reports whether a call is a commit that failed, before one that worked.
func (f *Follower) isRefused(c *call) bool {
	return c.failed && committed(c.line) && f.next(c, func(x *call) bool { return x.ran() && committed(x.line) }) != nil
}

// maxRules is how many rules of a linter one recipe names.
const maxRules = 4

// unlinted: a commit hook refuses what it always refuses, such as a rule of a linter for
// prose or messages.
func (f *Follower) unlinted(c *call, lines []string) (Recipe, bool) {
	said := c.failedWith("lint rule", lines)
	if said == "" || !f.isRefused(c) {
		return Recipe{}, false
	}
	found := rulesIn(lines)
	found = found[:min(len(found), maxRules)]
	rules := strings.Join(found, ", ")
	linter, files := "a linter", ""
	subject, does := "The commit hook", "refuses the commit over its lint rules"
	if strings.HasPrefix(found[0], "MD") {
		linter, files = markdownLinter, onFile("*.md")
		subject, does = "The pre-commit hook runs markdownlint and", "refuses some Markdown"
	}
	keys := lists.Map(lintKeys(found), onError)
	return Recipe{
		Title: f.title(subject, does, rules),
		Text: errorLine + f.code(said) + "\nThe pre-commit hook runs " + linter + " (" + rules +
			"); write it so from the start." + f.remark(c),
		Span:     said,
		Triggers: triggers(append(keys, onCommand("git commit"), files)...),
	}, true
}

// rulesIn are the rules of linters that lines name, each once.
func rulesIn(lines []string) []string {
	return union(nil, pattern("lint rule").FindAllString(strings.Join(lines, "\n"), -1))
}

// markdownLinter is the linter of Markdown, whose rules begin with MD: files that break one of
// them break others, so that it is one trap.
const markdownLinter = "markdownlint"

// lintKeys are the keys of errors of a linter by the rules that it names.
func lintKeys(rules []string) []string {
	return union(nil, lists.Map(rules, func(rule string) string {
		if strings.HasPrefix(rule, "MD") {
			return markdownLinter
		}
		return strings.ToLower(rule)
	}))
}

// unprepared: a commit hook says itself what is to be run first.
func (f *Follower) unprepared(c *call, lines []string) (Recipe, bool) {
	if !f.isRefused(c) {
		return Recipe{}, false
	}
	for _, l := range lines {
		if f.next(c, func(x *call) bool { return x.ran() && isOrdered(l, x.line) }) != nil {
			said := lines[0]
			return Recipe{
				Title: "The commit hook wants `" + f.shown(l, 60) + "` to be run first",
				Text: f.text("git commit", said) + "\n" + worksLine + "`" + f.shown(l, 120) +
					"`, then stage what it wrote, then commit." + f.remark(c),
				Span:     said,
				Triggers: triggers(onError(Signature(said)), onCommand("git commit")),
			}, true
		}
	}
	return Recipe{}, false
}

// isOrdered reports whether a line of a hook's output is the command that was run then.
func isOrdered(said, line string) bool {
	if committed(line) || len(said) <= 6 || !strings.HasPrefix(strings.TrimSpace(line), said) {
		return false
	}
	n := len(strings.Fields(said))
	return n >= 2 && n < 8
}

// whitespace: an edit did not match, and the same one did with other white space.
func (f *Follower) whitespace(c *call, _ []string) (Recipe, bool) {
	file := f.relative(c.path)
	if !c.failed || c.old == "" || file == "" || !strings.Contains(c.output, "not found") {
		return Recipe{}, false
	}
	x := f.next(c, func(x *call) bool { return x.worked() && x.path == c.path && onlySpaceDiffers(x.old, c.old) })
	if x == nil {
		return Recipe{}, false
	}
	files := "*" + cmp.Or(path.Ext(file), path.Base(file))
	kind := indentation(c.old, x.old)
	return Recipe{
		Title: "`" + files + "` files here are indented with " + kind + ": an edit with a copied block fails",
		Text: "An edit of `" + file + "` failed: the text to replace was not found, because its white space " +
			"differed. " + worksLine + "the block with the " + kind + " that the bytes of the file have, or one line " +
			"of it without its indentation as the text to replace.",
		Span:     "String to replace not found",
		Triggers: triggers(onError("string to replace not found in file"), onTool(c.name), onFile(files)),
		Files:    []string{file},
	}, kind != ""
}

func onlySpaceDiffers(a, b string) bool {
	return a != b && strings.Join(strings.Fields(a), "") == strings.Join(strings.Fields(b), "")
}

// indentation says what a text is indented with that replaces one indented otherwise, "" for a slip: both have as
// many tabs, or it is one line.
func indentation(tried, works string) string {
	before, now := strings.Count(tried, "\t"), strings.Count(works, "\t")
	slip := before*now > 0 && !strings.Contains(works, "\n")
	switch {
	case before == now, slip:
		return ""
	case now > 0:
		return "tabs"
	}
	return "spaces"
}

// longMessage is the length from which on the error of a tool is a document.
const longMessage = 300

// mendedBy reports whether another call of the same tool worked, with other input.
func (c *call) mendedBy(x *call) bool { return x.name == c.name && x.input != c.input && x.worked() }

// toolError: a tool of a server refused a call, and the next one like it worked.
func (f *Follower) toolError(c *call, lines []string) (Recipe, bool) {
	if !c.failed || !strings.HasPrefix(c.name, "mcp__") {
		return Recipe{}, false
	}
	w := f.next(c, c.mendedBy)
	said := slices.Concat(c.telling(), lines)
	if w == nil || len(said) == 0 || matches("transient", c.output) {
		return Recipe{}, false
	}
	name := c.name[strings.LastIndex(c.name, "__")+2:]
	tried, works := difference(f.shown(flat(c.input), lineSize), f.shown(flat(w.input), lineSize))
	return Recipe{
		Title:    f.title("The tool `"+name+"`", "fails on some calls", strings.TrimPrefix(said[0], name+" failed: ")),
		Text:     f.text(tried, said[0]) + "\n" + worksLine + f.code(works) + f.remark(c),
		Span:     said[0],
		Triggers: triggers(onError(Signature(said[0])), onTool(c.name)),
	}, tried != works && len(said[0]) <= longMessage
}

// Lengths of titles in bytes: of one, and of its parts without the signs between them.
const (
	titleSize  = 100
	titleParts = 96
)

// title joins a subject and what is said of it, with the words of the error if
// they fit.
func (f *Follower) title(subject, does, said string) string {
	said = strings.TrimSpace(f.shown(said, 200))
	said = pattern("error label").ReplaceAllString(said, "")
	long := subject + " " + does
	room := titleParts - len(subject) - len(does)
	if strings.HasPrefix(does, "fails") && len(said) > room {
		room += len(does) - len("fails")
		does = "fails"
	}
	t := subject + " " + does + ": " + clipped(said, room)
	if len(t) > titleSize || t != strings.TrimRight(t, "…:") {
		return long
	}
	return t
}

// clipped is an error without its last clauses, if it is too long.
func clipped(said string, room int) string {
	for _, end := range []string{". ", "; ", " (", ", ", ": "} {
		if i := strings.Index(said, end); i > 20 && len(said) > room {
			said = strings.TrimSpace(said[:i])
		}
	}
	return said
}

// remark returns up to two sentences that the agent said when it saw the error,
// on a new line. Its plans are left out.
func (f *Follower) remark(c *call) string {
	sentences := prose.Sentences(prose.Plain(strings.ReplaceAll(c.words, "’", "'")))
	said := lists.Without(sentences, func(s string) bool { return !isRemark(s) })
	if len(said) == 0 {
		return ""
	}
	said = lists.Map(said[:min(len(said), 2)], func(s string) string { return strings.TrimSuffix(s, ":") })
	return "\n" + f.Redactor.Line(strings.Join(said, " "))
}

// isRemark reports whether a sentence says what is so, and not what comes next.
func isRemark(s string) bool {
	n := len(prose.Words(s))
	return n >= 4 && n <= 40 && !matches("planning", s)
}
