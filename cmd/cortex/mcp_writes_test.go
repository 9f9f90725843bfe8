package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answerOf has the members of answers that tests ask for.
type answerOf struct {
	ID, Title, Text, Stage, Branch string
	Source                         struct{ Agent, Branch, Commit string }
	Links                          []struct{ Rel, To string }
	Files                          []string
	Forgotten                      struct{ ID string }
	Memories, Results, Related     []struct{ ID, Branch, Title string }
	Plans                          []struct{ ID, Title string }
	Landed, Pending                int
	View                           struct {
		Branch  string
		Pending int
	}
}

// ask is [agent.call] with the answer as a struct.
func (a *agent) ask(tool string, args arguments) (out answerOf) {
	a.t.Helper()
	data, err := json.Marshal(a.call(tool, args))
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	return out
}

// TestMCPRemember: what an agent remembers is pending, names the agent, and can be
// forgotten again while it is; what has landed is for a person to remove.
func TestMCPRemember(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	c.run("", "cortex", "remember", "-q", "--type", "question", "Which index do we use?")
	question := c.run("", "cortex", "list", "--json")
	var landed struct{ Memories []struct{ ID string } }
	if err := json.Unmarshal([]byte(question), &landed); err != nil {
		t.Fatal(err)
	}
	before := c.run("", "git", "status", "--porcelain")
	a := newAgent(t, c)
	args := arguments{
		"text": "Bluge is the index. It needs no cgo.", "type": "decision", "tags": []string{"search"},
		"files": []string{filepath.Join(c.dir, "index", "search.go"), "./main.go"}, "answers": []string{landed.Memories[0].ID[:6]},
	}
	got := a.ask("cortex_remember", args)
	if got.Title != "Bluge is the index" || got.Stage != "pending" || got.Source.Agent != "test-agent" || got.Branch != "main" ||
		cmp.Diff(got.Files, []string{"index/search.go", "main.go"}) != "" || len(got.Links) != 1 || got.Links[0].Rel != "answers" {
		t.Errorf("remembered %+v", got)
	}
	if again := a.ask("cortex_remember", args); again.ID != got.ID {
		t.Errorf("remembered twice as %s and %s", got.ID, again.ID)
	}
	a.same("cortex_show", arguments{"id": got.ID}, "show", got.ID)
	if after := c.run("", "git", "status", "--porcelain"); after != before {
		t.Errorf("git status was %q and is %q", before, after)
	}
	if kind := a.refused("cortex_forget", arguments{"id": landed.Memories[0].ID}); kind != "not-pending" {
		t.Errorf("forgetting a landed memory: %s", kind)
	}
	if out := a.ask("cortex_forget", arguments{"id": got.ID[:7]}); out.Forgotten.ID != got.ID {
		t.Errorf("forgot %+v", out)
	}
	if kind := a.refused("cortex_show", arguments{"id": got.ID}); kind != "not-found" {
		t.Errorf("show of what was forgotten: %s", kind)
	}
	for _, args := range []arguments{{"text": " "}, {"text": "x", "type": "nonsense"}, {"text": "x", "files": []string{"../out"}}, {"text": "x", "branch": "gone"}, {"text": "x", "answers": []string{"zzzz"}}, {"text": strings.Repeat("x", 900_000)}} {
		a.refused("cortex_remember", args)
	}
	c.run("", "git", "fsck", "--strict", "--no-dangling")
}

