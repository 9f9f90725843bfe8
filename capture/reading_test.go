package capture

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// typesOf are the types of the memories that say something.
func typesOf(res *Result, what string) (out []memory.Type) {
	for _, m := range res.held() {
		if strings.Contains(m.Title+"\n"+m.Text, what) {
			out = append(out, m.Type)
		}
	}
	return out
}

// TestNothingMended: what the agent says of a repair is a fix only where its turn changed
// something; before that it says what goes wrong.
func TestNothingMended(t *testing.T) {
	for _, x := range []struct {
		name    string
		session []byte
		want    memory.Type
	}{
		{"only said", steps("u: look into the cache in production", repair), memory.Gotcha},
		{"read but not changed", steps("u: look into the cache in production", "$ go test ./...", repair), memory.Gotcha},
		{"changed", steps("u: repair the cache in production", "e store.go", repair), memory.Fix},
		{"said before the change", steps("u: repair the cache in production", repair, "e store.go", "It is done."), memory.Gotcha},
		{"changed in the turn before", steps("u: repair the cache in production", "e store.go", "It is done.", "u: say what was wrong", repair), memory.Gotcha},
	} {
		if got := typesOf(capture(t, x.session, everything()), "half written"); !slices.Equal(got, []memory.Type{x.want}) {
			t.Errorf("%s: %v, want one %s", x.name, got, x.want)
		}
	}
}

// TestToldOfChange: what the agent tells in the end of a turn that changed something was
// decided; in one that changed nothing it says how things are, in answer to a question, or
// what goes wrong. A trap that the title states stays one.
func TestToldOfChange(t *testing.T) {
	const (
		limit = "`Store.Get` does not read `limits.yaml` again, and the number of entries is limited to 500 for each user."
		trap  = "`Store.Get` silently loses the oldest entry when two readers call it, and the number of entries is limited to 500 for each user."
	)
	for _, x := range []struct {
		name    string
		session []byte
		want    memory.Type
	}{
		{"changed", steps("u: bound the cache", "e store.go", limit), memory.Decision},
		{"changed, a trap", steps("u: bound the cache", "e store.go", trap), memory.Gotcha},
		{"asked", steps("u: how many entries does the cache hold", limit), memory.Architecture},
		{"only looked at", steps("u: look into the cache", limit), memory.Gotcha},
	} {
		if got := typesOf(capture(t, x.session, everything()), "limited to 500"); !slices.Equal(got, []memory.Type{x.want}) {
			t.Errorf("%s: %v, want one %s", x.name, got, x.want)
		}
	}
}

// TestManyRepairsDecided: a commit that takes up a whole review is no single fix.
func TestManyRepairsDecided(t *testing.T) {
	const body = "`Store.Get` takes the lock before `evict` runs, and the number of entries is limited to 500 for each user."
	for subject, want := range map[string]memory.Type{
		"fix(store): take the lock before evict runs":    memory.Fix,
		"fix(store): address the findings of the review": memory.Decision,
	} {
		session := steps("u: go on with the store", "e store.go", "$ git commit -m '"+subject+"' -m '"+body+"'")
		if got := typesOf(capture(t, session, everything()), "limited to 500"); !slices.Equal(got, []memory.Type{want}) {
			t.Errorf("%s: %v, want one %s", subject, got, want)
		}
	}
}
