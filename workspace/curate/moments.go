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
	"github.com/git-cortex/cortex/internal/sameness"
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
	for _, m := range list[:min(len(list), 4*most)] { // a reader is told of no more
		moment := strings.TrimSpace(strings.ReplaceAll(m, "`", ""))
		if moment == "" {
			continue
		}
		err := plain(moment, r)
		if len(out) == most {
			err = fmt.Errorf("over %d", most)
		}
		if err == nil {
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

// plain returns an error unless a moment is one short line without a secret.
func plain(moment string, r *redact.Redactor) error {
	switch {
	case len(moment) > maxMoment:
		return fmt.Errorf("over %d bytes", maxMoment)
	case memory.Defang(moment) != moment, strings.ContainsAny(moment, "\r\n"), !utf8.ValidString(moment):
		return errors.New("not plain text of one line")
	}
	if _, secrets := r.Redact(moment); len(secrets) > 0 {
		return errors.New("it holds what looks like a secret")
	}
	return nil
}

var (
	errNotOnSheet = errors.New("it does not stand on the worksheet")
	errCommon     = errors.New("it stands in too many prompts: name two words that tell")
)

// call checks a command or a file before which a memory is to be said.
func (c *claim) call(s string) (string, error) {
	isFile := grounding.IsPath(s) && !strings.ContainsAny(s, " \t")
	if isFile {
		return c.file(strings.TrimPrefix(s, "./"))
	}
	calls := recipe.Calls(s)
	if len(calls) == 0 {
		return "", errors.New("it is no command and no path of a file")
	}
	words := calls[len(calls)-1]
	if memory.IsEverydayCommand(words) {
		return "", errors.New("it is run all the time: name the subcommand, or the option, that goes wrong")
	}
	if !c.mayCall(words) {
		return "", errNotOnSheet
	}
	return strings.Join(words, " "), nil
}

// mayCall reports whether a command is of a program of any repository, or stands on the sheet.
func (c *claim) mayCall(words []string) bool {
	if slices.Contains([]string{"git", "gh"}, words[0]) {
		return true
	}
	return !slices.ContainsFunc(words, func(w string) bool { return !c.onSheet(w) })
}

// file checks a file or a folder before which a memory is to be said.
func (c *claim) file(name string) (string, error) {
	if strings.HasPrefix(name, "*.") || strings.Trim(name, "*./") == "" {
		return "", errors.New("it holds for too many files")
	}
	bare := strings.TrimSuffix(name, "/")
	if c.onSheet(bare) || slices.ContainsFunc(c.sheet.Files, func(f string) bool { return isOf(f, name) }) {
		return name, nil
	}
	return "", errNotOnSheet
}

// isOf reports whether the path of a file ends in a name, or leads through it as a folder.
func isOf(file, name string) bool {
	bare := strings.TrimSuffix(name, "/")
	return strings.HasSuffix("/"+file, "/"+name) || strings.Contains("/"+file, "/"+bare+"/")
}

// punctuation may stand around a word.
const punctuation = ".,;:!?()\"'"

// phrase checks words of a prompt or an error at which a memory is to be said. Half of them
// stand on the sheet: the rest is how somebody may come to speak of it.
func (c *claim) phrase(s string) (string, error) {
	s = strings.Trim(s, punctuation)
	if isAlone(s) && !grounding.IsCamel(s) {
		return "", errCommon
	}
	if !c.isMostlyOnSheet(s) {
		return "", errNotOnSheet
	}
	if c.isCommonHere(s) {
		return "", errCommon
	}
	return s, nil
}

// isAlone reports whether a phrase has one word that says something, and is no name of a file or
// the like.
func isAlone(phrase string) bool {
	return len(sameness.Signature("", phrase)) < 2 && !strings.ContainsAny(phrase, "_./:-")
}

// isCommonHere reports whether a phrase is a single word that the sheet does not have as code.
func (c *claim) isCommonHere(phrase string) bool {
	return isAlone(phrase) && !c.sheet.inCode(phrase)
}

// isMostlyOnSheet reports whether half of the words of a phrase that say something stand on the
// sheet, and every symbol, path and code among them.
func (c *claim) isMostlyOnSheet(phrase string) bool {
	there, all := 0, 0
	for w := range strings.FieldsSeq(phrase) {
		if len(sameness.Signature("", w)) == 0 {
			continue
		}
		all++
		w = strings.Trim(w, punctuation)
		switch {
		case c.onSheet(w):
			there++
		case !isWord(w):
			return false
		}
	}
	return there > 0 && 2*there >= all
}

func isWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0
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
	shown := func(p Passage) bool {
		return grounding.Stands(p.Text, words) || grounding.Stands(strings.ReplaceAll(p.Text, `\`, "/"), words)
	}
	says := func(x Candidate) bool { return grounding.Stands(x.Title+"\n"+x.Text, words) }
	return grounding.Stands(c.evidence, words) ||
		slices.ContainsFunc(c.sheet.Passages, shown) || slices.ContainsFunc(c.sheet.Candidates, says)
}
