package recipe

import (
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// reach is how many calls after a failure its repair may come.
const reach = 8

// next is the first of the following shell calls that worked and that fits.
func (f *Follower) next(c *call, within int, fits func(*call) bool) *call {
	for _, x := range f.calls[c.n+1 : min(len(f.calls), c.n+1+within)] {
		if x.tool == transcript.ToolShell && x.done && !x.failed && fits(x) {
			return x
		}
	}
	return nil
}

// last is the last of them: what came before it may have failed unnoticed.
func (f *Follower) last(c *call, within int, fits func(*call) bool) *call {
	var out *call
	for _, x := range f.calls[c.n+1 : min(len(f.calls), c.n+1+within)] {
		if x.tool == transcript.ToolShell && x.done && !x.failed && fits(x) {
			out = x
		}
	}
	return out
}

// repair: a command failed, and soon another one for the same purpose worked,
// with no file of the repository edited in between.
func (f *Follower) repair(c *call, lines []string) (Recipe, bool) {
	head := Head(c.line)
	if c.tool != transcript.ToolShell || !c.failed || head == "" || probe(head) || program(head) == "git" || program(head) == "ssh" || inline(c.line) || committed(c.line) {
		return Recipe{}, false
	}
	w := f.next(c, reach, func(x *call) bool {
		return !f.edited(c, x) && Head(x.line) != "" && program(Head(x.line)) == program(head) && !same(c.line, x.line) && overlap(c.line, x.line) >= 0.5 &&
			verb(Head(x.line), head)
	})
	if w == nil || blamed().MatchString(c.output) || transient().MatchString(c.output) { // the output is read last: it is long
		return Recipe{}, false
	}
	said := telling(lines)
	if len(said) == 0 || absent().MatchString(said[0]) || runner(c.line) && !misused().MatchString(said[0]) {
		return Recipe{}, false
	}
	tried, works := difference(f.shown(flat(c.line), lineSize), f.shown(flat(w.line), lineSize))
	if tried == works {
		return Recipe{}, false
	}
	r := Recipe{
		Title:    f.wants(head, tried, works, said[0]),
		Text:     triedLine + f.code(tried) + "\n" + errorLine + f.code(said[0]) + "\n" + worksLine + f.code(works) + f.remark(c),
		Span:     said[0],
		Triggers: triggers(memory.TriggerError, Signature(said[0]), memory.TriggerCommand, head),
	}
	return r, len(r.Triggers) > 1
}

// flat is a command of several lines on one.
func flat(line string) string { return strings.Join(strings.Fields(line), " ") }

// wants is a title that names the one word that made the difference, or the
// error.
func (f *Follower) wants(head, tried, works, said string) string {
	split := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`"',;(){}`, r) }
	a, b := strings.FieldsFunc(tried, split), strings.FieldsFunc(works, split)
	var out, in []string
	for _, w := range a {
		if !meet([]string{w}, b) {
			out = append(out, w)
		}
	}
	for _, w := range b {
		if !meet([]string{w}, a) {
			in = append(in, w)
		}
	}
	if len(out) == 1 && len(in) == 1 && len(out[0]) > 3 && len(in[0]) > 3 && len(out[0])+len(in[0])+len(head) < 70 && !strings.ContainsAny(out[0]+in[0], "…$") {
		return "`" + head + "` wants `" + in[0] + "` here, not `" + out[0] + "`"
	}
	return f.title("`"+head+"`", "fails as first tried", said)
}

func program(head string) string { return prose.FirstWord(head) }

// verb reports whether two heads of one program have the same verb, or a verb
// of which one is only longer.
func verb(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	return len(x) < 2 || len(y) < 2 || x[1] == y[1]
}

// same reports whether two command lines are one but for white space and for
// where their output goes.
func same(a, b string) bool { return bare(a) == bare(b) }

