package consolidate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// draftOf puts together what the members of a group say: the one with the most words as it
// is, and below it each sentence of the others that says more than one of those that are
// there already.
func draftOf(members []Member) Draft {
	members = slices.Clone(members)
	lists.Sort(members, func(a, b Member) int { return cmp.Compare(wordsOf(b), wordsOf(a)) })
	base := members[0].Entry.Memory
	d := Draft{Title: base.Title, Text: base.Text}
	said := sentencesOf(base)
	for _, m := range members[1:] {
		var more []string
		for _, s := range sentencesOf(m.Entry.Memory) {
			if slices.ContainsFunc(said, s.within) {
				continue
			}
			said = append(said, s)
			if i := replaceable(said, s, d.Text); i >= 0 { // the fuller one takes its place
				d.Text = strings.Replace(d.Text, said[i].text, s.text, 1)
				continue
			}
			more = append(more, s.text)
		}
		if len(more) > 0 {
			d.Text = strings.Trim(d.Text+"\n\n"+strings.Join(more, "\n"), "\n")
		}
	}
	id := memory.New(base.Type, d.Title, d.Text, base.Created).ID
	// One of them may be the very memory that it would stand for.
	if slices.ContainsFunc(members, func(m Member) bool { return m.Entry.Memory.ID == id }) {
		d.Text = strings.Trim(d.Text+"\n\n"+heard(members), "\n")
	}
	return d
}

// wordsOf is how many different words a member has.
func wordsOf(m Member) int { return len(sameness.Signature(m.Entry.Memory.Title, m.Entry.Memory.Text)) }

// replaceable is the place of a sentence of a text that s says all of; -1 for none. One
// that stands in a block is none: what is around it there belongs to it.
func replaceable(said []sentence, s sentence, text string) int {
	if s.block {
		return -1
	}
	return slices.IndexFunc(said, func(k sentence) bool {
		isOnce := !k.block && strings.Count(text, k.text) == 1
		return isOnce && k.within(s) && !standsInBlock(k, said)
	})
}

// standsInBlock reports whether a block of a text has a sentence in it.
func standsInBlock(s sentence, said []sentence) bool {
	return slices.ContainsFunc(said, func(b sentence) bool { return b.block && strings.Contains(b.text, s.text) })
}

// heard says how often and when something was said, where that is all the others add.
func heard(members []Member) string {
	times := lists.Map(members, func(m Member) time.Time { return m.Entry.Memory.Created })
	from := contradiction.Day(slices.MinFunc(times, time.Time.Compare))
	to := contradiction.Day(slices.MaxFunc(times, time.Time.Compare))
	if from == to {
		return fmt.Sprintf("Said %d times on %s.", len(members), from)
	}
	return fmt.Sprintf("Said %d times, from %s to %s.", len(members), from, to)
}

// sentence is the least part of a text that is kept or left out.
type sentence struct {
	text  string
	block bool // a fence of code or a line of a list, which stands by itself
	words []uint32
}

func newSentence(text string, block bool) sentence {
	if !block && !strings.Contains(".!?:", text[len(text)-1:]) {
		text += "."
	}
	return sentence{text, block, sameness.Signature(text)}
}

// within reports whether another sentence says all that s says.
func (s sentence) within(other sentence) bool {
	if s.block || len(s.words) == 0 { // code, and what has no words, is the same or it is not
		return strings.Contains(other.text, s.text)
	}
	return sameness.Inside(s.words, other.words) == 1 && sameness.Covers(other.text, s.text)
}

// sentencesOf takes a memory apart: its title, and what its text consists of.
func sentencesOf(m *memory.Memory) []sentence {
	out := []sentence{newSentence(m.Title, false)}
	var prose, fence []string
	flush := func() {
		said := cut(strings.Join(prose, " "))
		out, prose = append(out, lists.Map(said, func(s string) sentence { return newSentence(s, false) })...), nil
	}
	for line := range strings.SplitSeq(m.Text, "\n") {
		bare := strings.TrimSpace(line)
		mark := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")
		switch {
		case len(fence) > 0:
			fence = append(fence, line)
			if mark && bare[:3] == strings.TrimSpace(fence[0])[:3] {
				out, fence = append(out, newSentence(strings.Join(fence, "\n"), true)), nil
			}
		case mark:
			flush()
			fence = []string{line}
		case bare == "":
			flush()
		case listed(bare) || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
			flush()
			out = append(out, newSentence(strings.TrimRight(line, " "), true))
		default:
			prose = append(prose, bare)
		}
	}
	flush()
	if len(fence) > 0 { // it was never closed
		out = append(out, newSentence(strings.Join(append(fence, strings.TrimSpace(fence[0])[:3]), "\n"), true))
	}
	return out
}

// listed reports whether a line is an item of a list, a heading, a quotation or a row
// of a table.
func listed(line string) bool {
	if strings.ContainsRune("-*+#>|", rune(line[0])) {
		return true
	}
	rest := strings.TrimLeft(line, "0123456789")
	isNumbered := len(rest) < len(line) && rest != ""
	return isNumbered && strings.ContainsAny(rest[:1], ".)")
}

// cut parts prose at the ends of its sentences.
func cut(text string) []string {
	var out []string
	from := 0
	for i, r := range text {
		if strings.ContainsRune(".!?", r) && workspace.EndsSentence(text[from:i], text[i+1:]) {
			out = append(out, strings.TrimSpace(text[from:i+1]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(text[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}
