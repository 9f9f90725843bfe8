package curate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// SheetTokens is how many tokens a worksheet has at most, its instructions
// included.
const SheetTokens = 6000

// UsualTokens is the median size of a worksheet in tokens, rounded up, measured on 179 sessions of
// three repositories.
const UsualTokens = 3000

// Sheet is one worksheet: the candidates of a session that wait, what was said around them,
// and memories to compare; of no session, those alone. As JSON it has the shape that docs/json.md gives it.
type Sheet struct {
	ID      string `json:"sheet"`
	Session string `json:"session"`
	Agent   string `json:"agent"`
	Branch  string `json:"branch"`
	Title   string `json:"title"`
	Record  string `json:"record"` // the session record, in the journal
	Commit  string `json:"commit"` // HEAD when the session was captured
	Lines   int    `json:"lines"`  // that were read of the transcript
	From    int    `json:"from"`   // lines of the transcript, from 1, that it is about
	To      int    `json:"to"`
	More    bool   `json:"more"` // another sheet of this session follows
	// what the passages were read from: transcript, or record where that is not on this machine
	Source     string      `json:"source"`
	Received   bool        `json:"received"`
	Tokens     int         `json:"tokens"` // of the sheet as text, about
	Git        []string    `json:"git"`    // subjects of commits made in the session's time
	Files      []string    `json:"files"`  // that the session touched
	Candidates []Candidate `json:"candidates"`
	Known      []Known     `json:"known"`
	Passages   []Passage   `json:"passages"`
	End        string      `json:"end,omitempty"`     // how the session ended
	Compare    []Listed    `json:"compare,omitempty"` // memories of which some may contradict each other
}

// Candidate is a note or a pending memory that waits for a reader.
type Candidate struct {
	ID    memory.ID   `json:"id"`
	Type  memory.Type `json:"type"`
	Layer string      `json:"layer"`
	Line  int         `json:"line"` // of the transcript, from 1; 0 when unknown
	Title string      `json:"title"`
	Text  string      `json:"text,omitempty"`
	Path  string      `json:"path"` // in the journal; of a note, that of the session record
	Blob  string      `json:"blob"` // as it was when the sheet was made
	Note  bool        `json:"note,omitempty"`
}

// Known is a memory that is there and need not be said again. One with an id
// is of an earlier sheet of this session, and may be replaced.
type Known struct {
	ID    memory.ID   `json:"id,omitempty"`
	Type  memory.Type `json:"type"`
	Title string      `json:"title"`
	Path  string      `json:"path,omitempty"`
	Blob  string      `json:"blob,omitempty"`
}

// Passage is one thing that was said in the session.
type Passage struct {
	Line int `json:"line"` // of the transcript, from 1
	// user, agent, handover, answer, refusal, plan, document, report, summary, commit, failure
	Kind string    `json:"kind"`
	Text string    `json:"text"`
	Time time.Time `json:"time,omitzero"`

	// What became of what the agent said: committed in the same turn, "committed later",
	// open when nothing was committed after it, unanswered when the session ended there.
	State string `json:"state,omitempty"`

	told bool // on an earlier sheet, and here so that the rest can be understood
}

// kindText names the kinds of passages for a reader.
func kindText(kind string) string {
	return cmp.Or(map[string]string{
		"handover": "agent, last words of the turn",
		"answer":   "question and the user's answer",
		"refusal":  "user, turning the agent's plan or call down",
		"plan":     "plan, approved by the user",
		"document": "agent, in a file",
		"report":   "report of a subagent",
		"summary":  "agent's summary of the session so far",
		"commit":   "agent, in a commit or pull request",
		"failure":  "tool",
	}[kind], kind)
}

// Text is the sheet as a reader gets it: what to do, and then the material
// between two marks that stand nowhere in it.
func (s *Sheet) Text() string {
	var b strings.Builder
	if s.Session != "" {
		b.WriteString(string(templates.Curation()) + "\n")
	}
	if len(s.Compare) > 0 {
		b.WriteString(string(templates.Comparison()) + "\n")
	}
	b.WriteString(s.body())
	return b.String()
}

func (s *Sheet) body() string {
	var b strings.Builder
	m := s.mark()
	fmt.Fprintf(&b, "sheet: %s\n<%s>\n", s.ID, m)
	if s.Session != "" {
		s.record(&b)
	}
	b.WriteString(section("memories to compare", lists.Map(s.Compare, Listed.text)))
	b.WriteString("</" + m + ">\n")
	return b.String()
}

// record writes what a sheet has of its session.
func (s *Sheet) record(b *strings.Builder) {
	fmt.Fprintf(b, "session: %s, on branch %s: %s\n", grounding.Line(s.Agent, 40), grounding.Line(s.Branch, 100),
		grounding.Line(s.Title, 120))
	b.WriteString(section("commits of that time", lists.Map(s.Git, func(subject string) string {
		return "- " + grounding.Line(subject, 100) + "\n"
	})))
	if len(s.Files) > 0 {
		b.WriteString("files: " + grounding.Line(strings.Join(lists.First(s.Files, 15), ", "), 1000) + "\n")
	}
	b.WriteString(section("known already", lists.Map(s.Known, Known.text)))
	b.WriteString("candidates:\n" + strings.Join(lists.Map(s.Candidates, Candidate.text), ""))
	b.WriteString("passages:\n" + strings.Join(lists.Map(s.Passages, Passage.text), ""))
	if s.End != "" {
		b.WriteString("end: " + s.End + "\n")
	}
}

// section is a list under its heading; "" for one of nothing.
func section(heading string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return heading + ":\n" + strings.Join(lines, "")
}

func (k Known) text() string {
	if k.ID != "" {
		return fmt.Sprintf("- [%s] %s: %s\n", k.ID.Short(), k.Type, grounding.Line(k.Title, 120))
	}
	return fmt.Sprintf("- %s: %s\n", k.Type, grounding.Line(k.Title, 120))
}

func (c Candidate) text() string {
	out := fmt.Sprintf("- [%s] %s, %s, line %d: %s\n", c.ID.Short(), c.Type, c.Layer, c.Line,
		grounding.Line(c.Title, 140))
	if c.Text != "" {
		out += "  " + grounding.Line(c.Text, 600) + "\n"
	}
	return out
}

func (p Passage) text() string {
	said := strings.ReplaceAll(p.Text, "\n[line ", "\n [line ") // no passage begins inside of another
	kind := kindText(p.Kind)
	if p.State != "" {
		kind += ", " + p.State
	}
	return fmt.Sprintf("[line %d] %s: %s\n", p.Line, kind, said)
}

// mark stands around the material. It follows from it, so that nothing in the
// material can hold it.
func (s *Sheet) mark() string { return "material-" + s.digest() }

// digest names the content of a sheet.
func (s *Sheet) digest() string {
	bare := *s
	bare.ID, bare.Tokens = "", 0
	data, err := json.Marshal(bare)
	if err != nil {
		panic("curate: a sheet that is not JSON: " + err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}

// seal gives a sheet its id and its size, when all else is there.
func (s *Sheet) seal() *Sheet {
	s.ID = s.digest()
	s.Tokens = memory.Tokens(s.Text())
	return s
}
