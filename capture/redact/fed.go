package redact

import "strings"

// maxFed bounds how many lines of a here-document are looked at.
const maxFed = 16

// fed looks at what a command is given on its input, by "<<<" or by a here-document: where
// the command reads a password from there, it is one.
func fed(x *search, at int, _ *watch) {
	s := x.s
	if at < x.fedTo {
		return
	}
	from, to := x.lineFrom(at), x.lineTo(at)
	x.fedTo = to
	before, after := s[from:at], s[at:to]
	if !feeds(before) && !feeds(after) {
		return
	}
	if rest, ok := strings.CutPrefix(after, "<<<"); ok {
		if cmds := shellCommands(rest); len(cmds) > 0 && len(cmds[0].words) > 0 {
			x.argument(at+3, cmds[0].words[0], 0)
		}
		return
	}
	mark := strings.TrimLeft(strings.TrimPrefix(after, "<<"), "-~ ")
	mark = strings.Trim(upTo(mark, " \t\r|;&>)"), "\"'\\")
	if mark == "" || strings.Trim(mark, wordLetters) != "" {
		return
	}
	for n := 0; n < maxFed && to < len(s); n++ {
		from, to = to+1, x.lineTo(min(len(s), to+1))
		line := strings.Trim(s[from:to], " \t\r>")
		if line == mark {
			return
		}
		start := from + strings.Index(s[from:to], line)
		skip := 0
		if i := strings.IndexByte(line, ':'); i > 0 && strings.Contains(before+after, "chpasswd") {
			skip = i + 1
		}
		if line != "" && !strings.Contains(line, " ") {
			x.argument(start, word{text: line, end: len(line)}, skip)
		}
	}
}

// feeds reports whether a part of a line is a command that reads a password from its input.
func feeds(line string) bool {
	words := strings.Fields(line)
	for i, w := range words {
		if is("readers", strings.Trim(w, "`\"'();|")) || w == "-S" && i > 0 && strings.HasSuffix(words[i-1], "sudo") {
			return true
		}
	}
	return false
}

// settings adds the value of a setting whose name is that of a secret, as "aws configure set
// aws_secret_access_key X" gives it; of an account for HTTP, the password is the third word.
func settings(x *search, at int, args []word) {
	var plain []word
	for _, a := range args {
		if !strings.HasPrefix(a.text, "-") {
			plain = append(plain, a)
		}
	}
	if len(plain) < 2 {
		return
	}
	name := plain[0].text
	if strings.HasPrefix(name, "http-basic.") && len(plain) > 2 {
		x.argument(at, plain[2], 0)
		return
	}
	if i := strings.LastIndexAny(name, "/:"); i >= 0 {
		name = name[i+1:]
	}
	_, secret := secretName(strings.TrimLeft(name, "_"))
	last := lastWord(name)
	ends := passwordWord(last) || is("secretwords", last) || last == "key" || strings.HasPrefix(name, "pypi-token.")
	if secret && ends { // and not "credential.helper"
		x.argument(at, plain[1], 0)
	}
}
