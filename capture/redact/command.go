package redact

import (
	_ "embed" // for commands.tsv
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

// commandLimit is how much of a command line is looked at, in bytes.
const commandLimit = 16 << 10

//go:embed commands.tsv
var commandTable string

// programs are the words of commands.tsv by its kinds and programs: "runs sudo", "has git".
var programs = lazy.Value(func() map[string][]string {
	out := map[string][]string{}
	for row := range words.Rows(commandTable, 3) {
		for name := range strings.SplitSeq(row[1], ",") {
			out[row[0]+" "+name] = strings.Fields(row[2])
		}
	}
	return out
})

// omitted stands where arguments of a command were left out.
const omitted = "…"

// Command reduces a command line to what cannot hold a secret: programs with
// their subcommands, plain flags, paths within a tree and package patterns.
// Whatever else there is, values, quoted words, variables, absolute paths and
// here-documents, is left out, and "…" stands in its place. What stands after
// an option that takes a password, a user or a header is always left out.
//
// Assignments before a command and redirections leave nothing behind. A command
// of which nothing is left is "". Reducing twice changes nothing: what was
// written is read again until it stays as it is, and a line that does not settle
// is left out whole.
func Command(line string) string {
	const rounds = 8
	for range rounds {
		next := reduceLine(line)
		if next == line {
			return line
		}
		line = next
	}
	return ""
}

// reduceLine reads a command line once and writes what is left of it.
func reduceLine(line string) string {
	line = line[:min(len(line), commandLimit)]
	if pattern("cut-command").MatchString(line) {
		return reduceCut(strings.TrimSuffix(line, omitted))
	}
	out, last, after := "", omitted, ""
	for _, c := range shellCommands(line) {
		text := reduced(c.words)
		if text == "" || text == omitted && last == omitted {
			continue
		}
		if out != "" {
			out += separator(after)
		}
		out += text
		last, after = text, c.after
	}
	return out
}

// reduceCut reads a line that was cut after it had been reduced.
func reduceCut(line string) string {
	out := reduceLine(line)
	if out == "" {
		return ""
	}
	return strings.TrimSuffix(out, omitted) + omitted
}

// separator is an operator between two commands, as it is written.
func separator(operator string) string {
	if operator == ";" {
		return "; "
	}
	return " " + operator + " "
}

// Command is [Command] without the user's own secrets, as one line.
func (r *Redactor) Command(line string) string { return r.Line(Command(line)) }

// reduced reduces one command.
func reduced(words []word) string {
	words = program(words)
	if len(words) == 0 {
		return ""
	}
	r := reducer{}
	words = r.wrappers(words)
	if len(words) == 0 {
		return strings.Join(r.out, " ")
	}
	name := programName(words[0])
	if name == "" {
		return strings.Join(append(r.out, omitted), " ")
	}
	r.out = append(r.out, name)
	name = path.Base(name)
	if is("silent", name) {
		r.omit(len(words) > 1)
		return strings.Join(r.out, " ")
	}
	r.arguments(words[1:], name)
	if text := strings.Join(r.out, " "); text != "cd "+omitted {
		return text
	}
	return ""
}

// program passes over what stands before the name of a program: words of the
// shell's own grammar, and assignments. Commands that only set or test
// something have no program.
func program(words []word) []word {
	i := slices.IndexFunc(words, func(w word) bool { return !is("grammar", w.text) && !assignment(w) })
	if i < 0 || is("builtins", words[i].text) {
		return nil
	}
	return words[i:]
}

// assignment reports whether a word is NAME=value.
func assignment(w word) bool { return pattern("assignment").MatchString(w.text) }

// programName is the name of a program as it may be written: a path within the
// tree, or the last part of another one; "" for what is no name.
func programName(w word) string {
	if is("silent", w.text) {
		return w.text
	}
	text := programPath(w)
	named := pattern("program").MatchString(text) && wordlike(strings.TrimPrefix(text, "./"))
	if w.made || !named {
		return ""
	}
	return text
}

// programPath is the path of a program as a POSIX system writes it, or its last part where the path leads
// out of the tree.
func programPath(w word) string {
	text := strings.TrimSuffix(strings.ReplaceAll(w.text, "\\", "/"), ".exe")
	if w.quoted || !treePath(text) {
		return path.Base(text)
	}
	return text
}

// reducer writes what is left of a command.
type reducer struct{ out []string }

// omit marks that something was left out.
func (r *reducer) omit(something bool) {
	if something && (len(r.out) == 0 || r.out[len(r.out)-1] != omitted) {
		r.out = append(r.out, omitted)
	}
}

// wrappers passes over programs that run another one, such as sudo; of those,
// only the name stays, and only where it says something.
func (r *reducer) wrappers(words []word) []word {
	for len(words) > 0 && !words[0].made {
		name := path.Base(programPath(words[0]))
		takes, known := programs()["runs "+name]
		if !known {
			return words
		}
		if is("runners", name) {
			r.out = append(r.out, name)
		}
		over := "passed-over"
		if name == "timeout" {
			over = "passed-by-timeout"
		}
		words = program(passOptions(words[1:], takes, over))
	}
	return words
}

// passOptions passes over the words before a program that another one runs: options, of which some take
// a value, and what else an expression matches.
func passOptions(words []word, takes []string, over string) []word {
	for len(words) > 0 {
		w := words[0]
		switch {
		case slices.Contains(takes, w.text):
			words = words[min(2, len(words)):]
		case pattern(over).MatchString(w.text):
			words = words[1:]
		default:
			return words
		}
	}
	return words
}

// arguments keeps those arguments of a program that cannot be a secret.
func (r *reducer) arguments(words []word, name string) {
	a := argumentReader{reducer: r, bare: true}
	if counts, known := programs()["has "+name]; known {
		a.known = true
		a.depth, _ = strconv.Atoi(counts[0])
	}
	for _, w := range words {
		a.read(w)
	}
}

// argumentReader reads the arguments of a program one by one.
type argumentReader struct {
	*reducer
	known  bool // the program's commands are known
	depth  int  // how many words of a command may come
	bare   bool // a word of a command may come
	secret bool // the next word may be a secret
	values bool // all words that follow may be one
}

func (a *argumentReader) read(w word) {
	switch {
	case a.secret:
		a.secret = false
		a.omit(true)
	case w.made, w.quoted:
		a.drop()
	case strings.HasPrefix(w.text, "-"):
		a.flag(w.text)
	case a.command(w.text):
		a.out = append(a.out, w.text)
		a.depth--
		a.bare = a.depth > 0
		a.values = a.values || is("setting", w.text)
	case !a.values && harmless(w.text):
		a.bare = false
		a.out = append(a.out, w.text)
	default:
		a.drop()
	}
}

// drop leaves out an argument. No word of a command comes behind it.
func (a *argumentReader) drop() {
	a.bare = false
	a.omit(true)
}

// flag reads an option.
func (a *argumentReader) flag(text string) {
	flag, takes := plainFlag(text)
	a.omit(flag == "")
	if flag != "" {
		a.out = append(a.out, flag)
	}
	a.secret = takes
	a.bare = a.bare && a.known
}

// command reports whether a word may be one of a command of the program.
func (a *argumentReader) command(text string) bool {
	switch {
	case !a.bare:
		return false
	case a.known && !a.values:
		return subcommand(text)
	}
	return is("verbs", text)
}

// plainFlag is an option as it may be written, without its value; "" for one
// that may hold its value in itself, as "-pPASSWORD" does. takes says that the
// next word may be a secret.
func plainFlag(text string) (flag string, takes bool) {
	name, value, assigned := strings.Cut(text, "=")
	takes = takesSecret(name)
	switch {
	case pattern("flag-number").MatchString(text):
		return text, false
	case !flagName(name, takes):
		return "", !assigned
	case !assigned:
		return name, takes
	case !takes && harmless(value):
		return text, false
	}
	return name + "=" + omitted, false
}

// takesSecret reports whether the value of an option may be a secret.
func takesSecret(flag string) bool {
	_, named := secretName(strings.TrimLeft(flag, "-"))
	return named || is("secretflags", flag) || pattern("flag-value").MatchString(flag)
}

// flagName reports whether an option is a name alone. One that takes a secret may be any name.
func flagName(flag string, takes bool) bool {
	if takes {
		return pattern("flag-name").MatchString(flag)
	}
	return is("goflags", flag) || pattern("flag").MatchString(flag)
}

// subcommand reports whether a word can be one: small letters, in parts.
func subcommand(text string) bool {
	return pattern("subcommand").MatchString(text) && wordlike(text)
}

// harmless reports whether an argument has a shape that no secret has: a path
// within the tree, a package pattern, or a name of git's own.
func harmless(text string) bool {
	if m := pattern("range").FindStringSubmatch(text); m != nil {
		return harmless(m[1]) && harmless(m[2])
	}
	return is("git", text) || treePath(strings.TrimSuffix(text, "/..."))
}

// treePath reports whether a word is a relative path made of words: with a
// slash in it, or the name of a file of a known kind.
func treePath(text string) bool {
	named := strings.Contains(text, "/") || is("kinds", strings.TrimPrefix(path.Ext(text), "."))
	jumble := func(part string) bool { return !wordlike(part) }
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '/' })
	return named && pattern("tree-path").MatchString(text) && !slices.ContainsFunc(parts, jumble)
}

// What names and tokens are made of.
const (
	lettersAndDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	wordLetters      = lettersAndDigits + "_-"
)

// wordlike reports whether a name is made of words and short numbers, as a
// person makes them: not of letters and digits in a jumble.
func wordlike(name string) bool {
	parts := strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("._-:/+@", c) })
	return name != "" && !slices.ContainsFunc(parts, func(part string) bool { return !wordPart(part) })
}

// wordPart reports whether a part of a name is a word, with a short number or without.
func wordPart(part string) bool {
	letters := strings.TrimRight(part, "0123456789")
	jumbled := len(letters) < 3*len(nameWords(letters)) && pattern("hump").MatchString(letters)
	if jumbled || !pattern("word-part").MatchString(part) {
		return false
	}
	return len(letters) < 6 || strings.ContainsAny(letters, "aeiouyAEIOUY")
}

func letter(c byte) bool { return c|0x20-'a' < 26 }
