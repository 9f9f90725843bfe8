package memory

import (
	"fmt"
	"strings"
	"sync"
)

// Human is the agent of what a person worded.
const Human = "human"

// Imported is the agent of what came from a store of another program.
const Imported = "import"

// The origins of a memory: whose words it holds. What several sources taught has the
// weakest of theirs, see [WeakestOrigin]; none is what nobody has established.
const (
	OriginPerson  = "person"  // typed by a person
	OriginAgent   = "agent"   // the agent's own conclusion
	OriginOutside = "outside" // what a file, a page, a tool, a pasted text or a summary said
)

// WeakestOrigin returns the weaker of two origins: outside, then none, then agent, then
// person. What stands on an unknown source is no surer than that.
func WeakestOrigin(a, b string) string {
	for _, weak := range [...]string{OriginOutside, "", OriginAgent} {
		if a == weak || b == weak {
			return weak
		}
	}
	return OriginPerson
}

// Source says where a memory came from. Every field is optional.
type Source struct {
	Agent   string `json:"agent,omitempty"` // who worded it: "claude-code", "human", …
	Model   string `json:"model,omitempty"` // that the session ran on then, as its transcript names it
	Session string `json:"session,omitempty"`
	Layer   string `json:"layer,omitempty"` // of capture: tag, answer, user, structure, pattern, curated, llm
	Branch  string `json:"branch,omitempty"`
	Commit  string `json:"commit,omitempty"` // HEAD when learned, hexadecimal, possibly abbreviated
	Record  int    `json:"record,omitempty"` // 1-based line of the transcript; 0 means unknown
	Ref     string `json:"ref,omitempty"`    // the id the memory had where it was imported from
	Origin  string `json:"origin,omitempty"` // whose words it holds: person, agent, outside; empty means unknown
}

// Claimed returns the origin that s states, or else what its agent and layer say of who
// worded the memory: a person's words are a person's, all else is unknown.
func (s *Source) Claimed() string {
	switch {
	case s.Origin != "":
		return s.Origin
	case s.Agent == Human, s.Layer == "user":
		return OriginPerson
	}
	return ""
}

// sourceField is one key of source.
type sourceField struct {
	key string
	sourcePart
}

// sourcePart reads, writes and mends one value of a source.
type sourcePart interface {
	of(s *Source) any // a pointer to it
	isAbsent(s *Source) bool
	append(b []byte, s *Source) []byte
	read(s *Source, v node) error
	tidy(s *Source)
}

// sourceWord is a word, read by parse.
type sourceWord struct {
	at    func(s *Source) *string
	parse func(string) (string, error)
}

func (w sourceWord) of(s *Source) any                  { return w.at(s) }
func (w sourceWord) isAbsent(s *Source) bool           { return *w.at(s) == "" }
func (w sourceWord) append(b []byte, s *Source) []byte { return appendItem(b, *w.at(s)) }
func (w sourceWord) read(s *Source, v node) error      { return parseOptional(w.at(s), v, w.parse) }
func (w sourceWord) tidy(s *Source)                    { *w.at(s), _ = w.parse(repair(*w.at(s))) }

// sourceNumber is a number, of which zero is none.
type sourceNumber func(s *Source) *int

func (n sourceNumber) of(s *Source) any                  { return n(s) }
func (n sourceNumber) isAbsent(s *Source) bool           { return *n(s) <= 0 }
func (n sourceNumber) append(b []byte, s *Source) []byte { return appendInt(b, *n(s)) }
func (n sourceNumber) read(s *Source, v node) error      { return parseOptional(n(s), v, parseRecord) }
func (n sourceNumber) tidy(s *Source)                    { *n(s) = max(*n(s), 0) }

// sourceTable lists the keys of source in canonical order.
var sourceTable = sync.OnceValue(func() []sourceField {
	return []sourceField{
		{"agent", sourceWord{func(s *Source) *string { return &s.Agent }, parseWord}},
		{"model", sourceWord{func(s *Source) *string { return &s.Model }, parseWord}},
		{"session", sourceWord{func(s *Source) *string { return &s.Session }, parseWord}},
		{"layer", sourceWord{func(s *Source) *string { return &s.Layer }, parseWord}},
		{"branch", sourceWord{func(s *Source) *string { return &s.Branch }, parseWord}},
		{"commit", sourceWord{func(s *Source) *string { return &s.Commit }, parseHex}},
		{"record", sourceNumber(func(s *Source) *int { return &s.Record })},
		{"ref", sourceWord{func(s *Source) *string { return &s.Ref }, parseWord}},
		{"origin", sourceWord{func(s *Source) *string { return &s.Origin }, parseOrigin}},
	}
})

// SourceFields is the number of fields of a [Source].
const SourceFields = 9

// AppendFields appends pointers to all fields of s to list, in canonical order,
// each a *string or an *int. A list with room for [SourceFields] costs nothing.
func (s *Source) AppendFields(list []any) []any {
	for _, f := range sourceTable() {
		list = append(list, f.of(s))
	}
	return list
}

// sourceValue is the value of the key source.
type sourceValue struct{}

func (sourceValue) of(m *Memory) any { return &m.Source }

func (sourceValue) read(m *Memory, v node) error {
	return parseTable(v, func(key string, v node) error {
		for _, f := range sourceTable() {
			if f.key == key {
				return f.read(&m.Source, v)
			}
		}
		return fmt.Errorf("unknown key in source (%s)", sourceKeys())
	})
}

func parseOrigin(s string) (string, error) {
	switch s = OneLine(s); s {
	case "", OriginPerson, OriginAgent, OriginOutside:
		return s, nil
	}
	return "", fmt.Errorf("%q is not an origin (%s, %s or %s)", s, OriginPerson, OriginAgent, OriginOutside)
}

func sourceKeys() string {
	var keys []string
	for _, f := range sourceTable() {
		keys = append(keys, f.key)
	}
	last := len(keys) - 1
	return strings.Join(keys[:last], ", ") + " and " + keys[last]
}

func (sourceValue) append(b []byte, key string, m *Memory) []byte {
	if m.Source == (Source{}) {
		return b
	}
	b = append(append(b, key...), ": {"...)
	start := len(b)
	for _, f := range sourceTable() {
		if f.isAbsent(&m.Source) {
			continue
		}
		if len(b) > start {
			b = append(b, ", "...)
		}
		b = f.append(append(append(b, f.key...), ": "...), &m.Source)
	}
	return append(b, "}\n"...)
}

func (sourceValue) merge(m, base, ours, theirs *Memory, first side) {
	m.Source = pick(base.Source, ours.Source, theirs.Source, first)
}

func (sourceValue) loses(_, _, _ *Memory, _ side) []byte { return nil }

func (sourceValue) tidy(m *Memory) {
	for _, f := range sourceTable() {
		f.tidy(&m.Source)
	}
}
