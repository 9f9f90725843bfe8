// Package guard keeps a rule at the calls of an agent: it says which call a guard of
// .cortex/guards speaks about, and which guards are in force.
//
// [Parse] reads a guard, [Guard.Speaks] judges a call, [InForce] returns the guards of a
// working tree that this clone trusts. What is in a file and nobody here vouched for does
// nothing, and a file that cannot be read lets every call pass. [Keep] says which are trusted;
// a hook asks no git. Guards are "Guards" of FORMAT.md.
package guard

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-cortex/cortex/memory"
)

// Dir is the folder of guards below the root of a working tree, with slashes.
const Dir = ".cortex/guards"

// Ending is that of a guard's file.
const Ending = ".yaml"

// Bounds of a guard's file.
const (
	MaxSize  = 8 << 10 // bytes
	MaxFiles = 64      // that are read
	maxWords = 64      // of all lists together
	maxLine  = 400     // bytes of a text
)

// Actions of a guard, the mildest first.
const (
	Warn = "warn" // the agent is told
	Ask  = "ask"  // the user is asked
	Deny = "deny" // the call is not made
)

// Actions are all of them.
func Actions() []string { return []string{Warn, Ask, Deny} }

// Guard is one file of .cortex/guards. It says which calls it is about, and what
// happens then. All that is given has to hold, of a list one of its words.
type Guard struct {
	Name   string    `yaml:"-" json:"name"` // of the file, without its ending
	Memory memory.ID `yaml:"memory" json:"memory"`
	Rule   string    `yaml:"rule" json:"rule"`
	Action string    `yaml:"action" json:"action"`

	Command []string `yaml:"command,omitempty,flow" json:"command,omitempty"` // how one of the commands begins
	With    []string `yaml:"with,omitempty,flow" json:"with,omitempty"`       // and a word that it has
	Branch  []string `yaml:"branch,omitempty,flow" json:"branch,omitempty"`   // that it is made on, or pushes to
	Needs   []string `yaml:"needs,omitempty,flow" json:"needs,omitempty"`     // none of these ran since the last edit
	Path    []string `yaml:"path,omitempty,flow" json:"path,omitempty"`       // of a file that is written
	Text    []string `yaml:"text,omitempty,flow" json:"text,omitempty"`       // that is added to a file

	Remedy string `yaml:"remedy,omitempty" json:"remedy,omitempty"` // what to do instead
}

// level is how strict a guard is.
func (g *Guard) level() int { return slices.Index(Actions(), g.Action) }

// own is the guard of the folder of guards, which is there while any other is in force.
func own() *Guard {
	return &Guard{
		Name: "of the guards", Rule: "Only a person changes the guards of a repository.", Action: Deny,
		Path: []string{Dir + "/"}, Remedy: "Ask the user to run cortex guard.",
	}
}

// Path is the path of a guard's file.
func Path(name string) string { return Dir + "/" + name + Ending }

// Parse reads a guard's file. A key that is not known is an error: what it asks for would not be
// done.
func Parse(name string, data []byte) (*Guard, error) {
	g := &Guard{}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(g); err != nil {
		return nil, fmt.Errorf("%s: %w", Path(name), err)
	}
	g.Name = name
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", Path(name), err)
	}
	return g, nil
}

// Encode returns the file of a guard.
func (g *Guard) Encode() ([]byte, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	return yaml.Marshal(g)
}

// List is a list of a guard.
type List struct {
	Key   string
	Words []string
}

// Lists are the lists of a guard.
func (g *Guard) Lists() []List {
	return []List{
		{"command", g.Command},
		{"with", g.With},
		{"branch", g.Branch},
		{"needs", g.Needs},
		{"path", g.Path},
		{"text", g.Text},
	}
}

// check says what is wrong with a guard, nil for nothing.
func (g *Guard) check() error {
	_, noID := memory.ParseID(string(g.Memory))
	commands, files := len(g.Command), len(g.Path)+len(g.Text)
	rules := []struct {
		holds bool
		why   string
	}{
		{noID == nil, "memory: the id of the memory behind it is needed"},
		{isLine(g.Rule), fmt.Sprintf("rule: one line of at most %d bytes is needed", maxLine)},
		{isLine("-" + g.Remedy), fmt.Sprintf("remedy: more than one line of at most %d bytes", maxLine)},
		{slices.Contains(Actions(), g.Action), "action: one of " + strings.Join(Actions(), ", ") + " is needed"},
		{min(commands, files) == 0, "it is about commands, or about files: command stands without path and text"},
		{max(commands, files) > 0, "it is about no call: command, path or text is needed"},
		{files == 0 || len(g.With)+len(g.Branch)+len(g.Needs) == 0, "with, branch and needs are about a command"},
	}
	for _, rule := range rules {
		if !rule.holds {
			return errors.New(rule.why)
		}
	}
	words := slices.Concat(g.Command, g.With, g.Branch, g.Needs, g.Path, g.Text)
	if len(words) > maxWords || slices.ContainsFunc(words, func(w string) bool { return !isLine(w) }) {
		return fmt.Errorf("at most %d words, each a line of at most %d bytes", maxWords, maxLine)
	}
	return nil
}

// isLine reports whether a text is a line with something in it that can be shown.
func isLine(text string) bool {
	return memory.OneLine(memory.Clean(text)) == text && text != "" && len(text) <= maxLine
}