var filtered = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s*(?:2>&1|2>\s*/dev/null|>\s*/dev/null|\|\s*(?:tail|head|grep|cat|less|sed|wc|tee)\b[^|;&]*)`)
})

func bare(line string) string {
	return strings.Join(strings.Fields(filtered().ReplaceAllString(line, "")), " ")
}

// inline holds for scripts on the command line, whose faults are their own.
func inline(line string) bool {
	return strings.Contains(line, " -e ") && (strings.Contains(line, "node ") || strings.Contains(line, "perl ")) ||
		strings.Contains(line, "python") && (strings.Contains(line, " -c ") || strings.Contains(line, "<<"))
}

func committed(line string) bool {
	return strings.Contains(line, "git commit") || strings.Contains(line, "git push")
}

// edited reports whether a file of the repository was written between two calls.
func (f *Follower) edited(a, b *call) bool {
	for _, x := range f.calls[a.n+1 : b.n] {
		switch x.tool {
		case transcript.ToolEdit, transcript.ToolWrite:
			if f.Relative == nil || f.Relative(x.path) != "" {
				return true
			}
		case transcript.ToolShell:
			if strings.Contains(x.line, "sed -i") || strings.Contains(x.line, "apply_patch") || strings.Contains(x.line, "git stash") {
				return true
			}
		}
	}
	return false
}

// overlap is the share of the smaller command's words that the other has too;
// words that say nothing about the purpose do not count.
func overlap(a, b string) float64 {
	x, y := wordsOf(a), wordsOf(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	n, all := 0, 0
	for w := range x {
		all++
		if y[w] {
			n++
		}
	}
	if all < 2 {
		return 0
	}
	return float64(n) / float64(all)
}

func wordsOf(line string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return strings.ContainsRune(" \t\n\"'`|&;(){}[]<>=,:$\\/", r) }) {
		switch {
		case len(w) < 2, w == "cd", w == "tail", w == "head", w == "echo", w == "2", w == "1", w == "dev", w == "null", len(out) > 200:
		default:
			out[w] = true
		}
	}
	return out
}

// difference shortens two long commands to where they differ, with some words
// around it.
func difference(a, b string) (x, y string) {
	if len(a) < 160 && len(b) < 160 {
		return a, b
	}
	u, v := strings.Fields(a), strings.Fields(b)
	from := 0
	for from < len(u) && from < len(v) && u[from] == v[from] {
		from++
	}
	if from -= 4; from < 2 {
		from = 0
	}
	cut := func(w []string) string {
		s := strings.Join(w[min(from, len(w)):min(len(w), from+14)], " ")
		if from > 0 {
			s = w[0] + " … " + s
		}
		return s
	}
	return cut(u), cut(v)
}

