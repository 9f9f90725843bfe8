package redact

import (
	"path"
	"slices"
	"strings"
)

// commandLimit is how much of a command line is looked at, in bytes.
const commandLimit = 16 << 10

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
	if w.made || w.text == omitted {
		return ""
	}
	if is("silent", w.text) {
		return w.text
	}
	text := slashed(w.text)
	if !treePath(text) || w.quoted {
		text = path.Base(text)
	}
	if len(text) > 60 || text == "" || text == "." || text[0] == '-' || strings.Trim(text, wordLetters+"./+@") != "" || !wordlike(strings.TrimPrefix(text, "./")) {
		return ""
	}
	if is("grammar", text) || is("builtins", text) {
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
		takes, known := wrapper(name)
		if !known {
			return words
		}
		if name == "sudo" || name == "xargs" {
			r.out = append(r.out, name)
		}
		words = words[1:]
		for len(words) > 0 {
			w := words[0]
			switch {
			case strings.HasPrefix(w.text, "-"):
				words = words[1:]
				if slices.Contains(takes, w.text) && len(words) > 0 {
					words = words[1:]
				}
				continue
			case assignment(w), name == "timeout" && strings.Trim(w.text, "0123456789.smhd") == "":
				words = words[1:]
				continue
			}
			break
		}
		words = program(words)
	}
	return words
}

// arguments keeps those arguments of a program that cannot be a secret.
func (r *reducer) arguments(words []word, name string) {
	depth, known := subcommands(name)
	bare := true                   // subcommands may come
	secret, values := false, false // the next word may be one; all that follow may be
	for _, w := range words {
		text := w.text
		switch {
		case secret:
			secret = false
			r.omit(true)
		case text == omitted:
			bare = bare && known
			r.omit(true)
		case w.made || w.quoted:
			bare = false
			r.omit(true)
		case strings.HasPrefix(text, "-"):
			flag, takes := plainFlag(text)
			if flag == "" {
				r.omit(true)
			} else {
				r.out = append(r.out, flag)
			}
			secret = takes
			bare = bare && known
		case bare && depth > 0 && subcommand(text) && (!values || is("verbs", text)), bare && !known && is("verbs", text):
			r.out = append(r.out, text)
			depth--
			bare = depth > 0
			values = values || is("setting", text)
		case !values && harmless(text):
			bare = false
			r.out = append(r.out, text)
		default:
			bare = false
			r.omit(true)
		}
	}
}

// plainFlag is an option as it may be written, without its value; "" for one
// that may hold its value in itself, as "-pPASSWORD" does. takes says that the
// next word may be a secret.
func plainFlag(text string) (flag string, takes bool) {
	name, value, assigned := strings.Cut(text, "=")
	switch {
	case text == "--" || text == "-":
		return text, false
	case len(name) < 2:
		return "", !assigned
	case strings.HasPrefix(name, "--"):
		if len(name) > 40 || strings.Trim(name[2:], "abcdefghijklmnopqrstuvwxyz-") != "" {
			return "", !assigned
		}
		_, named := secretName(name[2:])
		takes = named || is("secretflags", name)
	case len(name) == 2 && letter(name[1]):
		takes = strings.IndexByte("aAcCdDeEHkKmpPsStTuUwWxX", name[1]) >= 0
	case is("secretflags", name):
		takes = true
	case digits(name[1:]) && len(name) <= 5 && !assigned, len(name) <= 4 && strings.IndexByte("jnABC", name[1]) >= 0 && digits(name[2:]) && !assigned:
		return name, false
	case is("goflags", name), len(name) <= 5 && strings.Trim(name[1:], "abcdefghijklmnopqrstuvwxyz") == "" && strings.IndexByte("pauwekx", name[1]) < 0:
	default:
		return "", !assigned
	}
	if assigned {
		if !takes && harmless(value) {
			return name + "=" + value, false
		}
		return name + "=" + omitted, false
	}
	return name, takes
}

