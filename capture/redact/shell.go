package redact

import "strings"

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

// shellCommands splits a command line.
func shellCommands(s string) []simple {
	r := shellReader{s: s}
	for r.at < len(s) {
		switch c := s[r.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			r.at++
		case c == '\\' && strings.HasPrefix(s[r.at:], "\\\n"):
			r.at += 2
		case c == '#':
			r.at = lineEnd(s, r.at) - 1
			if s[r.at] != '\n' {
				r.at = len(s)
			}
		case c == '\n':
			r.end(";", 1)
			r.skipDocuments()
		case c == ';' || c == '(' || c == ')':
			r.end(";", 1)
		case strings.HasPrefix(s[r.at:], "&&"), strings.HasPrefix(s[r.at:], "||"):
			r.end(s[r.at:r.at+2], 2)
		case strings.HasPrefix(s[r.at:], "|&"):
			r.end("|", 2)
		case c == '|':
			r.end("|", 1)
		case strings.HasPrefix(s[r.at:], "&>"), c == '<' || c == '>':
			r.redirection()
		case c == '&':
			r.end(";", 1)
		default:
			r.word()
		}
	}
	r.end("", 0)
	return r.cmds
}

// end closes the command at hand before an operator of n bytes.
func (r *shellReader) end(operator string, n int) {
	if len(r.cur) > 0 {
		r.cmds = append(r.cmds, simple{r.cur, operator})
		r.cur = nil
	} else if i := len(r.cmds) - 1; i >= 0 && operator != ";" && operator != "" {
		r.cmds[i].after = operator
	}
	r.at += n
}

// redirection passes over "> file", "2>&1" or "<<END".
func (r *shellReader) redirection() {
	sign := r.at
	for r.at < len(r.s) && strings.IndexByte("<>&-", r.s[r.at]) >= 0 {
		r.at++
	}
	document := r.s[sign:r.at] == "<<" || r.s[sign:r.at] == "<<-"
	for r.at < len(r.s) && (r.s[r.at] == ' ' || r.s[r.at] == '\t') {
		r.at++
	}
	if r.at >= len(r.s) || strings.IndexByte(";|&()\n", r.s[r.at]) >= 0 || strings.HasSuffix(r.s[sign:r.at], "&-") {
		return
	}
	n := len(r.cur)
	r.word()
	if len(r.cur) > n {
		if document {
			r.docs = append(r.docs, r.cur[n].text)
		}
		r.cur = r.cur[:n]
	}
}

// skipDocuments passes over the here-documents that begin here.
func (r *shellReader) skipDocuments() {
	for _, mark := range r.docs {
		for r.at < len(r.s) {
			next := lineEnd(r.s, r.at)
			line := strings.TrimSpace(r.s[r.at:next])
			r.at = next
			if line == mark {
				break
			}
		}
	}
	r.docs = nil
}

// word takes one word. A number right before a redirection belongs to it.
func (r *shellReader) word() {
	w := word{start: r.at}
	var b strings.Builder
	for r.at < len(r.s) {
		c := r.s[r.at]
		if strings.IndexByte(" \t\r\n;|&()<>", c) >= 0 {
			break
		}
		switch c {
		case '\'', '"':
			w.quoted = true
			r.quoted(c, &b, &w)
		case '\\':
			if r.at+1 < len(r.s) {
				r.at++
			} // else it stands for itself, as in a shell: no word is empty without quotes
			b.WriteByte(r.s[r.at])
			r.at++
		case '$', '`':
			w.made = true
			r.made(&b)
		default:
			b.WriteByte(c)
			r.at++
		}
	}
	w.text, w.end = b.String(), r.at
	if r.at < len(r.s) && (r.s[r.at] == '<' || r.s[r.at] == '>') && !w.quoted && digits(w.text) {
		return
	}
	if w.end > w.start {
		r.cur = append(r.cur, w)
	}
}

// quoted takes what is between two quotes.
func (r *shellReader) quoted(quote byte, b *strings.Builder, w *word) {
	for r.at++; r.at < len(r.s); {
		c := r.s[r.at]
		switch {
		case c == quote:
			r.at++
			return
		case quote == '"' && c == '\\' && r.at+1 < len(r.s):
			b.WriteByte(r.s[r.at+1])
			r.at += 2
		case quote == '"' && (c == '$' || c == '`'):
			w.made = true
			r.made(b)
		default:
			b.WriteByte(c)
			r.at++
		}
	}
}

// made takes a variable, or the whole of a command in a word.
func (r *shellReader) made(b *strings.Builder) {
	from := r.at
	switch {
	case r.s[from] == '`':
		i := strings.IndexByte(r.s[from+1:], '`')
		r.at = len(r.s)
		if i >= 0 {
			r.at = from + i + 2
		}
	case strings.HasPrefix(r.s[from:], "$("), strings.HasPrefix(r.s[from:], "${"):
		depth := 0
		for r.at = from + 1; r.at < len(r.s); {
			c := r.s[r.at]
			r.at++
			switch c {
			case '(', '{':
				depth++
			case ')', '}':
				depth--
			}
			if depth == 0 {
				break
			}
		}
	default:
		r.at++
	}
	b.WriteString(r.s[from:r.at])
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
