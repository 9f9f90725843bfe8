package redact

import (
	"cmp"
	_ "embed" // for options.tsv
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/words"
)

//go:embed options.tsv
var optionTable string

// options are the forms of options.tsv by the program.
var options = lazy.Value(func() map[string][]string {
	out := map[string][]string{}
	for programs, forms := range words.Classes(optionTable) {
		for p := range strings.SplitSeq(programs, ",") {
			out[p] = forms
		}
	}
	return out
})

// call is a call of a program in a text.
type call struct {
	x    *search
	at   int      // where the text of the call begins
	args []word   // behind the program, and its subcommand
	next []simple // the commands behind it
	pipe bool     // its output goes to the next command
}

// program looks at a command in which a secret may stand.
func (x *search) program(at int, w *watch) {
	s := x.s
	if !strings.HasPrefix(s[at+len(w.word):], " ") || strings.ContainsAny(s[max(0, at-1):at], nameBytes) {
		return
	}
	cmds := shellCommands(s[at:callEnd(s, at)])
	if len(cmds) == 0 {
		return
	}
	words := cmds[0].words
	program := min(len(words), strings.Count(w.word, " ")+1) // its name, and a subcommand
	c := call{x: x, at: at, args: words[program:], next: cmds[1:], pipe: cmds[0].after == "|"}
	for _, form := range options()[w.word] {
		c.read(form)
	}
}

// callEnd is where a call ends that begins at a place: with its line, which a backslash at its
// end continues, or with the code span that it stands in.
func callEnd(s string, at int) int {
	to := min(len(s), at+(2<<10))
	if i := strings.IndexByte(s[at:to], '\n'); i >= 0 && !strings.HasSuffix(s[at:at+i], "\\") {
		to = at + i
	}
	if strings.HasSuffix(s[:at], "`") {
		to = reach(s, at, to, "`")
	}
	return to
}

// readers are the forms of options.tsv that are no options.
var readers = lazy.Value(func() map[string]func(c call) {
	return map[string]func(c call){
		"|": call.piped, "any": call.telling, "name": call.settings, "last": call.last, "=": call.pairs,
		"1":  func(c call) { c.operand(1, "") },
		"2":  func(c call) { c.operand(2, "") },
		"1/": func(c call) { c.operand(1, "/") },
	}
})

// read adds the arguments that a form of options.tsv calls secrets.
func (c call) read(form string) {
	if read := readers()[form]; read != nil {
		read(c)
		return
	}
	c.option(form)
}

// piped adds the arguments of what is piped into a program that reads a password, and
// what looks like a password of what base64 reads.
func (c call) piped() {
	if !c.pipe || len(c.next) == 0 {
		return
	}
	if reader := c.next[0].words; reader[0].text == "base64" {
		c.telling()
	} else if readsSecret(reader) {
		c.spoken()
	}
}

// readsSecret reports whether a command reads a password from its input.
func readsSecret(words []word) bool {
	sudo := words[0].text == "sudo"
	return slices.ContainsFunc(words, func(w word) bool { return is("readers", w.text) || sudo && w.text == "-S" })
}

// telling adds the arguments that look like a password, or like one in base64.
func (c call) telling() {
	for _, a := range c.args {
		if fitsAny(strings.TrimRight(a.text, "="), "strong", "seasoned", "jumble") {
			c.x.argument(c.at, a, 0)
		}
	}
}

// last adds the last argument, if an option says that the password is one.
func (c call) last() {
	n := len(c.args)
	given := func(a word) bool { return strings.HasPrefix(a.text, "-") && strings.Contains(a.text, "b") }
	if n > 2 && slices.ContainsFunc(c.args, given) {
		c.x.argument(c.at, c.args[n-1], 0)
	}
}

// pairs adds what follows "=" in each argument.
func (c call) pairs() {
	for _, a := range c.args {
		c.x.after(c.at, a, "=")
	}
}

// operands are the arguments without a dash.
func (c call) operands() []word {
	return lists.Without(c.args, func(a word) bool { return strings.HasPrefix(a.text, "-") })
}

// operand adds the argument without a dash of a number. Of one with a mark, what follows the
// mark is the secret.
func (c call) operand(which int, mark string) {
	list := c.operands()
	switch {
	case len(list) < which:
	case mark != "":
		c.x.after(c.at, list[which-1], mark)
	default:
		c.x.argument(c.at, list[which-1], 0)
	}
}

// spoken adds what a command prints: of "account:password" the password alone.
func (c call) spoken() {
	for _, a := range c.operands() {
		switch {
		case strings.Contains(a.text, ":") && !a.made:
			c.x.after(c.at, a, ":")
		case !strings.HasPrefix(a.text, "%s"):
			c.x.argument(c.at, a, 0)
		}
	}
}

