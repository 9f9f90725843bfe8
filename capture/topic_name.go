package capture

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// Bounds of names.
const (
	topicName     = 72 // bytes
	maxTopicWords = 12
	nameSentences = 6 // of a request that are looked at
	tellingName   = 2 // a name has at least so many words that tell it from others
	pickedLine    = 80
)

// conclude names the topics and the session, and sums the topics up, from what the
// record holds.
func (tp *topics) conclude() {
	s := tp.s
	first := ""
	if len(s.Requests) > 0 {
		first = prose.Clip(s.Requests[0].Text, passage.TitleLimit)
	}
	own := s.Title != "" && s.Title != first
	for i := range s.Topics {
		t := &s.Topics[i]
		end := 1 << 60
		if i+1 < len(s.Topics) {
			end = s.Topics[i+1].Record
		}
		asked := tp.asked(t)
		t.Name = cmp.Or(nameOf(asked), strong(nameOf(t.About)))
		if t.Name == "" && i == 0 && own {
			t.Name = nameOf(s.Title)
		}
		if t.Name == "" {
			t.Name = joined(leadOf(cmp.Or(t.About, asked)), tp.done(t, end))
		}
		if t.Name == "" {
			t.Name = cmp.Or(shortName(withoutAddresses(asked)), "Line "+itoa(t.Record+1))
		}
		t.Summary = [2]string{oneLine(prose.Clip(asked, topicLine)), oneLine(tp.outcome(t, end))}
	}
	if s.Title == "" || s.Title == first {
		s.Title = first
		if nameOf(first) == "" && len(s.Topics) > 0 {
			s.Title = s.Topics[0].Name
		}
	}
}

// derivedTitle reports whether the title of a record was made of what it holds, and is
// not the session's own.
func derivedTitle(p *session.Session) bool {
	return len(p.Topics) > 0 && p.Title == p.Topics[0].Name ||
		len(p.Requests) > 0 && p.Title == prose.Clip(p.Requests[0].Text, passage.TitleLimit)
}

