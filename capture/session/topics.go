package session

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Topics stand in a record as headings, so that it reads as an outline: three
// hashes for a topic, four for a part of one, and below it what was asked, what
// came of it and the files.
//
//	### line 12, 2026-03-02T09:00:00Z, pause: Alerts for storms
//	Back: line 3
//	About: …
//	Asked: …
//	Result: …
//	Open: …
//	- alert/storm.go

const topicBack = "Back: line "

// Headline names the session by the topic that touched most files, as a prompt says little of
// what was done; by its title if it has no topic, "" for neither.
func (s *Session) Headline() string {
	most, name := -1, s.Title
	for i := range s.Topics {
		if n := len(s.Topics[i].Files); n > most {
			most, name = n, s.Topics[i].Name
		}
	}
	return name
}

func printTopics(s *Session) []string {
	var out []string
	for _, t := range s.Topics {
		start := cmp.Or(formatStamp(t.Start), "-")
		heading := fmt.Sprintf("%s line %d, %s, %s: ", topicHashes(t.Depth), t.Record+1, start, t.Cue)
		out = append(out, "", heading+flat(t.Name))
		if t.Back > 0 {
			out = append(out, topicBack+strconv.Itoa(t.Back))
		}
		for _, l := range topicLines() {
			if text := flat(*l.at(&t)); text != "" {
				out = append(out, l.label+text)
			}
		}
		out = append(out, printItems(t.Files)...)
	}
	return out
}

// topicLine is a line of text below the heading of a topic.
type topicLine struct {
	label string
	at    func(t *Topic) *string
}

func topicLines() []topicLine {
	return []topicLine{
		{"About: ", func(t *Topic) *string { return &t.About }},
		{"Asked: ", func(t *Topic) *string { return &t.Summary[0] }},
		{"Result: ", func(t *Topic) *string { return &t.Summary[1] }},
		{"Open: ", func(t *Topic) *string { return &t.Open }},
	}
}

func topicHashes(depth int) string {
	if depth > 0 {
		return "####"
	}
	return "###"
}

// topic takes one line of the section in; what it cannot read is dropped.
func (s *Session) topic(line string) {
	switch hashes, rest, _ := strings.Cut(line, " "); hashes {
	case "###", "####":
		if t, ok := parseTopic(rest); ok && len(s.Topics) < MaxTopics {
			t.Depth = len(hashes) - len("###")
			s.Topics = append(s.Topics, t)
		}
	default:
		if len(s.Topics) > 0 {
			s.Topics[len(s.Topics)-1].line(line)
		}
	}
}

// line takes one line below the heading in.
func (t *Topic) line(line string) {
	if n, ok := strings.CutPrefix(line, topicBack); ok {
		t.Back = int(min(parseNumber(n), math.MaxInt32))
	}
	for _, l := range topicLines() {
		if text, ok := strings.CutPrefix(line, l.label); ok {
			*l.at(t) = flat(text)
		}
	}
	if file, ok := strings.CutPrefix(line, "- "); ok {
		t.AddFile(flat(file))
	}
}

// AddFile notes a file that the topic touched, once, as long as there is room.
func (t *Topic) AddFile(name string) {
	if name != "" && len(t.Files) < TopicFiles {
		t.Files = appendNew(t.Files, name)
	}
}

// parseTopic reads "line 12, 2026-03-02T09:00:00Z, pause: Name".
func parseTopic(x string) (Topic, bool) {
	heading, name, _ := strings.Cut(x, ": ")
	cells := strings.Split(heading, ", ")
	if name = flat(name); len(cells) != 3 || name == "" {
		return Topic{}, false
	}
	n, _, ok := lineOf(cells[0] + ": x")
	cues := []string{"opening", "transition", "step", "pause", "subject", "back"}
	t := Topic{Record: n, Start: parseStamp(cells[1]), Cue: cells[2], Name: name}
	return t, ok && slices.Contains(cues, t.Cue)
}
