package curate

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/sameness"
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

// fill lays material out on a sheet, in the order of the session: all of it where there is
// room, told shorter where there is not, the last third of the session last. What fits
// nowhere goes on in another sheet. A sheet holds one passage at least.
func (s *Sheet) fill(passages []Passage, candidates []Candidate) {
	s.Known = s.Known[:min(len(s.Known), maxKnown)]
	room := SheetTokens - memory.Tokens(string(templates.Curation())) - memory.Tokens(s.body()) - 20
	s.lay(toldWithin(room, passages, candidates), candidates, room)
	if n := len(s.Candidates); n > maxCandidates {
		s.Candidates, s.More = s.Candidates[:maxCandidates], true
	}
	if len(s.Passages) > 0 {
		s.From = s.Passages[0].Line
	}
}

// toldWithin tells passages so much shorter that they have room, if that can be.
func toldWithin(room int, passages []Passage, candidates []Candidate) []Passage {
	late := lastThird(passages)
	limits := []limit{
		wholeTokens, briefReports, tightBefore(late), tightTokens,
		// A long session is one sheet, its end told best.
		splitAt(late, 3, 1), splitAt(late, 6, 2), splitAt(late, 12, 3),
	}
	tell := func(most limit) []Passage { return withoutTalk(shortened(passages, candidates, most), candidates) }
	i := sort.Search(len(limits)-1, func(i int) bool { return cost(tell(limits[i]), candidates) <= room })
	told := tell(limits[i])
	return thinned(told, candidates, cost(told, candidates)-room, late)
}

// lastThird is the line at which the last third of passages begins, by their number.
func lastThird(passages []Passage) int {
	if len(passages) == 0 {
		return 0
	}
	return passages[len(passages)*2/3].Line
}

// lay lays out passages, each with the candidates of the lines up to it, as far as there
// is room, but at least one passage that no other sheet has had. Candidates of lines
// behind the last passage come last.
func (s *Sheet) lay(told []Passage, candidates []Candidate, room int) {
	candidates = slices.Clone(candidates)
	for i, c := range candidates {
		candidates[i] = besides(c, told)
	}
	fresh := false
	for _, p := range told {
		n := 0 // of the candidates, which are in the order of their lines
		need := memory.Tokens(p.text())
		for n < len(candidates) && candidates[n].Line <= p.Line {
			need += memory.Tokens(candidates[n].text())
			n++
		}
		tooMuch := need > room || len(s.Candidates)+n > maxCandidates
		if fresh && tooMuch {
			s.More = true
			return
		}
		room -= need
		fresh = fresh || !p.told
		s.Passages, s.Candidates, s.To = append(s.Passages, p), append(s.Candidates, candidates[:n]...), p.Line
		candidates = candidates[n:]
	}
	s.Candidates = append(s.Candidates, candidates...)
}

// besides leaves out the text of a candidate that can be read in a passage.
func besides(c Candidate, passages []Passage) Candidate {
	words := sameness.Signature("", c.Text)
	for _, p := range passages {
		if p.Line != c.Line {
			continue
		}
		quoted := strings.Contains(grounding.Fold(p.Text), grounding.Fold(c.Text))
		if quoted || covered(words, sameness.Signature("", p.Text)) {
			c.Text = ""
			break
		}
	}
	return c
}

// covered reports whether nearly all of the words of a signature are in another.
func covered(words, in []uint32) bool {
	return sameness.Shared(words, in)*10 >= len(words)*9
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
func shortened(passages []Passage, candidates []Candidate, most limit) []Passage {
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
		n := most(&p, len(rests) > 0)
		if p.Kind == capture.SaidAnswer && memory.Tokens(text) > n {
			text = withoutOptions(text)
		}
		p.Text = clipped(text, n, rests)
		before.tell(p)
		out = append(out, p)
	}
	return out
}

// withoutOptions is a question with its answer: the first line and the last one.
func withoutOptions(text string) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= 2 {
		return text
	}
	return lines[0] + "\n" + lines[len(lines)-1]
}

// smallTalk is how many tokens the agent needs to say what it is about to do.
const smallTalk = 40

