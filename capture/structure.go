package capture

import (
	"path"
	"strconv"
	"strings"

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

func isWorkingDocument(p string) bool {
	for _, w := range prose.Words(strings.ReplaceAll(p[max(0, len(p)-160):], "_", " ")) {
		switch w {
		case "plan", "plans", "planning", "todo", "todos", "adr", "adrs", "decision", "decisions", "design", "designs", "spec", "specs",
			"notes", "context", "finding", "findings", "review", "reviews", "rfc", "rfcs", "handoff", "roadmap", "proposal", "retro",
			"postmortem", "lessons", "learnings", "investigation", "tasks", "issues", "state":
			return true
		}
	}
	return false
}

// messageOf finds the message of a git commit, or the text of a pull request,
// in a shell command.
func messageOf(cmd string) *item {
	switch {
	case strings.Contains(cmd, "git commit"), strings.Contains(cmd, " commit -"):
		_, rest, _ := strings.Cut(cmd, " commit")
		var parts []string
		for len(parts) < 4 {
			i := messageFlag(rest)
			if i < 0 {
				break
			}
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
	case strings.Contains(cmd, "gh pr create"), strings.Contains(cmd, "gh pr edit"), strings.Contains(cmd, "glab mr create"):
		title, _ := flagValue(cmd, "--title", " -t")
		body := document(cmd, "--body-file -", "--body-file=-", " -F -")
		ok := body != ""
		if !ok {
			body, ok = flagValue(cmd, "--body", "--description", " -b", " -d")
		}
		if body = dropTrailers(body); !ok || body == "" {
			return nil
		}
		return &item{kind: itCommit, title: title, text: body}
	}
	return nil
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

// flagValue is the value of the first of some flags that has one.
func flagValue(cmd string, flags ...string) (string, bool) {
	for _, flag := range flags {
		i := strings.Index(cmd, flag)
		if i < 0 || i+len(flag) >= len(cmd) || cmd[i+len(flag)] != ' ' && cmd[i+len(flag)] != '=' {
			continue
		}
		if words, _ := shellWord(strings.TrimLeft(cmd[i+len(flag):], " =")); words != "" {
			return words, true
		}
	}
	return "", false
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

// dropTrailers removes the lines of a message that people do not write.
func dropTrailers(s string) string {
	var out []string
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\r\n")
		key, _, found := strings.Cut(line, ":")
		trailer := found && strings.Contains(key, "-") && !strings.Contains(key, " ") && len(key) < 30 && key != "" && key[0] >= 'A' && key[0] <= 'Z'
		lower := strings.ToLower(line)
		if trailer || strings.Contains(lower, "generated with") || strings.HasPrefix(lower, "closes #") || strings.HasPrefix(lower, "fixes #") ||
			strings.HasPrefix(lower, "refs #") {
			continue
		}
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// planTitle is the first heading of a plan, without the word plan.
func planTitle(blocks []prose.Block) string {
	for _, b := range blocks {
		t := b.Text
		for _, word := range []string{"Implementation Plan:", "Plan:", "PLAN:", "Plan -", "Plan –", "Plan —"} {
			t = strings.TrimSpace(strings.TrimPrefix(t, word))
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
		t := b.Text
		switch {
		case b.Kind == prose.Paragraph && goal == "" && len(strings.Fields(t)) > 4:
			goal = prose.ClipWords(t, 45)
		case b.Kind == prose.Item && b.Indent == 0 && b.Ordered && len(steps) < mostPlanSteps:
			steps = append(steps, prose.ClipWords(t, 16))
		case b.Kind == prose.Heading && b.Level >= 2 && len(steps) < mostPlanSteps && planned(t):
			steps = append(steps, prose.ClipWords(t, 14))
		case b.Kind == prose.Item && b.Indent == 0 && len(steps) == 0 && i > 0 && blocks[i-1].Kind != prose.Item && goal != "":
			steps = append(steps, prose.ClipWords(t, 16))
		}
	}
	if len(steps) == 0 {
		return goal
	}
	return strings.TrimSpace(goal + "\n- " + strings.Join(steps, "\n- "))
}

// mostPlanSteps bounds the steps that are kept of an approved plan.
const mostPlanSteps = 40

// planned holds for headings such as "1. Config loader" and "Step 2: …".
func planned(t string) bool {
	if t == "" {
		return false
	}
	w := strings.ToLower(prose.FirstWord(t))
	return t[0] >= '0' && t[0] <= '9' || w == "step" || w == "phase" || w == "file:"
}
