package diary

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// note notes a moment at which memories were shown.
func note(t *testing.T, d *Diary, session, moment string, ids ...memory.ID) {
	t.Helper()
	s := Showing{Moment: moment, Tokens: 10 * len(ids)}
	for _, id := range ids {
		s.Items = append(s.Items, Item{ID: id})
	}
	if err := d.NoteShown(session, s); err != nil {
		t.Fatal(err)
	}
}

func TestShown(t *testing.T) {
	d, _ := open(t)
	shown := func(session string, now, before []memory.ID) {
		t.Helper()
		shown := d.Shown(session)
		got := [][]memory.ID{slices.Sorted(maps.Keys(shown.Now)), slices.Sorted(maps.Keys(shown.Before))}
		if diff := cmp.Diff([][]memory.ID{now, before}, got); diff != "" {
			t.Errorf("shown to %q (-want +got):\n%s", session, diff)
		}
	}
	note(t, d, "a", "prompt", one)
	note(t, d, "a", "command")
	note(t, d, "a", "command", two)
	note(t, d, "b", "prompt", two)
	note(t, d, "", "prompt", one)
	shown("a", []memory.ID{one, two}, nil)
	shown("b", []memory.ID{two}, nil)
	shown("", nil, nil)
	if err := d.Compacted("a"); err != nil {
		t.Fatal(err)
	}
	note(t, d, "a", "prompt", two)
	shown("a", []memory.ID{two}, []memory.ID{one, two})
	note(t, d, "a", StartMoment, one)
	if shown := d.Shown("a"); shown.Now[one] || !shown.Has(one) {
		t.Error("what the briefing names is in the context, and may be said at a moment")
	}
	for _, session := range []string{"a", "nobody", ""} {
		if err := d.Begun(session); err != nil {
			t.Fatal(err)
		}
		shown(session, nil, nil)
	}
	if _, err := os.Stat(d.path(shownFile("nobody"))); err == nil {
		t.Error("a session that was shown nothing has a file")
	}
}

