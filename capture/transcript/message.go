package transcript

import (
	"cmp"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// Message is the subject and the body of a git commit's message, or of the text of a pull request,
// that a shell command gives, without the lines that people do not write; "" for none.
func Message(cmd string) (subject, body string) {
	switch {
	case strings.Contains(cmd, "git commit"), strings.Contains(cmd, " commit -"):
		return commitMessage(cmd)
	case strings.Contains(cmd, "gh pr create"), strings.Contains(cmd, "gh pr edit"),
		strings.Contains(cmd, "glab mr create"):
		return pullRequest(cmd)
	}
	return "", ""
}

// mostMessages is how many paragraphs a commit message may have that are given one by one.
const mostMessages = 4

func commitMessage(cmd string) (subject, body string) {
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
	subject, body, _ = strings.Cut(strings.TrimSpace(strings.Join(parts, "\n\n")), "\n")
	return strings.TrimSpace(subject), dropTrailers(body)
}

func pullRequest(cmd string) (title, body string) {
	body = cmp.Or(document(cmd, "--body-file -", "--body-file=-", " -F -"),
		flagValue(cmd, "--body", "--description", " -b", " -d"))
	return flagValue(cmd, "--title", " -t"), dropTrailers(body)
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
var trailer = lazy.Pattern(`^[A-Z][A-Za-z]*-[A-Za-z-]+:|(?i:generated with)|^(?i:(?:closes|fixes|refs) #)`)

// dropTrailers removes the lines of a message that people do not write.
func dropTrailers(s string) string {
	lines := lists.Without(strings.Split(s, "\n"), trailer().MatchString)
	return strings.TrimSpace(strings.ReplaceAll(strings.Join(lines, "\n"), "\r", ""))
}
