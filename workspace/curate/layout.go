package curate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// gap stands where a passage was cut.
const gap = "[…]"

// Bounds of a sheet besides its tokens.
const (
	maxCandidates = 40
	maxKnown      = 20
)

// fill lays material out on a sheet: as many passages and candidates as there
// is room for, in the order of the session. Long sessions are first told
// shorter, then go on in another sheet. A sheet holds one passage at least.
func (s *Sheet) fill(passages []Passage, candidates []Candidate) {
	s.Known = s.Known[:min(len(s.Known), maxKnown)]
	room := SheetTokens - memory.Tokens(string(templates.Curation())) - memory.Tokens(s.body()) - 20
	told := shortened(passages, candidates, wholeTokens)
	if cost(told, candidates) > room {
		told = shortened(passages, candidates, briefReports)
	}
	if over := cost(told, candidates) - room; over > 0 {
		told = thinned(told, candidates, over, smallTalk)
	}
	if cost(told, candidates) > room {
		told = shortened(passages, candidates, tightTokens)
		told = thinned(told, candidates, cost(told, candidates)-room, SheetTokens)
	}
	next := 0 // of the candidates, which are in the order of their lines
	take := func(until int) (list []Candidate, tokens int) {
		for i := next; i < len(candidates) && (candidates[i].Line <= until || until < 0); i++ {
			c := besides(candidates[i], told)
			list, tokens = append(list, c), tokens+memory.Tokens(c.text())
		}
		return list, tokens
	}
	fresh := false // a sheet holds one passage that no other has had
	for i, p := range told {
		list, more := take(p.Line)
		more += memory.Tokens(p.text())
		if fresh && (more > room || len(s.Candidates)+len(list) > maxCandidates) {
			s.More = true
			break
		}
		room -= more
		next += len(list)
		fresh = fresh || !p.told
		s.Passages, s.Candidates, s.To = append(s.Passages, p), append(s.Candidates, list...), p.Line
		if i == len(told)-1 { // candidates of lines behind the last passage
			rest, _ := take(-1)
			s.Candidates = append(s.Candidates, rest...)
		}
	}
	if len(told) == 0 {
		s.Candidates, _ = take(-1)
	}
	if n := len(s.Candidates); n > maxCandidates {
		s.Candidates, s.More = s.Candidates[:maxCandidates], true
	}
	if len(s.Passages) > 0 {
		s.From = s.Passages[0].Line
	}
}

// besides leaves out the text of a candidate that can be read in a passage.
func besides(c Candidate, passages []Passage) Candidate {
	words := memory.Signature("", c.Text)
	for _, p := range passages {
		if p.Line == c.Line && (strings.Contains(grounding.Fold(p.Text), grounding.Fold(c.Text)) || covered(words, memory.Signature("", p.Text))) {
			c.Text = ""
			break
		}
	}
	return c
}

// covered reports whether nearly all of the words of a signature are in another.
func covered(words, in []uint32) bool {
	n := 0
	for _, w := range words {
		if slices.Contains(in, w) {
			n++
		}
	}
	return n*10 >= len(words)*9
}

func cost(passages []Passage, candidates []Candidate) int {
	n := 0
	for _, p := range passages {
		n += memory.Tokens(p.text())
	}
	for _, c := range candidates {
		n += memory.Tokens(besides(c, passages).text())
	}
	return n
}

// shortened leaves out what was told before, what code blocks hold beyond their
// first lines, and what is over the tokens that most gives to a kind of passage,
// on which candidates rest or not.
func shortened(passages []Passage, candidates []Candidate, most func(kind string, wanted bool) int) []Passage {
	before := newRepeats()
	var out []Passage
	for _, p := range passages {
		var rests []string // what candidates of this passage say
		for _, c := range candidates {
			if c.Line == p.Line {
				rests = append(rests, c.Title+"\n"+c.Text)
			}
		}
		p.Text = withoutCode(memory.Defang(p.Text))
		text, enough := before.fresh(p, rests)
		if !enough {
			continue
		}
		p.Text = clipped(text, most(p.Kind, len(rests) > 0), rests)
		before.tell(p)
		out = append(out, p)
	}
	return out
}

// smallTalk is how many tokens the agent needs to say what it is about to do.
const smallTalk = 40