// settings adds the value of a setting whose name is that of a secret, as "aws configure set
// aws_secret_access_key X" gives it; of an account for HTTP, the password is the third word.
func (c call) settings() {
	list := c.operands()
	if len(list) < 2 {
		return
	}
	name := list[0].text
	if strings.HasPrefix(name, "http-basic.") && len(list) > 2 {
		c.x.argument(c.at, list[2], 0)
		return
	}
	name = name[strings.LastIndexAny(name, "/:")+1:]
	_, secret := secretName(strings.TrimLeft(name, "_"))
	if secret && pattern("setting").MatchString(name) { // and not "credential.helper"
		c.x.argument(c.at, list[1], 0)
	}
}

// option adds the values of one option.
func (c call) option(form string) {
	flag := strings.TrimRight(form, "*:%=,")
	mark := form[len(flag):]
	for i, a := range c.args {
		rest, found := strings.CutPrefix(a.text, flag)
		if !found {
			continue
		}
		switch {
		case mark == "*":
			c.x.argument(c.at, a, len(flag))
		case rest == "":
			c.following(i+1, mark)
		case len(flag) == 2, rest[0] == '=':
			c.x.after(c.at, a, cmp.Or(mark, "="))
		}
	}
}

// following adds the argument of a number, or what follows a mark in it.
func (c call) following(i int, mark string) {
	switch {
	case i >= len(c.args):
	case strings.Contains(c.x.s[c.at+c.args[i-1].end:c.at+c.args[i].start], ">"): // "-p <password> next"
	case mark == "":
		c.x.argument(c.at, c.args[i], 0)
	default:
		c.x.after(c.at, c.args[i], mark)
	}
}

// after adds what follows the first mark in an argument.
func (x *search) after(at int, a word, mark string) {
	raw := x.s[at+a.start : at+a.end]
	before, rest, ok := strings.Cut(raw, mark)
	switch {
	case strings.Trim(rest, "\"'") != "":
		x.argument(at, a, len(before)+1)
	case ok && mark == ":": // a token may stand for the user
		user := strings.Trim(before, "\"'")
		from := at + a.start + strings.Index(raw, user)
		x.take("secret", "strong", from, from+len(user))
	}
}

// argument adds an argument from its n-th byte on, without its quotes, unless
// it stands for something else.
func (x *search) argument(at int, a word, n int) {
	to := at + a.end
	raw := strings.TrimLeft(x.s[at+a.start+n:to], "\"'")
	raw = strings.TrimPrefix(raw, "pass:") // of openssl
	from := to - len(raw)
	raw = strings.TrimRight(raw, "\"'")
	if !is("passkinds", upTo(raw, ":")) && !namesSecret(raw) {
		x.take("secret", "argument", from, from+len(raw))
	}
}

// literals looks at the values of kubectl's --from-literal.
func (x *search) literals(at int, w *watch) {
	words := firstWords(x.s, at, 2)
	if len(words) == 0 {
		return
	}
	pair, joined := strings.CutPrefix(x.s[at:at+words[0].end], w.word+"=")
	switch {
	case joined && strings.Contains(pair, "="):
		x.argument(at, words[0], len(w.word)+2+strings.IndexByte(pair, '='))
	case len(words) > 1:
		x.after(at, words[1], "=")
	}
}

// option looks at the value of an option such as "--password", which stands
// after a blank.
func (x *search) option(name string, to int) {
	password, secret := optionName(name)
	at := blanks(x.s, to)
	if !secret || at == to {
		return
	}
	for _, w := range firstWords(x.s, at, 1) {
		shapes := []string{"option-token"}
		if password {
			shapes = append(shapes, "option-password")
		}
		if w.quoted {
			shapes = append(shapes, "option-quoted")
		}
		if fitsAny(w.text, shapes...) {
			x.argument(at, w, 0)
		}
	}
}

// optionName says whether an option takes a secret, and whether that is a password.
func optionName(name string) (password, secret bool) {
	bare := strings.TrimLeft(name, "-")
	password, secret = secretName(bare)
	vague := ambiguous(name) && bare != "pass"
	return password, secret && !vague && !is("several", lastWord(name))
}

// firstWords are the first words of a command that begins at a place, at most some.
func firstWords(s string, at, most int) []word {
	cmds := shellCommands(s[at:min(lineTo(s, at), at+512)])
	if len(cmds) == 0 {
		return nil
	}
	return cmds[0].words[:min(most, len(cmds[0].words))]
}
