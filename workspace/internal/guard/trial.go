package guard

import (
	"context"
	"os"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
)

// Trial is how often guards would have spoken in past sessions.
type Trial struct {
	Sessions int     `json:"sessions"` // that were read
	Calls    int     `json:"calls"`    // of their tools
	Guards   []Tried `json:"guards"`

	Show     func(string) string `json:"-"` // what is shown of a call
	Relative func(string) string `json:"-"` // a path as guards name it

	guards []*Guard
	ran    map[string]bool // commands that ran since the last edit, in the session at hand
	spoke  map[string]bool // guards that spoke in it
}

// Tried is how often one guard would have spoken.
type Tried struct {
	Name     string   `json:"name"`
	Action   string   `json:"action"`
	Spoke    int      `json:"spoke"`    // calls
	Sessions int      `json:"sessions"` // that they are of
	Examples []string `json:"examples"` // commands or files, the newest last
}

// mostExamples is how many calls are shown of a guard.
const mostExamples = 5

// NewTrial returns a trial of guards in which nothing was tried yet.
func NewTrial(guards []*Guard) *Trial {
	t := &Trial{guards: guards, Guards: make([]Tried, len(guards))}
	for i, g := range guards {
		t.Guards[i] = Tried{Name: g.Name, Action: g.Action, Examples: []string{}}
	}
	return t
}

// Session tries the guards on the calls of a session, which began on a branch. What cannot be read of its
// transcript is passed over.
func (t *Trial) Session(ctx context.Context, path, branch string) {
	t.Begin()
	eachCall(ctx, path, func(e *transcript.Event) {
		c := Call{Command: e.Shell()}
		if path := e.Path(); path != "" && e.Content() != "" {
			c.Files, c.Added, c.Removed = []string{t.Relative(path)}, e.Content(), e.Replaced()
		}
		t.Call(&c, branch)
	})
}

// Begin begins another session.
func (t *Trial) Begin() {
	t.Sessions++
	t.ran, t.spoke = map[string]bool{}, map[string]bool{}
}

// Call tries the guards on the next call of a session, which was made on a branch.
func (t *Trial) Call(c *Call, branch string) {
	t.Calls++
	site := &Site{Branch: branch, Ran: func(command string) bool { return t.ran[command] }}
	for i, g := range t.guards {
		if g.Speaks(c, site) {
			t.note(&t.Guards[i], t.Show(c.Command+strings.Join(c.Files, " ")))
		}
	}
	if len(c.Files) > 0 {
		clear(t.ran)
	}
	for _, command := range needs(t.guards) {
		t.ran[command] = t.ran[command] || Runs(c.Command, command)
	}
}

// note notes a call that a guard would have spoken about.
func (t *Trial) note(g *Tried, shown string) {
	g.Spoke++
	if !t.spoke[g.Name] {
		g.Sessions++
	}
	t.spoke[g.Name] = true
	g.Examples = append(g.Examples, shown)
	g.Examples = g.Examples[max(0, len(g.Examples)-mostExamples):]
}

// eachCall gives the calls of tools in a transcript.
func eachCall(ctx context.Context, path string, give func(*transcript.Event)) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	r, err := transcript.Open(f, "")
	if err != nil {
		return
	}
	_ = r.Read(ctx, transcript.Position{}, "", transcript.All, func(e *transcript.Event) { // as far as it can be read
		if e.Kind == transcript.Call {
			give(e)
		}
	})
}
