package recipe

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/redact"
)

// Head is how a command line begins where its work is done: the program, by its
// name alone, and the subcommand, such as "pnpm test" for "cd api && pnpm
// --filter web test -- x". It is "" for a line that does nothing but change
// folders and set variables.
func Head(line string) string {
	looks := "" // the first command that only looks
	for _, words := range redact.Commands(line) {
		h := headOf(words)
		if h == "" {
			continue
		}
		if !isProbe(h) {
			return h
		}
		looks = cmp.Or(looks, h)
	}
	return looks
}

// Calls are the commands in a command line, each as the name of its program and the
// words behind it, variables that are set for it last. Those that only change folders
// are left out, and so is a program that runs another one.
func Calls(line string) [][]string {
	var out [][]string
	for _, words := range redact.Commands(line) {
		words, set := unwrapped(words)
		if runsAnother(words) {
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

// Checks reports whether a command line tests, lints, compiles or checks: its failure is
// its answer.
func Checks(line string) bool {
	isCheck := func(word string) bool { return matches("check", word) }
	return slices.ContainsFunc(redact.Commands(line), func(words []string) bool {
		return slices.ContainsFunc(words[:min(len(words), 8)], isCheck)
	})
}

// unwrapped returns a command without what stands before its program, and the variables
// that are set for it.
func unwrapped(words []string) (rest, set []string) {
	for len(words) > 0 {
		w := words[0]
		switch {
		case isA("wrapper", w):
			if w == "timeout" && len(words) > 1 { // how long
				words = words[1:]
			}
		case isAssignment(w):
			set = append(set, w)
		default:
			return words, set
		}
		words = words[1:]
	}
	return nil, set
}

// runsAnother reports whether a program that nothing is known of is called with one that has
// subcommands, as a filter of its output is: "rtk git commit".
func runsAnother(words []string) bool {
	return len(words) > 2 && isAnyOf(words[1], "one verb", "two verbs") &&
		!isAnyOf(words[0], "one verb", "two verbs", "only looks", "no work")
}

func isAnyOf(program string, kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return isA(kind, program) })
}

func isAssignment(w string) bool { return strings.Contains(w, "=") && !strings.HasPrefix(w, "-") }

// programOf is the name of a program that is called by a path.
func programOf(word string) string {
	return strings.TrimSuffix(path.Base(strings.ReplaceAll(word, `\`, "/")), ".exe")
}

// program is that of a head.
func program(head string) string { return prose.FirstWord(head) }

// headIn is the head of the program of the line that the error names, else of
// the line.
func headIn(line, said string) string {
	for _, words := range redact.Commands(line) {
		if h := headOf(words); h != "" && strings.HasPrefix(said, program(h)+":") {
			return h
		}
	}
	return Head(line)
}

func headOf(words []string) string {
	words, _ = unwrapped(words)
	if len(words) == 0 {
		return ""
	}
	name := programOf(words[0])
	if !isProgramName(name) || isA("no work", name) {
		return ""
	}
	return strings.Join(append([]string{name}, verbsOf(name, words[1:])...), " ")
}

const lowerLetters = "abcdefghijklmnopqrstuvwxyz"

func isProgramName(name string) bool {
	return name != "" && strings.Trim(strings.ToLower(name), lowerLetters+"0123456789_.+-") == ""
}

// verbsOf are the subcommands of a program: plain words where programs of its kind have
// their verbs.
func verbsOf(program string, args []string) []string {
	count := 0
	switch {
	case isA("two verbs", program):
		count = 2
	case isA("one verb", program):
		count = 1
	}
	var out []string
	value := false // the word is the value of the flag before it
	for _, w := range args {
		switch {
		case value:
			value = false
		case strings.HasPrefix(w, "-"):
			value = isA("flag with a value", w)
		case len(out) < count && strings.Trim(w, lowerLetters+"-:") == "":
			out = append(out, w)
		default:
			return out
		}
	}
	return out
}

// isProbe reports whether a command, by its head, only looks.
func isProbe(head string) bool { return isA("only looks", program(head)) }
