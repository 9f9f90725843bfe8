package recipe

import (
	"regexp"
	"strings"
	"sync"
)

var noise = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?i:exit code):? -?\d+|Error: \(none\)|Signal: (?:\d+|\(none\))|(?:Background PIDs|Process Group PGID):.*|<shellId:? .*>|<(?:command |shellId |exited ).*exit code -?\d+>|</?(?:shell|bash)_metadata>|Process exited with.*|Wall time:.*|Chunk ID:.*|Original token count:.*|Output:|Command timed out.*|\[(?:STARTED|COMPLETED|SKIPPED)\].*|> .*|\$ .*|npm (?:notice|warn).*|[-=*~_#+.│|\s]+|</?tool_use_error>|### .*|- Page .*)$`)
})

var ansi = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`) })

// messageIn matches the message field of an answer in JSON.
var messageIn = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"message":\s*"((?:[^"\\]|\\.){8,300})"`) })

// Lines are the lines of an output in which a tool, and not the agent that ran it, said
// something, each once: what a trap is known by must be the same in every agent.
func Lines(output string) []string { return saidLines(output) }

// saidLines are the lines of an output that a tool said something in, each once.
func saidLines(output string) []string {
	var out []string
	seen := map[string]bool{}
	output = strings.NewReplacer("<tool_use_error>", "", "</tool_use_error>", "").Replace(output)
	output = strings.TrimPrefix(output, "Output: ") // of Gemini CLI
	for l := range strings.FieldsFuncSeq(ansi().ReplaceAllString(output, ""), func(r rune) bool { return r == '\n' || r == '\r' }) {
		l = strings.TrimSpace(l)
		if m := messageIn().FindStringSubmatch(l); m != nil && (l[0] == '{' || l[0] == '[') {
			l = m[1]
		}
		if l == "" || seen[l] || noise().MatchString(l) {
			continue
		}
		seen[l] = true
		out = append(out, l)
	}
	return out
}

var faultWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:error|errors?:|fatal|failed|cannot|can't|could not|couldn't|unable|not found|no such|unknown|invalid|unrecogni[sz]ed|unexpected|denied|refused|not allowed|not permitted|did not match|no matches|unsupported|doesn't|does not|must be|is not|not a|requires?|missing|already|rejected|fehler|nicht|konnte|ungültig|unbekannt|erreur|impossible|introuvable|inconnue?|invalide|échec|échoué|no se|desconocid\w+|inválid\w+|fallo|falló|denegado|erro|não)\b|错误|失败|無法|无法|未找到|不存在|不能|エラー|失敗|ошибка|не найден`)
})

// named is the form "program: what is wrong".
var named = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w./()\[\]-]{2,40}(?: line \d+)?:\s?\S.{5,}`) })

// telling are the lines that may say what went wrong, the most telling first. A
// line tells if it has the form of an error, or words of one, or if there are no
// more than two lines in all.
func telling(lines []string) []string {
	var best, good, fair []string
	for _, l := range lines {
		words, form := faultWords().MatchString(l), named().MatchString(l)
		switch {
		case len(l) > 600:
		case words && form:
			best = append(best, l)
		case words:
			good = append(good, l)
		case form || len(lines) <= 2 && len(l) > 8:
			fair = append(fair, l)
		}
	}
	return append(append(best, good...), fair...)
}

// blamed finds what shows that the code was to blame: places in source files,
// failed tests, conflicts.
var blamed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)--- FAIL|^FAIL\b|\bFAILED\b|\b\d+ (?:tests? )?(?:failed|failing|errors?\b)|[\w)\]-]\.[A-Za-z]{1,5}[:(]\d+[:,]\d+|\berror TS\d+|error\[E\d+\]|AssertionError|^panic:|✖ \d+ problem|CONFLICT|[Mm]erge conflict|\b\d+ issues?\b|Tests?:\s+\d|\[build failed\]|^\+\+\+ |Traceback \(most recent|SyntaxError|ReferenceError|TypeError|IndentationError|NameError|KeyError|JSONDecodeError|^\s+at .+:\d+:\d+\)?$|\b(?:pass|fail|pending)\t|^\s*\d+:\d+\s+(?:error|warning)`)
})

// transient are errors that go by themselves, or that say nothing of how to do
// it: networks, time, a page that has changed, what an agent knows of its tools.
var transient = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)timed? ?out|timeout \d+|temporarily|rate limit|ECONN|ETIMEDOUT|connection (?:refused|reset)|could not resolve host|network|status code [45]\d\d|\b(?:HTTP )?[45]\d\d\b (?:error|bad|not|server|internal|service)|try again|sibling tool call|has not been read yet|has been (?:modified|unexpectedly)|interrupted by|exceeds maximum|ref \w+ not found|stale|no space left|killed|out of memory|up.to.date|nothing to commit|non-fast-forward|fetch first|working tree`)
})

var absent = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)no such file|does not exist|doesn't exist|cannot access|can't read|ENOENT|not a directory|cannot find the path|did not match any file|no encontrad|Datei oder Verzeichnis nicht|aucun fichier|没有那个文件|no existe`)
})

// Checks holds for commands whose failure is their answer: tests, linters,
// compilers and checks.
func Checks(line string) bool { return runner(line) }

// runner holds for commands whose failure is their answer: tests, linters,
// compilers and checks.
func runner(line string) bool {
	for _, words := range simple(line) {
		for _, w := range words[:min(len(words), 8)] {
			switch w = strings.ToLower(w); {
			case w == "test", w == "tests", w == "lint", w == "vet", w == "build", w == "check", w == "checks", w == "typecheck", w == "tsc", w == "clippy", w == "watch",
				strings.HasPrefix(w, "test:"), strings.HasPrefix(w, "lint:"), strings.HasSuffix(w, "pytest"), strings.HasSuffix(w, "jest"), strings.HasSuffix(w, "vitest"),
				strings.Contains(w, "eslint"), strings.Contains(w, "lint-cli"), strings.Contains(w, "golangci"), w == "gofmt", w == "mypy", w == "ruff", strings.Contains(w, "playwright"):
				return true
			}
		}
	}
	return false
}

// misused finds the words in which a program refuses how it was called.
var misused = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)unknown (?:option|flag|command|argument|shorthand)|unrecogni[sz]ed|invalid (?:option|argument|flag|choice|value)|unexpected argument|no (?:tests|files|such)|usage:|cannot find|can't find|could not find|not find|does not contain|doesn't accept|must be run|not a (?:git|directory|valid)|directory prefix|root directory|no configuration|no config|not supported|bad (?:option|flag|argument)|unbekannte|ungültige|option inconnue|opción|no reconocid|无效|未知`)
})
