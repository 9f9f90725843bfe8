// Package capture turns the transcript of a coding agent's session into
// memories worth keeping, without a language model.
//
// Call [Run] with the transcript and what is known about the session. It reads
// the file once, line by line, resumes where the [session.Session] record of an
// earlier run stopped, and gives back candidates with the evidence each rests
// on, the ids that later words of the session have withdrawn, and the new
// session record. What to do with them (anchors, duplicates elsewhere in the
// view, the journal) is the caller's part.
//
// It promises: nothing leaves the package before capture/redact has seen it;
// code, quotes, tool output, pasted documents, reminders and cortex's own
// briefing are never evidence; reading the same transcript again, in one piece
// or in many, ends in the same set of ids; memory is bounded however long the
// transcript is; bad input is skipped and counted, never fatal.
//
// The way of the data: capture/transcript reads the file and gives events;
// turn.go puts them together to turns; capture/prose tells the prose of a
// message from its code, and capture/passage cuts it into units with their signs;
// capture/weights says what the signs come to; evidence.go gives each a class (classes.tsv);
// weigh.go decides between candidates, withdraw.go takes back what was overturned; what the
// next run has to know becomes a record of capture/session. Words that rules look for stand in
// words.tsv.
//
// Runs share nothing: several goroutines may read transcripts at once, each
// with its own source and options.
package capture

import (
	"context"
	"io"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

// MinConfidence is the confidence below which a candidate stays in the session
// record and does not become a memory.
const MinConfidence = 0.5

// Disposition says what became of a candidate.
type Disposition string

// The dispositions, as "cortex capture --dry-run --json" prints them.
const (
	Kept      Disposition = "memory"    // worth a memory
	Noted     Disposition = "note"      // nobody stands behind it: kept whole in the session record
	InSession Disposition = "session"   // too weak: a line of the session record
	Duplicate Disposition = "duplicate" // says what another candidate says
	Withdrawn Disposition = "withdrawn" // taken back later in the session
	Redacted  Disposition = "redacted"  // nothing was left once its secrets were removed
)

// Options says what is known about a transcript before it is read. The zero
// value reads a transcript of any known agent from its start.
type Options struct {
	Agent   string // "" detects the agent from the content
	Session string // session id; "" takes the transcript's own
	Branch  string // current branch; "" takes what the transcript says
	Head    string // commit id of HEAD, hexadecimal; "" when unborn or unknown

	// Previous is the session record of the last run, nil for a first run.
	// Its cursor is trusted only if the bytes before it are still the same.
	Previous *session.Session
	// Earlier holds the memories that earlier runs captured from this session
	// and that are still pending. New words may fold into them or withdraw them.
	Earlier []*memory.Memory

	Inode uint64    // identity of the file, 0 when unknown
	Now   time.Time // stands in for timestamps the transcript lacks

	// Root is the repository's root as an absolute path. Paths below it, or
	// below the transcript's own working directory, are made relative.
	Root string
	// Exists reports whether a path relative to the root exists. Nil accepts
	// every path that a tool call of the session has named.
	Exists func(path string) bool

	// People are those who wrote the repository's commits, Dependencies the
	// names in its manifests: found in a text they become entities. Both are
	// called once at most, and only when something is worth a memory.
	People, Dependencies func() []string

	// Redactor finds secrets, those of the user's own patterns too; nil knows
	// the built-in kinds.
	Redactor *redact.Redactor

	// Weights judge what was found; nil takes the built-in table. Trace, when it
	// is set, is called with everything that is judged; what the run finds is the
	// same.
	Weights *weights.Table
	Trace   func(Weighed)

	// Event, when it is set, is called with every event that is new since Previous,
	// in order; it is only lent.
	Event func(*transcript.Event)

	// Unproven gives the memories that the agent of the session wrote down itself, in this
	// session as far as is known, and whose origin nobody has established. It is called at
	// most once, and only where the agent did so since Previous.
	Unproven func() ([]*memory.Memory, error)

	// LastMessage is the agent's last message as the stop hook was given it,
	// used when the transcript does not hold it yet.
	LastMessage string
}

// Candidate is one thing that may be worth remembering, with its evidence.
type Candidate struct {
	// Memory has type, title, text, created, confidence, tags, files,
	// entities and source set; anchors and commit are the caller's to add.
	Memory      *memory.Memory
	Class       Class // what it rests on
	Layer       session.Layer
	Confidence  float64 // 0–1
	Record      int     // 0-based line of the transcript
	Span        string  // the words it rests on, redacted, at most 300 bytes
	Cue         string  // the rule that fired
	Disposition Disposition
	Reason      string // why, when the disposition is not [Kept]
	// Proposals are links that the words state, to memories of other sessions.
	// Links to memories of the same session are in Memory.
	Proposals []Proposal
	// Edited are the few files that the agent wrote in the same turn, of a memory that
	// names none and is about code.
	Edited []string
}

// About lists the files whose state says whether a candidate still holds: those that it
// names, else those that were written in its turn.
func (c *Candidate) About() []string {
	if len(c.Memory.Files) > 0 {
		return c.Memory.Files
	}
	return c.Edited
}

// Weighed is something that was judged, and by which signs.
type Weighed struct {
	Signs     []string
	Cues      []string // rows of the table of cues: where, group and phrase
	Candidate Candidate
}

// Stats counts what the reader met.
type Stats struct {
	Bytes     int64 // bytes of complete lines read
	Lines     int   // complete lines read
	BadLines  int   // lines that are not a JSON object
	LongLines int   // lines over the limit of 64 MB, skipped
	// Unknown counts records, and parts of records, of a type this version does not
	// know, by the type's name.
	Unknown map[string]int
}

// Result holds the findings of one run.
type Result struct {
	Session    *session.Session // the new session record; never nil
	Turns      int              // turns in this run, the context that was read again not counted
	Candidates []Candidate
	// Withdrawn lists memories that an earlier run kept and that this run
	// takes back: drop them if they are still pending.
	Withdrawn []memory.ID
	// Replaced maps a withdrawn id to the one that stands in its place, such
	// as the session's plan after a step was done.
	Replaced map[memory.ID]memory.ID
	// Proved gives the origins of the memories of [Options.Unproven].
	Proved  map[memory.ID]string
	Resumed bool // the previous cursor was valid and used
	Stats   Stats
}

// Memories gives the candidates that are to become memories.
func (r *Result) Memories() []*memory.Memory {
	kept := lists.Where(r.Candidates, func(c Candidate) bool { return c.Disposition == Kept })
	return lists.Map(kept, func(c Candidate) *memory.Memory { return c.Memory })
}

// Run reads a transcript from where opt.Previous stopped and finds what is
// worth remembering. src must not shrink while it runs; growing is fine. An
// error means that reading failed or ctx ended; whatever is in the transcript
// is never an error, an unknown format gives a result without candidates.
func Run(ctx context.Context, src io.ReadSeeker, opt Options) (*Result, error) {
	rd, opt, err := openFor(src, opt)
	if err != nil {
		return nil, err
	}
	return run(ctx, rd, opt)
}
