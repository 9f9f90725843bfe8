package recipe

import (
	"path"
	"regexp"
	"strings"
	"sync"
)

// signatureSize bounds a signature, in bytes.
const signatureSize = 160

type replacement struct {
	re *regexp.Regexp
	by string
}

// unstable lists the replacements, in order, that take from an error the parts
// that change from one occurrence to the next.
var unstable = sync.OnceValue(func() []replacement {
	table := [][2]string{
		{`\x1b\[[0-9;?]*[a-z]`, ""},
		{`^(?:\(eval\):\d+|(?:/[\w/]*/)?(?:ba|z|da)?sh(?:: line \d+|:\d+)?): `, ""},
		{`^(?:gh|graphql): |\s*\([\w ]+\)$`, ""},
		{`^(?:(?:error|fatal|err!|fehler|erreur)[:：!]? )+`, ""},
		{`https?://\S+`, "#"},
		{"\"[^\"]*\"|`[^`]*`|“[^”]*”|„[^“”]*[“”]|«[^»]*»|»[^«]*«|「[^」]*」", "#"},
		{`(^|[\s(:=])'[^']*'`, "${1}#"},
		{`\d{4}-\d\d-\d\d[t ]?[\d:.]*z?`, "#"},
		{`(?:[a-z]:)?[\w.@~*-]*(?:[/\\][\w.@~*+-]*)+(?::\d+)*`, "#"},
		{`\b[0-9a-f]{7,64}\b`, "#"},
		{`\b[\w*-]+\.(?:[a-z]{1,4}|json|yaml|toml)\b(?::\d+)*`, "#"},
		{`\d+(?:\.\d+)*`, "#"},
		{`#(?:[\s,:]*#)+`, "#"},
	}
	var out []replacement
	for _, row := range table {
		out = append(out, replacement{regexp.MustCompile(row[0]), row[1]})
	}
	return out
})

// Signature is the stable part of one line of an error: in lower case, with
// quoted words, paths, addresses, ids, times and numbers as "#". It is "" where
// nothing that stays is left. The signature of a signature is the same.
func Signature(line string) string {
	for range 8 { // what is left of a line may begin or end with what changes
		s := stable(line)
		if s == line {
			return s
		}
		line = s
	}
	return ""
}

func stable(line string) string {
	s := strings.ToLower(strings.TrimSpace(line))
	for _, r := range unstable() {
		s = r.re.ReplaceAllString(s, r.by)
	}
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > signatureSize {
		s = s[:strings.LastIndexAny(s[:signatureSize], " ")+1]
	}
	s = strings.Trim(s, " .,;:-#")
	letters := 0
	for _, r := range s {
		if r > 0x7f {
			letters += 3 // one character of Chinese says as much as a word
		} else if r >= 'a' && r <= 'z' {
			letters++
		}
	}
	if letters < 6 {
		return ""
	}
	return s
}

// valued are flags whose value is another word.
func valued(flag string) bool {
	switch flag {
	case "--filter", "-F", "-C", "--prefix", "--dir", "--cwd", "-w", "--workspace", "-p", "--project", "-f", "--repo", "-R", "-n", "-u":
		return true
	}
	return false
}

// Head is how a command line begins where its work is done: the program, by its
// name alone, and the subcommand, such as "pnpm test" for "cd api && pnpm
// --filter web test -- x". It is "" for a line that does nothing but change
// folders and set variables.
func Head(line string) string {
	best := ""
	for _, words := range simple(line) {
		h := headOf(words)
		switch {
		case h == "":
		case !probe(h):
			return h
		case best == "":
			best = h
		}
	}
	return best
}

// Calls are the commands in a command line, each as the name of its program and the
// words behind it, variables that are set for it last. Those that only change folders
// are none.
func Calls(line string) [][]string {
	var out [][]string
	for _, words := range simple(line) {
		var set []string
		for len(words) > 0 && (strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") || wrapper(words[0])) {
			if !wrapper(words[0]) {
				set = append(set, words[0])
			}
			words = words[1:]
		}
		if headOf(words) == "" {
			continue
		}
		call := append([]string{programOf(words[0])}, words[1:]...)
		out = append(out, append(call, set...))
	}
	return out
}

