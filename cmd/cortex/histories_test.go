package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// setups are the kinds of clones in which histories are made: with the merge
// drivers, with the pages on main only, with cortex and its hooks and no
// drivers, and one where everything that joins branches is done by somebody
// without cortex.
func setups() []string {
	return []string{"drivers", "drivers", "drivers", "main-pages", "no-drivers", "no-cortex"}
}

// TestHistories makes random histories with real git and the real program, and
// after every operation that joins two histories holds the memories against
// what a three-way merge of sets says (see [state.merge]). An ordinary run makes
// some operations once, a full one draws them, both from one seed, so that they
// say the same every time; CORTEX_SEED takes another, and CORTEX_NIGHTLY a random
// one and ten times as many histories.
func TestHistories(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	seed := uint64(1)
	if testrun.Nightly() {
		seed = rand.Uint64()
	}
	if s := os.Getenv("CORTEX_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	t.Logf("CORTEX_SEED=%d", seed)
	if !testrun.Full() {
		for setup, operations := range someOperations() {
			t.Run(setup, func(t *testing.T) {
				t.Parallel()
				h := newHistory(t, setup, rand.New(rand.NewPCG(seed, 0)), 10)
				for _, operation := range operations {
					h.step(operation)
				}
				h.finish()
			})
		}
		return
	}
	rounds, merges := 1, 5
	if testrun.Nightly() {
		rounds = 10
	}
	for round := range rounds {
		for i, setup := range setups() {
			t.Run(fmt.Sprintf("%s-%d-%d", setup, round, i), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(seed, uint64(round*100+i)))
				h := newHistory(t, setup, rnd, pickOne(rnd, []int{0, 3, 10, 60}))
				for h.merges < merges {
					h.step(pickOne(rnd, operations()))
				}
				h.finish()
			})
		}
	}
}

// operations lists the operations on two branches, the frequent ones several times.
func operations() []string {
	return []string{
		"merge ort", "merge ort", "merge ort", "merge ort", "merge ort", "merge ort", "merge resolve", "merge resolve",
		"octopus", "octopus", "squash", "squash", "rebase --merge", "rebase --apply", "cherry-pick", "revert",
		"stash pop", "stash pop", "amend", "rename",
	}
}

// someOperations has one operation of each sort in one kind of clone.
func someOperations() map[string][]string {
	return map[string][]string{
		"drivers":    {"merge ort", "rebase --merge", "stash pop"},
		"no-drivers": {"merge resolve"},
	}
}

// history is a repository to which random things happen.
type history struct {
	*checkout
	setup    string
	rnd      *rand.Rand
	words    int             // makes every text another one
	branches []string        // the current one first
	blobs    map[string]item // memories by blob id
	pended   map[memory.ID]bool
	merges   int
	joins    int
	stops    int      // times that git left a conflict to its user
	log      []string // what was done, for a failure
}

// newHistory starts with so many memories: with none both sides add the pages,
// with many there is an archive.
func newHistory(t *testing.T, setup string, rnd *rand.Rand, memories int) *history {
	h := &history{
		checkout: newCheckout(t), setup: setup, rnd: rnd, branches: []string{"main"},
		blobs: map[string]item{}, pended: map[memory.ID]bool{},
	}
	t.Cleanup(func() {
		t.Logf("%s: %d joins, git stopped %d times", setup, h.joins, h.stops)
		if t.Failed() {
			t.Logf("history:\n%s", strings.Join(h.log, "\n"))
		}
	})
	switch setup {
	case "main-pages":
		if err := setSetting(h.dir, "projections", "default-branch"); err != nil {
			t.Fatal(err)
		}
	case "no-drivers":
		h.without("info/attributes")
	}
	h.write("src/shared.txt", strings.Repeat("line\n", 12))
	for range memories {
		h.add()
	}
	h.commit("base")
	for _, b := range []string{"one", "two", "feature/three"} {
		h.git("branch", b)
		h.branches = append(h.branches, b)
	}
	return h
}

