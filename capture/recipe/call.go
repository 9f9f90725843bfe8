package recipe

import (
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lazy"
)

// Bounds of what is held for a turn.
const (
	maxCalls   = 400
	lineSize   = 4 << 10 // of a command line
	outputSize = 6 << 10 // of an output, its head and its end
	wordSize   = 2 << 10 // of what the agent said after a call
)

// call is one tool call of the turn.
type call struct {
	n      int // its place in the turn
	record int // line of its result, of the call before that is known
	time   time.Time
	tool   transcript.Tool
	name   string
	line   string // the command line, of a shell
	input  string // the raw arguments, of a tool that is none of ours
	path   string // of a file tool
	old    string // what an edit looks for
	output string
	words  string // what the agent said next, before its next call
	done   bool
	failed bool

	// telling are the lines of its output that may say what went wrong, the most telling first.
	telling func() []string
}

// Follower gathers the calls of one turn.
type Follower struct {
	Redactor *redact.Redactor
	// Relative makes a path relative to the repository, "" for one outside.
	Relative func(string) string
	// Roots are the folders that a command may name for the repository itself.
	Roots func() []string

	calls []*call
	byID  map[string]*call
}

// worked reports whether the call came to its end and did not fail.
func (c *call) worked() bool { return c.done && !c.failed }

// failedWith is the first line of its output that has something of an expression of patterns.tsv, where
// it failed; "" for none.
func (c *call) failedWith(name string, lines []string) string {
	if !c.failed {
		return ""
	}
	return first(lines, name)
}

// ran reports whether the call ran a command line, and that worked.
func (c *call) ran() bool { return c.tool == transcript.ToolShell && c.worked() }

// ranSilently reports whether it also said nothing of note.
func (c *call) ranSilently() bool { return c.ran() && c.output == "" }

// Event takes an event in. Prompts, plans and the like are passed over.
func (f *Follower) Event(e *transcript.Event) {
	switch e.Kind {
	case transcript.Call:
		f.call(e)
	case transcript.Result:
		f.result(e)
	case transcript.Text:
		f.said(e.Text)
	}
}

// said adds words of the agent to the last call.
func (f *Follower) said(words string) {
	if len(f.calls) == 0 {
		return
	}
	if c := f.calls[len(f.calls)-1]; len(c.words) < wordSize {
		c.words += words[:min(len(words), wordSize)] + "\n"
	}
}

func (f *Follower) call(e *transcript.Event) {
	if len(f.calls) >= maxCalls {
		return
	}
	c := &call{n: len(f.calls), record: e.Record, time: e.Time, tool: e.Tool, name: e.Name, path: e.Path()}
	switch e.Tool {
	case transcript.ToolShell:
		c.line = e.Shell()
		c.line = c.line[:min(len(c.line), lineSize)]
	case transcript.ToolEdit:
		c.old = e.Replaced()
		c.old = c.old[:min(len(c.old), lineSize)]
	case transcript.ToolOther:
		c.input = e.Input()
	}
	f.calls = append(f.calls, c)
	if f.byID == nil {
		f.byID = map[string]*call{}
	}
	f.byID[e.ID] = c
}

func (f *Follower) result(e *transcript.Event) {
	c := f.byID[e.ID]
	if c == nil || e.ID == "" {
		return
	}
	delete(f.byID, e.ID)
	c.record, c.done, c.failed = e.Record, !e.Refused, e.FailedAtWork()
	if !e.Time.IsZero() {
		c.time = e.Time
	}
	c.output = ends(e.Output)
}

// Recipes are those of the turn, in its order, each trap once.
func (f *Follower) Recipes() []Recipe {
	var out []Recipe
	known := map[string]bool{}
	for _, c := range f.calls {
		r, ok := f.recipe(c)
		if ok && !known[r.Triggers[0]] {
			known[r.Triggers[0]] = true
			out = append(out, r)
		}
	}
	return out
}

// recipe returns the recipe that the first matching rule finds in a call, if any
// does.
func (f *Follower) recipe(c *call) (Recipe, bool) {
	if !c.done || c.output == "" {
		return Recipe{}, false
	}
	c.output = f.Redactor.Text(c.output) // before anything of it is cut
	lines := Lines(c.output)
	c.telling = lazy.Value(func() []string { return telling(lines) })
	for _, rule := range rules() {
		if r, ok := rule.find(f, c, lines); ok {
			r.Record, r.Time, r.Cue = c.record, c.time, rule.name
			return r, len(r.Triggers) > 0
		}
	}
	return Recipe{}, false
}

// rule is one way in which a call teaches something.
type rule struct {
	name string
	find func(f *Follower, c *call, lines []string) (Recipe, bool)
}

// rules are tried in order: a fact about the environment says more than a pair
// of calls.
func rules() []rule {
	return []rule{
		{"unmatched glob", (*Follower).glob},
		{"missing program", (*Follower).missing},
		{"working directory", (*Follower).reentered},
		{"working directory", (*Follower).elsewhere},
		{"lock", (*Follower).lock},
		{"mangled path", (*Follower).mangledPath},
		{"mangled script", (*Follower).mangledScript},
		{"refused commit", (*Follower).unlinted},
		{"refused commit", (*Follower).unprepared},
		{"nothing checked", (*Follower).idle},
		{"edit that does not match", (*Follower).whitespace},
		{"tool", (*Follower).toolError},
		{"failed and worked", (*Follower).repair},
		{"failed until", (*Follower).episode},
	}
}

// local is a command line with paths of the repository relative to it.
func (f *Follower) local(line string) string {
	for _, root := range f.Roots() {
		if len(root) > 1 {
			line = strings.ReplaceAll(strings.ReplaceAll(line, root+"/", ""), root, ".")
		}
	}
	return line
}

// shown is a command or an error as a recipe quotes it: one line, without
// secrets, paths of the repository relative to it, and the home folder as "~".
func (f *Follower) shown(s string, limit int) string {
	s = strings.TrimSpace(s)
	if head, _, cut := strings.Cut(s, "\n"); cut {
		s = strings.TrimSuffix(strings.TrimSpace(head), `\`) + " …"
	}
	s = f.local(f.Redactor.Line(s))
	s = pattern("home").ReplaceAllString(s, "~/")
	return shortened(strings.ReplaceAll(s, "`", "'"), limit)
}

// shortened is a text of at most so many bytes, cut at a space if there is one in its
// second half.
func shortened(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	cut := strings.LastIndexByte(s[:limit], ' ')
	if cut < limit/2 {
		cut = limit
	}
	return strings.TrimRight(strings.ToValidUTF8(s[:cut], ""), " …") + " …"
}
