package projection

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestTopics: what several memories have in common, by their tags and the folders of their
// files, the most frequent first.
func TestTopics(t *testing.T) {
	made := func(day int, tags []string, files ...string) Item {
		m := memory.New(memory.Decision, fmt.Sprint("the tides of day ", day), "", time.Date(2026, 10, day, 0, 0, 0, 0, time.UTC))
		m.Tags, m.Files = tags, files
		return Item{Memory: m}
	}
	items := []Item{
		made(1, []string{"ci"}, "store/wal/log.go", "store/wal/cut.go"),
		made(3, []string{"ci", "release"}, "store/wal/deep/down/log.go", "README.md"),
		made(2, []string{"ci"}, "store/gauge.go"),
	}
	var got []string
	for _, x := range topics(items) {
		got = append(got, fmt.Sprintf("%s %d (%s)", x.name, x.count, x.newest.Format("2 Jan")))
	}
	if want := "ci 3 (3 Oct), store/wal/ 2 (3 Oct)"; strings.Join(got, ", ") != want {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestDoorOfNothing: a door that names nothing says how many memories a search can find, those that rest among them.
func TestDoorOfNothing(t *testing.T) {
	m := memory.New(memory.Decision, "Poll every five minutes", "", time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC))
	got := Brief(BriefInput{Door: true, AtPrompts: true, Items: []Item{{Memory: m, Effective: 0.9}}, Resting: 2}).Text
	for _, want := range []string{"A search finds what has been recorded for this repository: 3 memories.", "`cortex search"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
	if got := Brief(BriefInput{Door: true, Resting: 1}).Text; !strings.Contains(got, ": 1 memory.") {
		t.Error(got)
	}
}

// TestDoorPlan: a session begins with a plan that was begun and has a step ahead, and no other.
func TestDoorPlan(t *testing.T) {
	for text, want := range map[string]bool{
		"- [ ] dig\n- [ ] pour":            false,
		"- [x] dig\n- [ ] pour":            true,
		"- [ ] dig\n- [x] pour":            false,
		"The well is to be dug in spring.": false,
	} {
		plan := memory.New(memory.Plan, "Dig the well", text, time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC))
		for door, told := range map[bool]bool{true: want, false: true} {
			got := Brief(BriefInput{Door: door, AtPrompts: true, Items: []Item{{Memory: plan, Effective: 0.9}}}).Text
			if strings.Contains(got, "Active plan") != told {
				t.Errorf("%q, door %v:\n%s", text, door, got)
			}
		}
	}
}

// TestContentsAreCut: topics that have no room are counted.
func TestContentsAreCut(t *testing.T) {
	var items []Item
	for i := range 40 {
		m := memory.New(memory.Decision, fmt.Sprint("tide ", i), "", time.Time{})
		m.Tags = []string{fmt.Sprint("topic", i/2)}
		items = append(items, Item{Memory: m})
	}
	p := &packer{room: size{1000, 10_000}, door: true}
	lines := p.contents(items, size{60, 10_000})
	if text := strings.Join(lines, "\n"); !strings.HasSuffix(text, " more") || sizeOf(lines...).tokens > 60 {
		t.Errorf("%q", text)
	}
	if lines := p.contents(items, size{5, 10_000}); lines != nil {
		t.Errorf("without room: %q", lines)
	}
}

// TestRecallWithin: as many memories are said as the last of them allows.
func TestRecallWithin(t *testing.T) {
	var all []Recalled
	for i := range 3 {
		m := memory.New(memory.Gotcha, fmt.Sprint("The sluice leaks at tide ", i), "", time.Time{})
		all = append(all, Recalled{ID: m.ID, Type: m.Type, Line: m.Title})
	}
	for allowed, want := range map[int]int{0: 0, 1000: 3} {
		if got := len(RecallWithin(all, HookBytes, func(int) int { return allowed }).Shown); got != want {
			t.Errorf("with %d tokens %d are said, not %d", allowed, got, want)
		}
	}
	got := RecallWithin(all, HookBytes, func(i int) int { return 1000 * (1 - i/2) })
	if len(got.Shown) != 2 {
		t.Errorf("a weak last one: %d are said, not 2", len(got.Shown))
	}
}