// without takes a part of cortex's set-up out of the clone and returns what
// puts it back.
func (h *history) without(names ...string) (restore func()) {
	for _, name := range names {
		path := filepath.Join(h.dir, ".git", name)
		if err := os.Rename(path, path+".off"); err != nil {
			h.t.Fatal(err)
		}
	}
	return func() {
		for _, name := range names {
			path := filepath.Join(h.dir, ".git", name)
			if err := os.Rename(path+".off", path); err != nil {
				h.t.Fatal(err)
			}
		}
	}
}

// try runs git, whatever comes of it.
func (h *history) try(args ...string) (out string, ok bool) {
	out, err := h.start("", "git", args...)
	ok = err == nil || strings.Contains(err.Error(), "said on standard error")
	line := "git " + strings.Join(args, " ")
	switch args[0] {
	case "merge-base", "ls-tree", "merge-tree", "rev-parse", "ls-files", "add", "write-tree":
		return strings.TrimSpace(out), ok // looks only
	}
	if !ok {
		line += "\n    " + strings.ReplaceAll(strings.TrimSpace(out+"\n"+err.Error()), "\n", "\n    ")
	}
	h.note("%s", line)
	return strings.TrimSpace(out), ok
}

func (h *history) git(args ...string) string {
	h.t.Helper()
	out, ok := h.try(args...)
	if !ok {
		h.t.Fatalf("git %s failed", strings.Join(args, " "))
	}
	return out
}

func (h *history) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

func (h *history) write(name, text string) {
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o666)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *history) read(name string) string {
	data, err := os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name)))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(data)
}

// token is a word that stands nowhere else: where it went can be followed.
func (h *history) token() string {
	h.words++
	return fmt.Sprintf("tok%d", h.words)
}

func pickOne[T any](rnd *rand.Rand, from []T) T { return from[rnd.IntN(len(from))] }

// compose makes a memory. The texts are alike, so that git's rename detection
// takes one for another; some differ in everything.
func (h *history) compose() *memory.Memory {
	typ := pickOne(h.rnd, []memory.Type{memory.Decision, memory.Decision, memory.Rejected, memory.Plan, memory.Gotcha, memory.Fix})
	month := time.Month(9 + h.rnd.IntN(3))
	created := time.Date(2026, month, 1+h.rnd.IntN(20), 8, h.words%60, 0, 0, time.UTC)
	text := []string{"The gauge is read every minute.", "", "Values are kept as they come.", "", "It holds for " + h.token() + "."}
	if h.rnd.IntN(3) == 0 {
		text = nil
		for range 3 + h.rnd.IntN(4) {
			text = append(text, strings.Repeat(h.token()+" ", 1+h.rnd.IntN(5))+".", "")
		}
	}
	m := memory.New(typ, fmt.Sprintf("Gauge %s is number %d", h.token(), h.rnd.IntN(1000)), strings.Join(text, "\n"), created)
	m.Tags = []string{"gauge"}
	m.Source = memory.Source{Agent: "claude-code", Session: fmt.Sprintf("s-%d", h.rnd.IntN(40)), Layer: "answer"}
	return m
}

func (h *history) add() {
	m := h.compose()
	if here := h.here(); len(here) > 0 && h.rnd.IntN(4) == 0 {
		m.Links = []memory.Link{{Rel: memory.Supersedes, To: pickOne(h.rnd, slices.Sorted(maps.Keys(here)))}}
	}
	h.write(".cortex/memories/"+m.Path(), string(memory.Format(m)))
	h.note("  add %s", m.Path())
}

