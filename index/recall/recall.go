// Package recall says which memories a moment of a session calls for: a prompt
// that was typed, a command that is about to run, a file that is about to be
// opened or changed, a search of the code, a question to the user, a call that
// failed.
//
// Put a [Doc] for each memory of a view into [Renew], which keeps a table of them in a
// file and makes it by what changed, or open one that is there with [Open]; [Table.Find]
// ranks the memories for a [Moment] and says of each why, and whether it is worth saying
// ([Hit.Speaks]). A table is a cache: it is bound to what it was made of by its stamp,
// checks what it reads, and can be deleted at any time.
//
// It promises that one scorer decides at every moment, by hand and in hooks, and
// that nothing is said which does not clear the threshold of its moment
// (docs/design/0011-one-scorer-for-all-moments.md).
//
// A Table is safe for concurrent use.
package recall

import (
	"github.com/git-cortex/cortex/memory"
)

// Kind is the kind of a moment.
type Kind string

// The kinds of moments, as the settings and answers name them.
const (
	Prompt   Kind = "prompt"   // the user has typed something
	Command  Kind = "command"  // a command line is about to run
	File     Kind = "file"     // a file is about to be opened or changed
	Search   Kind = "search"   // the code is about to be searched
	Question Kind = "question" // the agent is about to ask the user, or a subagent
	Error    Kind = "error"    // a call failed
)

// Kinds are all kinds of moments.
func Kinds() []Kind { return []Kind{Prompt, Command, File, Search, Question, Error} }

// Moment describes a moment of a session at which a memory could help: a prompt, or a
// call before it runs or after it failed. Fields that are not known are left empty;
// every text is looked at up to a bound.
type Moment struct {
	Kind     Kind
	Prompt   string        // what the user typed, here or last
	Search   string        // the pattern that the agent is about to look for
	Question string        // what the agent is about to ask, with its options
	Tool     string        // that is called, as its agent names it
	Command  string        // the command line of the call
	Calls    [][]string    // the commands in it, each with the name of its program and its words
	File     string        // the file of the call, relative to the top of the working tree
	Input    string        // what else the call holds, such as the text that an edit looks for
	New, Old string        // the text that a change puts into the file, and the one that it takes out
	Beside   []Moment      // changes of other files by the same call
	Present  func() string // reads what the file of a change holds before it; set where New is
	Error    string        // what the failed call said
	Words    string        // what the agent wrote before the call
	Triggers []string      // that the call and its error have, in the form of a memory's triggers
}

// Options bound an answer. The zero value gives what a hook says.
type Options struct {
	Session string // whose moment it is: what it taught is not told to itself
	Limit   int    // memories that speak; 0 means as many as the moment allows
	All     bool   // what does not speak too, with the reason
	// of a table of notes: they are quoted, for a name that a moment shares or for their error
	Notes bool
	Given func(memory.ID) bool    // given before in this session; nil for none
	Again func(memory.ID) bool    // given before this session was summarised: said again, shortly; nil for none
	Boost func(memory.ID) float64 // a factor by what became of a memory that was shown before; nil for 1
}

// Why a memory is not said although it was found.
const (
	LeftWeak     = "below the threshold"
	LeftVague    = "it shares words with the moment, and names nothing that the moment names"
	LeftFar      = "far below the best"
	LeftSession  = "learned in this session"
	LeftGiven    = "given before in this session"
	LeftArchived = "archived, and not the only one that explains the error"
	LeftPlan     = "a plan, which the briefing of its branch has"
	LeftKin      = "what another one says already"
	LeftLimit    = "more than this moment is given"
	LeftQuoted   = "the words of something that was read, which no trigger of it calls for"
)

// Reason is one part of a score.
type Reason struct {
	Kind   string  `json:"kind"` // word, symbol, path, error, command, tool, file, rule, type, shown
	Text   string  `json:"text"` // what both have
	Weight float64 `json:"weight"`
}

// Hit is a memory that was found for a moment.
type Hit struct {
	ID        memory.ID   `json:"id"`
	Type      memory.Type `json:"type"`
	Score     float64     `json:"score"`          // comparable within one kind of moment
	Threshold float64     `json:"threshold"`      // of the moment
	Speaks    bool        `json:"speaks"`         // it is worth saying
	Left      string      `json:"left,omitempty"` // why it is not
	Why       []Reason    `json:"why"`            // strongest first
	Line      string      `json:"line"`           // the memory in one line, with what the moment is about
	Archived  bool        `json:"archived,omitempty"`

	Noted    bool     `json:"-"` // it is a note
	Explains bool     `json:"-"` // it has the very error of a call that failed
	Said     []string `json:"-"` // its title and sentences
	Files    []string `json:"-"` // it is about
	Triggers []string `json:"-"` // as [memory.Memory.Triggers]

	session   string
	triggered bool   // it has a trigger of the moment
	called    bool   // it has such a trigger, or names the moment as one at which it matters
	curated   bool   // it is in a reader's words
	titled    bool   // a prompt begins with half of the words of its title
	chance    int    // names that it shares with its moment by chance
	back      string // what a change brings back that the memory says is gone
	lead      string // of a quotation; "" for what is none
}

// Doc is a memory as a table takes it in.
type Doc struct {
	Blob     string // names the bytes it is read from
	Archived bool
}
