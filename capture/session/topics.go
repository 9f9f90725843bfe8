package session

import (
	"fmt"
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

const (
	topicBack   = "Back: line "
	topicAbout  = "About: "
	topicAsked  = "Asked: "
	topicResult = "Result: "
	topicOpen   = "Open: "
)

func (w *recordWriter) topics(list []Topic) {
	w.section("Topics", len(list))
	for _, t := range list {
		fmt.Fprintf(w, "\n%s line %d, %s, %s: %s\n", topicHashes(t.Depth), t.Record+1, orDash(formatStamp(t.Start)), t.Cue, flat(t.Name))
		if t.Back > 0 {
			fmt.Fprintf(w, "%s%d\n", topicBack, t.Back)
		}
		for _, l := range [][2]string{{topicAbout, t.About}, {topicAsked, t.Summary[0]}, {topicResult, t.Summary[1]}, {topicOpen, t.Open}} {
			if line := flat(l[1]); line != "" {
				w.WriteString(l[0] + line + "\n")
			}
		}
		for _, f := range t.Files {
			w.WriteString("- " + flat(f) + "\n")
		}
	}
}

func topicHashes(depth int) string {
	if depth > 0 {
		return "####"
	}
	return "###"
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// topic takes one line of the section in; what it cannot read is dropped.
func (s *Session) topic(line string) {
	hashes, rest, _ := strings.Cut(line, " ")
	if hashes == "###" || hashes == "####" {
		if t, ok := parseTopic(rest); ok && len(s.Topics) < MaxTopics {
			t.Depth = len(hashes) - 3
			s.Topics = append(s.Topics, t)
		}
		return
	}
	if len(s.Topics) == 0 {
		return
	}
	t := &s.Topics[len(s.Topics)-1]
	switch {
	case strings.HasPrefix(line, topicBack):
		if n, err := strconv.Atoi(line[len(topicBack):]); err == nil {
			t.Back = max(n, 0)
		}
	case strings.HasPrefix(line, topicAbout):
		t.About = flat(line[len(topicAbout):])
	case strings.HasPrefix(line, topicOpen):
		t.Open = flat(line[len(topicOpen):])
	case strings.HasPrefix(line, topicAsked):
		t.Summary[0] = flat(line[len(topicAsked):])
	case strings.HasPrefix(line, topicResult):
		t.Summary[1] = flat(line[len(topicResult):])
	case strings.HasPrefix(line, "- "):
		if f := flat(line[2:]); f != "" && len(t.Files) < TopicFiles {
			t.Files = appendNew(t.Files, f)
		}
	}
}

// parseTopic reads "line 12, 2026-03-02T09:00:00Z, pause: Name".
func parseTopic(x string) (Topic, bool) {
	head, rest, found := strings.Cut(x, ", ")
	at, rest, found2 := strings.Cut(rest, ", ")
	cue, name, found3 := strings.Cut(rest, ": ")
	n, _, ok := lineOf(head + ": x")
	if name = flat(name); !found || !found2 || !found3 || !ok || name == "" {
		return Topic{}, false
	}
	switch cue {
	case "opening", "transition", "step", "pause", "subject", "back":
	default:
		return Topic{}, false
	}
	return Topic{Record: n, Start: parseStamp(at), Cue: cue, Name: name}, true
}
