package capture

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

func itoa(n int) string { return strconv.Itoa(n) }

func oneLine(s string) string { return memory.OneLine(memory.Clean(s)) }

// documentOf reads a Write or Edit of a working document: plans, findings,
// decisions, notes. Product documentation and code are left alone.
func documentOf(e *transcript.Event, b *book) *item {
	p := slashed(e.Path())
	if !isDocument(p) {
		return nil
	}
	it := &item{kind: itDocument, path: b.relative(p)}
	if it.path == "" {
		it.path = path.Base(p)
	}
	it.text, it.whole, it.replaced = e.Content(), e.Tool == transcript.ToolWrite, e.Replaced()
	if it.text == "" {
		return nil
	}
	return it
}

func isDocument(p string) bool {
	if strings.Contains(strings.ToLower(path.Base(p)), "changelog") {
		return false // the history says it
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".md", ".mdx", ".markdown", ".txt":
		return true
	}
	return false
}

// isWorkingDocument reports whether a path is that of a plan, a decision, notes or the like.
func isWorkingDocument(p string) bool {
	return in("working document", prose.Words(strings.ReplaceAll(p[max(0, len(p)-160):], "_", " ")))
}

// messageOf finds the message of a git commit, or the text of a pull request,
// in a shell command.
func messageOf(cmd string) *item {
	switch {
	case strings.Contains(cmd, "git commit"), strings.Contains(cmd, " commit -"):
		return commitMessage(cmd)
	case strings.Contains(cmd, "gh pr create"), strings.Contains(cmd, "gh pr edit"), strings.Contains(cmd, "glab mr create"):
		return pullRequest(cmd)
	}
	return nil
}

// mostMessages is how many paragraphs a commit message may have that are given one by one.
const mostMessages = 4

func commitMessage(cmd string) *item {
	_, rest, _ := strings.Cut(cmd, " commit")
	var parts []string
	for i := messageFlag(rest); i >= 0 && len(parts) < mostMessages; i = messageFlag(rest) {
		var words string
		words, rest = shellWord(rest[i:])
		parts = append(parts, words)
	}
	if len(parts) == 0 {
		parts = append(parts, document(rest, " -F -", " --file=-", " --file -"))
	}
	subject, body, _ := strings.Cut(strings.TrimSpace(strings.Join(parts, "\n\n")), "\n")
	if body = dropTrailers(body); body == "" {
		return nil
	}
	return &item{kind: itCommit, title: strings.TrimSpace(subject), text: body}
}

func pullRequest(cmd string) *item {
	body := document(cmd, "--body-file -", "--body-file=-", " -F -")
	if body == "" {
		body = flagValue(cmd, "--body", "--description", " -b", " -d")
	}
	if body = dropTrailers(body); body == "" {
		return nil
	}
	return &item{kind: itCommit, title: flagValue(cmd, "--title", " -t"), text: body}
}

// messageFlag gives the index after the next "-m " or like flag.
func messageFlag(s string) int {
	best := -1
	for _, flag := range []string{" -m ", " -am ", " --message ", " --message="} {
		if i := strings.Index(s, flag); i >= 0 && (best < 0 || i+len(flag) < best) {
			best = i + len(flag)
		}
	}
	return best
}

// flagValue is the value of the first of some flags that has one, "" if none does.
func flagValue(cmd string, flags ...string) string {
	for _, flag := range flags {
		_, value, found := strings.Cut(cmd, flag)
		if !found || strings.TrimLeft(value, " =") == value {
			continue
		}
		if words, _ := shellWord(strings.TrimLeft(value, " =")); words != "" {
			return words
		}
	}
	return ""
}

// document is the here-document that a command reads where one of some flags says
// so, "" if there is none.
func document(cmd string, flags ...string) string {
	for _, flag := range flags {
		_, rest, ok := strings.Cut(cmd, flag)
		if i := strings.Index(rest, "<<"); ok && i >= 0 && !strings.Contains(rest[:i], "\n") {
			words, _ := shellWord(rest[i:])
			return words
		}
	}
	return ""
}

