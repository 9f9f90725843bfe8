package recall

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// scoreOf is the score of a memory at a moment, 0 when it was not found.
func scoreOf(t *Table, m Moment, id memory.ID) float64 {
	for _, h := range t.Find(m, Options{All: true}) {
		if h.ID == id {
			return h.Score
		}
	}
	return 0
}

func TestPlainLinks(t *testing.T) {
	for text, want := range map[string]string{
		"see https://github.com/acme/gauge/pull/77 first": "see pull 77 first",
		"https://docs.example.org/gauge/poll#interval":    "gauge poll#interval",
		"git clone ssh://git@codeberg.org/acme/gauge.git": "git clone ",
		"no link: a/b/c": "no link: a/b/c",
		"`https://gitlab.com/acme/gauge/-/issues/9` fails": "`- issues 9` fails",
	} {
		if got := plainLinks(text); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
}

// TestLinksSayWhereTheyLead: a link of this project shares its owner and name with
// whatever names the project, and means only the page it leads to.
func TestLinksSayWhereTheyLead(t *testing.T) {
	project := made("The badge of acme/gauge on github.com is stale", "It shows the state of another branch.")
	issue := made("7711 came from the poller", "It ran twice after a restart.")
	table := library(t, project, issue)
	hits := table.Find(Moment{Kind: Prompt, Prompt: "have a look at https://github.com/acme/gauge/issues/7711"}, Options{All: true})
	if len(hits) == 0 || hits[0].ID != issue.ID {
		t.Fatalf("found %+v", hits)
	}
	if s := scoreOf(table, Moment{Kind: Prompt, Prompt: "https://github.com/acme/gauge/issues/7711"}, project.ID); s > 0 {
		t.Errorf("the name of the project counts %v", s)
	}
}

// TestEverydayWords: a word that people use of anything counts little, however rare
// it is among the memories at hand.
func TestEverydayWords(t *testing.T) {
	m := made("It seems the siphon is another matter", "Please look at it another time.")
	table := library(t, m)
	if few, one := scoreOf(table, Moment{Kind: Prompt, Prompt: "it seems another matter, please look"}, m.ID), scoreOf(table, Moment{Kind: Prompt, Prompt: "siphon, siphon"}, m.ID); few >= 2*one {
		t.Errorf("five everyday words count %v, the name of a thing %v", few, one)
	}
}

// TestPartsOfOneName: a name that is shared as a whole does not count again for each
// of its parts.
func TestPartsOfOneName(t *testing.T) {
	m := made("The delta-valve-relay sticks", "It has to be reset by hand.")
	table := library(t, m)
	whole, words := scoreOf(table, Moment{Kind: Prompt, Prompt: "delta-valve-relay"}, m.ID), scoreOf(table, Moment{Kind: Prompt, Prompt: "delta valve relay"}, m.ID)
	if whole > 1.2*words || whole == 0 {
		t.Errorf("one name counts %v, its three words apart %v", whole, words)
	}
}

// TestTrapOfAnotherTool: the trap of a tool is said before calls of that tool alone, and that of a
// copied block before a change that looks for what its file does not have.
func TestTrapOfAnotherTool(t *testing.T) {
	copied := made("`*.go` files here are indented with tabs: an edit with a copied block fails", "An edit of `gauge/read.go` failed. "+
		"What works: the same block with tabs.", "error: string to replace not found in file", "tool: Edit", "file: *.go")
	table := library(t, copied)
	held := func() string { return "if ok {\n\treturn 1\n}" }
	for name, tt := range map[string]struct {
		m      Moment
		called bool
	}{
		"opened":                {Moment{Kind: File, Tool: "Read"}, false},
		"written":               {Moment{Kind: File, Tool: "Write", New: "package gauge", Present: held}, false},
		"what the file has":     {Moment{Kind: File, Tool: "Edit", Old: "\treturn 1", New: "\treturn 2", Present: held}, false},
		"what it does not have": {Moment{Kind: File, Tool: "Edit", Old: "    return 1", New: "    return 2", Present: held}, true},
		"no file":               {Moment{Kind: File, Tool: "Edit", Old: "a", New: "b", Present: func() string { return "" }}, false},
		"a task":                {Moment{Kind: Question, Tool: "Task", Question: "an edit of gauge/read.go indented with tabs"}, false},
		"by hand":               {Moment{Kind: File}, true},
		"it failed":             {Moment{Kind: Error, Tool: "Edit", Error: "String to replace not found in file"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			tt.m.File, tt.m.Triggers = "gauge/open.go", copied.Triggers[1:]
			if tt.m.Kind == Error {
				tt.m.Triggers = copied.Triggers
			}
			if s := scoreOf(table, tt.m, copied.ID); s > 0 != tt.called {
				t.Errorf("its score is %v", s)
			}
		})
	}
}

// TestRecipeOfThisCall: before a call a recipe speaks of that call, and not of one
// that shares its folder, nor of one that has already what works.
func TestRecipeOfThisCall(t *testing.T) {
	missing := made("`strings` is not available in the shell here", "Tried: `cd /var/scratch/pad-77 && strings cache.bin | head`\nError: `bash: strings: command not found`", "error: command not found: strings", "command: strings")
	moved := made("`quill add` does not find its files after a `cd`", "Tried: `quill add pages/one.txt && quill seal --quiet`\nError: `quill: pages/one.txt: no such file`\nAn earlier `cd` had left the shell elsewhere. What works: `cd /srv/book && quill add pages/one.txt && quill seal --quiet`, from the top.", "error: no such file", "command: quill add")
	owner := made("`forge note` wants `acme/gauge` here, not `sam/gauge`", "Tried: `forge note 7 --repo sam/gauge`\nError: `no such repository`\nWhat works: `forge note 7 --repo acme/gauge`", "error: no such repository", "command: forge note")
	table := library(t, missing, moved, owner)
	said := func(command string, triggers ...string) (ids []memory.ID) {
		for _, h := range table.Find(Moment{Kind: Command, Command: command, Triggers: triggers}, Options{All: true}) {
			if h.Score > 0 {
				ids = append(ids, h.ID)
			}
		}
		return ids
	}
	for _, tt := range []struct {
		name, command, trigger string
		want                   []memory.ID
	}{
		{"its own", "strings notes.bin", "command: strings", []memory.ID{missing.ID}},
		{"only its folder", "cd /var/scratch/pad-77 && ls cache.bin | head", "command: ls", nil},
		{"as it failed", "quill add pages/two.txt", "command: quill add", []memory.ID{moved.ID}},
		{"as it works", "cd /srv/book && quill add pages/two.txt", "command: quill add", nil},
		{"with the wrong owner", "forge note 8 --repo sam/gauge", "command: forge note", []memory.ID{owner.ID}},
		{"with another wrong owner", "forge note 8 --repo gauge-team/gauge", "command: forge note", []memory.ID{owner.ID}},
		{"with the right owner", "forge note 8 --repo acme/gauge", "command: forge note", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, said(tt.command, tt.trigger)); diff != "" {
				t.Error(diff)
			}
		})
	}
	// What a recipe quotes is no subject of a prompt.
	if s := scoreOf(table, Moment{Kind: Prompt, Prompt: "what is in pages/one.txt?"}, moved.ID); s > 0 {
		t.Errorf("a prompt with words of its error: %v", s)
	}
}