// found returns what was kept of the lines from one topic to the next, the surest first.
func (tp *topics) found(list []session.Finding, t *session.Topic, end int) []session.Finding {
	var found []session.Finding
	for _, f := range list {
		if f.Record >= t.Record && f.Record < end && !tp.outside[f.ID] {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b session.Finding) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return found
}

// outcome sums up a topic that ends before a line: the surest of what
// was kept, else the files it changed.
func (tp *topics) outcome(t *session.Topic, end int) string {
	found := tp.found(tp.s.Found, t, end)
	switch {
	case len(found) == 1:
		return prose.Clip(found[0].Title, topicLine)
	case len(found) > 1:
		return prose.Clip(found[0].Title, topicLine/2) + "; " + prose.Clip(found[1].Title, topicLine/2)
	}
	if changed := tp.changed(t); len(changed) > 0 {
		return prose.Clip("Changed "+strings.Join(changed, ", "), topicLine)
	}
	return ""
}

// changed are the first files that a topic changed.
func (tp *topics) changed(t *session.Topic) []string {
	var changed []string
	for _, f := range t.Files {
		if slices.Contains(tp.s.Modified, f) && len(changed) < 4 {
			changed = append(changed, f)
		}
	}
	return changed
}

// done names what a topic came to: its plan, else the surest memory, else what was
// committed or written down, else the files it changed.
func (tp *topics) done(t *session.Topic, end int) string {
	found := tp.found(tp.s.Found, t, end)
	weak := slices.DeleteFunc(tp.found(tp.s.Weak, t, end), func(f session.Finding) bool { return f.Layer != session.LayerStructure })
	for _, list := range [][]session.Finding{
		slices.DeleteFunc(slices.Clone(found), func(f session.Finding) bool { return f.Type != memory.Plan }),
		slices.DeleteFunc(slices.Clone(found), func(f session.Finding) bool { return f.Confidence < session.Measured }),
		weak, found,
	} {
		for _, f := range list {
			if name := strings.TrimPrefix(f.Title, "Plan: "); len(prose.Words(name)) > 1 {
				return name
			}
		}
	}
	if changed := tp.changed(t); len(changed) > 0 {
		for i := range changed {
			changed[i] = path.Base(changed[i])
		}
		return "Work on " + strings.Join(changed[:min(len(changed), 2)], " and ")
	}
	return ""
}

// nameOf is the first sentence of a request that says what it is about, without what
// leads up to it; "" when none does.
func nameOf(asked string) string {
	sentences := prose.Sentences(prose.Plain(withoutAddresses(withoutShell(asked))))
	for _, s := range sentences[:min(len(sentences), nameSentences)] {
		if name := withoutLead(strings.TrimRight(s, ".!?:; ")); telling(name) >= tellingName {
			return shortName(firstClause(name))
		}
	}
	return ""
}

// strong is a name that does not begin with a number.
func strong(name string) string {
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}

// leadOf returns the part that a request that says too little adds to what was done: the issue it
// links to, the command it was given to, its only telling word; "" for a bare number.
func leadOf(asked string) string {
	if label := labelIn(asked); label != "" {
		return label
	}
	if words := prose.Words(asked); len(words) > 6 || telling(asked) == 0 {
		return ""
	}
	return withoutLead(strings.TrimRight(oneLine(withoutAddresses(asked)), ".!?:; "))
}

func joined(lead, done string) string {
	switch {
	case lead == "" || done == "":
		return shortName(lead + done)
	}
	return shortName(lead + ": " + done)
}

func shortName(name string) string {
	return oneLine(prose.Clip(prose.Sentence(prose.ClipWords(strings.TrimSpace(name), maxTopicWords)), topicName))
}

// firstClause is a sentence up to where it goes into detail.
func firstClause(s string) string {
	for i := range s {
		for _, mark := range []string{", ", ": ", "; ", " (", " - ", " – ", " — ", " because ", " so that ", " but "} {
			if strings.HasPrefix(s[i:], mark) && telling(s[:i]) >= tellingName && strings.Count(s[:i], "`")%2 == 0 && !strings.HasSuffix(s[:i], "[redacted") {
				return s[:i]
			}
		}
	}
	return s
}

// leads lists what people say before they say what they want.
func leads() []string {
	return []string{
		"ok", "okay", "yes", "yeah", "great", "thanks", "thank you", "perfect", "good", "no", "but", "hmmm", "please", "can you", "can we", "could you", "could we", "would you", "now", "next", "let's", "lets",
		"let us", "so", "and", "then", "also", "just", "hmm", "alright", "well", "i want to", "i want you to", "i want", "i'd like to", "i'd like you to", "i would like to", "i'd like",
		"we need to", "i need to", "i need you to", "you can", "go ahead and", "help me", "hi", "hello", "hey", "move on to", "moving on to", "moving on", "switch to", "go back to",
		"get back to", "back to", "one more thing", "another thing", "next up", "on another note", "new topic:", "different topic:", "change of topic:", "what are", "what about", "what is", "i think", "we should", "the", "a", "an",
	}
}

// withoutLead is a sentence without what leads up to it.
func withoutLead(name string) string {
	for again := true; again; {
		again = false
		for _, p := range leads() {
			if rest, ok := cutPrefixFold(name, p, true); ok && rest != "" && strings.ContainsAny(rest[:1], " ,.!:") {
				if rest = strings.TrimLeft(rest, " ,.!:"); len(prose.Words(rest)) >= 2 {
					name, again = rest, true
				}
			}
		}
	}
	return name
}

// withoutShell is a request that begins with a prompt of a shell from the error on that
// it shows.
func withoutShell(s string) string {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, "➜") && !strings.HasPrefix(s, "$ ") && !strings.HasPrefix(s, "❯") && !strings.HasPrefix(s, "% ") {
		return s
	}
	for _, mark := range []string{"error: ", "Error: ", "fatal: ", "ERROR: "} {
		if _, rest, found := strings.Cut(s, mark); found {
			return rest
		}
	}
	return strings.TrimLeft(s, "➜$❯% ")
}

// withoutAddresses is a text with a label in the place of each address that has one,
// and without the others.
func withoutAddresses(s string) string {
	if !strings.Contains(s, "://") {
		return s
	}
	var out []string
	for w := range strings.FieldsSeq(s) {
		if !strings.Contains(w, "://") {
			out = append(out, w)
			continue
		}
		label := labelOf(w)
		if n := len(out); n > 0 && label != "" {
			kind, number, _ := strings.Cut(label, " ")
			if last := strings.Trim(out[n-1], ":,()"); strings.EqualFold(last, kind) {
				out[n-1], label = last, number
			}
		}
		if label != "" {
			out = append(out, label)
		}
	}
	return strings.Join(out, " ")
}

// labelIn is the label of the first address in a text that has one, as a name.
func labelIn(s string) string {
	for w := range strings.FieldsSeq(s) {
		if label := labelOf(w); strings.Contains(w, "://") && label != "" {
			return prose.Sentence(label)
		}
	}
	return ""
}

// labelOf gives an address on a host of code the name that people use: "issue 12", "PR 3".
func labelOf(address string) string {
	for _, l := range [][2]string{{"/issues/", "issue"}, {"/pull/", "PR"}, {"/merge_requests/", "MR"}, {"/discussions/", "discussion"}} {
		if _, rest, found := strings.Cut(address, l[0]); found {
			if n := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]; n != "" && len(n) < 9 {
				return l[1] + " " + n
			}
		}
	}
	return ""
}

