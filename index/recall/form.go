package recall

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// isForeseen reports whether a call that is about to be made has a trigger of a trap and can be seen to meet
// it: a command line has a command of the form that the title names, and is not the one that works. Where
// something is to be run first, that may have been done, and only the error tells.
func (e *evidence) isForeseen() bool {
	m := e.moment
	if len(m.Calls) == 0 {
		return e.hit.triggered
	}
	if !e.hit.triggered || slices.ContainsFunc(e.record.said, m.isRuledOut) {
		return false
	}
	form := strings.Fields(codeIn(e.record.said[0]))
	switch {
	case len(form) == 0, !e.meets(form[0]):
		return true
	case len(form) == 1:
		return e.isOfProgram() // a program that runs another one is in no call
	}
	return slices.ContainsFunc(m.Calls, func(call []string) bool { return hasForm(call, form) })
}

// isRuledOut reports whether a sentence of a trap rules out that a command line is seen to meet it: it says
// that the line works, or what is to be run before it, or what was tried with files of another kind.
func (m *Moment) isRuledOut(s string) bool {
	_, tried, _ := strings.Cut(s, memory.TriedMark)
	_, works, _ := strings.Cut(s, memory.WorksMark)
	code, ext := codeIn(works), ""
	for w := range strings.FieldsSeq(codeIn(tried)) {
		ext = cmp.Or(path.Ext(w), ext)
	}
	if code == "" {
		return !strings.Contains(m.Command, ext)
	}
	return strings.Contains(works, "`, then `") || strings.Contains(m.Command, code)
}

// codeIn is the first code in a text.
func codeIn(text string) string {
	_, rest, _ := strings.Cut(text, "`")
	code, _, _ := strings.Cut(rest, "`")
	return code
}

// meets reports whether calls of a program meet a trap, in whatever version it is.
func (e *evidence) meets(program string) bool {
	return slices.ContainsFunc(valuesOf(e.record.triggers, memory.TriggerCommand), func(head string) bool {
		name, _, _ := strings.Cut(head, " ")
		return isProgram(name, program)
	})
}

// isOfProgram reports whether a call runs a program whose calls meet a trap.
func (e *evidence) isOfProgram() bool {
	ends := func(r rune) bool { return strings.ContainsRune(" \t\n;|&()`\"'", r) }
	return slices.ContainsFunc(strings.FieldsFunc(e.moment.Command, ends),
		func(w string) bool { return e.meets(path.Base(w)) })
}

// isErrorOf reports whether a term is an error of the trap. What a shell says of a path it says of any
// program.
func (e *evidence) isErrorOf(x asked) bool {
	return x.kind == "error" && (!saidOfPath().MatchString(x.text) || e.isOfProgram())
}

// saidOfPath matches the stable part of "bash: PATH: No such file or directory" and its kin.
var saidOfPath = lazy.Pattern(`^[\w.-]+: #: `)

// hasForm reports whether a call is one of a form: it has its program and its words, but for the
// files that it is about.
func hasForm(call, form []string) bool {
	lacks := func(w string) bool { return !hasWord(call, w) }
	return isProgram(call[0], form[0]) &&
		!slices.ContainsFunc(slices.DeleteFunc(slices.Clone(form[1:]), isOperand), lacks)
}

// isOperand reports whether a word of a form stands for what the call is about.
func isOperand(w string) bool { return w == "…" || path.Ext(w) != "" }

// hasWord reports whether a call has a word, or of a package its name without its scope.
func hasWord(call []string, w string) bool {
	return slices.ContainsFunc(call, func(have string) bool { return path.Base(have) == path.Base(w) })
}

// isProgram reports whether two names are those of one program, in whatever version.
func isProgram(a, b string) bool {
	const version = "0123456789."
	return strings.TrimRight(a, version) == strings.TrimRight(b, version)
}

// promptHead is how much of a prompt says what it is about, in bytes.
const promptHead = 240

// isOnTitle reports whether a prompt begins with half of the words of a title that are no everyday
// words, and two of them.
func (e *evidence) isOnTitle() bool {
	var a words.Analyser
	head, title := termSet{}, termSet{}
	head.add(&a, e.moment.Prompt[:min(len(e.moment.Prompt), promptHead)])
	termsOf(&a, e.record.said[0], maxText, func(x term, _ uint32) {
		if x.worth() == 1 {
			title[x.hash] = true
		}
	})
	shared := len(title.where(func(h uint32) bool { return head[h] }))
	return shared > 1 && 2*shared >= len(title)
}