// edit changes a memory as people and agents do: a field, a line, the title.
func (h *history) edit(id memory.ID, name string) {
	m, err := memory.Parse(name, []byte(h.read(name)))
	if err != nil {
		h.t.Fatal(err)
	}
	tok := h.token()
	switch h.rnd.IntN(6) {
	case 0:
		m.Tags = append(m.Tags, tok)
	case 1:
		m.Title += " again"
		m.Text += "\n\n" + tok
	case 2:
		m.Unknown += "x_" + tok + ": yes\n"
	case 3:
		lines := strings.Split(m.Text, "\n")
		lines[h.rnd.IntN(len(lines))] += " " + tok
		m.Text = strings.Join(lines, "\n")
	case 4:
		m.Text = tok + " comes first.\n\n" + m.Text
		m.Priority = 1 + h.rnd.IntN(10)
		m.Updated = m.Created.Add(time.Duration(h.words) * time.Hour)
	default:
		m.Text += "\n\nAnd " + tok + "."
	}
	data := string(memory.Format(m))
	if h.rnd.IntN(4) == 0 {
		data = strings.TrimSuffix(data, "\n") + "   \n\n" // an editor's traces
	}
	h.write(name, data)
	h.note("  edit %s %s in %s", id.Short(), tok, name)
}

// change does one thing to the working tree.
func (h *history) change() {
	here := h.here()
	ids := slices.Sorted(maps.Keys(here))
	switch n := h.rnd.IntN(12); {
	case n < 4 || len(ids) < 3 && n < 9:
		h.add()
	case n < 7:
		id := pickOne(h.rnd, ids)
		h.edit(id, here[id].path)
	case n < 9:
		id := pickOne(h.rnd, ids)
		if err := os.Remove(filepath.Join(h.dir, here[id].path)); err != nil {
			h.t.Fatal(err)
		}
		h.note("  remove %s", here[id].path)
	case n < 10:
		h.pend()
	case n < 11:
		h.write("src/"+h.token()+".txt", "new\n")
	default:
		lines := strings.Split(h.read("src/shared.txt"), "\n")
		lines[h.rnd.IntN(len(lines))] = h.token()
		h.write("src/shared.txt", strings.Join(lines, "\n"))
	}
}

// pend has an agent write a memory; it must never be lost from here on.
func (h *history) pend() {
	out := h.run("", "cortex", "remember", "--pending", "--json", fmt.Sprintf("Pump %s has %d stages.", h.token(), h.words))
	id := memory.ID(jsonField(h.t, out, "id"))
	h.pended[id] = true
	h.note("  pending %s on %s", id.Short(), h.branches[0])
}

// commit commits what the working tree holds and sees that nothing came or
// went but what was pending.
func (h *history) commit(message string, flags ...string) {
	h.t.Helper()
	want := h.here()
	h.git("add", "-A")
	h.git(append([]string{"commit", "-q", "--allow-empty", "-m", message}, flags...)...)
	h.checkCommit(want)
}

func (h *history) work() {
	for range 1 + h.rnd.IntN(2) {
		for range 1 + h.rnd.IntN(3) {
			h.change()
		}
		h.commit("work")
	}
}

func (h *history) switchTo(branch string) {
	h.git("switch", "-q", branch)
	at := slices.Index(h.branches, branch)
	h.branches[0], h.branches[at] = h.branches[at], h.branches[0]
}

// step works on two branches and then does something to them.
func (h *history) step(operation string) {
	worked := pickOne(h.rnd, h.branches)
	h.switchTo(worked)
	h.work()
	other := pickOne(h.rnd, h.branches[1:])
	h.switchTo(other)
	h.work()
	source := pickOne(h.rnd, h.branches[1:])
	verb, how, _ := strings.Cut(operation, " ")
	switch verb {
	case "merge":
		h.join("merge", how, source)
	case "octopus":
		h.octopus()
	case "squash":
		h.squash(source)
	case "rebase":
		h.rebase(how, source)
	case "cherry-pick":
		h.cherryPick(worked)
	case "revert":
		h.revert()
	case "stash":
		h.stashPop()
	case "amend":
		h.change()
		h.commit("amended", "--amend")
	case "rename":
		name := "renamed/" + h.token()
		h.git("branch", "-m", source, name)
		h.branches[slices.Index(h.branches, source)] = name
	default:
		h.t.Fatalf("no operation %q", operation)
	}
}
