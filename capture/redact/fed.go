package redact

import (
	"slices"
	"strings"
)

// maxFed bounds how many lines of a here-document are looked at.
const maxFed = 16

// fed looks at what a command is given on its input, by "<<<" or by a here-document: where
// the command reads a password from there, it is one.
func fed(x *search, at int, _ *watch) {
	if at < x.fedTo {
		return
	}
	from, to := lineFrom(x.s, at), lineTo(x.s, at)
	x.fedTo = to
	line, after := x.s[from:to], x.s[at:to]
	if !feeds(line) {
		return
	}
	if strings.HasPrefix(after, "<<<") {
		for _, w := range firstWords(x.s, at+3, 1) {
			x.argument(at+3, w, 0)
		}
	} else if m := pattern("here-document").FindStringSubmatch(after); m != nil {
		x.document(to, m[1], strings.Contains(line, "chpasswd"))
	}
}

// document adds the lines of a here-document that begins behind the line that ends at a place;
// where they are accounts with their passwords, the passwords alone.
func (x *search) document(to int, mark string, accounts bool) {
	for n := 0; n < maxFed && to < len(x.s); n++ {
		from := to + 1
		to = lineTo(x.s, min(len(x.s), from))
		line := strings.Trim(x.s[min(from, to):to], " \t\r>")
		if line == mark {
			return
		}
		start := from + strings.Index(x.s[min(from, to):to], line)
		skip := 0
		if accounts {
			skip = strings.IndexByte(line, ':') + 1
		}
		if line != "" && !strings.Contains(line, " ") {
			x.argument(start, word{text: line, end: len(line)}, skip)
		}
	}
}

// feeds reports whether a line has a command that reads a password from its input.
func feeds(line string) bool {
	words := strings.Fields(line)
	reads := func(w string) bool { return is("readers", strings.Trim(w, "`\"'();|")) }
	return slices.ContainsFunc(words, reads) || pattern("sudo-input").MatchString(line)
}