// TestMCPDescribe: what an agent says of a symbol is kept with its code, as index-code does.
func TestMCPDescribe(t *testing.T) {
	t.Parallel()
	c := newCheckout(t)
	if err := os.WriteFile(filepath.Join(c.dir, "gauge.go"), []byte("package main\n\nfunc read() int { return 7 }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	a := newAgent(t, c)
	args := arguments{"text": "Reads the gauge at low water. Callers wait for the tide.", "files": []string{"gauge.go"}, "symbol": "read", "tags": []string{"gauge"}}
	got := a.ask("cortex_remember", args)
	if got.Title != "read: Reads the gauge at low water" || got.Stage != "pending" || !strings.Contains(got.Text, "Source: `gauge.go:3-3`, `read`") || !strings.Contains(got.Text, "return 7") {
		t.Errorf("described %+v", got)
	}
	if again := a.ask("cortex_remember", args); again.ID != got.ID {
		t.Errorf("described twice as %s and %s", got.ID, again.ID)
	}
	if out := c.run("", "cortex", "index-code", "gauge.go", "--json"); !strings.Contains(out, `"described":1,"lacking":[]`) {
		t.Errorf("index-code says %s", out)
	}
	whole := a.ask("cortex_remember", arguments{"text": "All that is read of gauges.", "files": []string{"./gauge.go"}, "type": "code"})
	if whole.Title != "gauge.go: All that is read of gauges" {
		t.Errorf("the file: %+v", whole)
	}
	for _, args := range []arguments{
		{"text": "x", "symbol": "read"},
		{"text": "x", "symbol": "raed", "files": []string{"gauge.go"}},
		{"text": "x", "symbol": "read", "files": []string{"gauge.go", "main.go"}},
		{"text": "x", "symbol": "x", "files": []string{"../out.go"}},
	} {
		a.refused("cortex_remember", args)
	}
}

// TestMCPBranches: every tool looks at the branch that it is told, and across
// branches only when it is told so.
func TestMCPBranches(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	c.run("", "git", "switch", "-q", "-c", "side")
	c.run("", "git", "commit", "-q", "--allow-empty", "-m", "not merged")
	c.run("", "cortex", "remember", "-q", "--pending", "--type", "decision", "The penguin counter writes to a ring buffer. A file would wear the card out.")
	c.run("", "cortex", "remember", "-q", "--pending", "--type", "plan", "The penguin counter gets a second card.")
	c.run("", "git", "switch", "-q", "main")
	a := newAgent(t, c)
	side, all := arguments{"branch": "side"}, arguments{"all_branches": true}
	with := func(more, args arguments) arguments {
		out := arguments{}
		for _, from := range []arguments{more, args} {
			for key, value := range from {
				out[key] = value
			}
		}
		return out
	}
	for _, tt := range []struct {
		tool string
		args arguments
		find func(answerOf) int
	}{
		{"cortex_search", arguments{"query": "penguin"}, func(o answerOf) int { return len(o.Results) }},
		{"cortex_search_decisions", arguments{}, func(o answerOf) int { return 2 * len(o.Results) }},
		{"cortex_list", arguments{}, func(o answerOf) int { return len(o.Memories) }},
		{"cortex_get_recent", arguments{}, func(o answerOf) int { return len(o.Memories) }},
		{"cortex_get_plan", arguments{}, func(o answerOf) int { return 2 * len(o.Plans) }},
		{"cortex_brief", arguments{}, func(o answerOf) int { return 2 * strings.Count(o.Text, "ring buffer") }},
		{"cortex_recall", arguments{"prompt": "Where does the penguin counter write to, a ring buffer or a file?"}, func(o answerOf) int { return o.View.Pending }},
	} {
		if n := tt.find(a.ask(tt.tool, tt.args)); n != 0 {
			t.Errorf("%s: %d of another branch without being asked", tt.tool, n)
		}
		if n := tt.find(a.ask(tt.tool, with(tt.args, side))); n != 2 {
			t.Errorf("%s: %d of 2 of a branch", tt.tool, n)
		}
		if n := tt.find(a.ask(tt.tool, with(tt.args, all))); n != 2 {
			t.Errorf("%s: %d of 2 across branches", tt.tool, n)
		}
	}
	id := a.ask("cortex_list", side).Memories[0].ID
	for _, tool := range []string{"cortex_show", "cortex_related", "cortex_forget"} {
		if kind := a.refused(tool, arguments{"id": id}); kind != "not-found" {
			t.Errorf("%s: %s", tool, kind)
		}
	}
	for _, tool := range []string{"cortex_show", "cortex_related"} {
		if got := a.ask(tool, with(side, arguments{"id": id})); got.ID != id {
			t.Errorf("%s: %+v", tool, got)
		}
		if got := a.ask(tool, with(all, arguments{"id": id})); got.ID != id {
			t.Errorf("%s: %+v", tool, got)
		}
	}
	if here, there := a.ask("cortex_get_status", arguments{}).Pending, a.ask("cortex_get_status", side).Pending; here != 0 || there != 2 {
		t.Errorf("%d pending here, %d there", here, there)
	}
	if got := a.ask("cortex_remember", with(side, arguments{"text": "The penguin counter is read once a day.", "type": "context"})); got.Branch != "side" || got.Source.Branch != "side" || got.Source.Commit != "" {
		t.Errorf("remembered %+v", got)
	}
	if got := a.ask("cortex_list", arguments{}); len(got.Memories) != 0 {
		t.Errorf("%+v on main", got.Memories)
	}
	if got := a.ask("cortex_forget", with(side, arguments{"id": id})); got.Forgotten.ID != id {
		t.Errorf("forgot %+v", got)
	}
	if kind := a.refused("cortex_remember", arguments{"text": "x", "all_branches": true}); kind != "usage" {
		t.Errorf("remembering for all branches: %s", kind)
	}
}

// TestMCPRoots: one server answers about many repositories, more than it keeps open,
// and sees what other processes do in each.
func TestMCPRoots(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	home := newCheckout(t)
	a := newAgent(t, home)
	var others []*checkout
	for range 10 {
		others = append(others, newCheckout(t))
	}
	for round := range 2 {
		for i, o := range others {
			args := arguments{"root": o.dir}
			want := round * 2
			if n := len(a.ask("cortex_list", args).Memories); n != want {
				t.Errorf("repository %d: %d memories, want %d", i, n, want)
			}
			a.ask("cortex_remember", arguments{"root": o.dir, "text": "Each gauge has a number of its own."})
			o.run("", "cortex", "remember", "-q", "--pending", "A gauge is read once an hour.")
			if n := len(a.ask("cortex_list", args).Memories); n != 2 {
				t.Errorf("repository %d: %d memories, want 2", i, n)
			}
		}
	}
	inside := filepath.Join(others[0].dir, "a", "folder")
	if err := os.MkdirAll(inside, 0o777); err != nil {
		t.Fatal(err)
	}
	if n := len(a.ask("cortex_list", arguments{"root": inside}).Memories); n != 2 {
		t.Errorf("%d memories from a folder inside", n)
	}
	if n := len(a.ask("cortex_list", arguments{}).Memories); n != 0 {
		t.Errorf("%d memories at home", n)
	}
	others[1].run("", "git", "switch", "-q", "-c", "topic")
	if got := a.ask("cortex_list", arguments{"root": others[1].dir}); got.View.Branch != "topic" {
		t.Errorf("the branch is %q after a switch", got.View.Branch)
	}
	if kind := a.refused("cortex_list", arguments{"root": t.TempDir()}); kind != "not-a-repository" {
		t.Errorf("a folder without a repository: %s", kind)
	}
	if kind := a.refused("cortex_list", arguments{"root": filepath.Join(home.dir, "gone")}); kind != "no-such-file" {
		t.Errorf("a folder that is not there: %s", kind)
	}
}

// TestMCPCurate: an agent gets a worksheet and answers it.
func TestMCPCurate(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := newCheckout(t)
	a := newAgent(t, c)
	if kind := a.refused("cortex_curate", arguments{}); kind != "nothing-waits" {
		t.Errorf("a worksheet of nothing: %s", kind)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "script", "curate-worksheet.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	_, spec, _ := strings.Cut(string(script), "-- spec.txt --\n")
	spec, _, _ = strings.Cut(spec, "\n-- ")
	transcript, err := sessionFrom(spec, "b1c2", c.dir)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "b1c2.jsonl")
	if err := os.WriteFile(file, transcript, 0o666); err != nil {
		t.Fatal(err)
	}
	c.run("", "cortex", "capture", "-q", file)
	sheet := a.call("cortex_curate", arguments{"branch": "main"}).(map[string]any)
	candidates := sheet["candidates"].([]any)
	if len(candidates) == 0 {
		t.Fatalf("worksheet %+v", sheet)
	}
	c.run("", "git", "branch", "side")
	if kind := a.refused("cortex_curate", arguments{"branch": "side"}); kind != "nothing-waits" {
		t.Errorf("a worksheet of another branch: %s", kind)
	}
	a.same("cortex_curate", arguments{}, "curate")
	drop := []arguments{}
	for _, candidate := range candidates {
		drop = append(drop, arguments{"id": candidate.(map[string]any)["id"], "reason": "said already"})
	}
	done := a.call("cortex_curate_apply", arguments{"answer": arguments{"sheet": sheet["sheet"], "memories": []any{}, "dropped": drop}}).(map[string]any)
	if n := len(done["dropped"].([]any)); n != len(drop) {
		t.Errorf("%d of %d were dropped: %v", n, len(drop), done)
	}
	a.refused("cortex_curate_apply", arguments{"answer": arguments{"sheet": "unknown"}})
}