// TestShownTorn: a line that was cut costs itself alone.
func TestShownTorn(t *testing.T) {
	d, _ := open(t)
	note(t, d, "a", "prompt", one)
	name := d.path(shownFile("a"))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(data) {
		if err := os.WriteFile(name, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		note(t, d, "a", "prompt", two)
		if now := d.Shown("a").Now; !now[two] {
			t.Fatalf("after a line of %d bytes: %v", cut, now)
		}
	}
	if err := os.WriteFile(name, []byte("\x00\nnull\n[]\n{\"moment\":\"prompt\",\"items\":[{\"id\":\"../x\"}]}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if now := d.Shown("a").Now; len(now) != 0 {
		t.Errorf("out of garbage: %v", now)
	}
}

// TestShownIsBounded: silence is noted no more in a file that is large, nothing in
// one that is too large, and the oldest sessions are forgotten.
func TestShownIsBounded(t *testing.T) {
	d, _ := open(t)
	for _, c := range []struct {
		size  int
		grows []bool // by silence, by what was said
	}{{100, []bool{true, true}}, {shownSize + 1, []bool{false, true}}, {shownMost + 1, []bool{false, false}}} {
		for i, ids := range [][]memory.ID{nil, {one}} {
			if err := d.write(shownFile("a"), []byte(strings.Repeat("x", c.size)+"\n")); err != nil {
				t.Fatal(err)
			}
			note(t, d, "a", "command", ids...)
			info, err := os.Stat(d.path(shownFile("a")))
			if err != nil || (info.Size() > int64(c.size)+1) != c.grows[i] {
				t.Errorf("%d bytes became %d, %v", c.size, info.Size(), err)
			}
		}
	}
	for i := range shownSessions + 20 {
		name := fmt.Sprint("s", i)
		note(t, d, name, "prompt", one)
		at := time.Unix(int64(i), 0)
		if err := os.Chtimes(d.path(shownFile(name)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	note(t, d, "last", "prompt", one)
	if err := d.Count("last"); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(d.path(shownFolder))
	if err != nil || len(left) != shownSessions {
		t.Errorf("%d sessions are kept, %v", len(left), err)
	}
	if !d.Shown("last").Now[one] {
		t.Error("the last one is forgotten")
	}
}

func TestEvidence(t *testing.T) {
	d, clock := open(t)
	note(t, d, "a", StartMoment, one, two)
	note(t, d, "a", "prompt")
	note(t, d, "a", "prompt", one)
	if got := d.Unused("a"); len(got) != 2 || len(got[0].Items) != 2 {
		t.Errorf("unused %+v", got)
	}
	if err := d.NoteUsed("a", "prompt", []Item{{ID: one, By: "file"}}); err != nil {
		t.Fatal(err)
	}
	if got := d.Unused("a"); len(got) != 1 || len(got[0].Items) != 1 || got[0].Items[0].ID != two {
		t.Errorf("unused %+v", got)
	}
	want := Evidence{
		Moments: map[string]Moment{
			StartMoment: {Asked: 1, Spoke: 1, Items: 2, Tokens: 20},
			"prompt":    {Asked: 2, Spoke: 1, Items: 1, Tokens: 10, Used: 1},
		},
		Memories: map[memory.ID]Seen{
			one: {Shown: 1, Brief: 1, Used: 1, Last: clock.UnixMilli()},
			two: {Brief: 1, Last: clock.UnixMilli()},
		},
		Since: clock.UTC(),
	}
	check := func(when string, got Evidence) {
		t.Helper()
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	check("before counting", d.Evidence())
	for range 2 { // the second time nothing is new
		if err := d.Count("a"); err != nil {
			t.Fatal(err)
		}
		check("totals", d.Totals())
		check("all", d.Evidence())
	}
	note(t, d, "b", "prompt")
	if got := d.Evidence().Moments["prompt"].Asked; got != 3 {
		t.Errorf("asked %d times", got)
	}
}

// TestFactor: the record orders what is near each other, and no more.
func TestFactor(t *testing.T) {
	for _, c := range []struct {
		seen     Seen
		from, to float64
	}{
		{Seen{}, 1, 1},
		{Seen{Brief: 50}, 1, 1},
		{Seen{Shown: 1}, 0.98, 1},
		{Seen{Shown: 1, Used: 1}, 1, 1.02},
		{Seen{Shown: 10, Used: 5}, 1, 1},
		{Seen{Shown: 100}, 0.875, 0.89},
		{Seen{Shown: 100, Used: 100}, 1.11, 1.125},
	} {
		if got := c.seen.Factor(false); got < c.from || got > c.to {
			t.Errorf("%+v: %v, want %v to %v", c.seen, got, c.from, c.to)
		}
	}
}

// TestHadItsTurn: ten showings of one kind without a use are enough.
func TestHadItsTurn(t *testing.T) {
	for seen, want := range map[Seen][2]bool{
		{Shown: 9, Brief: 9}:            {false, false},
		{Shown: 10}:                     {false, true},
		{Brief: 10}:                     {true, false},
		{Shown: 30, Brief: 30, Used: 1}: {false, false},
	} {
		if got := [2]bool{seen.NamedInVain(enough), seen.HadItsTurn()}; got != want {
			t.Errorf("%+v: %v", seen, got)
		}
	}
}

// TestRests: where an agent is told of traps at its calls, a start names those alone that most of the eight latest
// sessions met. To be named at a start is not to meet a trap, and to use what was named is.
func TestRests(t *testing.T) {
	trap := memory.New(memory.Fix, "`npm` is not available in the shell here", "", time.Time{})
	trap.Triggers = []string{"error: command not found: npm"}
	const named, told, used, silent = "start", "error", "used", "prompt"
	for _, c := range []struct {
		name     string
		sessions []string // the latest last: a moment at which the trap is an item, but for silent
		calls    bool     // it rests where the agent is told of traps at its calls
	}{
		{"new", nil, true},
		{"four", []string{told, told, told, told}, true},
		{"five", []string{told, used, told, used, told}, false},
		{"named alone", []string{named, named, named, named}, true},
		{"most", []string{told, told, told, told, told, silent, silent, named}, false},
		{"half of eight", []string{told, told, told, told, told, silent, silent, silent, named}, true},
	} {
		d, _ := open(t)
		for i, moment := range c.sessions {
			session, ids := fmt.Sprint("s", i), []memory.ID{trap.ID}
			if moment == silent {
				ids = nil
			}
			note(t, d, session, moment, ids...)
			at := time.Unix(int64(i), 0)
			if err := os.Chtimes(d.path(shownFile(session)), at, at); err != nil {
				t.Fatal(err)
			}
		}
		if got := [2]bool{d.Rests(false)(trap, false), d.Rests(true)(trap, false)}; got != [2]bool{false, c.calls} {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestNamedInVain: what ten starts named and nobody used rests, a wish after four, with agents of any kind.
func TestNamedInVain(t *testing.T) {
	d, _ := open(t)
	m := memory.New(memory.Preference, "Tests are tables", "", time.Time{})
	for seen, want := range map[Seen][2]bool{
		{Brief: 3}: {false, false}, {Brief: 4}: {false, true}, {Brief: 9}: {false, true}, {Brief: 10, Shown: 30}: {true, true},
		{Brief: 10, Used: 1}: {false, false},
	} {
		e := Evidence{Memories: map[memory.ID]Seen{m.ID: seen}}
		if err := d.write(evidenceFile, e.format()); err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{d.Rests(false)(m, false), d.Rests(true)(m, true)}; got != want {
			t.Errorf("%+v: %v", seen, got)
		}
	}
}

// TestFading: what is shown again and again and hardly used fades, and nothing else.
func TestFading(t *testing.T) {
	for _, c := range []struct {
		seen Seen
		want float64
	}{
		{Seen{}, 1},
		{Seen{Shown: 3}, Seen{Shown: 3}.Factor(false)},
		{Seen{Shown: 4}, 0.8},
		{Seen{Shown: 10}, 0.5},
		{Seen{Shown: 90}, 0.5},
		{Seen{Shown: 80, Used: 14}, 0.5},
		{Seen{Shown: 8, Used: 1}, 0.8},
		{Seen{Shown: 80, Used: 20}, Seen{Shown: 80, Used: 20}.Factor(false)},
	} {
		if got := c.seen.Factor(true); got != c.want {
			t.Errorf("%+v: %v, want %v", c.seen, got, c.want)
		}
	}
}

func TestEvidenceIsBounded(t *testing.T) {
	e := Evidence{Memories: map[memory.ID]Seen{}}
	for i := range keptEvidence + 1 {
		e.Memories[memory.NewID(memory.Fix, fmt.Sprint(i), "")] = Seen{Last: int64(i)}
	}
	last := memory.NewID(memory.Fix, fmt.Sprint(keptEvidence), "")
	e.bound()
	if _, ok := e.Memories[last]; len(e.Memories) > keptEvidence || !ok {
		t.Errorf("%d memories, the last one %v", len(e.Memories), ok)
	}
}

// TestEvidenceDamaged: what is no line of the totals is passed over.
func TestEvidenceDamaged(t *testing.T) {
	d, _ := open(t)
	good := fmt.Sprintf("%s\t1\t0\t1\t5\nprompt\t3\t2\t2\t10\t1\nsince\t7\n", one)
	if err := d.write(evidenceFile, []byte("\x00\n../x\t1\t1\t1\t1\n"+good+"prompt\t1\n"+string(two)+"\t1\t-1\t1\t1\n"+string(two)+"\t1\t")); err != nil {
		t.Fatal(err)
	}
	got := d.Totals()
	if diff := cmp.Diff(good, string(got.format())); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if seen := d.Seen(); seen(one) != got.Memories[one] || seen(two) != (Seen{}) || seen("") != (Seen{}) {
		t.Errorf("%+v, %+v", seen(one), seen(two))
	}
}

func BenchmarkTotals(b *testing.B) {
	d := New(b.TempDir(), time.Now, nil)
	e := Evidence{Moments: map[string]Moment{"prompt": {Asked: 1}}, Memories: map[memory.ID]Seen{}}
	for i := range keptEvidence {
		e.Memories[memory.NewID(memory.Fix, fmt.Sprint(i), "")] = Seen{Shown: i, Last: 1764000000000}
	}
	if err := d.write(evidenceFile, e.format()); err != nil {
		b.Fatal(err)
	}
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			if got := d.Totals(); len(got.Memories) != keptEvidence {
				b.Fatal(len(got.Memories))
			}
		}
	})
	ids := slices.Sorted(maps.Keys(e.Memories))
	b.Run("some", func(b *testing.B) {
		for b.Loop() {
			seen := d.Seen()
			for i := range 48 {
				if id := ids[i*keptEvidence/48]; seen(id) != e.Memories[id] {
					b.Fatal(id, seen(id))
				}
			}
		}
	})
}

// TestBriefing: the words of a briefing are given again for a day, and to their session alone.
func TestBriefing(t *testing.T) {
	d, clock := open(t)
	note(t, d, "a", StartMoment, one)
	if got := d.Briefed("a").Text; got != "" {
		t.Errorf("%q", got)
	}
	if err := d.NoteShown("a", Showing{Moment: StartMoment, Tokens: 10, Text: "what is known"}); err != nil {
		t.Fatal(err)
	}
	note(t, d, "a", "prompt", two)
	if got := d.Briefed("a").Text; got != "what is known" {
		t.Errorf("%q", got)
	}
	if got := d.Briefed("b").Text; got != "" {
		t.Errorf("another session: %q", got)
	}
	*clock = clock.Add(briefingFor)
	if got := d.Briefed("a").Text; got != "" {
		t.Errorf("a day later: %q", got)
	}
}

// TestUnbriefed: a briefing is due where its agent gets it later, and after a summary.
func TestUnbriefed(t *testing.T) {
	d, _ := open(t)
	step := func(name string, err error, unbriefed bool, key string) {
		t.Helper()
		if got := d.Briefed("a").Key; err != nil || d.Unbriefed("a") != unbriefed || got != key {
			t.Errorf("%s: %v, unbriefed %v, by %q", name, err, d.Unbriefed("a"), got)
		}
	}
	step("nothing", nil, false, "")
	step("begun", d.BegunUnbriefed("a"), true, "")
	step("told", d.NoteShown("a", Showing{Moment: StartMoment, Key: "prompt"}), false, "prompt")
	step("summed up", d.Compacted("a"), true, "prompt")
	step("told at the start", d.NoteShown("a", Showing{Moment: StartMoment, Text: "x"}), false, "")
	step("begun as others", d.Begun("a"), false, "")
}

// TestHanded: as of which change a session was read is kept, and never goes back.
func TestHanded(t *testing.T) {
	d, _ := open(t)
	for _, changed := range []int64{5, 7, 6} {
		if err := d.NoteHanded("a", changed); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.Handed(); !maps.Equal(got, map[string]int64{"a": 7}) {
		t.Errorf("%v", got)
	}
	for i := range handedMost {
		if err := d.NoteHanded(fmt.Sprint(i), int64(100+i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := d.Handed(); len(got) != handedMost || got["a"] != 0 || got["999"] != 1099 {
		t.Errorf("%d are kept", len(got))
	}
}
