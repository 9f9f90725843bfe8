package redact

import (
	_ "embed" // for commands.tsv
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// commandLimit is how much of a command line is looked at, in bytes.
const commandLimit = 16 << 10

//go:embed commands.tsv
var commandTable string

// programs are the words of commands.tsv by its kinds and programs: "runs sudo", "has git".
var programs = sync.OnceValue(func() map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(commandTable) {
		if cells := strings.Split(strings.TrimSpace(line), "\t"); len(cells) == 3 {
			for name := range strings.SplitSeq(cells[1], ",") {
				out[cells[0]+" "+name] = strings.Fields(cells[2])
			}
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
	if len(line) > commandLimit {
		line = line[:commandLimit]
	}
	if rest, cut := strings.CutSuffix(line, omitted); cut && rest != "" && !strings.HasSuffix(rest, " ") { // it was cut after it had been reduced
		if rest = reduceLine(rest); rest == "" || strings.HasSuffix(rest, omitted) {
			return rest
		}
		return rest + omitted
	}
	var b strings.Builder
	last, after := omitted, ""
	for _, c := range shellCommands(line) {
		text := reduced(c.words)
		if text == "" || text == omitted && last == omitted {
			continue
		}
		switch {
		case b.Len() == 0:
		case after == ";" || after == "":
			b.WriteString("; ")
		default:
			b.WriteString(" " + after + " ")
		}
		b.WriteString(text)
		last, after = text, c.after
	}
	return b.String()
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
	for len(words) > 0 {
		w := words[0]
		switch {
		case is("grammar", w.text):
			words = words[1:]
		case is("builtins", w.text):
			return nil
		case assignment(w):
			words = words[1:]
		default:
			return words
		}
	}
	return nil
}

// assignment reports whether a word is NAME=value.
func assignment(w word) bool {
	name, _, ok := strings.Cut(w.text, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+") == ""
}

// programName is the name of a program as it may be written: a path within the
// tree, or the last part of another one; "" for what is no name.
func programName(w word) string {
	if is("silent", w.text) {
		return w.text
	}
	text := slashed(w.text)
	if !treePath(text) || w.quoted {
		text = path.Base(text)
	}
	if w.made || !pattern("program").MatchString(text) || !wordlike(strings.TrimPrefix(text, "./")) || is("grammar", text) || is("builtins", text) {
		return ""
	}
	return text
}

// slashed is the path of a program as a POSIX system writes it.
func slashed(text string) string {
	return strings.TrimSuffix(strings.ReplaceAll(text, "\\", "/"), ".exe")
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
		name := path.Base(slashed(words[0].text))
		takes, known := programs()["runs "+name]
		if !known {
			return words
		}
		if name == "sudo" || name == "xargs" {
			r.out = append(r.out, name)
		}
		words = program(passOptions(words[1:], takes, name == "timeout"))
	}
	return words
}

// passOptions passes over the options of a program that runs another one, of which some take a value,
// over assignments, and over a duration.
func passOptions(words []word, takes []string, duration bool) []word {
	for len(words) > 0 {
		w := words[0]
		switch {
		case slices.Contains(takes, w.text) && len(words) > 1:
			words = words[2:]
		case strings.HasPrefix(w.text, "-"), assignment(w), duration && pattern("duration").MatchString(w.text):
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
	case w.text == omitted:
		a.bare = a.bare && a.known
		a.omit(true)
	case w.made || w.quoted:
		a.bare = false
		a.omit(true)
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
		a.bare = false
		a.omit(true)
	}
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
	if !a.known {
		return a.bare && is("verbs", text)
	}
	return a.bare && a.depth > 0 && subcommand(text) && (!a.values || is("verbs", text))
}

// plainFlag is an option as it may be written, without its value; "" for one
// that may hold its value in itself, as "-pPASSWORD" does. takes says that the
// next word may be a secret.
func plainFlag(text string) (flag string, takes bool) {
	name, value, assigned := strings.Cut(text, "=")
	_, named := secretName(strings.TrimLeft(name, "-"))
	takes = named || is("secretflags", name) || pattern("flag-value").MatchString(name)
	switch {
	case text == "-", text == "--", !assigned && pattern("flag-number").MatchString(name):
		return text, false
	case !takes && !is("goflags", name) && !pattern("flag").MatchString(name), takes && !pattern("flag-name").MatchString(name):
		return "", !assigned
	case !assigned:
		return name, takes
	case !takes && harmless(value):
		return name + "=" + value, false
	}
	return name + "=" + omitted, false
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
	return is("git", text) || treePath(strings.TrimSuffix(text, "/...")) && text != ""
}

// treePath reports whether a word is a relative path made of words: with a
// slash in it, or the name of a file of a known kind.
func treePath(text string) bool {
	if !pattern("tree-path").MatchString(text) {
		return false
	}
	if !strings.Contains(text, "/") && !is("kinds", strings.TrimPrefix(path.Ext(text), ".")) {
		return false
	}
	jumble := func(part string) bool { return part != "" && part != "." && part != ".." && !wordlike(part) }
	return !slices.ContainsFunc(strings.Split(text, "/"), jumble)
}

const wordLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// wordlike reports whether a name is made of words and short numbers, as a
// person makes them: not of letters and digits in a jumble.
func wordlike(name string) bool {
	parts := strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune("._-:/+@", c) })
	return name != "" && !slices.ContainsFunc(parts, func(part string) bool { return !wordPart(part) })
}

// wordPart reports whether a part of a name is a word, with a short number or without.
func wordPart(part string) bool {
	if !pattern("word-part").MatchString(part) {
		return false
	}
	letters := strings.TrimRight(part, "0123456789")
	words := nameWords(letters)
	if len(words) > 1 && len(letters) < 3*len(words) {
		return false
	}
	return len(letters) < 6 || strings.ContainsAny(letters, "aeiouyAEIOUY")
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
