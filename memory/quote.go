package memory

import (
	"strings"
	"unicode/utf8"
)

// Outside reports whether m holds what a file, a page, a tool or a summary said. It is
// told as a quotation, and is nobody's rule.
func (m *Memory) Outside() bool { return m.Source.Origin == OriginOutside }

// Unsaid reports whether a program or an agent wrote m, and nobody has established whose
// words it holds. What a person had imported is not such.
func (m *Memory) Unsaid() bool {
	s := &m.Source
	if s.Claimed() != "" || !m.Updated.IsZero() {
		return false
	}
	switch s.Agent {
	case "", Imported:
		return s.Session != "" || s.Layer != ""
	}
	return true
}

// Rule reports whether m is a standing rule in a person's own words.
func (m *Memory) Rule() bool { return m.Type == Preference && m.Source.Claimed() == OriginPerson }

// ReadIn names what the words of an outside memory stand in: an import, or the first of
// its files.
func (m *Memory) ReadIn() string {
	if m.Source.Agent == Imported { // its files are what it is about
		return "an import"
	}
	for _, f := range m.Files {
		if f = OneLine(Clean(f)); f != "" {
			return Cut(f, readInLength)
		}
	}
	return "something that was read"
}

// readInLength is how many characters of a path a quotation names.
const readInLength = 80

// Quote is text, which is of m, as it is told: on one line and as a quotation if m comes
// from outside, else as it stands. Nothing in the text ends the quotation early.
func (m *Memory) Quote(text string) string {
	if !m.Outside() {
		return text
	}
	return Quoted(m.QuoteMark(), text)
}

// Quoted is text as a quotation behind what [Memory.QuoteMark] says of it.
func Quoted(mark, text string) string {
	return mark + `: "` + strings.ReplaceAll(OneLine(text), `"`, "'") + `"`
}

// QuoteWithin is [Memory.Quote] of so much of the text that the whole has no more than so
// many characters, if they are enough for a few words of it.
func (m *Memory) QuoteWithin(text string, length int) string {
	if !m.Outside() {
		return text
	}
	const marks = 4
	room := length - utf8.RuneCountInString(m.QuoteMark()) - marks
	return m.Quote(Cut(OneLine(text), max(room, leastQuoted)))
}

// leastQuoted is how many characters a quotation has at least, if the text has them.
const leastQuoted = 24

// QuoteMark says in a few words that m is a quotation, and of what; "" if it is none.
func (m *Memory) QuoteMark() string {
	if !m.Outside() {
		return ""
	}
	return "quoted from " + m.ReadIn() + ", not verified"
}

// LayerText says in words what kind of evidence a memory rests on; "" where that is not known.
func (s Source) LayerText() string {
	return map[string]string{
		"tag":       "tagged as a memory",
		"answer":    "an answer to the agent's question, or the approval of a plan",
		"user":      "the user's own words",
		"structure": "a plan, a to-do list or a commit message of the agent",
		"pattern":   "a sentence that reads like a memory",
		"recipe":    "a call that failed, and what worked instead",
		"llm":       "a model's reading of the session",
	}[s.Layer]
}

// OriginText says whose words m holds, for the person who reviews it.
func (m *Memory) OriginText() string {
	switch m.Source.Claimed() {
	case OriginPerson:
		return "a person said it"
	case OriginAgent:
		return "the agent concluded it"
	case OriginOutside:
		switch {
		case m.Source.Agent == Imported:
			return "stands in an import that an agent ran"
		case len(m.Files) == 0:
			return "stands in something that the agent read"
		}
		return "stands in " + m.ReadIn() + ", which the agent read"
	}
	return "nobody knows who said it"
}