// programOf is the name of a program that is called by a path.
func programOf(word string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
}

// headIn is the head of the program of the line that the error names, else of
// the line.
func headIn(line, said string) string {
	for _, words := range simple(line) {
		if h := headOf(words); h != "" && strings.HasPrefix(said, program(h)+":") {
			return h
		}
	}
	return Head(line)
}

func headOf(words []string) string {
	for len(words) > 0 && (strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") || wrapper(words[0])) {
		timed := words[0] == "timeout"
		if words = words[1:]; timed && len(words) > 0 {
			words = words[1:]
		}
	}
	if len(words) == 0 {
		return ""
	}
	program := programOf(words[0])
	switch program {
	case "cd", "echo", "export", "set", "unset", "true", "sleep", "pushd", "popd", "Set-Location", ".", "source", "printf", "":
		return ""
	}
	if strings.Trim(strings.ToLower(program), "abcdefghijklmnopqrstuvwxyz0123456789_.+-") != "" {
		return ""
	}
	out := []string{program}
	for i := 1; i < len(words) && len(out) < 3; i++ {
		w := words[i]
		if strings.HasPrefix(w, "-") {
			if valued(w) {
				i++
			}
			continue
		}
		if !subcommand(program, len(out), w) {
			break
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// subcommand reports whether w is a verb of the program: a plain word where
// programs of this kind have their verbs.
func subcommand(program string, at int, w string) bool {
	if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz-:") != "" {
		return false
	}
	switch program {
	case "gh", "aws", "gcloud", "kubectl", "docker", "podman", "glab", "az":
		return true
	case "git", "go", "cargo", "npm", "pnpm", "yarn", "bun", "npx", "pip", "pip3", "uv", "poetry", "make", "mise", "task", "just", "brew", "apt", "apt-get", "systemctl", "wsl",
		"dotnet", "mvn", "gradle", "terraform", "helm", "turbo", "nx", "deno", "rustup", "bundle", "rake", "composer", "flutter":
		return at == 1
	}
	return false
}

func wrapper(w string) bool {
	switch w {
	case "sudo", "env", "time", "timeout", "nohup", "command", "exec", "nice", "then", "do", "else", "!", "{", "(", "if", "while":
		return true
	}
	return false
}

// probe holds for commands that only look.
func probe(head string) bool {
	switch p, _, _ := strings.Cut(head, " "); p {
	case "ls", "cat", "head", "tail", "grep", "rg", "find", "which", "wc", "stat", "file", "diff", "cmp", "test", "[", "[[", "sed", "awk", "pgrep", "ps", "lsof", "pwd", "sort",
		"uniq", "cut", "tr", "xargs", "tee", "jq", "for", "kill", "pkill", "rm", "mkdir", "cp", "mv", "touch", "chmod", "cmd", "date", "command", "type", "where", "du", "df":
		return true
	}
	return false
}

// simple takes a command line apart into simple commands, each its words without
// quotes. What stands in a here-document is none of them.
func simple(line string) [][]string {
	if i := strings.Index(line, "<<"); i >= 0 {
		if j := strings.IndexByte(line[i:], '\n'); j >= 0 {
			line = line[:i+j]
		}
	}
	var out [][]string
	var words []string
	var word strings.Builder
	quote, open := byte(0), false
	flush := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	end := func() {
		flush()
		if len(words) > 0 {
			out = append(out, words)
		}
		words = nil
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == '\\' && i+1 < len(line):
			i++
			if line[i] != '\n' {
				word.WriteByte(line[i])
				open = true
			}
		case c == ' ' || c == '\t':
			flush()
		case c == ';' || c == '|' || c == '\n' || c == '&' && (i+1 >= len(line) || line[i+1] != '>') && !(i > 0 && line[i-1] == '>'):
			end()
		default:
			word.WriteByte(c)
			open = true
		}
	}
	end()
	return out
}