// withoutTalk leaves out what the agent says in the middle of turns about its next step,
// unless a candidate rests on it.
func withoutTalk(passages []Passage, candidates []Candidate) []Passage {
	return lists.Without(passages, func(p Passage) bool {
		talk := p.Kind == capture.SaidByAgent && memory.Tokens(p.Text) <= smallTalk
		return talk && !isWanted(&p, candidates)
	})
}

// isWanted reports whether a candidate rests on a passage.
func isWanted(p *Passage, candidates []Candidate) bool {
	return slices.ContainsFunc(candidates, func(c Candidate) bool { return c.Line == p.Line })
}

// thinned leaves out so many tokens of passages on which no candidate rests, but for those
// of the line late and after: failed calls, reports and the agent's words in the middle of
// turns first, then documents, the shortest of each first.
func thinned(passages []Passage, candidates []Candidate, excess, late int) []Passage {
	order := map[string]int{"failure": 1, "report": 1, "agent": 1, "document": 2, "summary": 2}
	var spare []int // passages that may go
	for i, p := range passages {
		if order[p.Kind] > 0 && p.Line < late && !isWanted(&p, candidates) {
			spare = append(spare, i)
		}
	}
	lists.Sort(spare, func(a, b int) int {
		x, y := passages[a], passages[b]
		return cmp.Or(order[x.Kind]-order[y.Kind], len(x.Text)-len(y.Text))
	})
	gone := 0
	for gone < len(spare) && excess > 0 {
		excess -= memory.Tokens(passages[spare[gone]].text())
		gone++
	}
	var rest []Passage
	for i, p := range passages {
		if !slices.Contains(spare[:gone], i) {
			rest = append(rest, p)
		}
	}
	return rest
}

// limit is how many tokens a passage may have, on which candidates rest or not.
type limit func(p *Passage, wanted bool) int

// wholeTokens is how long a passage may be at all.
func wholeTokens(p *Passage, _ bool) int {
	if p.Kind == "report" {
		return 900
	}
	return SheetTokens / 3
}

// briefReports is wholeTokens where reports are the first to be cut: their points
// are in what the agent then says.
func briefReports(p *Passage, wanted bool) int {
	if p.Kind == "report" {
		return 250
	}
	return wholeTokens(p, wanted)
}

// tightTokens is how long a passage may be in a session that is told shorter.
func tightTokens(p *Passage, wanted bool) int {
	most := map[string]int{"agent": 120, "handover": 700, "plan": 700, "document": 450, "summary": 450, "report": 250}
	if wanted {
		most["agent"] = 200
	}
	return cmp.Or(most[p.Kind], 400)
}

// tightBefore is tightTokens for the passages before a line.
func tightBefore(late int) limit {
	return func(p *Passage, wanted bool) int {
		if p.Line < late {
			return tightTokens(p, wanted)
		}
		return briefReports(p, wanted)
	}
}

// splitAt is tightTokens divided by one number for the passages before a line, and by
// another for the rest.
func splitAt(late, before, after int) limit {
	return func(p *Passage, wanted bool) int {
		part := after
		if p.Line < late {
			part = before
		}
		n := tightTokens(p, wanted) / part
		if p.Kind == capture.SaidByUser {
			n = max(n, leastOfUser)
		}
		return n
	}
}

// leastOfUser is how many tokens of the user's words are told, however long a session is.
const leastOfUser = 80

// withoutCode cuts fenced code to its first lines.
func withoutCode(s string) string {
	const kept = 4
	var out []string
	fence, n := "", 0 // that is open, and how many lines of code are behind it
	for line := range strings.SplitSeq(s, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence == "":
			fence, n = fenceOf(trimmed), 0
		case trimmed == fence:
			fence = ""
		default:
			n++
		}
		if n <= kept || fence == "" {
			out = append(out, line)
		} else if n == kept+1 {
			out = append(out, gap)
		}
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// fenceOf is the fence of code that a line opens; "" for none.
func fenceOf(line string) string {
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		return line[:3]
	}
	return ""
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
		words := sameness.Signature("", l)
		if len(words) < 3 {
			continue
		}
		if slices.ContainsFunc(rests, func(r string) bool { return covered(words, sameness.Signature("", r)) }) {
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