// telling counts the distinct words of a text that tell it from others.
func telling(s string) int {
	seen := map[string]bool{}
	for _, w := range prose.Words(s) {
		if len(w) > 1 && strings.Trim(w, "0123456789") != "" && !plainWord(w) && !generalWord(w) {
			seen[w] = true
		}
	}
	return len(seen)
}

// generalWord holds for words that stand in requests about anything.
func generalWord(w string) bool {
	switch w {
	case "analyse", "analyze", "investigate", "look", "check", "fix", "make", "add", "take", "see", "following", "report", "issue", "issues", "problem", "thing", "things",
		"change", "changes", "file", "files", "pr", "pull", "request", "number", "please", "go", "going", "continue", "work", "working", "seems", "like", "tackle", "read",
		"run", "start", "begin", "first", "again", "need", "want", "help", "implement", "update", "option", "pick", "choose", "select", "lets", "let's", "merge", "main",
		"branch", "back", "get", "ok", "okay", "yes", "no", "sure", "next", "new", "recently", "made", "use", "good", "great", "nice", "on", "in", "to", "of", "is", "it", "we",
		"me", "my", "us", "at", "as", "be", "by", "or", "if", "so", "up", "an", "am", "do", "he", "discuss", "phase", "step", "how", "why", "who", "something", "anything",
		"some", "more", "another", "other", "think", "know", "tell", "show", "give", "still", "really", "very", "i've", "i'd", "i'm", "we've", "that's", "don't", "doesn't",
		"thanks", "thank", "about", "these", "those", "after", "before", "because", "same", "last", "error", "errors", "code", "item", "message", "agent":
		return true
	}
	return false
}

// aboutOf says what a turn is about whose request says too little: the entry of the list
// that it picks, or the command that it was given to. "" when the request says it.
func aboutOf(t, before *turn) string {
	if !t.prompted {
		return ""
	}
	if n := pickedNumber(t.prompt); n != "" {
		if entry := entryOf(before.lastText(), n); entry != "" {
			return entry
		}
	}
	if _, name, _ := strings.Cut(t.command, "/"); name != "" {
		if _, rest, found := strings.Cut(name, ":"); found {
			name = rest
		}
		about := strings.NewReplacer("-", " ", "_", " ").Replace(name)
		if words := strings.Fields(t.prompt); len(words) < 3 {
			about = strings.TrimSpace(about + " " + strings.Join(words, " "))
		}
		return oneLine(prose.Clip(about, pickedLine))
	}
	return ""
}

// pickedNumber reads "9", "number 2 please", "5 seems like a great one": the number that
// a short reply picks, "" for none.
func pickedNumber(reply string) string {
	words := strings.Fields(reply)
	if len(words) == 0 || len(words) > 10 || telling(reply) >= tellingName {
		return ""
	}
	picked := ""
	for _, w := range words {
		if w = strings.Trim(w, "#.,:!()"); w != "" && len(w) < 3 && strings.Trim(w, "0123456789") == "" {
			if picked != "" {
				return ""
			}
			picked = w
		}
	}
	return picked
}

// entryOf finds the entry of a number in a list or a table.
func entryOf(text, number string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "*")
		if cells, ok := strings.CutPrefix(line, "|"); ok {
			first, rest, _ := strings.Cut(cells, "|")
			entry, _, _ := strings.Cut(rest, "|")
			if strings.Trim(first, " *#.") == number && len(prose.Words(entry)) > 1 {
				return pickedText(entry)
			}
			continue
		}
		rest, ok := strings.CutPrefix(line, number)
		if ok && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ") || strings.HasPrefix(rest, ".** ") || strings.HasPrefix(rest, ": ")) && len(prose.Words(rest)) > 1 {
			return pickedText(strings.TrimLeft(rest, ".:)* "))
		}
	}
	return ""
}

func pickedText(s string) string {
	return oneLine(prose.Clip(strings.TrimRight(prose.Plain(s), ". "), pickedLine))
}

// openQuestion is the question that a message ends with and that asks for more than to
// go on; "" when there is none.
func openQuestion(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, "?**") {
		return ""
	}
	if i := strings.LastIndex(text, "\n"); i >= 0 {
		text = text[i+1:]
	}
	sentences := prose.Sentences(prose.Plain(text))
	if len(sentences) == 0 {
		return ""
	}
	q := strings.TrimLeft(sentences[len(sentences)-1], "-*0123456789.) ")
	words := prose.Words(q)
	offer := len(words) > 1 && slices.Contains([]string{
		"would you", "want me", "shall i", "should i", "do you", "anything else", "ready to", "is there", "can i", "may i", "does that", "does this", "sound good", "want to", "let me",
	}, words[0]+" "+words[1])
	if len(words) < 4 || offer && !slices.Contains(words, "or") || telling(q) < tellingName {
		return ""
	}
	return oneLine(prose.Clip(q, topicLine))
}
