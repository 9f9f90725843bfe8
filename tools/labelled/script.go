package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// project is a chain of sessions in one repository.
type project struct {
	name     string
	sessions []*session
}

type session struct {
	name  string
	lines []line
	marks []mark
	needs []need
}

// line is one thing that somebody says or does.
type line struct{ kind, text string }

// mark says of a line what it is worth: 1 to 3, or 0 for what must not be kept.
type mark struct {
	line      int // of the session, from 0
	worth     int
	typ, text string
	lands     bool
	span      string // what the line says
}

// need is a thing that somebody should be told at a moment; without words, that nothing should
// be said.
type need struct {
	moment string   // start, prompt or failed
	asked  string   // the prompt, or the call
	failed string   // what the call said
	words  []string // that one line of what is told has, in lower case
	what   string
}

// parse reads a file of sessions:
//
//	session NAME
//	user TEXT                                        a prompt; \n breaks lines
//	agent TEXT                                       the agent's words
//	ask HEADER | QUESTION | A: why; B: why | ANSWER  a question to the user
//	file PATH                                        the agent writes a file
//	run COMMAND | RESULT                             the agent runs a command
//	mark WORTH TYPE [lands] | TEXT                   the line above is worth keeping, as this memory
//	not                                              nothing is to be kept of the line above
//	need start | WORD, WORD | WHAT                   the briefing before the session should say it
//	need prompt | WORD, WORD | WHAT                  a hook should say it at the prompt above
//	need failed CALL :: ERROR | WORD, WORD | WHAT    a hook should say it when the call fails
//	quiet                                            nothing should be said at the prompt above
func parse(name, text string) (*project, error) {
	p := &project{name: name}
	n := 0
	for raw := range strings.Lines(text) {
		n++
		kind, rest, _ := strings.Cut(strings.TrimSpace(raw), " ")
		if kind == "" || kind == "#" {
			continue
		}
		if kind == "session" {
			p.sessions = append(p.sessions, &session{name: rest})
			continue
		}
		if len(p.sessions) == 0 {
			return nil, fmt.Errorf("line %d: no session yet", n)
		}
		if err := p.sessions[len(p.sessions)-1].add(kind, rest); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return p, nil
}

func (s *session) add(kind, rest string) error {
	switch kind {
	case "user", "agent", "ask", "file", "run":
		if rest == "" || kind == "ask" && strings.Count(rest, " | ") != 3 {
			return fmt.Errorf("what is %s?", kind)
		}
		s.lines = append(s.lines, line{kind, strings.ReplaceAll(rest, `\n`, "\n")})
		return nil
	case "need":
		return s.addNeed(rest)
	}
	if len(s.lines) == 0 {
		return errors.New("no line above it")
	}
	last := len(s.lines) - 1
	switch kind {
	case "quiet":
		s.needs = append(s.needs, need{moment: "prompt", asked: s.lines[last].text})
		return nil
	case "not":
		s.marks = append(s.marks, mark{line: last, span: s.lines[last].said()})
		return nil
	case "mark":
		head, text, _ := strings.Cut(rest, " | ")
		words := strings.Fields(head)
		if len(words) < 2 || len(words) > 3 || text == "" {
			return fmt.Errorf("no mark: %s", rest)
		}
		worth, err := strconv.Atoi(words[0])
		if err != nil || worth < 1 || worth > 3 {
			return fmt.Errorf("no mark: %s", rest)
		}
		s.marks = append(s.marks, mark{line: last, worth: worth, typ: words[1], text: text, lands: len(words) == 3 && words[2] == "lands", span: s.lines[last].said()})
		return nil
	}
	return fmt.Errorf("unknown: %s", kind)
}

func (s *session) addNeed(rest string) error {
	parts := strings.Split(rest, " | ")
	if len(parts) != 3 {
		return fmt.Errorf("no need: %s", rest)
	}
	moment, call, _ := strings.Cut(parts[0], " ")
	n := need{moment: moment, words: strings.Split(strings.ToLower(parts[1]), ", "), what: parts[2]}
	switch {
	case moment == "start" && len(s.lines) == 0:
	case moment == "prompt" && len(s.lines) > 0 && s.lines[len(s.lines)-1].kind == "user":
		n.asked = s.lines[len(s.lines)-1].text
	case moment == "failed":
		n.asked, n.failed, _ = strings.Cut(call, " :: ")
	default:
		return fmt.Errorf("no such moment here: %s", parts[0])
	}
	s.needs = append(s.needs, n)
	return nil
}

// said returns the words of a line, without those of its form.
func (l *line) said() string {
	if l.kind != "ask" {
		return l.text
	}
	parts := strings.Split(l.text, " | ")
	return parts[1] + " " + parts[3]
}

// met reports whether one line of what was told has all the words.
func (n *need) met(told string) bool {
	for l := range strings.Lines(strings.ToLower(told)) {
		all := true
		for _, w := range n.words {
			all = all && strings.Contains(l, w)
		}
		if all {
			return true
		}
	}
	return false
}
