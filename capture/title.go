package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/memory"
)

// titleOf finds a title in a unit: a whole sentence, or a clause that is whole,
// with a subject of its own; else what the unit stands under. "" when there is
// none, and then nobody would understand the rest either.
func (p *passage) titleOf() string {
	best, most, enough := "", 0.0, false
	for i, s := range p.sentences() {
		t, worth := titleFrom(s, p.topic())
		if t == "" {
			continue
		}
		worth -= 0.05 * float64(min(i, 6))
		enough = enough || worth >= titleWorth
		if worth -= lacks(t); best == "" || worth > most {
			best, most = t, worth
		}
	}
	if !enough {
		best = ""
		if topic := p.topic(); len(prose.Words(topic)) >= 3 && len(topic) <= titleLimit {
			return topic
		}
	}
	return best
}

// sentences lists what could be a title: those of the strongest passage, then
// those of the others.
func (p *passage) sentences() []string {
	out := p.own()
	for i := range p.parts {
		out = append(out, p.parts[i].own()...)
	}
	return out
}

// own lists the sentences of a passage itself.
func (p *passage) own() []string {
	if len(p.items) > 0 {
		return p.items
	}
	parts := prose.Sentences(p.text)
	if p.lead != "" && len(parts) > 0 {
		return append([]string{led(p.lead, parts[0])}, parts...)
	}
	if p.lead != "" {
		return append([]string{p.lead}, parts...)
	}
	return parts
}

// topic is the heading over a passage that says what it is about, "" when none
// does.
func (p *passage) topic() string {
	for _, h := range slices.Backward(p.section) {
		words := prose.Words(h)
		if len(words) >= 2 && len(h) <= 60 && headings().hits(words) == nil && !strings.HasSuffix(h, "?") {
			return strings.TrimRight(h, ".:")
		}
	}
	return ""
}

// titleWorth is how good a sentence must be to be a title, see [titleFrom].
const titleWorth = 0.45

// Bounds of a title, in words.
const (
	titleLeast = 5
	titleFew   = 4 // with an identifier among them
)

// titleFrom makes a title of a sentence, if it can be one, and says how good it
// is.
func titleFrom(s, topic string) (string, float64) {
	s = strings.TrimSpace(strings.TrimRight(bare(unnumbered(s)), ":"))
	worth := 1.0
	words := prose.Words(s)
	if len(words) < titleFew || len(words) < titleLeast && prose.Identifiers(s) == 0 || announces(s) || labelled(s) || !balanced(s) || s[0] == '(' || hashes(s) || values(s) {
		return "", 0
	}
	if dangles(words) {
		if topic == "" {
			return "", 0
		}
		s, worth = topic+": "+s, worth-0.4
	}
	short := shortened(s, titleLimit)
	if short == "" || unfinished(prose.Words(short)) {
		return "", 0
	}
	if short != s {
		worth -= 0.15
	}
	if prose.Identifiers(short) > 0 {
		worth += 0.1
	}
	worth += tells(words) - vague(short, words)
	return prose.Sentence(short), worth
}

// lacks says what a title wants that another sentence may have: a verb, and more
// than that something was done.
func lacks(t string) float64 {
	v := 0.0
	if !states(t) {
		v += 0.45
	}
	if onlyDone(t) {
		v += 0.4
	}
	return v
}

// values holds for "name: 10.13.1" and for a place in a file of somebody's disk.
func values(s string) bool {
	_, value, found := strings.Cut(s, ": ")
	if found && value != "" && strings.Trim(value, "v0123456789.,-%/ ") == "" {
		return true
	}
	return s[0] == '/' && strings.Count(prose.FirstWord(s), "/") > 2
}

// unnumbered drops what numbers a line: "1. ", "U3. ", "KTD2: ".
func unnumbered(s string) string {
	first, rest, found := strings.Cut(s, " ")
	if !found || len(first) > 6 || len(first) < 2 || !strings.ContainsAny(first, "0123456789") || strings.IndexByte(".:)", first[len(first)-1]) < 0 {
		return s
	}
	if strings.Trim(first, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.:)") != "" {
		return s
	}
	return rest
}

