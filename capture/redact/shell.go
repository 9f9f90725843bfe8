package redact

import (
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
)

// word is one word of a shell command.
type word struct {
	text       string // without its quotes
	start, end int    // where it stands in the line, quotes included
	made       bool   // by the shell: it holds a variable or another command
	quoted     bool
}

// simple is a command without operators, and the operator after it: "&&",
// "||", "|", ";", or "" at the end.
type simple struct {
	words []word
	after string
}

// shellReader splits a command line as a POSIX shell would, near enough to tell
// programs from their arguments. Redirections, comments and here-documents are
// passed over.
type shellReader struct {
	s    string
	at   int
	cmds []simple
	cur  []word
	docs []string // here-documents that begin after this line
}

// Commands takes a command line apart into its commands, each its words without quotes.
func Commands(line string) [][]string {
	var out [][]string
	for _, c := range shellCommands(line) {
		out = append(out, lists.Map(c.words, func(w word) string { return w.text }))
	}
	return out
}

// shellCommands splits a command line.
func shellCommands(s string) []simple {
	r := shellReader{s: s}
	for r.at < len(s) {
		r.next()
	}
	r.end("")
	return r.cmds
}

// next takes what stands at the place where the reader is.
func (r *shellReader) next() {
	switch rest := r.s[r.at:]; {
	case strings.HasPrefix(rest, "\\\n"): // the line goes on
		r.at += 2
	case strings.ContainsRune(" \t\r", rune(rest[0])):
		r.at++
	case rest[0] == '#':
		r.at = reach(r.s, r.at, len(r.s), "\n")
	case strings.ContainsRune("&|;()<>\n", rune(rest[0])):
		r.operator()
	default:
		r.word()
	}
}

// operator takes an operator between commands, or a redirection.
func (r *shellReader) operator() {
	operator := pattern("shell-operator").FindString(r.s[r.at:])
	r.at += len(operator)
	switch operator {
	case "&&", "||":
		r.end(operator)
	case "|", "|&":
		r.end("|")
	case ";", "&", "(", ")":
		r.end(";")
	case "\n":
		r.end(";")
		r.skipDocuments()
	default:
		r.redirection(operator)
	}
}

// end closes the command at hand before an operator.
func (r *shellReader) end(operator string) {
	if len(r.cur) > 0 {
		r.cmds = append(r.cmds, simple{r.cur, operator})
		r.cur = nil
	} else if i := len(r.cmds) - 1; i >= 0 && len(strings.Trim(operator, ";")) > 0 {
		r.cmds[i].after = operator
	}
}

// redirection passes over what follows "> ", "2>&" or "<<".
func (r *shellReader) redirection(sign string) {
	r.at = blanks(r.s, r.at)
	n := len(r.cur)
	if strings.HasSuffix(sign, "&-") || strings.ContainsAny(r.s[r.at:min(len(r.s), r.at+1)], ";|&()\n") {
		return
	}
	r.word()
	if strings.TrimSuffix(sign, "-") == "<<" && len(r.cur) > n {
		r.docs = append(r.docs, r.cur[n].text)
	}
	r.cur = r.cur[:n]
}

// skipDocuments passes over the here-documents that begin here.
func (r *shellReader) skipDocuments() {
	for _, mark := range r.docs {
		line := ""
		for line != mark && r.at < len(r.s) {
			next := lineEnd(r.s, r.at)
			line = strings.TrimSpace(r.s[r.at:next])
			r.at = next
		}
	}
	r.docs = nil
}

// shellBreaks are the bytes that end a word, and shellSigns those with a meaning within one.
const (
	shellBreaks = " \t\r\n;|&()<>"
	shellSigns  = "'\"\\$`"
)

// word takes one word. A number right before a redirection belongs to it.
func (r *shellReader) word() {
	w := word{start: r.at}
	var b strings.Builder
	for r.at < len(r.s) && strings.IndexByte(shellBreaks, r.s[r.at]) < 0 {
		r.piece(&b, &w)
	}
	w.text, w.end = b.String(), r.at
	if w.end > w.start && !r.redirects(w.text) {
		r.cur = append(r.cur, w)
	}
}

// redirects reports whether a word that ends here is the number of a redirection.
func (r *shellReader) redirects(text string) bool {
	return digits(text) && strings.ContainsAny(r.s[r.at:min(len(r.s), r.at+1)], "<>")
}

// piece takes what stands in quotes, behind a backslash or a dollar, or up to the next of them.
func (r *shellReader) piece(b *strings.Builder, w *word) {
	switch c := r.s[r.at]; c {
	case '\'', '"':
		w.quoted = true
		r.quoted(c, b, w)
	case '\\':
		r.escaped(b)
	case '$', '`':
		w.made = true
		r.made(b)
	default:
		end := reach(r.s, r.at, len(r.s), shellBreaks+shellSigns)
		b.WriteString(r.s[r.at:end])
		r.at = end
	}
}

// quoted takes what is between two quotes.
func (r *shellReader) quoted(quote byte, b *strings.Builder, w *word) {
	signs := "'"
	if quote == '"' {
		signs = "\"\\$`"
	}
	for r.at++; r.at < len(r.s); {
		end := reach(r.s, r.at, len(r.s), signs)
		b.WriteString(r.s[r.at:end])
		r.at = end
		switch {
		case end == len(r.s):
		case r.s[end] == quote:
			r.at++
			return
		case r.s[end] == '\\':
			if !strings.ContainsAny(r.s[end+1:min(len(r.s), end+2)], signs) {
				b.WriteByte('\\') // only before those it has a meaning
			}
			r.escaped(b)
		default:
			w.made = true
			r.made(b)
		}
	}
}

// escaped takes the byte behind a backslash. At the end the backslash stands for itself, as in a
// shell: no word is empty without quotes.
func (r *shellReader) escaped(b *strings.Builder) {
	last := min(r.at+1, len(r.s)-1)
	b.WriteByte(r.s[last])
	r.at = last + 1
}

// made takes a variable, or the whole of a command in a word.
func (r *shellReader) made(b *strings.Builder) {
	from := r.at
	rest := r.s[from+1:]
	switch {
	case r.s[from] == '`':
		r.at = min(len(r.s), from+2+len(upTo(rest, "`")))
	case strings.HasPrefix(rest, "("), strings.HasPrefix(rest, "{"):
		r.at = bracketEnd(r.s, from+1)
	default:
		r.at++
	}
	b.WriteString(r.s[from:r.at])
}

// bracketEnd is where the brackets that open at a place are shut, the end of the text where they are not.
func bracketEnd(s string, at int) int {
	depth := 0
	for i := at; i < len(s); i++ {
		switch s[i] {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(s)
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