// thinned leaves out so many tokens of what the agent said in the middle of turns,
// the shortest first and none over most tokens, then of its small edits of
// documents, of failed calls and of reports to it. What candidates rest on stays.
func thinned(passages []Passage, candidates []Candidate, excess, most int) []Passage {
	var between []int
	for i, p := range passages {
		brief := p.Kind == "agent" && memory.Tokens(p.Text) <= most || p.Kind == "document" && memory.Tokens(p.Text) <= smallTalk
		if (brief || p.Kind == "failure" || p.Kind == "report") && !slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Line == p.Line }) {
			between = append(between, i)
		}
	}
	slices.SortStableFunc(between, func(a, b int) int {
		return cmp.Or(strings.Compare(passages[a].Kind, passages[b].Kind), len(passages[a].Text)-len(passages[b].Text))
	})
	out := map[int]bool{}
	for _, i := range between {
		if excess <= 0 {
			break
		}
		out[i] = true
		excess -= memory.Tokens(passages[i].text())
	}
	var rest []Passage
	for i, p := range passages {
		if !out[i] {
			rest = append(rest, p)
		}
	}
	return rest
}

// wholeTokens is how long a passage may be at all.
func wholeTokens(kind string, _ bool) int {
	if kind == "report" {
		return 900
	}
	return SheetTokens / 3
}

// briefReports is wholeTokens where reports are the first to be cut: their points
// are in what the agent then says.
func briefReports(kind string, wanted bool) int {
	if kind == "report" {
		return 250
	}
	return wholeTokens(kind, wanted)
}

// tightTokens is how long a passage may be in a session that is told shorter.
func tightTokens(kind string, wanted bool) int {
	switch {
	case kind == "agent" && !wanted:
		return 120
	case kind == "agent":
		return 200
	case kind == "handover", kind == "plan":
		return 700
	case kind == "document", kind == "summary":
		return 450
	case kind == "report":
		return 250
	}
	return 400
}

// withoutCode cuts fenced code to its first lines.
func withoutCode(s string) string {
	const kept = 4
	var b strings.Builder
	fence, n := "", 0
	for l := range strings.SplitSeq(s, "\n") {
		t := strings.TrimSpace(l)
		switch {
		case fence == "" && (strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~")):
			fence, n = t[:3], 0
		case fence != "" && t == fence:
			fence = ""
		case fence != "":
			if n++; n == kept+1 {
				l = gap
			} else if n > kept {
				continue
			}
		}
		b.WriteString(l + "\n")
	}
	return strings.TrimSpace(b.String())
}

// clipped cuts a text to so many tokens by whole lines: its beginning and its
// end stay, and the lines that share most with what rests on it.
func clipped(s string, most int, rests []string) string {
	if memory.Tokens(s) <= most {
		return s
	}
	lines := strings.Split(s, "\n")
	keep := make([]bool, len(lines))
	size := 0
	take := func(i int) {
		if !keep[i] && size < most {
			n := memory.Tokens(lines[i])
			if n > most-size { // a line that is a page
				lines[i] = cutAt(lines[i], most-size)
				n = most - size
			}
			keep[i], size = true, size+n+1
		}
	}
	for _, i := range restingOn(lines, rests) {
		take(i)
	}
	for i := 0; i < len(lines) && size < most; i++ { // from both ends, two at the front for each at the back
		take(min(2*i, len(lines)-1))
		take(min(2*i+1, len(lines)-1))
		take(max(len(lines)-1-i, 0))
	}
	var b strings.Builder
	open := false
	for i, l := range lines {
		switch {
		case keep[i]:
			b.WriteString(l + "\n")
			open = false
		case !open && strings.TrimSpace(l) != "":
			b.WriteString(gap + "\n")
			open = true
		}
	}
	return strings.TrimSpace(b.String())
}

// restingOn are the lines of which candidates were made.
func restingOn(lines, rests []string) []int {
	var out []int
	for i, l := range lines {
		words := memory.Signature("", l)
		if len(words) < 3 {
			continue
		}
		if slices.ContainsFunc(rests, func(r string) bool { return covered(words, memory.Signature("", r)) }) {
			out = append(out, i)
		}
	}
	return out
}

func cutAt(s string, tokens int) string {
	n := min(len(s), max(tokens*3, 0))
	if i := strings.LastIndexByte(s[:n], ' '); i > n/2 {
		n = i
	}
	return strings.ToValidUTF8(s[:n], "") + " " + gap
}
