package capture

import (
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Session is the record of one agent session: what was touched, what was found
// but not kept, and where reading stopped. One is stored per session, as
// Markdown with frontmatter; see [FormatSession].
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
	Cursor  Cursor

	Modified []string // files written, relative to the root
	Read     []string // files read, relative to the root
	Commands []string // shell commands, one line each, the last hundred
	Requests []Request
	Topics   []Topic   // what it was about, in order
	Found    []Finding // what was kept, in the order of the transcript
	Weak     []Finding // what was too weak to keep
	Plan     []Step    // the agent's to-do list as last seen
	PlanText string    // the plan last approved: its title, then its goal and steps
	// PlanRecord is the 0-based line of that plan.
	PlanRecord int
	PlanID     memory.ID // the memory that holds the plan; "" when there is none

	// Unknown holds frontmatter this version does not know, as raw lines.
	Unknown string
}

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

// Step is one item of the agent's plan.
type Step struct {
	Key    string // the agent's own id of the step
	Status string // pending, in_progress, completed
	Text   string
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

// Path is where the record lives in the journal:
// "sessions/<yyyy-mm>/<agent>-<session>.md".
func (s *Session) Path() string { return sessionPath(s) }

// FormatSession writes a session record. It is the inverse of [ParseSession].
func FormatSession(s *Session) []byte { return formatSession(s) }

// ParseSession reads what [FormatSession] wrote. It tolerates records of other
// versions and keeps frontmatter keys it does not know.
func ParseSession(data []byte) (*Session, error) { return parseSession(data) }