// subcommand reports whether a word can be one: small letters, in parts.
func subcommand(text string) bool {
	return text != "" && len(text) <= 32 && letter(text[0]) && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789:_-") == "" && wordlike(text)
}

// harmless reports whether an argument has a shape that no secret has: a path
// within the tree, a package pattern, or a name of git's own.
func harmless(text string) bool {
	if from, to, ok := strings.Cut(text, ".."); ok && from != "" && !strings.HasPrefix(from, ".") && !strings.Contains(from, "/.") {
		return harmless(from) && harmless(strings.TrimPrefix(to, "."))
	}
	return is("git", text) || text == "." || text == "./..." || text == "..." ||
		treePath(strings.TrimSuffix(text, "/...")) && text != ""
}

// treePath reports whether a word is a relative path made of words: with a
// slash in it, or the name of a file of a known kind.
func treePath(text string) bool {
	text, here := strings.CutPrefix(text, "./")
	if text == "" || len(text) > 160 || text[0] == '/' || text[0] == '-' || strings.Trim(text, wordLetters+"./") != "" {
		return false
	}
	if !here && !strings.Contains(text, "/") && !is("kinds", strings.TrimPrefix(path.Ext(text), ".")) {
		return false
	}
	for part := range strings.SplitSeq(text, "/") {
		if part != "" && part != ".." && !wordlike(part) {
			return false
		}
	}
	return true
}

const wordLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// wordlike reports whether a name is made of words and short numbers, as a
// person makes them: not of letters and digits in a jumble.
func wordlike(name string) bool {
	for part := range strings.FieldsFuncSeq(name, func(c rune) bool { return strings.ContainsRune("._-:/+@", c) }) {
		letters := strings.TrimRight(part, "0123456789")
		number := len(part) - len(letters)
		if strings.ContainsAny(letters, "0123456789") || number > 4 || number > 2 && letters != "" && letters != "v" {
			return false
		}
		words := nameWords(letters)
		if len(part) > 32 || len(words) > 1 && len(letters) < 3*len(words) {
			return false
		}
		if len(letters) >= 6 && !strings.ContainsAny(strings.ToLower(letters), "aeiouy") {
			return false
		}
	}
	return name != ""
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// wrapper says which options of a program that runs another one take a value,
// and whether it is such a program.
func wrapper(name string) (takes []string, ok bool) {
	switch name {
	case "sudo", "doas":
		return []string{"-u", "-g", "-p", "-h", "-C", "-r", "-t", "-U"}, true
	case "xargs":
		return []string{"-I", "-n", "-P", "-L", "-d", "-E", "-s"}, true
	case "timeout":
		return []string{"-k", "-s", "--kill-after", "--signal"}, true
	case "nice", "ionice":
		return []string{"-n", "-c"}, true
	case "env":
		return []string{"-u", "-C", "-S"}, true
	case "stdbuf", "caffeinate", "setsid":
		return nil, true
	}
	return nil, false
}

// subcommands says how many words after a program's name are a command of its
// own, by its grammar.
func subcommands(name string) (depth int, known bool) {
	switch name {
	case "git", "go", "cargo", "make", "gmake", "brew", "apt", "apt-get", "dnf", "yum", "apk", "pacman", "pip", "pip3", "hg", "svn", "jj", "terraform", "tofu",
		"helm", "systemctl", "rustup", "rake", "mix", "gradle", "gradlew", "just", "task", "heroku", "vault", "tmux", "golangci-lint", "deno", "turbo", "nx":
		return 1, true
	case "gh", "glab", "npm", "pnpm", "yarn", "bun", "npx", "bunx", "aws", "az", "docker", "podman", "kubectl", "mise", "asdf", "uv", "poetry", "bundle",
		"rails", "dotnet", "fly", "flyctl", "vercel", "netlify", "wrangler", "supabase", "firebase", "doctl", "pulumi", "nix":
		return 2, true
	case "gcloud":
		return 3, true
	}
	return 0, false
}