// tells says how much of a statement worth remembering is in a sentence: that it
// was done is less than why, or what to mind.
func tells(words []string) float64 {
	n := cues().hits(words)
	if n == nil {
		return 0
	}
	worth := 0.0
	for _, name := range []string{"cause", "limit", "trap", "norm", "choice", "repair", "structure"} {
		if n[groupNamed(name)] > 0 {
			worth += 0.12
		}
	}
	for _, name := range []string{"status", "transient", "offer", "proposal", "routine"} {
		if n[groupNamed(name)] > 0 {
			worth -= 0.3
		}
	}
	if o := openingOf(words[0]); o == "self" || o == "you" || o == "past" || o == "gerund" {
		worth -= 0.15
	}
	return min(worth, 0.4)
}

// bare drops the words with which a sentence hangs on the one before it.
func bare(s string) string {
	for {
		first, rest, found := strings.Cut(s, " ")
		if !found {
			return s
		}
		switch strings.ToLower(strings.TrimRight(first, ",:—-")) {
		case "yes", "no", "right", "correct":
			if strings.HasSuffix(first, ",") {
				s = strings.TrimLeft(rest, " ,—-")
				continue
			}
		case "so", "but", "and", "also", "however", "then", "ok", "okay", "actually", "instead", "therefore", "additionally",
			"furthermore", "now", "indeed", "wait", "hmm", "oh", "well", "exactly", "good", "great", "perfect", "finally", "hence", "thus", "still", "plus":
			s = strings.TrimLeft(rest, " ,—-")
			continue
		case "note", "important", "verified", "confirmed", "remember", "caveat", "notable", "conclusion", "approach", "summary", "insight", "fact":
			if strings.HasSuffix(first, ":") {
				s = rest
				continue
			}
		}
		return s
	}
}

// vague says how much a sentence leaves to what stands around it, although it is
// whole: lines of a file that will move, a comment by its number, a thing by
// nothing but its article, a pronoun after an opening clause.
func vague(s string, words []string) float64 {
	v := 0.0
	lower := strings.ToLower(s)
	if strings.Contains(lower, "(line ") || strings.Contains(lower, "(lines ") {
		v += 0.2
	}
	switch words[0] {
	case "comment", "issue", "finding", "task", "phase", "part", "section", "point", "item", "batch":
		if len(words) > 1 && words[1][0] >= '0' && words[1][0] <= '9' {
			v += 0.25
		}
	case "the", "this":
		switch words[2] {
		case "is", "are", "was", "were", "has", "have", "had", "does", "doesn't", "also", "still", "now", "already", "itself", "should", "can", "could", "would", "will", "only", "needs", "works", "uses", "must":
			if prose.Identifiers(s) == 0 {
				v += 0.25
			}
		}
	}
	for _, p := range []string{" you're ", " you've ", " you ", " your ", " i'm ", " i've ", " i ", " my "} {
		if strings.Contains(" "+strings.Join(words, " ")+" ", p) {
			v += 0.15
			break
		}
	}
	if openingOf(words[0]) == "past" && prose.Identifiers(s) == 0 {
		v += 0.15
	}
	if _, after, found := strings.Cut(lower, ", "); found {
		switch prose.FirstWord(after) {
		case "it", "it's", "this", "that", "they", "these", "those":
			if prose.Identifiers(s[:len(s)-len(after)]) == 0 {
				v += 0.3
			}
		}
	}
	return v
}

// dangles holds for a sentence whose subject stands in another one.
func dangles(words []string) bool {
	switch words[0] {
	case "this", "that", "that's", "these", "those", "it", "it's", "it'll", "its", "they", "they're", "them", "their", "both", "he", "she", "such", "which", "here", "there", "otherwise", "because",
		"same", "neither", "either", "others":
		return true
	case "the":
		switch words[1] {
		case "fix", "issue", "problem", "error", "change", "changes", "solution", "bug", "reason", "cause", "key", "root", "result", "approach", "only", "same", "other", "first", "second", "main", "latter", "former", "difference", "point", "question", "answer", "failure", "rest":
			return len(words) < 12
		}
	case "line", "lines", "step", "option":
		return len(words) > 1 && words[1] != "" && words[1][0] >= '0' && words[1][0] <= '9'
	}
	return false
}

