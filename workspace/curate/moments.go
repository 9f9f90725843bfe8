package curate

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Bounds of the moments that a memory names for itself.
const (
	maxBefore = 6
	maxWhen   = 4
	maxMoment = 80 // bytes of each
)

// chooseMoments takes over the moments that a memory names, as far as each is on the sheet
// and tells its moment from others. What does not pass is left out: the memory is
// sound without it.
func (c *claim) chooseMoments(r *redact.Redactor) {
	c.before = c.moments(c.worded.Before, maxBefore, c.call, r)
	c.when = c.moments(c.worded.When, maxWhen, c.phrase, r)
}

// moments are those of a list that pass, and at most so many.
func (c *claim) moments(list []string, most int, check func(string) (string, error), r *redact.Redactor) []string {
	var out []string
	for i, m := range list {
		if i == 4*most {
			c.unkeyed = append(c.unkeyed, fmt.Sprintf("%d more: over %d", len(list)-i, most))
			break
		}
		moment := strings.TrimSpace(strings.ReplaceAll(m, "`", ""))
		_, secrets := r.Redact(moment)
		var err error
		switch {
		case moment == "":
			continue
		case len(out) == most:
			err = fmt.Errorf("over %d", most)
		case len(moment) > maxMoment:
			err = fmt.Errorf("over %d bytes", maxMoment)
		case memory.Defang(moment) != moment || strings.ContainsAny(moment, "\r\n") || !utf8.ValidString(moment):
			err = errors.New("not plain text of one line")
		case len(secrets) > 0:
			err = errors.New("it holds what looks like a secret")
		default:
			moment, err = check(moment)
		}
		switch {
		case err != nil:
			c.unkeyed = append(c.unkeyed, grounding.Line(r.Line(m), maxMoment)+": "+err.Error())
		case !slices.Contains(out, moment):
			out = append(out, moment)
		}
	}
	return out
}

var (
	errNotOnSheet = errors.New("it does not stand on the worksheet")
	errCommon     = errors.New("it stands in too many prompts: name two words that tell")
)

// call checks a command or a file before which a memory is to be said.
func (c *claim) call(s string) (string, error) {
	if grounding.IsPath(s) && !strings.ContainsAny(s, " \t") {
		s = strings.TrimPrefix(s, "./")
		switch {
		case strings.HasPrefix(s, "*.") || strings.Trim(s, "*./") == "":
			return "", errors.New("it holds for too many files")
		case !c.onSheet(strings.TrimSuffix(s, "/")) && !slices.ContainsFunc(c.sheet.Files, func(f string) bool {
			return f == s || strings.HasSuffix(f, "/"+s) || strings.Contains("/"+f, "/"+strings.TrimSuffix(s, "/")+"/")
		}):
			return "", errNotOnSheet
		}
		return s, nil
	}
	calls := recipe.Calls(s)
	if len(calls) == 0 {
		return "", errors.New("it is no command and no path of a file")
	}
	words := calls[len(calls)-1]
	if everyday(words) {
		return "", errors.New("it is run all the time: name the subcommand, or the option, that goes wrong")
	}
	for _, w := range words {
		if words[0] != "git" && words[0] != "gh" && !c.onSheet(w) { // those two every repository has
			return "", errNotOnSheet
		}
	}
	return strings.Join(words, " "), nil
}

// phrase checks words of a prompt or an error at which a memory is to be said. Half of them
// stand on the sheet: the rest is how somebody may come to speak of it.
func (c *claim) phrase(s string) (string, error) {
	s = strings.Trim(s, ".,;:!?()\"'")
	words := strings.Fields(s)
	alone := len(memory.Signature("", s)) < 2 && !strings.ContainsAny(s, "_./:-")
	if alone && !grounding.IsCamel(s) {
		return "", errCommon
	}
	there, all := 0, 0
	for _, w := range words {
		if len(memory.Signature("", w)) > 0 {
			all++
			w = strings.Trim(w, ".,;:!?()\"'")
			if c.onSheet(w) {
				there++
			} else if strings.IndexFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) >= 0 { // a symbol, a path, a code
				return "", errNotOnSheet
			}
		}
	}
	if there == 0 || 2*there < all {
		return "", errNotOnSheet
	}
	if alone && !c.sheet.inCode(s) {
		return "", errCommon
	}
	return s, nil
}

// inCode reports whether a sheet has a word as a name of code: as code or a call in what was
// said, or as a file. "GitHub" is written like one, and stands in any prompt.
func (s *Sheet) inCode(word string) bool {
	return slices.ContainsFunc(s.Passages, func(p Passage) bool {
		return strings.Contains(p.Text, "`"+word+"`") || strings.Contains(p.Text, word+"(")
	}) || slices.ContainsFunc(s.Files, func(f string) bool { return strings.HasPrefix(path.Base(f), word+".") })
}

// onSheet reports whether words stand in what the sheet shows of the session.
func (c *claim) onSheet(words string) bool {
	return grounding.Stands(c.evidence, words) ||
		slices.ContainsFunc(c.sheet.Passages, func(p Passage) bool {
			return grounding.Stands(p.Text, words) ||
				strings.Contains(words, "/") && grounding.Stands(strings.ReplaceAll(p.Text, `\`, "/"), words)
		}) ||
		slices.ContainsFunc(c.sheet.Candidates, func(x Candidate) bool { return grounding.Stands(x.Title+"\n"+x.Text, words) })
}

// everyday reports whether a command is one of those that run all the time: a program
// alone that has subcommands or takes any file, or a look at the state of things.
func everyday(words []string) bool {
	switch words[0] {
	case "git":
		return len(words) == 1 || len(words) == 2 && slices.Contains([]string{"status", "diff", "log", "show", "add", "branch"}, words[1])
	case "npm", "pnpm", "yarn", "bun", "npx", "go", "cargo", "make", "docker", "gh", "node", "python", "python3", "pip", "uv", "deno", "kubectl", "bash", "sh", "zsh",
		"ls", "cat", "head", "tail", "grep", "rg", "find", "sed", "awk", "wc", "stat", "which", "rm", "mkdir", "cp", "mv", "touch", "chmod", "curl", "jq", "sort", "xargs", "test", "ps", "kill", "pwsh", "dotnet":
		return len(words) == 1
	}
	return false
}
