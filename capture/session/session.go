// Package session is the record that capture keeps of one session of an agent:
// where reading stopped, what was asked, touched and found, and what it was
// about. The journal holds one for each session, as Markdown with frontmatter
// that reads well, diffs well and is searched as it stands.
//
// Call [Parse] with what the journal holds and [Format] with what it is to
// hold; [Session.Path] says where. It promises: the two are inverse on what
// Format wrote; a record of another version, or one that somebody edited, is
// read as far as it can be; keys of the frontmatter that this version does not
// know are kept. There is no state: goroutines may call everything at once, but
// a Session is for one at a time.
//
// It implements the section "Session records" of FORMAT.md.
package session

import (
	"slices"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// Session is the record of one agent session: what was touched, what was found
// but not kept, and where reading stopped. One is stored per session, as
// Markdown with frontmatter; see [Format].
type Session struct {
	Agent   string
	ID      string // the agent's session id
	Branch  string // last branch seen
	Start   time.Time
	End     time.Time
	Head    string // HEAD when first captured
	HeadNow string // HEAD at the last capture
	Title   string // the session's own title or its first request
	Turns   int
	Errors  int // tool calls that failed
	// Corrections is how often the user stopped the agent or turned down what it was about to
	// do.
	Corrections int
	// Watched is whether Corrections, Failed and Again were looked for from the beginning:
	// versions before this one did not.
	Watched     bool
	Calls       int // of tools
	EditCall    int // which of them was the first that changed a file; 0 for none
	EditSeconds int // and how long after the start it was
	// NotEnglish counts messages that the patterns, which are English, did not
	// read; answers, tags, plans and recipes of them were found all the same.
	NotEnglish int
	// Private is where the line begins that last held text which the user marked
	// as private, 0 when none did. The text itself is nowhere.
	Private int64
	Skipped Skipped // what could not be read of the transcript
	Cursor  Cursor

	Modified []string    // files written, relative to the root
	Read     []string    // files read, relative to the root
	Commands []string    // shell commands without their values, one line each, the last hundred
	Failed   []string    // keys of command lines that failed, each once
	Again    []memory.ID // decisions of other sessions that this one made again
	Requests []Request
	Topics   []Topic   // what it was about, in order
	Found    []Finding // what was kept, in the order of the transcript
	// Notes are passages that may matter and that nobody stands behind, as the memories that
	// they become once a person or a reader says so.
	Notes    []*memory.Memory
	Weak     []Finding // what was too weak to note
	Plan     []Step    // the agent's to-do list as last seen
	PlanText string    // the plan last approved: its title, then its goal and steps
	// PlanRecord is the 0-based line of that plan.
	PlanRecord int
	PlanID     memory.ID // the memory that holds the plan; "" when there is none

	Curated int       // lines before this one were laid before a reader
	Decided []Verdict // what readers made of what was found, in the order of deciding

	// Unknown holds frontmatter this version does not know, as raw lines.
	Unknown string
}

// Layer is the kind of evidence behind a candidate, in order of trust.
type Layer string

// The layers, as FORMAT.md lists them under "Terms".
const (
	LayerTag       Layer = "tag"       // [MEMORY: type] text
	LayerAnswer    Layer = "answer"    // a question with its answer, a plan approved or refused
	LayerUser      Layer = "user"      // the user's own words
	LayerStructure Layer = "structure" // plans, to-do lists, commit messages, documents the agent wrote
	LayerPattern   Layer = "pattern"   // sentences that read like a finding
	LayerRecipe    Layer = "recipe"    // a call that failed, and what worked instead
	LayerCurated   Layer = "curated"   // worded by a reader, with evidence that was checked
	LayerLLM       Layer = "llm"       // what a model named, in records of versions before this one
)

// Layers are all layers.
func Layers() []Layer {
	return []Layer{LayerTag, LayerAnswer, LayerUser, LayerStructure, LayerPattern, LayerRecipe, LayerCurated, LayerLLM}
}

// KnownLayer reports whether l is one of them.
func KnownLayer(l Layer) bool { return slices.Contains(Layers(), l) }

// Measured is the confidence from which on what a layer says was, on labelled
// sessions, more often than not what a reviewer is glad to see.
const Measured = 0.85

// Lands reports whether a memory of this layer, of a confidence, may become a file
// without anybody's word: what somebody said outright or was asked, what a reader
// worded, and what else reaches the measured precision. The raw words of a user and
// of a model never do.
func (l Layer) Lands(confidence float64) bool {
	switch l {
	case "", LayerTag, LayerAnswer, LayerCurated:
		return true
	case LayerStructure, LayerPattern, LayerRecipe:
		return confidence >= Measured
	}
	return false
}

// Topic is a span of a session that is about one thing. It reaches to the next
// topic of its own depth or less.
type Topic struct {
	Record  int // 0-based line of the prompt that begins it
	Depth   int // 0, or 1 for a part of the topic before it
	Start   time.Time
	Cue     string    // why it begins there: opening, transition, step, pause, subject, back
	Back    int       // line, from 1, of the topic that it goes back to; 0 for none
	Name    string    // a few words
	About   string    // what a short request picked from a list, or the command that it was given to
	Summary [2]string // what was asked, and what came of it
	Open    string    // the question that the agent ended it with
	Files   []string  // touched in it, in order, at most twelve
}

// Bounds of the topics of a record.
const (
	MaxTopics  = 60
	TopicFiles = 12 // of one topic
)

// Request is one prompt of the user.
type Request struct {
	Record int // 0-based line
	Text   string
}

// Finding is one line about a candidate.
type Finding struct {
	ID         memory.ID // "" for what was not kept
	Type       memory.Type
	Layer      Layer
	Confidence float64
	Record     int // 0-based line
	Title      string
}

// Kept are the ids of what was found and kept.
func (s *Session) Kept() []memory.ID {
	ids := lists.Map(s.Found, func(f Finding) memory.ID { return f.ID })
	return lists.Where(ids, func(id memory.ID) bool { return id != "" })
}

// Verdict is the decision of a reader on one finding.
type Verdict struct {
	ID   memory.ID
	Is   string // [Became], [Dropped], [Left] or [Folded]
	Note string // the ids of the memories it became, or why it was dropped or left
}

// What a reader may make of a finding.
const (
	Became  = "became"
	Dropped = "dropped"
	Left    = "left" // pending as it was
	// Folded is a finding that was a pending memory and is a note now: nobody looked at it
	// for long, or nobody stands behind it. Versions before this one wrote its type, title
	// and text into the verdict.
	Folded = "folded"
)

// MaxVerdicts bounds the verdicts of a record; the oldest are forgotten.
const MaxVerdicts = 400

// Decide adds verdicts. A later one about the same finding replaces the earlier.
func (s *Session) Decide(verdicts ...Verdict) {
	for _, v := range verdicts {
		s.Decided = lists.Without(s.Decided, func(d Verdict) bool { return d.ID == v.ID })
		s.Decided = append(s.Decided, v)
	}
	if n := len(s.Decided) - MaxVerdicts; n > 0 {
		s.Decided = slices.Delete(s.Decided, 0, n)
	}
}

// Emptied is the record of a session that says how far it was read and nothing of what it held.
func Emptied(s *Session) []byte {
	return Format(&Session{
		Agent: s.Agent, ID: s.ID, Branch: s.Branch, Start: s.Start, End: s.End,
		Cursor: s.Cursor,
	})
}

// DecidedOn reports whether a reader has decided about a finding.
func (s *Session) DecidedOn(id memory.ID) bool {
	return slices.ContainsFunc(s.Decided, func(d Verdict) bool { return d.ID == id })
}

// HasFolded reports whether the record says that a finding was folded into it.
func (s *Session) HasFolded(id memory.ID) bool {
	return slices.ContainsFunc(s.Decided, func(d Verdict) bool { return d.ID == id && d.Is == Folded })
}

// HasBecome reports whether the record says that a finding became a memory in other words, or
// that a note became one.
func (s *Session) HasBecome(id memory.ID) bool {
	return slices.ContainsFunc(s.Decided, func(d Verdict) bool { return d.ID == id && d.Is == Became })
}

// Adopt takes over what readers decided in another version of the record.
func (s *Session) Adopt(other *Session) {
	s.Curated = max(s.Curated, other.Curated)
	for _, v := range other.Decided {
		if !s.DecidedOn(v.ID) {
			s.Decide(v)
		}
	}
}

// Continue takes over what an earlier record of the session counted, and what it says of files,
// failures and the plan.
func (s *Session) Continue(p *Session) {
	s.Turns, s.Errors, s.NotEnglish, s.Private = p.Turns, p.Errors, p.NotEnglish, p.Private
	s.Corrections, s.Watched = p.Corrections, p.Watched
	s.Calls, s.EditCall, s.EditSeconds = p.Calls, p.EditCall, p.EditSeconds
	s.Skipped.Add(p.Skipped)
	s.Modified = append(s.Modified, p.Modified...)
	s.Read = append(s.Read, p.Read...)
	s.Failed = append(s.Failed, p.Failed...)
	s.Again = append(s.Again, p.Again...)
	s.Plan = append(s.Plan, p.Plan...)
	s.PlanText, s.PlanRecord = p.PlanText, p.PlanRecord
	s.Notes = append(s.Notes, lists.Where(p.Notes, (*memory.Memory).IsStep)...)
	if !slices.ContainsFunc(p.Notes, func(m *memory.Memory) bool { return m.ID == p.PlanID }) {
		s.PlanID = p.PlanID // of another session
	}
}

// Bounds of what a record says of repetitions.
const (
	maxFailed = 60 // keys of command lines
	maxAgain  = 60 // decisions
)

// Fail adds the key of a command line that failed.
func (s *Session) Fail(key string) {
	if key != "" && len(s.Failed) < maxFailed {
		s.Failed = appendNew(s.Failed, key)
	}
}

// Outcome adds corrections, and the key of a command line that failed, "" for none.
func (s *Session) Outcome(corrections int, failed string) {
	s.Corrections += corrections
	s.Fail(failed)
}

// Call counts a call of a tool, and notes the first with which a file was changed.
func (s *Session) Call(at time.Time) {
	s.Calls++
	if s.EditCall == 0 && len(s.Modified) > 0 {
		s.EditCall, s.EditSeconds = s.Calls, max(0, int(at.Sub(s.Start).Seconds()))
	}
}

// DecideAgain adds a decision of another session that this one made again.
func (s *Session) DecideAgain(id memory.ID) {
	if len(s.Again) < maxAgain {
		s.Again = appendNew(s.Again, id)
	}
}

// Step is one item of the agent's plan.
type Step struct {
	Key    string // the agent's own id of the step
	Status string // pending, in_progress, completed
	Text   string
	Worked bool // it was in progress in what was read of the session now; not stored
}

// Cursor says how far a transcript has been read.
type Cursor struct {
	Inode        uint64 // identity of the file, 0 when unknown
	Offset       int64  // byte after the last complete line
	Hash         string // of the up to 4 KiB before Offset, hexadecimal
	Lines        int    // lines before Offset
	Context      int64  // where the next run starts reading, at or before Offset
	ContextLines int    // lines before Context
	Stable       int    // what was found before this line is settled
	Before       int64  // Unix seconds of the last event before Stable, 0 when unknown
	TopicFiles   int    // how many files the last topic before Stable had there
}
