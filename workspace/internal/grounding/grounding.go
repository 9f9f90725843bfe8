// Package grounding holds what somebody worded against what it rests on. Call
// [Claim.Check]. It promises that a text which passes names nothing that its
// evidence does not: every number, path, identifier, name and quotation of it
// stands there, and a good part of its words. It works on values alone.
package grounding

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Claim is a memory in somebody's words.
type Claim struct {
	Title, Text string
	Files       []string // that it is about; those that stand nowhere are left out by [Claim.Check]
	Evidence    string   // what it rests on, as [Fold] returns it
	Known       []string // paths that it may name besides
	Around      []Text   // in which its Files, and the names and paths of its text, may stand too
	Mark        string   // that must not stand in it; "" for none
	Redactor    *redact.Redactor
}

// Text is something that was said around the evidence.
type Text struct {
	Line int // where, to cite it by; 0 for what cannot be cited
	Said string
}

// Said is all of its text.
func (c *Claim) Said() string { return c.Title + "\n" + c.Text }

// Check returns all that is wrong with a claim, in words for whoever wrote it and may
// mend it; nil for nothing. It takes the marks from quotations that only say in another order
// what the evidence says, and leaves out files that stand nowhere.
func (c *Claim) Check() error {
	c.unquote()
	if err := c.Safe(); err != nil {
		return err
	}
	var wrong []string
	for _, ok := range []func(*Claim) error{
		standsAlone, groundedNumbers, groundedPaths, groundedNames, groundedQuotes, groundedWords,
	} {
		if err := ok(c); err != nil {
			wrong = append(wrong, err.Error())
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(wrong, "; "))
}

// Safe returns an error for a claim of which no part may be kept: it holds what looks like a secret,
// or what a person does not see.
func (c *Claim) Safe() error { return cmp.Or(withoutSecrets(c), withoutHidden(c)) }

// maxAbsent is how many of the words of one kind that a text lacks are named.
const maxAbsent = 4

// absent says which words of a kind do not stand in the evidence, and where
// else they were said: a line that can be cited.
func (c *Claim) absent(kind string, words []string) error {
	if len(words) == 0 {
		return nil
	}
	list := lists.Map(words[:min(len(words), maxAbsent)], func(w string) string {
		return c.cited(kind, strings.Trim(w, `"`))
	})
	if more := len(words) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	if len(words) == 1 {
		return fmt.Errorf("the %s %s does not stand in the evidence", kind, list[0])
	}
	return fmt.Errorf("the %ss %s do not stand in the evidence", kind, strings.Join(list, ", "))
}

// cited is a word with the line around the evidence that has it.
func (c *Claim) cited(kind, word string) string {
	shown := Line(word, 80)
	if kind == "quotation" {
		shown = strconv.Quote(shown)
	}
	for _, t := range c.Around {
		if t.Line > 0 && holdsWord(Fold(t.Said), word) {
			return fmt.Sprintf("%s (line %d has it: cite that too)", shown, t.Line)
		}
	}
	return shown
}

// Line is text on one line, made safe and cut at a word.
func Line(s string, most int) string {
	s = memory.OneLine(memory.Defang(s))
	if len(s) <= most {
		return s
	}
	s = s[:most]
	return strings.ToValidUTF8(s[:max(strings.LastIndexByte(s, ' '), most/2)], "") + " …"
}

// Fold is text whose white space and typography do not count.
func Fold(s string) string {
	return strings.Join(strings.Fields(typography().Replace(s)), " ")
}

// typography makes one of the characters that are the same to a reader, and
// takes out the marks of emphasis and code.
func typography() *strings.Replacer {
	return strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "…", "...", "*", "", "`", "",
		" ", " ")
}