var lintRules = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bMD\d{3}(?:/[\w/-]+)?|\[(?:type|subject|body|header|scope|footer)-[\w-]+\]`)
})

// refusedCommit: a commit hook refuses what it always refuses, such as a rule of
// a linter for prose or messages, or says itself what is to be run first.
func (f *Follower) refusedCommit(c *call, lines []string) (Recipe, bool) {
	if c.tool != transcript.ToolShell || !c.failed || !committed(c.line) {
		return Recipe{}, false
	}
	if f.next(c, 14, func(x *call) bool { return committed(x.line) }) == nil {
		return Recipe{}, false
	}
	var found []string
	var said string
	for _, l := range lines {
		for _, r := range lintRules().FindAllString(l, 2) {
			if !meet([]string{r}, found) && len(found) < 4 {
				found = append(found, r)
				if said == "" {
					said = l
				}
			}
		}
	}
	if len(found) > 0 {
		r := Recipe{
			Title:    f.title("The commit hook", "refuses the commit over its lint rules", strings.Join(found, ", ")),
			Text:     errorLine + f.code(said) + "\nThe pre-commit hook runs a linter (" + strings.Join(found, ", ") + "); write it so from the start." + f.remark(c),
			Span:     said,
			Triggers: triggers(memory.TriggerCommand, "git commit"),
		}
		if strings.HasPrefix(found[0], "MD") {
			r.Title = f.title("The pre-commit hook runs markdownlint and", "refuses some Markdown", strings.Join(found, ", "))
			r.Text = strings.Replace(r.Text, "runs a linter", "runs markdownlint", 1)
			r.Triggers = append(r.Triggers, memory.Trigger(memory.TriggerFile, "*.md"))
		}
		for _, x := range found {
			r.Triggers = append([]string{memory.Trigger(memory.TriggerError, strings.ToLower(x))}, r.Triggers...)
		}
		return r, true
	}
	for _, l := range lines {
		w := f.next(c, 10, func(x *call) bool {
			return !committed(x.line) && len(l) > 6 && len(strings.Fields(l)) >= 2 && len(strings.Fields(l)) < 8 && strings.HasPrefix(strings.TrimSpace(x.line), l)
		})
		if w == nil {
			continue
		}
		said := lines[0]
		return Recipe{
			Title:    "The commit hook wants `" + f.shown(l, 60) + "` to be run first",
			Text:     triedLine + "`git commit`\n" + errorLine + f.code(said) + "\n" + worksLine + "`" + f.shown(l, 120) + "`, then stage what it wrote, then commit." + f.remark(c),
			Span:     said,
			Triggers: triggers(memory.TriggerError, Signature(said), memory.TriggerCommand, "git commit"),
		}, true
	}
	return Recipe{}, false
}

// whitespace: an edit did not match, and the same one did with other white space.
func (f *Follower) whitespace(c *call, _ []string) (Recipe, bool) {
	if c.tool != transcript.ToolEdit || !c.failed || c.old == "" || !strings.Contains(c.output, "not found") {
		return Recipe{}, false
	}
	rel := c.path
	if f.Relative != nil {
		rel = f.Relative(c.path)
	}
	if rel == "" {
		return Recipe{}, false
	}
	for _, x := range f.calls[c.n+1 : min(len(f.calls), c.n+1+reach)] {
		if x.tool != transcript.ToolEdit || !x.done || x.failed || x.path != c.path || x.old == c.old {
			continue
		}
		if strings.Join(strings.Fields(x.old), "") != strings.Join(strings.Fields(c.old), "") {
			continue
		}
		kind := "other white space than a copied block shows"
		if strings.Count(x.old, "\t") > strings.Count(c.old, "\t") {
			kind = "tabs"
		} else if strings.Contains(c.old, "\t") {
			kind = "spaces"
		}
		pattern := "*" + extension(rel)
		return Recipe{
			Title: "`" + pattern + "` files here are indented with " + kind + ": an edit with a copied block fails",
			Text: "An edit of `" + rel + "` failed: the text to replace was not found, because its white space differed. " +
				worksLine + "the same block with " + kind + ", as the bytes of the file have it.",
			Span:     "String to replace not found",
			Triggers: triggers(memory.TriggerError, "string to replace not found in file", memory.TriggerTool, c.name, memory.TriggerFile, pattern),
			Files:    []string{rel},
		}, true
	}
	return Recipe{}, false
}

func extension(p string) string {
	if i := strings.LastIndexByte(p, '.'); i > strings.LastIndexByte(p, '/') {
		return p[i:]
	}
	return p[strings.LastIndexByte(p, '/')+1:]
}

// toolError: a tool of a server refused a call, and the next one like it worked.
func (f *Follower) toolError(c *call, lines []string) (Recipe, bool) {
	if c.tool != transcript.ToolOther || !c.failed || !strings.HasPrefix(c.name, "mcp__") || transient().MatchString(c.output) || len(lines) == 0 {
		return Recipe{}, false
	}
	said := lines[0]
	if t := telling(lines); len(t) > 0 {
		said = t[0]
	}
	var w *call
	for _, x := range f.calls[c.n+1 : min(len(f.calls), c.n+1+reach)] {
		if x.name == c.name && x.done && !x.failed && x.input != c.input {
			w = x
			break
		}
	}
	if w == nil || len(said) > 300 {
		return Recipe{}, false
	}
	name := c.name[strings.LastIndex(c.name, "__")+2:]
	r := Recipe{
		Title:    f.title("The tool `"+name+"`", "fails on some calls", strings.TrimPrefix(said, name+" failed: ")),
		Text:     errorLine + f.code(said),
		Span:     said,
		Triggers: triggers(memory.TriggerError, Signature(said), memory.TriggerTool, c.name),
	}
	tried, works := difference(f.shown(flat(c.input), lineSize), f.shown(flat(w.input), lineSize))
	r.Text = triedLine + f.code(tried) + "\n" + r.Text + "\n" + worksLine + f.code(works) + f.remark(c)
	return r, tried != works
}

// title joins a subject and what is said of it, with the words of the error if
// they fit.
func (f *Follower) title(subject, does, said string) string {
	said = strings.TrimSpace(f.shown(said, 200))
	long := subject + " " + does
	for _, prefix := range []string{"error: ", "Error: ", "fatal: ", "ERROR: ", "GraphQL: "} {
		said = strings.TrimPrefix(said, prefix)
	}
	if strings.HasPrefix(does, "fails") && len(subject)+len(does)+len(said) > 96 {
		does = "fails"
	}
	for _, end := range []string{". ", "; ", " (", ", ", ": "} {
		if i := strings.Index(said, end); i > 20 && len(subject)+len(does)+len(said) > 96 {
			said = strings.TrimSpace(said[:i])
		}
	}
	if t := subject + " " + does + ": " + said; len(t) <= 100 && !strings.HasSuffix(t, "…") && !strings.HasSuffix(t, ":") {
		return t
	}
	return long
}

// remark returns up to two sentences that the agent said when it saw the error,
// on a new line. Its plans are left out.
func (f *Follower) remark(c *call) string {
	var out []string
	for _, s := range prose.Sentences(prose.Plain(strings.ReplaceAll(c.words, "’", "'"))) {
		if w := prose.Words(s); len(w) < 4 || len(w) > 40 || plans(s) {
			continue
		}
		out = append(out, strings.TrimSuffix(s, ":"))
		if len(out) == 2 {
			break
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "\n" + f.Redactor.Line(strings.Join(out, " "))
}

var planning = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:good|great|ok|okay|right|now|next|perfect|hmm|ah|oh|fix|let's|all done|done|here|i|i'm|i've|still|yep|yes|there's|looks like)\b|\b(?:i'm|i'll|i will|let me|let's|i'm going|going to|i need to|i should|you're right|sorry|todo)\b|[?:]$`)
})

func plans(s string) bool { return planning().MatchString(s) }
