package memory

import (
	"path"
	"slices"
	"strings"
)

// CommandNamed is the [TriggerBefore] of a memory that warns of a command in backticks, so
// that it is told before that command runs: of the first command that its words do not
// recommend. It is nil where there is none, and for types that warn of nothing.
func CommandNamed(m *Memory) []string {
	if !slices.Contains([]Type{Gotcha, Fix, Preference, Rejected}, m.Type) {
		return nil
	}
	parts := strings.Split(m.Title+"\n"+m.Text, "`")
	for i := 1; i+1 < len(parts); i += 2 {
		if isCommandLine(parts[i]) && !isAdvised(parts[i-1], parts[i+1]) {
			return []string{Trigger(TriggerBefore, parts[i])}
		}
	}
	return nil
}

// isCommandLine reports whether a code span reads like a program with at least one argument.
func isCommandLine(span string) bool {
	if len(span) > 80 || strings.ContainsAny(span, "(){};<>|&\r\n\"'") {
		return false
	}
	words := strings.Fields(span)
	return len(words) >= 2 && len(words) <= 8 && isCommand(words)
}

// isCommand reports whether words are a command that is not run all the time.
func isCommand(words []string) bool {
	return isProgram(words[0]) && !isAssignment(words[1]) && !IsEverydayCommand(words)
}

// isAssignment reports whether a word is the sign of one: "x = 1" and "x := 1" are code.
func isAssignment(word string) bool { return strings.HasPrefix(strings.TrimPrefix(word, ":"), "=") }

// isProgram reports whether a word can be the name or the path of a program, and is no
// keyword of a programming language.
func isProgram(word string) bool {
	code := []string{
		"return", "func", "var", "const", "type", "if", "for", "import", "def", "class", "let", "public", "package",
	}
	const letters = "abcdefghijklmnopqrstuvwxyz"
	if slices.Contains(code, word) || strings.Trim(word, letters+"0123456789-_+./") != "" {
		return false
	}
	if !strings.ContainsAny(word[:1], letters+"./") {
		return false
	}
	return slices.Contains([]string{"", ".sh", ".py"}, path.Ext(word))
}

// isAdvised reports whether the words around a code span recommend it, or make it what
// something prints: "use X", "X fixes it", "fails with X". "Never use X" and "when you use
// X" do not.
func isAdvised(before, after string) bool {
	if next := firstWord(after); slices.Contains(wordsBehindAdvice(), next) {
		return true
	}
	words := lastClause(before)
	n := len(words)
	if n == 0 || !slices.Contains(wordsBeforeAdvice(), words[n-1]) {
		return false
	}
	return !slices.ContainsFunc(words[max(0, n-3):n-1], turnsAdvice)
}

// turnsAdvice reports whether a word makes of an advice a ban or an occasion.
func turnsAdvice(word string) bool {
	return slices.Contains([]string{
		"never", "not", "don't", "don’t", "dont", "cannot", "can't", "mustn't", "shouldn't", "doesn't", "avoid", "stop",
		"without", "instead", "rather", "than", "when", "whenever", "before", "after", "if", "while", "until", "once",
	}, word)
}

func wordsBeforeAdvice() []string {
	return []string{
		"use", "uses", "using", "run", "runs", "running", "prefer", "type", "try", "call", "calling", "always", "do",
		"by", "with", "via", "to", "is", "says", "said", "prints", "error", "fails", "message", "reads",
	}
}

func wordsBehindAdvice() []string {
	return []string{
		"before", "first", "instead", "fixes", "fixed", "works", "worked", "helps", "helped", "solves", "solved",
	}
}

// firstWord is the first word of a text, in lower case, "" if a sign comes before it.
func firstWord(text string) string {
	word, _, _ := strings.Cut(strings.TrimLeft(text, " \n"), " ")
	return strings.ToLower(strings.TrimRight(word, ",;:.!?)\n"))
}

// lastClause is the words of a text behind its last sign, in lower case.
func lastClause(text string) []string {
	text = strings.ToLower(strings.TrimRight(text, " \n:(\""))
	return strings.Fields(text[strings.LastIndexAny(text, ",;:.!?()\n")+1:])
}

// IsEverydayCommand reports whether a command is one of those that run all the time: a program
// alone that has subcommands or takes any file, or a look at the state of things.
func IsEverydayCommand(words []string) bool {
	alone := []string{
		"git", "npm", "pnpm", "yarn", "bun", "npx", "go", "cargo", "make", "docker", "gh", "node", "python", "python3",
		"pip", "uv", "deno", "kubectl", "bash", "sh", "zsh",
		"ls", "cat", "head", "tail", "grep", "rg", "find", "sed", "awk", "wc", "stat", "which", "rm", "mkdir", "cp",
		"mv", "touch", "chmod", "curl", "jq", "sort", "xargs", "test", "ps", "kill", "pwsh", "dotnet",
	}
	looks := []string{"git status", "git diff", "git log", "git show", "git add", "git branch"}
	return slices.Contains(slices.Concat(alone, looks), strings.Join(words, " "))
}