// shortened gives a sentence in at most limit bytes by leaving out what stands in
// brackets and clauses at its end; "" when that does not do.
func shortened(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	s = withoutBrackets(s)
	if len(s) <= limit {
		if len(prose.Words(s)) < titleFew {
			return ""
		}
		return s
	}
	for cut := limit; cut > 0; cut-- {
		if boundary(s, cut) && whole(s[:cut]) {
			return strings.TrimRight(s[:cut], " ,;:—–-")
		}
	}
	return ""
}

// boundary reports whether a clause ends before s[at].
func boundary(s string, at int) bool {
	rest := s[at:]
	for _, mark := range []string{" — ", " – ", "; ", " - ", " -> ", " → ", " because ", " so that ", " which means ", ". "} {
		if strings.HasPrefix(rest, mark) {
			return true
		}
	}
	after, found := strings.CutPrefix(rest, ", ")
	if !found {
		return false
	}
	switch strings.ToLower(strings.TrimRight(prose.FirstWord(after), ",")) {
	case "which", "so", "because", "since", "while", "where", "including", "making", "leaving", "causing", "allowing", "even", "then", "as",
		"e.g.", "i.e.", "such", "meaning", "regardless", "thus", "using":
		return true // what follows takes nothing back, as "but" would
	case "and", "or":
		return !strings.Contains(s[:at], ", ")
	}
	return false
}

// whole reports whether the beginning of a sentence can stand alone: it is long
// enough, closes what it opens, and has its main clause.
func whole(s string) bool {
	words := prose.Words(s)
	if len(words) < titleLeast || len(words) == titleLeast && prose.Identifiers(s) == 0 || !balanced(s) {
		return false
	}
	switch words[0] {
	case "if", "when", "after", "before", "since", "because", "while", "once", "although", "though", "until", "unless", "as", "given", "for", "in", "with", "even", "whenever", "where", "without", "instead":
		return strings.Contains(s, ", ")
	}
	return !unfinished(words)
}

// balanced reports whether quotes and brackets that are opened are closed.
func balanced(s string) bool {
	return strings.Count(s, "`")%2 == 0 && strings.Count(s, `"`)%2 == 0 && strings.Count(s, "“") == strings.Count(s, "”") && strings.Count(s, "(") == strings.Count(s, ")")
}

// labelled holds for lines such as "File: a.go" that say where or what something
// is, and nothing about it.
func labelled(s string) bool {
	label, _, found := strings.Cut(s, ":")
	if !found || len(label) > 24 {
		return false
	}
	switch strings.ToLower(strings.Trim(label, "*_ ")) {
	case "file", "files", "modify", "create", "created", "location", "commit", "pushed commit", "branch", "run", "area", "severity", "priority", "status", "workflow run",
		"pr", "test", "tests", "step", "goal", "progress", "report written to", "written to", "saved to", "updated", "deleted", "renamed", "version", "requirements", "dependencies", "test scenarios", "verification", "expected", "lines", "url", "result":
		return true
	}
	return false
}

// unfinished holds for words that break off.
func unfinished(words []string) bool {
	switch words[len(words)-1] {
	case "the", "a", "an", "of", "to", "for", "and", "or", "with", "by", "is", "are", "not", "that", "this", "which", "when", "where", "if", "because", "from", "into", "uses",
		"using", "as", "but", "covering", "precisely", "exactly", "only", "just", "mainly", "than", "then", "these", "following", "like":
		return true
	}
	return false
}

// withoutBrackets drops what stands in round brackets after a space.
func withoutBrackets(s string) string {
	var b strings.Builder
	depth, code := 0, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '`' && depth == 0:
			code = !code
		case code:
		case c == '(' && (depth > 0 || i > 0 && s[i-1] == ' '):
			depth++
			continue
		case c == ')' && depth > 0:
			depth--
			continue
		}
		if depth == 0 {
			b.WriteByte(c)
		}
	}
	out := memory.OneLine(b.String())
	return strings.NewReplacer(" ,", ",", " .", ".", " ;", ";", " :", ":").Replace(out)
}