// shellWord reads a quoted word, or the here-document in "$(cat <<'EOF' … EOF )".
func shellWord(s string) (words, rest string) {
	s = strings.TrimLeft(s, " ")
	if i := strings.Index(s, "<<"); i >= 0 && i < 12 {
		mark, body, _ := strings.Cut(strings.TrimLeft(s[i+2:], "-"), "\n")
		mark = strings.Trim(strings.TrimSpace(mark), `'"`)
		if mark == "" {
			return "", ""
		}
		words, rest, _ = strings.Cut(body, "\n"+mark)
		return words, rest
	}
	if s == "" {
		return "", ""
	}
	quote := s[0]
	if quote != '"' && quote != '\'' {
		words, rest, _ = strings.Cut(s, " ")
		return words, rest
	}
	for i := 1; i < len(s); i++ {
		if s[i] == '\\' && quote == '"' {
			i++
			continue
		}
		if s[i] == quote {
			return strings.NewReplacer(`\"`, `"`, `\$`, `$`, "\\`", "`", `\\`, `\`).Replace(s[1:i]), s[i+1:]
		}
	}
	return s[1:], ""
}

// trailer is a line of a message that people do not write: a trailer, what a tool signs with,
// the issue that it closes.
var trailer = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Z][A-Za-z]*-[A-Za-z-]+:|(?i:generated with)|^(?i:(?:closes|fixes|refs) #)`)
})

// dropTrailers removes the lines of a message that people do not write.
func dropTrailers(s string) string {
	lines := slices.DeleteFunc(strings.Split(s, "\n"), trailer().MatchString)
	return strings.TrimSpace(strings.ReplaceAll(strings.Join(lines, "\n"), "\r", ""))
}

// planTitle is the first heading of a plan, without the word plan.
func planTitle(blocks []prose.Block) string {
	for _, b := range blocks {
		t := b.Text
		if prefix, rest, found := strings.Cut(t, ":"); found && is("plan prefix", strings.ToLower(prefix)) {
			t = strings.TrimSpace(rest)
		}
		if kind, rest := conventional(t); commitKind(kind) != "other" {
			t = rest
		}
		if t != "" {
			return prose.Clip(prose.Sentence(t), passage.TitleLimit)
		}
	}
	return ""
}

// planBody gives the aim of a plan, its first prose, and then its steps.
func planBody(blocks []prose.Block) string {
	var goal string
	var steps []string
	for i, b := range blocks {
		switch {
		case b.Kind == prose.Paragraph && goal == "" && len(strings.Fields(b.Text)) > 4:
			goal = prose.ClipWords(b.Text, goalWords)
		case len(steps) < mostPlanSteps && (isStep(b) || goal != "" && len(steps) == 0 && opensList(blocks, i)):
			steps = append(steps, prose.ClipWords(b.Text, stepWords))
		}
	}
	return strings.Trim(goal+"\n- "+strings.Join(steps, "\n- "), "\n- ")
}

// Sizes of an approved plan.
const (
	mostPlanSteps = 40
	stepWords     = 16
	goalWords     = 45
)

// isStep reports whether a block is a step of a plan: an item of a numbered list, a heading such
// as "1. Config loader" and "Step 2: …".
func isStep(b prose.Block) bool {
	if b.Kind == prose.Item {
		return b.Ordered && b.Indent == 0
	}
	words := prose.Words(b.Text)
	return b.Kind == prose.Heading && b.Level >= 2 && len(words) > 0 && (is("plan step", words[0]) || b.Text[0] >= '0' && b.Text[0] <= '9')
}

// opensList reports whether a block is the first item of a list.
func opensList(blocks []prose.Block, i int) bool {
	return blocks[i].Kind == prose.Item && blocks[i].Indent == 0 && i > 0 && blocks[i-1].Kind != prose.Item
}
