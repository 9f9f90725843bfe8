package recipe

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/capture/transcript"
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
	id     string
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
}

// Follower gathers the calls of one turn. The zero value works.
type Follower struct {
	Redactor *redact.Redactor
	// Relative makes a path relative to the repository, "" for one outside. Nil
	// leaves paths as they are.
	Relative func(string) string
	// Roots are the folders that a command may name for the repository itself.
	Roots func() []string

	calls []*call
	byID  map[string]*call
}

// Event takes an event in. Prompts, plans and the like are passed over.
func (f *Follower) Event(e *transcript.Event) {
	switch e.Kind {
	case transcript.Call:
		f.call(e)
	case transcript.Result:
		f.result(e)
	case transcript.Text:
		if n := len(f.calls); n > 0 && len(f.calls[n-1].words) < wordSize {
			f.calls[n-1].words += e.Text[:min(len(e.Text), wordSize)] + "\n"
		}
	}
}

func (f *Follower) call(e *transcript.Event) {
	if len(f.calls) >= maxCalls {
		return
	}
	c := &call{n: len(f.calls), id: e.ID, record: e.Record, time: e.Time, tool: e.Tool, name: e.Name, path: e.Path()}
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
	c.record, c.done, c.failed = e.Record, !e.Refused, e.Failed && !e.Refused
	if !e.Time.IsZero() {
		c.time = e.Time
	}
	c.output = e.Output
	if n := len(c.output); n > outputSize {
		c.output = c.output[:outputSize*2/3] + "\n" + c.output[n-outputSize/3:]
	}
}

// Recipes are those of the turn, in its order, each trap once.
func (f *Follower) Recipes() []Recipe {
	var out []Recipe
	known := map[string]bool{}
	for _, c := range f.calls {
		if !c.done || c.output == "" {
			continue
		}
		r, ok := f.recipe(c)
		if !ok || len(r.Triggers) == 0 || known[r.Triggers[0]] {
			continue
		}
		known[r.Triggers[0]] = true
		out = append(out, r)
	}
	return out
}

// recipe returns the recipe that the first matching rule finds in a call, if any
// does.
func (f *Follower) recipe(c *call) (Recipe, bool) {
	c.output = f.Redactor.Text(c.output) // before anything of it is cut
	lines := saidLines(c.output)
	for _, rule := range rules() {
		if r, ok := rule.find(f, c, lines); ok {
			r.Record, r.Time, r.Cue = c.record, c.time, rule.name
			return r, true
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
		{"working directory", (*Follower).directory},
		{"lock", (*Follower).lock},
		{"mangled path", (*Follower).mangledPath},
		{"mangled script", (*Follower).mangled},
		{"refused commit", (*Follower).refusedCommit},
		{"nothing checked", (*Follower).idle},
		{"edit that does not match", (*Follower).whitespace},
		{"tool", (*Follower).toolError},
		{"failed and worked", (*Follower).repair},
	}
}

var homes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:/mnt/[a-z]|/[a-z]|[A-Za-z]:)?[\\/]+(?:Users|home)[\\/]+[^\\/\s"']+[\\/]+`)
})

// local is a command line with paths of the repository relative to it.
func (f *Follower) local(line string) string {
	if f.Roots != nil {
		for _, root := range f.Roots() {
			if len(root) > 1 {
				line = strings.ReplaceAll(strings.ReplaceAll(line, root+"/", ""), root, ".")
			}
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
	s = homes().ReplaceAllString(s, "~/")
	s = strings.ReplaceAll(s, "`", "'")
	if len(s) > limit {
		cut := strings.LastIndexByte(s[:limit], ' ')
		if cut < limit/2 {
			cut = limit
			for cut > 0 && s[cut]&0xC0 == 0x80 {
				cut--
			}
		}
		s = strings.TrimRight(s[:cut], " …") + " …"
	}
	return s
}
