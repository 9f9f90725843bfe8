package capture

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/weights"
	"github.com/git-cortex/cortex/memory"
)

// steps is a session of words and shell commands: "$ go test" passes, "! go test"
// fails, "e store.go" edits a file, "u: …" is the user and anything else the agent.
func steps(list ...string) []byte {
	var parts []string
	call := func(n int, tool string, input map[string]string, failed bool) {
		raw, _ := json.Marshal(input)
		id := fmt.Sprintf("c%d", n)
		result := fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"userType":"external","type":"user","uuid":"r%d","sessionId":"s-1","cwd":"/r","timestamp":"2026-03-02T09:30:00Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":"out"}]}}`, n, id, failed)
		parts = append(parts, "agent blocks", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, tool, raw), "record", result)
	}
	for i, s := range list {
		switch {
		case strings.HasPrefix(s, "u: "):
			parts = append(parts, "user", s[3:])
		case strings.HasPrefix(s, "$ "), strings.HasPrefix(s, "! "):
			call(i, "Bash", map[string]string{"command": s[2:]}, s[0] == '!')
		case strings.HasPrefix(s, "e "):
			call(i, "Edit", map[string]string{"file_path": "/r/" + s[2:], "old_string": "a", "new_string": "b"}, false)
		default:
			parts = append(parts, "agent", s)
		}
	}
	return sessionOf(parts...)
}

const (
	diagnosis = "Found it: `Store.Get` returns stale values because `evict` in store.go runs before the lock is taken, so that a reader can see a half written entry."
	repair    = "Fixed: `Store.Get` now takes the lock in store.go before `evict` runs, so that a reader never sees a half written entry."
	setting1  = "u: why does the cache return stale values in production?"
)

// everything keeps and lands all that is judged.
func everything() Options {
	return Options{Weights: weights.New(map[string][]float64{weights.Bias: {9, -9}}, 0.5, 0.5)}
}

func titlesOf(list []*memory.Memory) []string {
	var out []string
	for _, m := range list {
		out = append(out, string(m.Type)+": "+m.Title)
	}
	return out
}

// TestOverturned: what the user undid later in the session goes.
func TestOverturned(t *testing.T) {
	const other = "The `gauge` in gauge.go must never be read twice, because the second read resets it."
	worked := []string{setting1, diagnosis, "e store.go", "$ go test ./...", repair}
	for _, x := range []struct {
		name  string
		after []string
		gone  bool
	}{
		{"nothing", []string{"u: thanks, now look at the gauge", other}, false},
		{"user: undo", []string{"u: undo that", "Undone."}, true},
		{"user, in Spanish", []string{"u: no funciona, deshaz eso", "Ya."}, true},
		{"user: still wants more", []string{"u: still open is the gauge, look at it", other}, false},
	} {
		var fixes []*memory.Memory
		for _, m := range capture(t, steps(append(worked, x.after...)...), everything()).held() {
			if m.Source.Layer != string(session.LayerUser) && strings.Contains(m.Title+m.Text, "now takes the lock") {
				fixes = append(fixes, m)
			}
		}
		if gone := len(fixes) == 0; gone != x.gone {
			t.Errorf("%s: gone %v, want %v: %v", x.name, gone, x.gone, titlesOf(fixes))
		}
	}
}

// TestReverted: a commit that is taken back takes its memory with it.
func TestReverted(t *testing.T) {
	const commit = "$ git commit -m 'fix(store): take the lock in Store.Get before evict runs' -m 'A reader never sees a half written entry of Store.Get.'"
	for _, x := range []struct {
		then string
		gone bool
	}{
		{"$ git revert --no-edit HEAD", true},
		{"$ git reset --hard HEAD~1", true},
		{"$ git reset -q --hard HEAD~1", true},
		{"$ git status", false},
		{"u: the deploy job is still failing", false},
	} {
		all := capture(t, steps("u: take the lock", "e store.go", commit, x.then, "Done."), everything()).held()
		all = slices.DeleteFunc(all, func(m *memory.Memory) bool { return m.Source.Layer == string(session.LayerUser) })
		if gone := len(all) == 0; gone != x.gone {
			t.Errorf("%s: gone %v, want %v: %v", x.then, gone, x.gone, titlesOf(all))
		}
	}
}

// TestSettledInTwo: what a session settles is the same whether it is read in one
// piece or in two, wherever the first ends.
func TestSettledInTwo(t *testing.T) {
	const commit = "$ git commit -m 'fix(store): take the lock in Store.Get before evict runs' -m 'A reader never sees a half written entry of Store.Get.'"
	worked := []string{setting1, diagnosis, "e store.go", "$ go test ./...", repair}
	offer := "Want me to define the id pattern once in `id/id.go` and import it in `trailers`?"
	for name, list := range map[string][]string{
		"joined":        worked,
		"did not work":  append(slices.Clone(worked), "u: that didn't work, it still returns stale values", "I will look again.", "u: go on", "Done."),
		"undone":        append(slices.Clone(worked), "u: undo that", "Undone.", "u: and now the gauge", "It is fine."),
		"wrong":         append(slices.Clone(worked), "u: no, that's wrong", "I see.", "u: go on", "Done."),
		"failed":        append(slices.Clone(worked), "u: run the whole suite", "! go test ./...", "Two tests of `Store.Get` fail.", "u: go on", "Done."),
		"reverted":      {setting1, "e store.go", commit, "Done.", "u: take it back", "$ git revert --no-edit HEAD", "Done.", "u: go on", "Done."},
		"agreed":        {setting1, offer, "u: yes", "The id pattern is now defined once in `id/id.go`.", "u: go on", "Done."},
		"picked":        {setting1, "**Option A: one queue**\n\nSimple.\n\n**Option B: a queue for each tenant**\n\nFair.\n\nWhich one?", "u: ja, nimm B", "Done.", "u: go on", "Done."},
		"only proposed": {setting1, "- I'd recommend `Store.Get` to take the lock in store.go.\n- I suggest that `evict` never runs there.", "u: what does the gauge do?", "It sends.", "u: yes", "Good."},
	} {
		data := steps(list...)
		whole := newHoldings()
		whole.apply(capture(t, data, everything()))
		for cut := range data {
			if cut > 0 && data[cut-1] != '\n' {
				continue
			}
			got := newHoldings()
			first := capture(t, data[:cut], everything())
			got.apply(first)
			opt := everything()
			opt.Previous, opt.Earlier = first.Session, got.list()
			got.apply(capture(t, data, opt))
			if d := cmp.Diff(whole.titles(), got.titles()); d != "" {
				t.Errorf("%s, cut at %d (-one run +two runs):\n%s", name, cut, d)
			}
		}
	}
}

// TestOneSubject: a pull request that says what its commit says adds no memory; one that
// says something else under the same title does.
func TestOneSubject(t *testing.T) {
	const commit = "$ git commit -m 'Take the lock in Store.Get' -m 'A reader never sees a half written entry of Store.Get, because evict waits for the lock.'"
	const request = "$ gh pr create --title 'Take the lock in Store.Get' --body '- No reader sees a half written entry of Store.Get any more\n- The tests of evict, of the lock and of 12 readers are new'"
	const other = "$ gh pr create --title 'Take the lock in Store.Get' --body 'The gauge of the harbour must be told by mail, because nobody looks at its page.'"
	for then, want := range map[string]int{request: 1, other: 2} {
		all := capture(t, steps("u: take the lock", "e store.go", commit, then, "Done."), everything()).held()
		all = slices.DeleteFunc(all, func(m *memory.Memory) bool { return m.Source.Layer != string(session.LayerStructure) })
		if len(all) != want {
			t.Errorf("%q: %d memories, want %d: %v", then, len(all), want, titlesOf(all))
		}
	}
}
