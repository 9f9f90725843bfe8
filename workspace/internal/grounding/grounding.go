// Package grounding holds what somebody worded against what it rests on. Call
// [Claim.Check]. It promises that a text which passes names nothing that its
// evidence does not: every number, path, identifier, name and quotation of it
// stands there, and a good part of its words. It works on values alone.
package grounding

import (
	"strings"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/memory"
)

// Claim is a memory in somebody's words.
type Claim struct {
	Title, Text string
	Files       []string // that it is about; those that stand nowhere are left out by [Claim.Check]
	Evidence    string   // what it rests on, as [Fold] returns it
	Known       []string // paths that it may name besides
	Around      []string // texts in which its Files, and the names and paths of its text, may stand too
	Mark        string   // that must not stand in it; "" for none
	Redactor    *redact.Redactor
}

// Said is all of its text.
func (c *Claim) Said() string { return c.Title + "\n" + c.Text }

// Check returns what is wrong with a claim, in words for whoever wrote it; nil for
// nothing. Of the text it takes the marks of quotations that are none, but only say in another order
// what the evidence says, and of the files those that stand nowhere.
func (c *Claim) Check() error {
	c.unquote()
	for _, ok := range []func(*Claim) error{
		standsAlone, withoutSecrets, withoutHidden,
		groundedNumbers, groundedPaths, groundedNames, groundedQuotes, groundedWords,
	} {
		if err := ok(c); err != nil {
			return err
		}
	}
	return nil
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
	return strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "…", "...", "*", "", "`", "", " ", " ")
}
