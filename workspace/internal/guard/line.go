package guard

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
)

// calls are the commands that a shell runs for a line, each as the name of its program and the
// words behind it: also those in parentheses, in a substitution, in the script that a shell is
// called with, and behind a here-document.
func calls(line string) [][]string {
	line = withoutDocuments(strings.ReplaceAll(line, "\n\t", "\n"))
	var out [][]string
	for _, part := range append([]string{line}, inner(line)...) {
		out = append(out, recipe.Calls(part)...)
	}
	for _, call := range slices.Clone(out) {
		out = append(out, scripted(call)...)
	}
	bare := quoted().ReplaceAllString(line, "''")
	return append(out, lists.Map(wrapping().FindAllStringSubmatch(bare, -1), func(found []string) []string {
		return strings.Fields(found[1])
	})...)
}

// wrapping matches a call of a program that runs another one, which is a command too.
var wrapping = lazy.Pattern(`(?:^|[;&|(\n])\s*((?:sudo|env|nohup|timeout)\b[^;&|()\n]*)`)

// scripted are the commands of the script that a shell is called with.
func scripted(call []string) [][]string {
	script := slices.IndexFunc(call, func(w string) bool { return shellFlag().MatchString(w) }) + 1
	if script == 0 || script == len(call) || !strings.HasSuffix(call[0], "sh") {
		return nil
	}
	return calls(call[script])
}

// shellFlag matches a flag of a shell that is followed by a script, such as -c and -lc.
var shellFlag = lazy.Pattern(`^-[a-z]*c$`)

// document matches how a here-document begins.
var document = lazy.Pattern(`<<-?\s*['"\\]?(\w+)['"]?`)

// withoutDocuments takes the here-documents out of a command line.
func withoutDocuments(line string) string {
	at := document().FindStringSubmatchIndex(line)
	if at == nil {
		return line
	}
	word := "\n" + line[at[2]:at[3]] + "\n"
	rest, body, _ := strings.Cut(line[at[1]:], "\n")
	_, after, _ := strings.Cut("\n"+body+"\n", word)
	return withoutDocuments(line[:at[0]] + rest + "\n" + after)
}

// quoted matches what stands in quotes, and within what else is run for a line.
var (
	quoted = lazy.Pattern(`\\.|'[^']*'|"(?:\\.|[^"\\])*"`)
	within = lazy.Pattern("\\(([^()]*)\\)|`([^`]*)`")
)

// inner are the command lines within a line: in parentheses, and in a substitution, which double
// quotes do not make a text.
func inner(line string) []string {
	if !strings.ContainsAny(line, "(`") {
		return nil
	}
	bare := quoted().ReplaceAllStringFunc(line, func(text string) string {
		if text[0] == '"' && strings.ContainsAny(text, "$`") {
			return text
		}
		return "''"
	})
	return lists.Map(within().FindAllStringSubmatch(bare, -1), func(found []string) string {
		return found[1] + found[2]
	})
}

// valued are flags that stand before a subcommand and take the next word.
const valued = " -C -c --prefix --dir --cwd --git-dir --work-tree -w --workspace --filter --project -p -R "

// plain are the words of a call without flags, their values, and variables that are set for it:
// its program first.
func plain(call []string) []string {
	out := call[:1:1]
	before := "" // the word before
	for _, w := range call[1:] {
		value := strings.Contains(valued, " "+before+" ")
		before = w
		if !value && !setting().MatchString(w) {
			out = append(out, w)
		}
	}
	return out
}

// setting matches a flag, and a variable that is set.
var setting = lazy.Pattern(`^-|=`)

// writers are programs that write, move or remove the files that they are called with, and editors
// those that do so with the flag -i.
const (
	writers = " rm mv cp tee touch truncate install ln rsync dd "
	editors = " sed perl "
)

// redirected matches the file that an output goes to.
var redirected = lazy.Pattern(`>[>|]?\s*([^\s;&|<>()]+)`)

// writtenBy are the words of a command line that may be files which it writes, moves or removes.
func writtenBy(line string) []string {
	var out []string
	bare := quoted().ReplaceAllString(withoutDocuments(line), "''")
	for _, found := range redirected().FindAllStringSubmatch(bare, -1) {
		out = append(out, found[1])
	}
	for _, call := range calls(line) {
		if writesFiles(call) {
			out = append(out, call[1:]...)
		}
	}
	return out
}

func writesFiles(call []string) bool {
	edits := strings.Contains(editors, " "+call[0]+" ") && inPlace().MatchString(strings.Join(call, " "))
	return edits || strings.Contains(writers, " "+call[0]+" ")
}

// inPlace matches the flag of an editor that has it write to its files.
var inPlace = lazy.Pattern(` -\w*i`)
